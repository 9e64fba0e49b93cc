"""Write the reference of all public modules as pages of HTML: python -m tests.support.reference build/reference"""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from typing import Final, get_type_hints

import pdoc

MODULES: Final = ("gtp_capture", "gtp_capture.environment", "gtp_capture.yardstick")


def main(folder: Path) -> None:
    """Write the pages of the modules, and an index with a search."""
    for module in map(import_module, MODULES):
        public = {name: getattr(module, name) for name in dir(module) if name == "__version__" or name[0] != "_"}
        for kind in public.values():
            if isinstance(kind, type) and hasattr(kind, "_fields"):  # pdoc cannot look up its annotations that are text
                kind.__new__.__annotations__ = get_type_hints(kind)
        if not hasattr(module, "__all__"):  # the names that pdoc describes
            vars(module)["__all__"] = [name for name, value in public.items() if not ismodule(value)]
    pdoc.render.configure(show_source=False)
    pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
