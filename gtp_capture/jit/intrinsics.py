"""Functions that compile to few instructions of the processor: bits of unsigned numbers, and prefetching."""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

_FACTOR: Final = 0xBF58476D1CE4E5B9
_FACTOR_WORD, _29, _32 = (np.uint64(n) for n in (_FACTOR, 29, 32))


def _unsigned(bits: Any) -> Any:
    """Return the type that an argument is converted to: uint64, unless it is wider (`uint128`)."""
    return types.uint64 if isinstance(bits, types.Number) else bits


def _as_int64(builder: Any, number: Any) -> Any:
    return number if number.type.width == 64 else builder.trunc(number, ir.IntType(64))


@intrinsic  # type: ignore[untyped-decorator]
def _popcount(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _as_int64(builder, builder.ctpop(args[0]))

    return types.int64(_unsigned(bits)), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _lowest_index(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _as_int64(builder, builder.cttz(args[0], ir.Constant(ir.IntType(1), 0)))

    return types.int64(_unsigned(bits)), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _zero_like(typing_context: Any, number: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0].type(0)

    return number(number), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _folded(typing_context: Any, number: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (number,) = args
        if number.type.width == 64:
            return number
        word = ir.IntType(64)
        high = builder.trunc(builder.lshr(number, ir.Constant(number.type, 64)), word)
        return builder.xor(builder.trunc(number, word), high)

    return types.uint64(_unsigned(number)), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(typing_context: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])
        number = ir.IntType(32)
        declared = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], declared)
        read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(function, [pointer, read, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return an array, or a tuple with arrays, whose references are not counted."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder)
        array._setvalue(value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, member in enumerate(kind.types):
            inside = _uncounted(context, builder, member, builder.extract_value(value, i))
            value = builder.insert_value(value, inside, i)
    return value


@intrinsic  # type: ignore[untyped-decorator]
def _borrowed(typing_context: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _uncounted(context, builder, value, args[0])

    return value(value), codegen


@register_jitable  # type: ignore[untyped-decorator]
def _scrambled(word: Any) -> Any:
    word = (word ^ word >> _32) * _FACTOR_WORD
    return word ^ word >> _29


if numba.config.DISABLE_JIT:

    def popcount(bits: Any) -> int:
        """Return the number of bits that are set."""
        return int(bits).bit_count()

    def lowest_index(bits: Any) -> int:
        """Return the index of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def zero_like(number: Any) -> int:
        """Return a 0 as wide as an unsigned number, for a field of a tuple, which Numba does not widen."""
        return 0

    def folded(number: Any) -> int:
        """Return the XOR of a number's 64-bit words."""
        return int(number) & (2**64 - 1) ^ int(number) >> 64

    def scrambled(word: Any) -> int:
        """Return a hash of a 64-bit word. It is a bijection, and each bit of the word affects the highest bits."""
        word = (int(word) ^ int(word) >> 32) * _FACTOR & 2**64 - 1
        return int(word ^ word >> 29)

    def fetch(array: Any, index: Any) -> None:
        """Load the cache line of an element of a flat array without waiting for it. In plain Python: do nothing."""

    def borrowed(value: Any) -> Any:
        """Return an array, or a tuple with arrays, without counting references; the kernel's caller keeps it alive.

        Numba counts references with atomic instructions in each function that takes an array, and threads wait for each
        other there.
        """
        return value

else:
    popcount = _popcount
    lowest_index = _lowest_index
    zero_like = _zero_like
    folded = _folded
    scrambled = _scrambled
    fetch = _fetch
    borrowed = _borrowed
