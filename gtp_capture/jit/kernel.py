"""Declaration of kernels: compiled functions with one signature each, and inner functions that kernels call.

A kernel is loaded from machine code when its module is imported, or compiled if there is none. The functions of
`go/board.py` are callable from kernels.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import caching, typeinfer
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload, register_jitable
from numba.np import arrayobj

from ..go import board as bd
from ..go.vertex import opponent
from . import cache

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT is set: kernels then run as plain Python."""
BOARD = numba.from_dtype(bd.DTYPE)

for _function in (opponent, *bd.COMPILED):
    register_jitable(_function)


def kernel(*signature: Any, returns: Any = types.void) -> Callable[[Function], Function]:
    """Declare a function as a kernel for these argument types: load or compile it. It runs without the GIL.

    NotCompiledError: see `cache.load_only`.
    """

    def decorate(function: Function) -> Function:
        # NumPy's error model has no checks for division by 0, which would prevent the vectorisation of loops.
        dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
        if COMPILED:
            dispatcher._cache = _Store(function)
            with _plain_indices(), typeinfer.register_dispatcher(dispatcher):  # so that a kernel can call itself
                dispatcher.compile(returns(*signature))
            dispatcher.disable_compile()
        return dispatcher  # type: ignore[no-any-return]

    return decorate


@contextmanager
def _plain_indices() -> Iterator[None]:
    """Compile indices of arrays as they are: Numba would test whether they are negative, which none is in a kernel.

    Playouts are 1.09 times as fast. Other code, of a program that imports this package, is compiled as always.
    """

    def plain(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
        return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)

    with global_compiler_lock:
        before = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = plain
        try:
            yield
        finally:
            arrayobj.fix_integer_index = before


class _Store(caching.NullCache):  # type: ignore[misc]
    """Numba's cache of one kernel: loads from the first folder with an intact file, saves to the user's folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """See Numba's cache. A damaged file counts as missing; `save_overload` replaces it."""
        for folder in cache.folders():
            for processor in (None, cache.GENERIC) if folder == cache.SHIPPED else (None,):
                try:
                    found = _files(self._function, folder, processor).load_overload(sig, target_context)
                except MemoryError:
                    raise  # the file may be intact
                except Exception:
                    continue
                if found is not None:
                    cache.loaded_from.add(folder)
                    return found
        if not cache.may_compile():
            raise cache.NotCompiledError(f"{self._function.__module__}.{self._function.__qualname__} is not compiled")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """See Numba's cache. Without a writable folder, or on a full disk, nothing is saved."""
        folder = cache.writable_folder()
        if folder is not None:
            files = _files(self._function, folder, None)
            with suppress(OSError):
                try:
                    files.save_overload(sig, data)
                except (EOFError, ValueError, pickle.UnpicklingError):  # the existing index is damaged
                    files.flush()
                    files.save_overload(sig, data)


def _files(function: Callable[..., Any], folder: Path, processor: str | None) -> Any:
    """Return Numba's file cache of one kernel in a folder; `processor`: None for this machine's."""
    key = cache.key(function.__module__)

    class Locator(caching.InTreeCacheLocator):  # type: ignore[misc]
        def ensure_cache_path(self) -> None:
            pass

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return key

        def get_disambiguator(self) -> str:
            return key

    class Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Files

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            signature, (triple, *_), code = super()._index_key(sig, codegen)
            return super()._index_key(sig, codegen) if processor is None else (signature, (triple, processor, ""), code)

    return Cache(function)


def from_dtype(dtype: Any) -> Any:
    """Return Numba's type of a record. Records with objects, which only code that is not compiled uses, have none."""
    return numba.from_dtype(dtype) if COMPILED else types.pyobject


def wide(number: Any) -> int:
    """Return an integer as int64. In kernels `int` keeps the width, and functions are compiled for each width."""
    return int(number)


@overload(wide, strict=False)  # type: ignore[untyped-decorator]  # strict would compare the annotations too
def _wide(number: Any) -> Callable[[Any], Any]:
    return lambda number: np.int64(number)


def inner(function: Function) -> Function:
    """Make a function callable from kernels; it stays plain Python for other callers."""
    return register_jitable(function)  # type: ignore[no-any-return]


def code_of(kernel: Any) -> Any:
    """Return the code of a kernel as an inner function, to be compiled for arguments of other types."""
    return inner(kernel.py_func)


@intrinsic  # type: ignore[untyped-decorator]
def _fence(typing_context: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


if numba.config.DISABLE_JIT:

    def fence() -> None:
        """Do nothing: only one thread at a time runs Python."""

else:
    fence = _fence  # a memory barrier: other threads see the stores before it before those after it
