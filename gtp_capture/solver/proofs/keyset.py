"""A set of exact keys of positions for compiled code: an open-addressing hash table [slots, words].

A key is a position's ternary number (a digit for each point), plus 1, in one word for up to 40 points, else in two. So
the first word is never 0, which marks an empty slot. The set must be grown before it is full.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ...go.symmetry import symmetries
from ...jit.kernel import inner, kernel

KEY_SET: Final = numba.uint64[:, ::1]
FIRST_SLOTS: Final = 1 << 16
SYMMETRIES: Final = 8
WORD_POINTS: Final = 40
"""Points in the first word: 3**40 < 2**64."""
NO_STONE: Final = 64
"""Stands for a point where no stone is added."""
WEIGHTS: Final = np.dtype([("weights", "u8", (2, NO_STONE + 1, 2 * SYMMETRIES))], align=True)
"""What a stone adds to the numbers of the images [colour, point, 16]: the first words, then the second ones."""
WEIGHTS_RECORD: Final = numba.from_dtype(WEIGHTS)


CHOICE_BYTES: Final = 36
"""Bytes for each key of one word that are always enough, while a set is grown too; twice as many for two words."""


def words_of(points: int) -> int:
    """Return the words of a key."""
    return 1 if points <= WORD_POINTS else 2


def weights(width: int, height: int) -> Any:
    """Return the WEIGHTS of a board; the 4 symmetries of a rectangle are stored twice."""
    found = np.zeros(1, WEIGHTS).view(np.recarray)[0]
    for s, symmetry in enumerate((2 * symmetries(width, height))[:SYMMETRIES]):
        for i, source in enumerate(symmetry):
            word, digit = divmod(i, WORD_POINTS)
            for color in range(2):
                found.weights[color, source, word * SYMMETRIES + s] = (color + 1) * 3**digit
    return found


def new_set(words: int) -> Any:
    """Return an empty set."""
    return np.zeros((FIRST_SLOTS, words), np.uint64)


def is_full(keys: Any, count: int) -> bool:
    """Return whether a set with so many keys must be grown before another is added: at two thirds."""
    return bool(3 * count >= 2 * keys.shape[0])


def grown(keys: Any) -> Any:
    """Return a set of twice as many slots with the same keys."""
    larger = np.zeros((2 * len(keys), keys.shape[1]), np.uint64)
    copy_keys(larger, keys)
    return larger


@inner
def slot_of(keys: Any, first: Any, second: Any) -> Any:
    """Return the slot of a key, or the empty slot for it."""
    mask, last = np.uint64(keys.shape[0] - 1), keys.shape[1] - 1
    mixed = (first ^ (second << np.uint64(13))) * np.uint64(0x9E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> np.uint64(29))) & mask
    while keys[slot, 0] != np.uint64(0) and not (keys[slot, 0] == first and (last == 0 or keys[slot, 1] == second)):
        slot = (slot + np.uint64(1)) & mask
    return slot


@inner
def contains(keys: Any, first: Any, second: Any) -> bool:
    """Return whether the set has a key."""
    return bool(keys[slot_of(keys, first, second), 0] != np.uint64(0))


@kernel(KEY_SET, KEY_SET)
def copy_keys(target: Any, source: Any) -> None:
    """Add all keys of one set to another one, with what the columns after the key hold."""
    columns = source.shape[1]
    for i in range(source.shape[0]):
        if source[i, 0] != np.uint64(0):
            slot = slot_of(target, source[i, 0], source[i, 1] if columns > 1 else np.uint64(0))
            for column in range(columns):
                target[slot, column] = source[i, column]
