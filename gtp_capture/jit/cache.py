"""Files of machine code: in the package, made at installation, else in the user's cache folder.

The names of a kernel's files contain a key: a digest of the modules that the kernel depends on, of Python's bytecode
and of the versions of Numba, llvmlite and NumPy (for NumPy without the patch release). Numba's index in the file names
the processor. This module does not import Numba.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
SHIPPED: Final = PACKAGE / "machine_code"
"""Machine code of the installation; read only."""
LABEL: Final = SHIPPED / "made-for.json"
"""The versions and the processor that the machine code of the installation was made for."""
GENERIC: Final = "generic"
"""Processor name of code that runs on every machine of an architecture."""
OLD: Final = 30 * 86400.0
"""Age (s) from which a file of another version is removed."""
_IMPORT: Final = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
_policy = threading.local()
KEY_LENGTH: Final = 16
"""Characters of a key."""
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
    """Return the user's folder, created if necessary; None for the reasons of `no_cache`."""
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


@cache
def sources(module: str) -> tuple[Path, ...]:
    """Return the files of a module and of the modules of this package that it imports at its head, recursively."""
    files: dict[Path, None] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = PACKAGE.parent / Path(*name.split(".")).with_suffix(".py")
        if name == module and not path.is_file():
            path = Path(str(sys.modules[module].__file__))  # a kernel outside the package
        if path not in files and path.is_file():
            files[path] = None
            waiting += _imports(name, path)
    return tuple(sorted(files))


def _imports(name: str, path: Path) -> Iterator[str]:
    """Names of modules that a module imports; some are names of objects in a module instead."""
    for dots, target, names in _IMPORT.findall(path.read_text(encoding="utf-8")):
        package = ".".join([*name.split(".")[: -len(dots)], *([target] if target else [])])
        yield package
        yield from (f"{package}.{word}" for word in re.findall(r"(\w+)(?: as \w+)?", names))


@cache
def versions() -> dict[str, str]:
    """Return the versions that machine code depends on, by the names of the programs."""
    python = f"{sys.version_info[0]}.{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    found = {part: importlib.metadata.version(part) for part in ("numba", "llvmlite", "numpy")}
    found["numpy"] = ".".join(found["numpy"].split(".")[:2])  # the form of arrays is part of its binary interface
    return {"Python": python} | found


def processor() -> str:
    """Return LLVM's name of the processor that this process compiles for."""
    from llvmlite import binding

    return os.environ.get("NUMBA_CPU_NAME") or str(binding.get_host_cpu_name())


def write_label() -> None:
    """Write what the machine code of an installation was made for, after it was made."""
    LABEL.write_text(json.dumps(versions() | {"processor": processor()}), encoding="utf-8")


def label() -> dict[str, str]:
    """Return what `write_label` has written; empty if the installation has no machine code."""
    try:
        found = json.loads(LABEL.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def why_unused() -> str:
    """Return why the machine code of the installation does not fit here; empty if there is none, or no reason."""
    here = versions() | {"processor": processor()}
    found = label()
    if found.get("processor") == GENERIC:
        here["processor"] = GENERIC
    differences = [f"{name} {value}, here {here.get(name)}" for name, value in found.items() if here.get(name) != value]
    return f"the machine code of this installation is for {'; '.join(differences)}" if differences else ""


@cache
def key(module: str) -> str:
    """Return the key of the kernels of a module."""
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER + repr(versions()).encode())
    for path in sources(module):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:KEY_LENGTH]


def forget_other_versions(folder: Path, age: float = OLD) -> None:
    """Remove machine code that is not of this version, if it is at least `age` seconds old."""
    keys = {key(module) for module in _modules_with_kernels()}
    for path in folder.glob("*.nb?"):
        with suppress(OSError):
            if path.name.partition("-")[2][:KEY_LENGTH] not in keys and path.stat().st_mtime <= time.time() - age:
                path.unlink()


def _modules_with_kernels() -> Iterator[str]:
    for path in PACKAGE.rglob("*.py"):
        if "@kernel(" in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
