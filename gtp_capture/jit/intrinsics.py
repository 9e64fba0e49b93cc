"""Functions that are one instruction of the processor each: bits of unsigned 64-bit numbers, and prefetching."""

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


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(typing_context: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        pointer = builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])
        number = ir.IntType(32)
        declared = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], declared)
        read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(function, [pointer, read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


if numba.config.DISABLE_JIT:

    def popcount(bits: Any) -> int:
        """Return the number of bits that are set."""
        return int(bits).bit_count()

    def lowest_index(bits: Any) -> int:
        """Return the index of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def fetch(array: Any, index: Any) -> None:
        """Load the cache line of an element of a flat array, without waiting for it; Python cannot."""

else:
    popcount = _popcount
    lowest_index = _lowest_index
    fetch = _fetch
