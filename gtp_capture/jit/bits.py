"""Bits of unsigned 64-bit numbers, by one instruction of the processor each."""

from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def _popcount(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _lowest_index(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


if numba.config.DISABLE_JIT:

    def popcount(bits: Any) -> int:
        """Return the number of bits that are set."""
        return int(bits).bit_count()

    def lowest_index(bits: Any) -> int:
        """Return the index of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:
    popcount = _popcount
    lowest_index = _lowest_index
