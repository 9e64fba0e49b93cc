"""The transposition table of the df-pn search: proof and disproof numbers by Zobrist key; `probe` and `store`.

An entry is two 64-bit words: the high half of a position's 128-bit key XORed with the value, and the value. The value
has pn, dn and the effort, a logarithm of the nodes that they cost. Because of the XOR, an entry that two threads wrote
at the same time matches no key, so no lock is needed (Hyatt and Mann, 2002). The low half of the key selects a bucket
of four entries, which is one cache line. A searched position replaces the entry of the least effort. A leaf, which was
evaluated and not searched, uses a free entry or replaces a leaf; each visit of its parent probes it again.

Two positions are confused if they share the bucket and the 64 bits of the high half. A probe compares four entries, so
a search of n nodes, with fewer than 2n probes, does this with a probability of at most 8n / 2**64: 4e-10 for 1e9 nodes,
4e-7 for 1e12. The winner could then be wrong. A proof could not: the checker reads no table, and refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import inner
from ..util.memory import sparse_zeros
from .bitboard import ZERO

NUMBER_BITS: Final = 28
"""Bits of pn and of dn in a value."""
INFINITE: Final = 2**NUMBER_BITS - 1
"""An infinite proof number; finite ones are less."""
ENTRY_WORDS: Final = 2
"""64-bit words of an entry."""
ENTRY_BYTES: Final = 8 * ENTRY_WORDS
BUCKET: Final = 4
"""Entries of a bucket."""
LEAF: Final = 1
"""The effort of a leaf; a searched position has a greater one."""
BUCKET_WORDS: Final = BUCKET * ENTRY_WORDS
PAGE: Final = 2**21
"""Bytes of a large page of the system."""
MAX_BUCKETS: Final = 2**32 - 1
"""Buckets that an index can reach: 256 GiB."""
TABLE: Final = numba.uint64[::1]
_LOW_BITS: Final = np.uint64(2**32 - 1)
_32: Final = np.uint64(32)
_NUMBERS: Final = np.uint64(2 ** (2 * NUMBER_BITS) - 1)
"""The bits of pn and dn in a value."""


def new_table(memory: int) -> Any:
    """Return an empty table of as many buckets as fit into `memory` bytes, at least one; each is a cache line."""
    buckets = min(MAX_BUCKETS, max(1, memory // (8 * BUCKET_WORDS)))
    return sparse_zeros(buckets * BUCKET_WORDS, np.uint64, large_pages=True)


def touch(table: Any) -> Iterator[None]:
    """Use the memory of a new table for the first time, a large page of the system in each step; see `sparse_zeros`."""
    for start in range(0, table.size, PAGE // table.itemsize):
        table[start] = 0
        yield


@inner
def goal_key(side: int, attacker: int, plies: int) -> Any:
    """Return the number to XOR with the key of the stones: it encodes the side to move (0 or 1) and the goal.

    `attacker` and `plies`: see `static.Goal`.
    """
    if attacker == 0:
        return np.uint64(side) * np.uint64(0x9E3779B97F4A7C15)
    number = np.uint64(side + 2 * (attacker + 1) + 8 * (plies + 1))
    return number * np.uint64(0x9E3779B97F4A7C15) ^ (number << np.uint64(40))


@inner
def bucket_of(table: Any, low: Any) -> Any:
    """Return the index of the first word of a key's bucket; the number of buckets need not be a power of two."""
    # Not the high bits of `low`: it is the least of a position's images, so they are not uniform.
    return np.int64((low & _LOW_BITS) * np.uint64(table.size // BUCKET_WORDS) >> _32) * BUCKET_WORDS


@inner
def probe(table: Any, low: Any, high: Any) -> Any:
    """Return the value stored for a key, for `numbers_of`; 0 if there is none."""
    start = bucket_of(table, low)
    for i in range(start, start + BUCKET_WORDS, ENTRY_WORDS):
        value = table[i + 1]
        if table[i] ^ value == high:
            return value
    return ZERO


@inner
def effort_for(nodes: int) -> Any:
    """Return the effort of a searched position by the nodes that it cost."""
    effort: Any = np.int64(LEAF + 1)
    while nodes > 1:
        effort += 1
        nodes >>= 1
    return effort


@inner
def store(table: Any, low: Any, high: Any, pn: int, dn: int, nodes: int) -> None:
    """Store the numbers of a position, which cost `nodes` nodes.

    They replace the entry of the same key in the bucket, or else the entry of the least effort.
    """
    start, effort = bucket_of(table, low), effort_for(nodes)
    value = value_of(pn, dn, effort)
    chosen: Any = start
    least: Any = np.int64(1000)
    for i in range(start, start + BUCKET_WORDS, ENTRY_WORDS):
        known = table[i + 1]
        if table[i] ^ known == high:
            chosen = i
            if effort_of(known) > effort:
                value = value & _NUMBERS | known & ~_NUMBERS
            break
        if effort_of(known) < least:
            chosen, least = i, effort_of(known)
    table[chosen + 1] = value
    table[chosen] = high ^ value


@inner
def store_leaf(table: Any, low: Any, high: Any, pn: int, dn: int) -> None:
    """Store the first numbers of a leaf, which is not in the table, unless searched positions use its whole bucket."""
    start = bucket_of(table, low)
    chosen: Any = np.int64(-1)
    for k in range(BUCKET):
        i = start + ((np.int64(high) + k) & (BUCKET - 1)) * ENTRY_WORDS
        known = table[i + 1]
        if known == ZERO:
            chosen = i
            break
        if effort_of(known) == LEAF:
            chosen = i
    if chosen >= 0:
        value = value_of(pn, dn, LEAF)
        table[chosen + 1] = value
        table[chosen] = high ^ value


@inner
def value_of(pn: int, dn: int, effort: int) -> Any:
    """Return the value that encodes these numbers."""
    return np.uint64(pn) | np.uint64(dn) << np.uint64(NUMBER_BITS) | np.uint64(effort) << np.uint64(2 * NUMBER_BITS)


@inner
def numbers_of(value: Any) -> tuple[Any, Any]:
    """Return pn and dn of a value."""
    mask = np.uint64(INFINITE)
    return np.int64(value & mask), np.int64(value >> np.uint64(NUMBER_BITS) & mask)


@inner
def effort_of(value: Any) -> Any:
    """Return LEAF, or LEAF + 1 + the binary logarithm of the nodes that a value cost; 0 for an empty entry."""
    return np.int64(value >> np.uint64(2 * NUMBER_BITS))
