"""Declaration of kernels: compiled functions with one signature each, and inner functions that kernels call.

A kernel is loaded from machine code when its module is imported, or compiled if there is none. The functions of
`go/board.py` are callable from kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from ..go import board as bd
from ..go.vertex import opponent
from . import numba_parts

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT is set: kernels then run as plain Python."""


def kernel(*signature: Any, returns: Any = types.void) -> Callable[[Function], Function]:
    """Declare a function as a kernel for these argument types: load or compile it. It runs without the GIL.

    NotCompiledError: see `cache.load_only`.
    """

    def decorate(function: Function) -> Function:
        if not COMPILED:
            return numba.njit(function)  # type: ignore[no-any-return]  # returns the function itself
        return numba_parts.compiled(function, returns, signature)  # type: ignore[no-any-return]

    return decorate


def from_dtype(dtype: Any) -> Any:
    """Return Numba's type of a record. Records with objects, which only code that is not compiled uses, have none."""
    return numba.from_dtype(dtype) if COMPILED else types.pyobject


def as_int64(number: Any) -> int:
    """Return an integer as int64. In kernels `int` keeps the width, and functions are compiled for each width."""
    return int(number)


@overload(as_int64, strict=False)  # type: ignore[untyped-decorator]  # strict would compare the annotations too
def _as_int64(number: Any) -> Callable[[Any], Any]:
    return lambda number: np.int64(number)


def inner(function: Function) -> Function:
    """Make a function callable from kernels; it stays plain Python for other callers."""
    return register_jitable(no_cfunc_wrapper=True)(function)  # type: ignore[no-any-return]


for _function in (opponent, *bd.COMPILED):
    inner(_function)


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
    fence = _fence  # a memory barrier: other threads see earlier stores before they see later ones
