"""Compile modules in a separate process: `python -m gtp_capture.jit.compile MODULE...`.

A file lock lets only one process compile a module at a time; the others then load its result. `--ship` compiles for an
installation, into the folder in the package.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

from ..util.signals import take_signals
from . import cache, numba_parts


def main(modules: list[str]) -> None:
    """Compile the kernels of these modules that have no machine code."""
    take_signals()
    if modules[:1] == ["--ship"]:
        cache.ship()
        for module in modules[1:]:
            importlib.import_module(module)
        numba_parts.forget_other_versions(cache.SHIPPED, 0)
        numba_parts.write_label()
        return
    if hasattr(os, "nice"):
        os.nice(15)  # the session that started this process answers commands meanwhile
    import filelock  # imported here, because the build environment does not have this package

    folder = cache.writable_folder()
    for module in modules:
        with contextlib.nullcontext() if folder is None else filelock.FileLock(folder / f"{module}.lock"):
            importlib.import_module(module)
    if folder is not None:
        numba_parts.forget_other_versions(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
