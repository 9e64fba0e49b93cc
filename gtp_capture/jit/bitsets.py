"""Sets of points, as unsigned numbers in records and arrays of kernels.

A number is one 64-bit word on boards of up to 64 points. On boards of up to 128 points it is two, the low one first,
which kernels take as one number of `uint128`. Code that is not compiled takes Python integers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .kernel import COMPILED

WORD: Final = 64
"""Bits of a word."""
EVERY_BIT: Final = 2**WORD - 1
"""Of a word."""
PAIR: Final = np.dtype([("pair", "u8", (2,))], align=True)
"""A number of two words in an array."""


def words_of(points: int) -> int:
    """Return the words of a set of points of a board: 1 or 2."""
    return 1 if points <= WORD else 2


def bits_field(name: str, words: int, shape: tuple[int, ...] = ()) -> tuple[str, Any, tuple[int, ...]]:
    """Return the field of a record for numbers of so many words, of any shape."""
    return (name, "u8", shape if words == 1 else (*shape, words)) if COMPILED else (name, "O", shape)


def bits_type(words: int) -> Any:
    """Return the type of an array's numbers of so many words."""
    return (np.dtype(np.uint64) if words == 1 else PAIR) if COMPILED else np.dtype(object)


def as_field(bits: int, words: int) -> Any:
    """Return a number as the value of a field."""
    return (bits & EVERY_BIT, bits >> WORD) if COMPILED and words == 2 else bits


def as_words(numbers: Any, words: int) -> Any:
    """Return numbers, an array or a field of a record, as their words [number, word]."""
    if COMPILED:
        return np.ascontiguousarray(numbers).view(np.uint64).reshape(-1, words)
    split = [number >> i * WORD & EVERY_BIT for number in numbers.ravel().tolist() for i in range(words)]
    return np.array(split, np.uint64).reshape(-1, words)
