"""How kernels are declared: the board's functions made callable from compiled code, and one signature for each kernel.

A kernel is loaded from machine code when its module is imported, or else compiled.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import caching, typeinfer
from numba.extending import intrinsic, overload, register_jitable

from ..go import board as bd
from ..go.vertex import opponent
from . import cache

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels run at full speed."""
BOARD = numba.from_dtype(bd.DTYPE)

for _function in (opponent, *bd.COMPILED):
    register_jitable(_function)


def kernel(*signature: Any, returns: Any = types.void) -> Callable[[Function], Function]:
    """Load or compile a function for these argument types; it runs without the GIL.

    NotCompiledError: see `cache.load_only`.
    """

    def decorate(function: Function) -> Function:
        # Divisions by 0 are not looked for: a check in a loop keeps it from being vectorised.
        dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
        if COMPILED:
            dispatcher._cache = _Store(function)
            with typeinfer.register_dispatcher(dispatcher):  # so that a kernel can call itself
                dispatcher.compile(returns(*signature))
            dispatcher.disable_compile()
        return dispatcher  # type: ignore[no-any-return]

    return decorate


class _Store(caching.NullCache):  # type: ignore[misc]
    """Machine code of one kernel: loaded from the first folder that has it whole, saved in the user's folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """See Numba's cache. A file that cannot be read is left for `save_overload` to replace."""
        for folder in cache.folders():
            for processor in (None, GENERIC) if folder == cache.SHIPPED else (None,):
                try:
                    found = _files(self._function, folder, processor).load_overload(sig, target_context)
                except MemoryError:
                    raise  # it says nothing about the file
                except Exception:
                    continue
                if found is not None:
                    cache.loaded_from.add(folder)
                    return found
        if not cache.may_compile():
            raise cache.NotCompiledError(f"{self._function.__module__}.{self._function.__qualname__} is not compiled")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """See Numba's cache. Without a folder to write, or on a full disk, this run goes without."""
        folder = cache.writable_folder()
        if folder is not None:
            files = _files(self._function, folder, None)
            with suppress(OSError):
                try:
                    files.save_overload(sig, data)
                except (EOFError, ValueError, pickle.UnpicklingError):  # the index that is there cannot be read
                    files.flush()
                    files.save_overload(sig, data)


GENERIC: Final = "generic"
"""The processor whose code runs on every machine of an architecture."""


def _files(function: Callable[..., Any], folder: Path, processor: str | None) -> Any:
    """Numba's reader and writer of the files of one kernel in a folder, for this processor or another one."""
    key = cache.key(function.__module__)
    cache.used[f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"] = key

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


def wide(number: Any) -> int:
    """Return an integer at full width. In compiled code `int` keeps the width, and functions compile for each one."""
    return int(number)


@overload(wide, strict=False)  # type: ignore[untyped-decorator]  # strict would compare the annotations too
def _wide(number: Any) -> Callable[[Any], Any]:
    return lambda number: np.int64(number)


def inner(function: Function) -> Function:
    """Make a function callable from kernels; it stays plain Python for other callers."""
    return register_jitable(function)  # type: ignore[no-any-return]


@intrinsic  # type: ignore[untyped-decorator]
def _fence(typing_context: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


if numba.config.DISABLE_JIT:

    def fence() -> None:
        """Nothing to do where one thread at a time runs Python."""

else:
    fence = _fence  # what was stored before it is seen before what is stored after it
