"""A set of 128-bit keys for compiled code: an open-addressing hash table [slots, 2], a power of two of slots.

The first word of a key is never 0, which marks an empty slot. The set must be grown before it is full.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ...jit.kernel import inner, kernel

KEY_SET: Final = numba.uint64[:, ::1]
FIRST_SLOTS: Final = 1 << 16
GROWTH: Final = 4
"""Factor by which the number of slots grows."""


def new_set() -> Any:
    """Return an empty set."""
    return np.zeros((FIRST_SLOTS, 2), np.uint64)


def grown(keys: Any) -> Any:
    """Return a larger set with the same keys."""
    larger = np.zeros((GROWTH * len(keys), 2), np.uint64)
    copy_keys(larger, keys)
    return larger


@inner
def slot_of(keys: Any, first: Any, second: Any) -> Any:
    """Return the slot of a key, or the empty slot for it."""
    mask = np.uint64(keys.shape[0] - 1)
    mixed = (first ^ (second << np.uint64(13))) * np.uint64(0x9E3779B97F4A7C15)
    slot = (mixed ^ (mixed >> np.uint64(29))) & mask
    while keys[slot, 0] != np.uint64(0) and not (keys[slot, 0] == first and keys[slot, 1] == second):
        slot = (slot + np.uint64(1)) & mask
    return slot


@inner
def contains(keys: Any, first: Any, second: Any) -> bool:
    """Return whether the set has a key."""
    return bool(keys[slot_of(keys, first, second), 0] != np.uint64(0))


@inner
def add(keys: Any, first: Any, second: Any) -> None:
    """Put a key into the set."""
    slot = slot_of(keys, first, second)
    keys[slot, 0], keys[slot, 1] = first, second


@kernel(KEY_SET, KEY_SET)
def copy_keys(target: Any, source: Any) -> None:
    """Put all keys of a set into a larger one."""
    for i in range(source.shape[0]):
        if source[i, 0] != np.uint64(0):
            add(target, source[i, 0], source[i, 1])
