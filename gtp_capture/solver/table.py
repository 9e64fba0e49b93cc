"""The transposition table of the df-pn search: proof and disproof numbers by Zobrist key; `probe` and `store`.

An entry is three 64-bit words: the two halves of a position's 128-bit key, each XORed with the value, and the value:
pn, dn, and the logarithm of the nodes that they cost. Because of the XOR, an entry that two threads wrote at the same
time matches no key, so no lock is needed (Hyatt and Mann, 2002). An index leads to a bucket of four entries; a new
position replaces the one that cost least.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import inner
from .bitboard import ZERO

NUMBER_BITS: Final = 28
"""Bits of pn and of dn in a value."""
INFINITE: Final = 2**NUMBER_BITS - 1
"""An infinite proof number; finite ones are less."""
WORDS: Final = 3
"""64-bit words of an entry."""
BUCKET: Final = 4
"""Entries of a bucket."""
BUCKET_WORDS: Final = BUCKET * WORDS
TABLE: Final = numba.uint64[::1]


def new_table(memory: int) -> Any:
    """Return an empty table: the largest power of two of buckets that fits into `memory` bytes, at least one."""
    buckets = max(1, memory // (8 * BUCKET_WORDS))
    return np.zeros((1 << (buckets.bit_length() - 1)) * BUCKET_WORDS, np.uint64)


@inner
def salt(side: int, attacker: int, plies: int) -> Any:
    """Return the number to XOR with a key, which encodes the side to move (0 or 1) and the goal of the search.

    `attacker` and `plies` are those of `static.Goal`.
    """
    if attacker == 0:
        return np.uint64(side) * np.uint64(0x9E3779B97F4A7C15)
    number = np.uint64(side + 2 * (attacker + 1) + 8 * (plies + 1))
    return number * np.uint64(0x9E3779B97F4A7C15) ^ (number << np.uint64(40))


@inner
def bucket_of(table: Any, low: Any) -> Any:
    """Return the index of the first word of a key's bucket."""
    return np.int64(low & np.uint64(table.size // BUCKET_WORDS - 1)) * BUCKET_WORDS


@inner
def probe(table: Any, low: Any, high: Any) -> Any:
    """Return the value stored for a key, for `numbers_of`; 0 if there is none."""
    start = bucket_of(table, low)
    for i in range(start, start + BUCKET_WORDS, WORDS):
        value = table[i + 2]
        if table[i] ^ value == low and table[i + 1] ^ value == high:
            return value
    return ZERO


@inner
def store(table: Any, low: Any, high: Any, pn: int, dn: int, nodes: int) -> None:
    """Store the numbers of a position, which cost `nodes` nodes."""
    effort: Any = np.int64(1)
    while nodes > 1:
        effort += 1
        nodes >>= 1
    start = bucket_of(table, low)
    chosen: Any = start
    least: Any = np.int64(1000)
    for i in range(start, start + BUCKET_WORDS, WORDS):
        value = table[i + 2]
        if table[i] ^ value == low and table[i + 1] ^ value == high:
            chosen = i
            effort = max(effort, effort_of(value))
            break
        known = effort_of(value)
        if known < least:
            chosen, least = i, known
    value = np.uint64(pn) | np.uint64(dn) << np.uint64(NUMBER_BITS)
    value |= np.uint64(effort) << np.uint64(2 * NUMBER_BITS)
    table[chosen + 2] = value
    table[chosen] = low ^ value
    table[chosen + 1] = high ^ value


@inner
def numbers_of(value: Any) -> tuple[Any, Any]:
    """Return pn and dn of a value."""
    mask = np.uint64(INFINITE)
    return np.int64(value & mask), np.int64(value >> np.uint64(NUMBER_BITS) & mask)


@inner
def effort_of(value: Any) -> Any:
    """Return the binary logarithm of the nodes that a value cost, plus one; 0 for an empty entry."""
    return np.int64(value >> np.uint64(2 * NUMBER_BITS))
