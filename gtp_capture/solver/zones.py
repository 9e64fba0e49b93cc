"""Relevance zones: the points that the proof of a result depends on, and the table of the zones of decided positions.

The zone of a proof is a set of points. The winner, by the same plays, wins also if the loser has other stones outside
it: more on points that are empty, or fewer. So if a play of the loser is refuted and lies outside the zone of its
refutation, every other play outside the zone is refuted too, unless it gives atari. A zone has

- the stones and liberties of each chain of the loser that is captured or in atari, or would be after an unsafe play, so
  that no other stone adds a liberty;
- where the loser is to move, three liberties of each chain of the winner, or all of them if it has fewer. A play
  outside leaves it two at least; plays at the liberties of chains with two count as plays inside;
- the zones of the refutations of all plays inside.

The zone of a ladder has its chains only: the position above adds the liberties of the others.

The zone of a loss because no play is safe is the whole board, as is that of a position that is its own image.

So a zone proves every position with the same stones of the winner and, inside the zone, of the loser. Its entry in the
table is found by the stones of the winner alone, and decides positions that were never searched. The zones of leaves
are not stored: an evaluation finds them again.

Sources: Thomsen (2000), lambda search and its relevancy zones; Shih et al. (2022), relevance zones of proofs and a
table of their patterns.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit.bitsets import bits_field
from ..jit.intrinsics import folded, popcount, scrambled, zero_like
from ..jit.kernel import from_dtype, inner
from .bitboard import ONE, ZERO, flood, has_two_liberties, lowest_bit

ENOUGH: Final = 3
"""Liberties with which a chain of the winner cannot be put in atari by one play."""
BUCKET: Final = 8
"""Entries of a bucket."""
EFFORT: Final = 63
"""The greatest effort of an entry."""
_EFFORT: Final = np.uint64(EFFORT)
_32: Final = np.uint64(32)


@inner
def ataris(stones: Any, empty: Any, g: Any) -> tuple[Any, Any]:
    """Return the chains in atari among these stones with their liberties, and these liberties alone."""
    zone, last, rest = zero_like(stones), zero_like(stones), stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        liberties = beside & empty
        if liberties & (liberties - ONE) == ZERO:
            zone |= chain | liberties
            last |= liberties
    return zone, last


@inner
def pairs(stones: Any, empty: Any, g: Any) -> Any:
    """Return the liberties of the chains that have two or fewer."""
    found, rest = zero_like(stones), stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        liberties = beside & empty
        others = liberties & (liberties - ONE)
        if others & (others - ONE) == ZERO:
            found |= liberties
    return found


@inner
def with_liberties(zone: Any, stones: Any, empty: Any, g: Any) -> Any:
    """Return a zone with ENOUGH liberties of each chain of these stones, or all that it has."""
    rest = stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        liberties = beside & empty
        others, missing = liberties & ~zone, ENOUGH - popcount(liberties & zone)
        while missing > 0 and others != ZERO:
            p = lowest_bit(others)
            others ^= p
            zone |= p
            missing -= 1
    return zone


@inner
def plays_inside(own: Any, opp: Any, zone: Any, g: Any) -> tuple[Any, Any]:
    """Return the zone of what refutes some plays of the side to move, and the points where a play might escape that.

    `zone`: of known refutations, or ZERO. If a chain is in atari, every play but one at its liberty is refuted.
    """
    empty = g.full & ~(own | opp)
    chains, last = ataris(own, empty, g)
    if last != ZERO:
        return zone | chains, last
    return zone, g.full if zone == ZERO else zone | pairs(opp, empty, g)


@inner
def zone_of_loss(own: Any, opp: Any, zone: Any, inside: Any, g: Any) -> Any:
    """Return the zone of a loss of the side to move.

    `zone`: of what refutes the plays that are not `inside`, and of the refutations of the safe plays that are. The
    other plays inside are captured.
    """
    empty = g.full & ~(own | opp)
    rest = inside & empty
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        if not has_two_liberties(p, own, empty, g):
            chain, beside = flood(p, own | p, g)
            zone |= chain | beside & empty
    return with_liberties(zone, opp, empty, g)


def zone_type(words: int) -> Any:
    """Return the type of an entry of the table.

    tag: the key, with the effort in its lowest bits, XORed with a hash of the other two, as in `table`; stones: the
    winner's stones, and the loser's in the zone; open: the points of the zone without stones of the winner.
    """
    names = "stones", "open"
    return np.dtype([("tag", "u8"), *(bits_field(name, words) for name in names)], align=True)


ZONES: Final = from_dtype(zone_type(1))[::1]


def new_zones(memory: int, words: int = 1) -> Any:
    """Return an empty table of as many buckets as fit into `memory` bytes, at least one."""
    buckets = max(1, memory // (BUCKET * zone_type(words).itemsize))
    return np.zeros(buckets * BUCKET, zone_type(words)).view(np.recarray)


@inner
def key_of(winner: Any, salt: Any) -> Any:
    """Return the key of the positions with these stones of the winner. `salt`: of the goal and the side to move."""
    return scrambled(folded(winner) ^ salt)


@inner
def bucket_of(zones: Any, key: Any) -> Any:
    """Return the index of the first entry of a key's bucket."""
    return np.int64((key >> _32) * np.uint64(zones.size // BUCKET) >> _32) * BUCKET


@inner
def check_of(stones: Any, open_points: Any) -> Any:
    """Return the hash of an entry's points, so that an entry that two threads wrote at the same time matches no key."""
    return scrambled(folded(open_points)) ^ folded(stones)


@inner
def store_zone(zones: Any, winner: Any, loser: Any, zone: Any, salt: Any, effort: int) -> None:
    """Store the zone of a decided position, in place of an entry of least effort (1 to EFFORT)."""
    stones, open_points = winner | loser & zone, zone & ~winner
    key = key_of(winner, salt)
    start = bucket_of(zones, key)
    chosen: Any = start
    least: Any = np.int64(EFFORT + 1)
    for i in range(start, start + BUCKET):
        entry = zones[i]
        tag = entry.tag ^ check_of(entry.stones, entry.open)
        if entry.stones == stones and entry.open == open_points and (tag ^ key) & ~_EFFORT == ZERO:
            return
        effort_there = np.int64(tag & _EFFORT)
        if effort_there < least:
            chosen, least = i, effort_there
    entry = zones[chosen]
    entry.stones, entry.open = stones, open_points
    entry.tag = (key & ~_EFFORT | np.uint64(effort)) ^ check_of(stones, open_points)


@inner
def probe_zone(zones: Any, winner: Any, loser: Any, salt: Any) -> Any:
    """Return the zone of a position with this winner, or of another one that proves it; ZERO if none is known."""
    key = key_of(winner, salt)
    start = bucket_of(zones, key)
    for i in range(start, start + BUCKET):
        entry = zones[i]
        stones, open_points = entry.stones, entry.open
        if stones & ~open_points != winner or (loser ^ stones) & open_points != ZERO:
            continue
        if (entry.tag ^ check_of(stones, open_points) ^ key) & ~_EFFORT == ZERO:
            return stones | open_points
    return zero_like(winner)
