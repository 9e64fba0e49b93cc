"""Sets of points, as unsigned numbers in records and arrays of kernels.

A number is one 64-bit word on boards of up to 64 points. On boards of up to 128 points it is two words, the low one
first, which kernels take as one number of `uint128`. Code that is not compiled takes Python integers.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, Final

import numpy as np
from numba import types

from .kernel import COMPILED

WORD: Final = 64
"""Bits of a word."""
EVERY_BIT: Final = 2**WORD - 1
"""A word with all bits set."""
PAIR: Final = np.dtype([("pair", "u8", (2,))], align=True)
"""A number of two words in an array."""


def words_of(points: int) -> int:
    """Return the number of words of a set of points of a board: 1 or 2."""
    return 1 if points <= WORD else 2


def bits_field(name: str, words: int, shape: tuple[int, ...] = ()) -> tuple[str, Any, tuple[int, ...]]:
    """Return the field of a record for a number of one or two words, or for an array of them."""
    return (name, "u8", shape if words == 1 else (*shape, words)) if COMPILED else (name, "O", shape)


def bits_type(words: int) -> Any:
    """Return the type of an array's numbers of one or two words."""
    return (np.dtype(np.uint64) if words == 1 else PAIR) if COMPILED else np.dtype(object)


def number_type(words: int) -> Any:
    """Return the type of a number of one or two words as a member of a tuple that kernels take."""
    return types.uint64 if words == 1 else types.UniTuple(types.uint64, 2)


def as_words(bits: int, words: int) -> Any:
    """Return a number as kernels take it in a field of a record and in a tuple: as one word, or as a pair of words."""
    if not COMPILED:
        return bits
    return np.uint64(bits) if words == 1 else (np.uint64(bits & EVERY_BIT), np.uint64(bits >> WORD))


def kernels_for(module: ModuleType, words: int) -> Any:
    """Return a module with kernels for one word; for two words, load and return its twin with the suffix `_large`."""
    return module if words == 1 or not COMPILED else import_module(f"{module.__name__}_large")
