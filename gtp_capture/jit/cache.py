"""Files of machine code: in the package, made at installation, else in the user's cache folder.

The names of a kernel's files contain a key: a digest of the modules that the kernel depends on and of the versions of
Python, Numba, llvmlite and NumPy. Numba's index in the file names the processor. This module does not import Numba.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
SHIPPED: Final = PACKAGE / "machine_code"
"""Machine code of the installation; read only."""
_policy = threading.local()
loaded_from: Final[set[Path]] = set()
"""Folders from which this process has loaded machine code."""


class NotCompiledError(ImportError):
    """A kernel has no machine code, and this thread may not compile."""


@contextmanager
def load_only() -> Iterator[None]:
    """Raise NotCompiledError in this thread if a kernel would have to be compiled."""
    _policy.load_only = True
    try:
        yield
    finally:
        _policy.load_only = False


def may_compile() -> bool:
    """Return whether this thread may compile missing machine code."""
    return not getattr(_policy, "load_only", False)


@cache
def user_folder() -> Path | None:
    """Return the user's cache folder, which need not exist; None without a home. NUMBA_CACHE_DIR overrides it."""
    base = os.environ.get("NUMBA_CACHE_DIR")
    if base:
        return Path(base) / "gtp-capture"
    import platformdirs  # imported here, because the build environment does not have this package

    try:
        folder = platformdirs.user_cache_path("gtp-capture", appauthor=False) / "code"
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None  # earlier versions of platformdirs return `~` unchanged


def trusted(folder: Path) -> bool:
    """Return whether only this user (or root) can write to a folder; machine code loaded from it is executed.

    True on systems without POSIX permissions, where the user's cache folder is private by default.
    """
    if not hasattr(os, "getuid"):
        return True
    try:
        status = folder.stat()
    except OSError:
        return False
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def ship() -> None:
    """Read and write machine code only in the package from now on, as a build does."""
    SHIPPED.mkdir(exist_ok=True)
    _policy.shipping = True


def _shipping() -> bool:
    return getattr(_policy, "shipping", False)


def writable_folder() -> Path | None:
    """Return the folder to write to, created if necessary; None if there is none (`no_cache` tells why)."""
    if _shipping():
        return SHIPPED
    folder = user_folder()
    if folder is None:
        return None
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder if folder.is_dir() and trusted(folder) and os.access(folder, os.W_OK) else None


def no_cache() -> str:
    """Return why there is no writable folder."""
    folder = user_folder()
    if folder is None:
        return "no cache: this user has no home directory, and NUMBA_CACHE_DIR is not set"
    reason = "others may write there" if folder.exists() and not trusted(folder) else "read-only"
    return f"no cache in {folder}: {reason}"


def folders() -> list[Path]:
    """Return the folders to load from, in order."""
    folder = None if _shipping() else user_folder()
    usable = [folder] if folder is not None and trusted(folder) else []
    return [SHIPPED, *usable] if SHIPPED.is_dir() else usable
