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

The zone of a loss because no play is safe is the whole board, as is that of a position that is its own image. Sources:
Thomsen (2000), lambda search and its relevancy zones; Shih et al. (2022), relevance zones of proofs.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit.bitsets import bits_field
from ..jit.intrinsics import folded, popcount, zero_like
from ..jit.kernel import from_dtype, inner
from .bitboard import ONE, SYMMETRIES, ZERO, flood, has_two_liberties, lowest_bit, point_bit

ENOUGH: Final = 3
"""Liberties with which a chain of the winner cannot be put in atari by one play."""
IMAGE: Final = np.uint64(SYMMETRIES - 1)
"""The bits of an entry's key that hold the image of the position that the zone is for."""
IMAGE_BITS: Final = np.uint64(3)


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
    """Return the type of an entry of the table: the key, XORed with the zone as in `table`, and the zone.

    The zone is that of one image of the position, which the lowest bits of the key name.
    """
    return np.dtype([("key", "u8"), bits_field("zone", words)], align=True)


ZONES: Final = from_dtype(zone_type(1))[::1]


def new_zones(memory: int, words: int = 1) -> Any:
    """Return an empty table of a power of two of entries, in at most `memory` bytes, or of one entry."""
    entries = max(1, memory // zone_type(words).itemsize)
    return np.zeros(1 << entries.bit_length() - 1, zone_type(words)).view(np.recarray)


@inner
def entry_of(zones: Any, low: Any) -> Any:
    """Return the entry of the low half of a position's key. A later zone replaces an earlier one."""
    return zones[np.int64(low >> IMAGE_BITS & np.uint64(zones.size - 1))]


@inner
def store_zone(zones: Any, low: Any, image: Any, zone: Any) -> None:
    """Store the zone of a decided position. `image`: the symmetry that turns the board of the zone into the key's."""
    entry = entry_of(zones, low)
    entry.key = (low & ~IMAGE | np.uint64(image)) ^ folded(zone)
    entry.zone = zone


@inner
def probe_zone(zones: Any, low: Any, image: Any, sources: Any, g: Any) -> Any:
    """Return the zone of a decided position on the board that this symmetry turns; all points if it is not known."""
    entry = entry_of(zones, low)
    zone = entry.zone
    key = entry.key ^ folded(zone)
    if (key ^ low) & ~IMAGE != ZERO:
        return g.full
    stored = np.int64(key & IMAGE)
    if stored == image:
        return zone
    found = zero_like(zone)
    for i in range(popcount(g.full)):
        if zone & point_bit(sources[stored, i], g) != ZERO:
            found |= point_bit(sources[image, i], g)
    return found
