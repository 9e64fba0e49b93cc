"""Static evaluation in the solver: immediate results, the plays to search, and the initial pn and dn of a node.

Results and pruning are exact; only the initial pn and dn are heuristic. `own` is the side to move; results are for it.

The initial numbers depend on the lead of the side to move: a weighted count of chains by their liberties, of stones and
of points. The weights were found by a search for the fewest nodes, see solver.md.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from ..jit.kernel import inner
from .bitboard import (
    ONE,
    ZERO,
    adjacent,
    adjacent_twice,
    flood,
    has_legal_play,
    has_two_liberties,
    lowest_bit,
    popcount,
    zero_like,
)
from .ladder import LEVELS, threats, won_ladder
from .result import LOSS, POINTS, UNKNOWN, WIN

# Features of a search, bits of one number; 0 is a plain search.
KNOWLEDGE: Final = 1
"""Ladders, the plays that prevent them, symmetries, and first numbers by the lead and the plays."""
URGENCY: Final = 2
"""Only urgent plays are evaluated at once."""
LEARNED: Final = 4
"""The order of plays of `order`."""
ALL: Final = KNOWLEDGE | URGENCY | LEARNED

SMALL_POINTS: Final = 36
"""Points of the largest small board; there most plays are urgent."""
URGENT_LIBERTIES: Final = 3
"""A play is urgent if it is on a liberty of a chain with at most this number of liberties."""


class Weights(NamedTuple):
    """The weights of the initial pn and dn, and of the lead."""

    max_lead: float
    growth: float
    """Increase of the logarithm of both numbers for each empty point."""
    pn: float
    dn: float
    rest_pn: float
    rest_dn: float
    """Factors of the numbers that are expected after a play that is not urgent."""
    own_liberty: float
    own_chain: float
    opp_liberty: float
    opp_chain: float
    two: float
    three: float
    """Additional value of a chain with two or three liberties."""
    edge_stone: float
    corner_stone: float
    """In addition to `edge_stone`."""
    eye: float
    """An empty point whose neighbours are stones of the side alone."""
    safe_point: float
    """An empty point where a play joins a chain with three liberties."""
    own_point: float
    """An empty point with a neighbour of the side, and none of the other."""
    to_move: float


SMALL: Final = Weights(
    max_lead=2.4,
    growth=0.024,
    pn=3.92,
    dn=3.06,
    rest_pn=0.5,
    rest_dn=1.0,
    own_liberty=0.32,
    own_chain=0.51,
    opp_liberty=0.264,
    opp_chain=0.556,
    two=0.097,
    three=-0.132,
    edge_stone=-0.103,
    corner_stone=-0.211,
    eye=-0.099,
    safe_point=0.1,
    own_point=-0.016,
    to_move=-0.13,
)
LARGE: Final = Weights(
    max_lead=3.488,
    growth=0.037,
    pn=3.33,
    dn=4.265,
    rest_pn=0.56,
    rest_dn=1.264,
    own_liberty=0.235,
    own_chain=0.318,
    opp_liberty=0.262,
    opp_chain=0.508,
    two=-0.067,
    three=-0.3,
    edge_stone=-0.066,
    corner_stone=-0.282,
    eye=-0.012,
    safe_point=0.117,
    own_point=-0.084,
    to_move=-0.067,
)


def chain_values(liberty: float, chain: float, weights: Weights) -> list[float]:
    """Return the value of a chain for each number of liberties."""
    more = {2: weights.two, 3: weights.three}
    return [liberty * n - chain + more.get(n, 0.0) for n in range(POINTS)]


OWN_CHAINS: Final = np.array([chain_values(w.own_liberty, w.own_chain, w) for w in (SMALL, LARGE)])
OPP_CHAINS: Final = np.array([chain_values(w.opp_liberty, w.opp_chain, w) for w in (SMALL, LARGE)])
"""Values of chains [whether the board is large, liberties]."""


class Goal(NamedTuple):
    """The statement to prove, for the side to move."""

    attacker: Any
    """0: only the winner counts. 1: the side to move has lost unless it wins within `plies`; -1: the other side."""
    plies: Any


class LibertyCounts(NamedTuple):
    """The chains of a position by their liberties."""

    result: Any
    """WIN or LOSS if the liberties decide; else UNKNOWN, and the other fields are set."""
    plays: Any
    """Plays that do not lose at once: they leave their own chain two liberties, and no own chain in atari."""
    opp_twos: Any
    """Liberties of the opponent's chains that have exactly two."""
    own_twos: Any
    """Liberties of the own chains that have exactly two."""
    in_atari: Any
    """Whether a chain of the side to move is in atari."""
    lead: Any
    """Weighted lead of the side to move."""


class Evaluation(NamedTuple):
    """A position's result, or the plays to search and the initial pn and dn."""

    result: Any
    plays: Any
    pn: Any
    dn: Any


class RestEstimate(NamedTuple):
    """The urgent plays of a position, and the numbers to expect after any other play."""

    urgent: Any
    """Liberties of chains that have at most URGENT_LIBERTIES."""
    pn: Any
    dn: Any
    """For the side that is to move after the play."""


@inner
def is_large(g: Any) -> int:
    """Return 1 if the board has more than SMALL_POINTS, else 0."""
    return 1 if popcount(g.full) > SMALL_POINTS else 0


@inner
def weights_of(g: Any) -> Weights:
    """Return the weights for the size of the board."""
    return LARGE if is_large(g) else SMALL


@inner
def local_lead(own: Any, opp: Any, g: Any) -> float:
    """Return the part of the weighted lead that does not depend on chains."""
    empty, w = g.full & ~(own | opp), weights_of(g)
    enclosed, by_own, by_opp = empty & ~adjacent(empty, g), adjacent(own, g), adjacent(opp, g)
    lead = w.to_move + w.own_point * (popcount(empty & by_own & ~by_opp) - popcount(empty & by_opp & ~by_own))
    lead += w.edge_stone * (popcount(own & g.edge) - popcount(opp & g.edge))
    lead += w.corner_stone * (popcount(own & g.corners) - popcount(opp & g.corners))
    return lead + w.eye * (popcount(enclosed & ~by_opp) - popcount(enclosed & ~by_own))


@inner
def decided_counts(result: int, none: Any, in_atari: bool) -> LibertyCounts:
    """Return the counts of a position whose result needs no search; `none`: an empty set of points."""
    return LibertyCounts(result, none, none, none, in_atari, 0.0)


@inner
def count_liberties(own: Any, opp: Any, g: Any) -> LibertyCounts:
    """Count chains and liberties: a capture wins, and two own chains in atari lose."""
    empty = g.full & ~(own | opp)
    opp_twos, opp_roomy, own_twos, own_roomy, atari = ZERO, ZERO, ZERO, ZERO, ZERO
    lead, large = 0.0, is_large(g)
    rest = opp
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), opp, g)
        rest &= ~chain
        liberties = beside & empty
        others = liberties & (liberties - ONE)
        if others == ZERO:
            return decided_counts(WIN, zero_like(own), False)
        lead -= OPP_CHAINS[large, popcount(liberties)]
        if others & (others - ONE) == ZERO:
            opp_twos |= liberties
        else:
            opp_roomy |= liberties
    rest = own
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), own, g)
        rest &= ~chain
        liberties = beside & empty
        lead += OWN_CHAINS[large, popcount(liberties)]
        others = liberties & (liberties - ONE)
        if others == ZERO:
            atari |= liberties
        elif others & (others - ONE) == ZERO:
            own_twos |= liberties
        else:
            own_roomy |= liberties
    if atari & (atari - ONE) != ZERO:
        return decided_counts(LOSS, zero_like(own), True)
    open_points = empty & adjacent_twice(empty, g)
    safe = open_points | own_roomy
    candidates = own_twos
    if atari != ZERO:
        safe &= atari
        candidates = atari
    rest = candidates & ~safe
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        if has_two_liberties(p, own, empty, g):
            safe |= p
    if safe == ZERO:
        return decided_counts(LOSS, zero_like(own), atari != ZERO)
    lead += weights_of(g).safe_point * (popcount(own_roomy & ~open_points) - popcount(opp_roomy & ~open_points))
    return LibertyCounts(UNKNOWN, safe, opp_twos, own_twos, atari != ZERO, lead)


@inner
def evaluate(own: Any, opp: Any, goal: Goal, features: int, stack: Any, g: Any) -> Evaluation:
    """Evaluate a new position for a goal; `stack` is scratch memory."""
    none = zero_like(own)
    if goal.attacker != 0 and goal.plies < (goal.attacker + 1) // 2:
        return Evaluation(-goal.attacker, none, 0, 0)
    seen = count_liberties(own, opp, g)
    result, plays = seen.result, seen.plays
    if result == LOSS and goal.attacker < 0 and goal.plies < 2 and (goal.plies < 0 or has_legal_play(own, opp, g)):
        return Evaluation(WIN, none, 0, 0)
    if result != UNKNOWN:
        return Evaluation(result, none, 0, 0)
    empty = popcount(g.full & ~(own | opp))
    if features & KNOWLEDGE == 0:
        pn, dn = initial_numbers(0.0, 1, empty, weights_of(g))
        return Evaluation(UNKNOWN, plays, max(1, int(pn)), max(1, int(dn)))
    levels = min(LEVELS, (goal.plies - 1) // 2) if goal.attacker > 0 else LEVELS
    if won_ladder(own, opp, plays & seen.opp_twos, levels, stack, g):
        return Evaluation(WIN, none, 0, 0)
    if not seen.in_atari and seen.own_twos != ZERO:
        levels = min(LEVELS, (goal.plies - 2) // 2) if goal.attacker < 0 else LEVELS
        plays &= threats(own, opp, seen.own_twos, levels, stack, g) | seen.opp_twos
        if plays == ZERO:  # no play prevents all the ladders, and there are enough plies for each
            return Evaluation(LOSS, none, 0, 0)
    pn, dn = initial_numbers(seen.lead + local_lead(own, opp, g), popcount(plays), empty, weights_of(g))
    return Evaluation(UNKNOWN, plays, max(1, int(pn)), max(1, int(dn)))


@inner
def initial_numbers(lead: float, plays: int, empty: int, w: Weights) -> tuple[float, float]:
    """Return pn and dn of a position before its search, by its lead, its plays to search and its empty points."""
    size = math.exp(w.growth * empty)
    root = math.exp(0.5 * max(-w.max_lead, min(w.max_lead, lead)))  # the square root of the lead's factor of dn
    return w.pn * size / root, w.dn * size * plays * root * root


@inner
def liberties_and_values(stones: Any, values: Any, empty: Any, g: Any) -> tuple[Any, Any, float]:
    """Return the liberties of chains with few of them and with three or more, and the sum of the chains' values."""
    urgent, roomy, total, large = ZERO, ZERO, 0.0, is_large(g)
    rest = stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        liberties = beside & empty
        number = popcount(liberties)
        total += values[large, number]
        if number <= URGENT_LIBERTIES:
            urgent |= liberties
        if number > 2:
            roomy |= liberties
    return urgent, roomy, total


@inner
def estimate_rest(own: Any, opp: Any, g: Any) -> RestEstimate:
    """Return the urgent plays of the side to move, and an estimate of the numbers after any other play."""
    empty = g.full & ~(own | opp)
    opp_urgent, opp_roomy, lead = liberties_and_values(opp, OWN_CHAINS, empty, g)
    own_urgent, own_roomy, against = liberties_and_values(own, OPP_CHAINS, empty, g)
    open_points = empty & adjacent_twice(empty, g)
    lead += weights_of(g).safe_point * (popcount(opp_roomy & ~open_points) - popcount(own_roomy & ~open_points))
    w = weights_of(g)
    lead += local_lead(opp, own, g) - against - OPP_CHAINS[is_large(g), 4]
    plays = popcount(open_points | opp_roomy) - 1
    pn, dn = initial_numbers(lead, plays, popcount(empty) - 1, w)
    return RestEstimate(opp_urgent | own_urgent, max(1, int(w.rest_pn * pn)), max(1, int(w.rest_dn * dn)))
