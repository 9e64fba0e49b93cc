"""The door to Numba: the board's functions made callable from compiled code, and how kernels are compiled.

Every kernel has one explicit signature: it is compiled (or loaded from the cache) when its module is imported,
and two processes that fill the cache at once write the same files.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from .. import board as bd
from .warm import cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels run at full speed."""
BOARD = numba.from_dtype(bd.DTYPE)

for _function in bd.COMPILED:
    register_jitable(_function)


def kernel(*signature: Any, returns: Any = types.void) -> Callable[[Function], Function]:
    """Compile a function for these argument types; it runs without the GIL."""

    def decorate(function: Function) -> Function:
        folder = cache_folder()
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)  # read when the function is made, and nobody else's business
        # Divisions by 0 are not looked for: a check in a loop keeps it from being vectorised.
        compile_ = partial(numba.njit, returns(*signature), nogil=True, error_model="numpy")
        try:
            try:
                return compile_(cache=os.access(folder, os.W_OK))(function)  # type: ignore[no-any-return]
            except OSError:  # the disk is full: this run goes without
                return compile_()(function)  # type: ignore[no-any-return]
        finally:
            numba.config.CACHE_DIR = before

    return decorate


def wide(number: Any) -> int:
    """Return an integer at full width. In compiled code `int` keeps the width, and functions compile for each one."""
    return int(number)


@overload(wide, strict=False)  # type: ignore[untyped-decorator]  # strict would compare the annotations too
def _wide(number: Any) -> Callable[[Any], Any]:
    return lambda number: np.int64(number)


def inner(function: Function) -> Function:
    """A function that kernels call; it stays plain Python for everyone else."""
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
