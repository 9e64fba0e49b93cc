"""A set of exact keys of positions for compiled code: an open-addressing hash table [slots, 1 or 2 numbers].

A key is a position's ternary number (a digit for each point), plus 1. On boards of up to 64 points it is one 64-bit
number for up to 40 points, else two; on larger boards it is one 128-bit number for up to 80 points, else two. So the
first number is never 0, which marks an empty slot. The set must be grown before it is full.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...go.symmetry import symmetries
from ...jit.bitsets import as_words, bits_field, bits_type
from ...jit.intrinsics import folded, zero_like
from ...jit.kernel import from_dtype, inner, kernel
from .rules import NONE, POINTS

FIRST_SLOTS: Final = 1 << 16
SYMMETRIES: Final = 8
WORD_POINTS: Final = 40
"""Points for each word of the first number: 3**40 < 2**64, and 3**80 < 2**128."""
NO_STONE: Final = POINTS
"""Stands for a point where no stone is added."""


def key_set_type(words: int) -> Any:
    """Return the type of a set of keys of numbers of one or two words."""
    return from_dtype(bits_type(words))[:, ::1]


KEY_SET: Final = key_set_type(1)


def weights_type(words: int) -> Any:
    """Return the type of the weights: the numbers that a stone adds to the images of a position.

    weights [colour, point, 16]: of each image the first number, then, in this order, the second ones.
    """
    return np.dtype([bits_field("weights", words, (2, NO_STONE + 1, 2 * SYMMETRIES))], align=True)


def numbers_of(points: int, words: int) -> int:
    """Return how many numbers, of one or two words each, a key has: 1 or 2."""
    return 1 if points <= WORD_POINTS * words else 2


def weights(width: int, height: int, words: int = 1) -> Any:
    """Return the weights of a board; the 4 symmetries of a rectangle are stored twice."""
    stone_weights = np.zeros(1, weights_type(words)).view(np.recarray)[0]
    for s, symmetry in enumerate((2 * symmetries(width, height))[:SYMMETRIES]):
        for i, source in enumerate(symmetry):
            number, digit = divmod(i, WORD_POINTS * words)
            for color in range(2):
                stone_weights.weights[color, source, number * SYMMETRIES + s] = as_words((color + 1) * 3**digit, words)
    return stone_weights


def new_set(numbers: int, words: int = 1) -> Any:
    """Return an empty set of keys of one or two numbers, each of one or two words."""
    return np.zeros((FIRST_SLOTS, numbers), bits_type(words))


@inner
def slot_of(keys: Any, first: Any, second: Any) -> Any:
    """Return the slot of a key, or the empty slot for it."""
    mask, last = np.uint64(keys.shape[0] - 1), keys.shape[1] - 1
    mixed = folded(first ^ (second << 13)) * np.uint64(0x9E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> np.uint64(29))) & mask
    while keys[slot, 0] != NONE and not (keys[slot, 0] == first and (last == 0 or keys[slot, 1] == second)):
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel(KEY_SET, KEY_SET)
def copy_keys(target: Any, source: Any) -> None:
    """Add all keys of one set to another one."""
    columns = source.shape[1]
    for i in range(source.shape[0]):
        if source[i, 0] != NONE:
            second = source[i, 1] if columns > 1 else zero_like(source[i, 0])
            slot = slot_of(target, source[i, 0], second)
            target[slot, 0] = source[i, 0]
            if columns > 1:
                target[slot, 1] = second


def grown(keys: Any, copy: Callable[[Any, Any], None] = copy_keys) -> Any:
    """Return a set of twice as many slots with the same keys; `copy`: the `copy_keys` for numbers of this width."""
    larger = np.zeros((2 * len(keys), keys.shape[1]), keys.dtype)
    copy(larger, keys)
    return larger
