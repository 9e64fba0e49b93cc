"""Unsigned 128-bit integers of compiled code against Python's integers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from gtp_capture.jit.intrinsics import lowest_index, popcount, zero_like
from gtp_capture.jit.uint128 import as_uint128

MASK = 2**128 - 1
NUMBERS = st.integers(0, MASK) | st.integers(0, 127).map(lambda i: 1 << i)
RECORD = np.dtype([("a", "u8", (2,)), ("b", "u8", (2,)), ("shift", "u8"), ("results", "u8", (12, 2))], align=True)
ONE = np.uint64(1)


def compute(words: Any) -> tuple[int, int, bool, bool]:
    """Enter the results of all operators; return the number of bits, the index of the lowest one, and comparisons."""
    numbers = as_uint128(words)
    a, b, results = numbers.a, numbers.b, numbers.results
    results[0], results[1], results[2], results[3] = a & b, a | b, a ^ b, ~a
    results[4], results[5], results[6] = a + b, a - b, a - ONE
    results[7], results[8], results[9] = a << numbers.shift, a >> numbers.shift, a >> 1
    changed = ONE
    if a != b:
        changed |= b  # a number of 64 bits, widened where the branches meet
    results[10] = changed
    results[11] = zero_like(a)
    return popcount(a), lowest_index(a), a == b, a != b


compiled = numba.njit(compute)


@given(NUMBERS, NUMBERS, st.integers(0, 127))
@example(0, 0, 0)
@example(MASK, 1, 127)
@example(1 << 64, 1 << 63, 64)
def test_all_operators_agree_with_python(a: int, b: int, shift: int) -> None:
    record = np.zeros(1, RECORD).view(np.recarray)[0]
    record.a, record.b, record.shift = (a & 2**64 - 1, a >> 64), (b & 2**64 - 1, b >> 64), shift
    bits, lowest, same, other = compiled(record)
    expected = [
        a & b, a | b, a ^ b, ~a, a + b, a - b, a - 1, a << shift, a >> shift, a >> 1, 1 if a == b else 1 | b, 0
    ]  # fmt: skip
    assert [low | high << 64 for low, high in record.results.tolist()] == [number & MASK for number in expected]
    assert bits == a.bit_count()
    assert lowest == (128 if a == 0 else (a & -a).bit_length() - 1)
    assert (same, other) == (a == b, a != b)
