"""All that depends on Numba's private parts: how kernels are compiled, and files of machine code of our own.

Tested with Numba 0.62 to 0.68 and llvmlite 0.45 to 0.50. If a part is missing or takes other parameters, kernels fall
back to Numba's plain `@njit` with its own cache, which is slower to compile, to load and to run, and one line on stderr
says so.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import json
import os
import pickle
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import binding
from numba import types

from ..util.files import warn
from . import cache as code

try:
    from numba.core import caching, codegen, options, targetconfig, typeinfer
    from numba.core.compiler_lock import global_compiler_lock
    from numba.np import arrayobj
except ImportError as error:
    _missing: str | None = str(error)
else:
    _missing = None

GENERIC: Final = "generic"
"""Processor name of code that runs on every machine of an architecture."""
OLD: Final = 30 * 86400.0
"""Age (s) from which a file of another version is removed."""
_LABEL: Final = code.SHIPPED / "made-for.json"
_KEY_LENGTH: Final = 16
_IMPORT: Final = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def compiled(function: Callable[..., Any], returns: Any, signature: tuple[Any, ...]) -> Any:
    """Load or compile a function for these types, to run without the GIL. NotCompiledError: see `cache.load_only`."""
    # NumPy's error model has no checks for division by 0, which would prevent the vectorisation of loops.
    plain = {"nogil": True, "error_model": "numpy"}
    if not _has_private_parts():
        if not code.may_compile():
            raise code.NotCompiledError("Numba's own cache does not say what is in it")
        try:
            return numba.njit(returns(*signature), cache=True, **plain)(function)
        except RuntimeError:  # Numba finds no folder that it can write to
            return numba.njit(returns(*signature), **plain)(function)
    # References to arrays are not counted: the caller of a kernel keeps its arguments, and kernels make no arrays.
    dispatcher = numba.njit(_nrt=False, **plain)(function)
    dispatcher._cache = _store(function)
    with for_kernels(), typeinfer.register_dispatcher(dispatcher):  # so that a kernel can call itself
        dispatcher.compile(returns(*signature))
    dispatcher.disable_compile()
    return dispatcher


@cache
def _has_private_parts() -> bool:
    """Return whether Numba has the parts that this file uses; if not, say so on stderr, once."""
    changed = _missing or _changed()
    if changed:
        warn(f"Numba {numba.__version__} is not one of those tested: {changed}")
    return not changed


def _changed() -> str | None:
    """Return which part of Numba is missing or has other parameters; None if all are as they were."""
    parameters = {
        "arrayobj.fix_integer_index": ("context", "builder", "idxty", "idx", "size"),
        "caching.CompileResultCacheImpl": ("py_func",),
        "caching.FunctionCache": ("py_func",),
        "caching.FunctionCache._index_key": ("self", "sig", "codegen"),
        "caching.FunctionCache.load_overload": ("self", "sig", "target_context"),
        "caching.FunctionCache.save_overload": ("self", "sig", "data"),
        "caching.InTreeCacheLocator": ("py_func", "py_file"),
        "caching.NullCache": (),
        "codegen.CPUCodeLibrary._finalize_dynamic_globals": ("self",),
        "codegen.CPUCodeLibrary._finalize_final_module": ("self",),
        "codegen.CPUCodeLibrary._optimize_final_module": ("self",),
        "codegen.JITCPUCodegen.create_library": ("self", "name", "kwargs"),
        "codegen.JITCPUCodegen.set_env": ("self", "env_name", "env"),
        "codegen.JITCodeLibrary": ("codegen", "name"),
        "codegen.JITCodeLibrary.get_pointer_to_function": ("self", "name"),
        "codegen.JitEngine.is_symbol_defined": ("self", "name"),
        "targetconfig.ConfigStack.top_or_none": (),
        "typeinfer.register_dispatcher": ("disp",),
    }
    modules = {each.__name__.rpartition(".")[2]: each for each in (arrayobj, caching, codegen, targetconfig, typeinfer)}
    for name, expected in parameters.items():
        module, *path = name.split(".")
        part: Any = modules[module]
        for attribute in path:
            part = getattr(part, attribute, None)
        if part is None or tuple(inspect.signature(part).parameters) != expected:
            return f"{name} has changed"
    if not hasattr(options.DefaultOptions, "_nrt"):
        return "options have no _nrt"
    return None if hasattr(numba.njit(lambda: None), "_cache") else "dispatchers have no _cache"


@contextmanager
def for_kernels() -> Iterator[None]:
    """Compile without what kernels do not need. Other code, of a program that imports this package, is not affected.

    Indices of arrays have no test for negative ones: playouts are 1.09 times as fast. The functions that a kernel calls
    are linked into its module, which is then optimised as a whole. Numba would optimise and emit each of them before,
    which takes as long again.
    """

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc]
        """The module of a function that only other compiled functions call."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0  # the address of a wrapper that does not exist

    def plain_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)

    def create_library(self: Any, name: str) -> Any:
        flags = targetconfig.ConfigStack.top_or_none()
        called_by_python = flags is None or not flags.no_cpython_wrapper
        return (self._library_class if called_by_python else Part)(self, name)

    def set_env(self: Any, name: str, env: Any) -> None:
        waiting[name] = env
        if self._engine.is_symbol_defined(name):  # in the module of a kernel, which has those of its parts too
            for each in [*filter(self._engine.is_symbol_defined, waiting)]:
                set_one(self, each, waiting.pop(each))

    waiting: dict[str, Any] = {}
    set_one = codegen.JITCPUCodegen.set_env
    with (
        global_compiler_lock,
        _replaced(arrayobj, "fix_integer_index", plain_index),
        _replaced(codegen.JITCPUCodegen, "create_library", create_library),
        _replaced(codegen.JITCPUCodegen, "set_env", set_env),
    ):
        yield


@contextmanager
def _replaced(owner: Any, name: str, function: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _store(function: Callable[..., Any]) -> Any:
    """Return the object from which Numba loads, and to which it saves, the machine code of one kernel."""

    class Store(caching.NullCache):  # type: ignore[misc]
        def load_overload(self, sig: Any, target_context: Any) -> Any:
            return _load(function, sig, target_context)

        def save_overload(self, sig: Any, data: Any) -> None:
            _save(function, sig, data)

    return Store()


def _load(function: Callable[..., Any], signature: Any, target_context: Any) -> Any:
    """Return the machine code of a kernel from the first folder with an intact file; None if it may be compiled.

    A damaged file counts as missing; `_save` replaces it.
    """
    for folder in code.folders():
        for processor in (None, GENERIC) if folder == code.SHIPPED else (None,):
            try:
                loaded = _files(function, folder, processor).load_overload(signature, target_context)
            except MemoryError:
                raise  # the file may be intact
            except Exception:
                continue
            if loaded is not None:
                code.loaded_from.add(folder)
                return loaded
    if not code.may_compile():
        raise code.NotCompiledError(f"{function.__module__}.{function.__qualname__} is not compiled")
    return None


def _save(function: Callable[..., Any], signature: Any, data: Any) -> None:
    """Write the machine code of a kernel to the user's folder, if that can be written and the disk has room."""
    folder = code.writable_folder()
    if folder is not None:
        files = _files(function, folder, None)
        with suppress(OSError):
            try:
                files.save_overload(signature, data)
            except (EOFError, ValueError, pickle.UnpicklingError):  # the existing index is damaged
                files.flush()
                files.save_overload(signature, data)


def _files(function: Callable[..., Any], folder: Path, processor: str | None) -> Any:
    """Return Numba's file cache of one kernel in a folder; `processor`: None for this machine's."""
    own_key = key(function.__module__)

    class Locator(caching.InTreeCacheLocator):  # type: ignore[misc]
        def ensure_cache_path(self) -> None:
            pass

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return own_key

        def get_disambiguator(self) -> str:
            return own_key

    class Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Files

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            # Without the digest of the bytecode, which differs under -O and -OO: `key` covers the sources.
            signature, machine, (_, cells) = super()._index_key(sig, codegen)
            return signature, machine if processor is None else (machine[0], processor, ""), cells

    return Cache(function)


# --- Keys of machine code: Numba's own stamp is the time of one file, and misses changes of inner functions. ---


@cache
def key(module: str) -> str:
    """Return the key of the kernels of a module: a digest of all sources that it depends on, and of versions."""
    digest = hashlib.sha256(MAGIC_NUMBER + repr(versions()).encode())
    for path in sources(module):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:_KEY_LENGTH]


@cache
def versions() -> dict[str, str]:
    """Return the versions that machine code depends on, by the names of the programs."""
    python = f"{sys.version_info[0]}.{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    parts = {part: importlib.metadata.version(part) for part in ("numba", "llvmlite", "numpy")}
    parts["numpy"] = ".".join(parts["numpy"].split(".")[:2])  # the form of arrays is part of its binary interface
    return {"Python": python} | parts


def processor() -> str:
    """Return LLVM's name of the processor that this process compiles for."""
    return os.environ.get("NUMBA_CPU_NAME") or str(binding.get_host_cpu_name())


def write_label() -> None:
    """Write the label of an installation's machine code: the versions and the processor that it was made for."""
    _LABEL.write_text(json.dumps(versions() | {"processor": processor()}), encoding="utf-8")


def label() -> dict[str, str]:
    """Return the versions and the processor in the label of the installation; empty without machine code."""
    try:
        written = json.loads(_LABEL.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in written.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def why_unused() -> str:
    """Return why the machine code of the installation does not fit this machine; empty if it fits or is missing."""
    here, made = versions() | {"processor": processor()}, label()
    if made.get("processor") == GENERIC:
        here["processor"] = GENERIC
    differences = [f"{name} {value}, here {here.get(name)}" for name, value in made.items() if here.get(name) != value]
    return f"the machine code of this installation is for {'; '.join(differences)}" if differences else ""


def forget_other_versions(folder: Path, age: float = OLD) -> None:
    """Remove machine code of other versions that is at least `age` seconds old."""
    keys = {key(module) for module in _modules_with_kernels()}
    for path in folder.glob("*.nb?"):
        with suppress(OSError):
            if path.name.partition("-")[2][:_KEY_LENGTH] not in keys and path.stat().st_mtime <= time.time() - age:
                path.unlink()


def _modules_with_kernels() -> Iterator[str]:
    for path in code.PACKAGE.rglob("*.py"):
        if "@kernel(" in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(code.PACKAGE.parent).with_suffix("").parts)


@cache
def sources(module: str) -> tuple[Path, ...]:
    """Return the files of a module and of the modules of this package that it imports at its head, recursively."""
    files: dict[Path, None] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = code.PACKAGE.parent / Path(*name.split(".")).with_suffix(".py")
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
