"""Static evaluation in the solver: immediate results, ladders, the plays worth trying and a new node's pn and dn.

Results and pruning are exact; only the initial pn and dn are heuristic. `own` is the side to move; results are for it.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.kernel import inner, kernel
from .bitboard import (
    EVERYTHING,
    GEOMETRY,
    ONE,
    ZERO,
    adjacent,
    adjacent_twice,
    flood,
    has_legal_play,
    has_two_liberties,
    lowest_bit,
    popcount,
)
from .result import LOSS, UNKNOWN, WIN

# Features, bits of one number, so that tests and benchmarks can switch each of them off.
LADDERS: Final = 1
ZONES: Final = 2
SYMMETRY: Final = 4
MOBILITY: Final = 8
LIBERTIES: Final = 16
ALL: Final = 31

LEVELS: Final = 40
"""Attacking plays of a ladder, at most."""
LADDER_NODES: Final = 100
"""Attacking plays that one call of `ladder` tries, at most."""
STACK: Final = np.dtype(
    [
        ("own", "u8", (LEVELS + 1,)),  # the attacker's stones, and the other side's
        ("opp", "u8", (LEVELS + 1,)),
        ("attacks", "u8", (LEVELS + 1,)),  # not tried yet
        ("attack", "u8", (LEVELS + 1,)),  # the one tried last, and the only answer to it
        ("answer", "u8", (LEVELS + 1,)),
    ],
    align=True,
)
"""Scratch memory of `ladder`: for each level the position and the attack tried there."""
STACK_RECORD: Final = numba.from_dtype(STACK)

# Initial pn and dn: a weighted count of chains and liberties, the mover's minus the opponent's, makes dn larger and pn
# smaller. The form is that of a logistic fit to 2,100 solved positions of 6x6; the weights are those, of about forty
# tried, that solved fifteen positions of 6x6 with the fewest nodes.
LIBERTY_WEIGHT: Final = 0.27
CHAIN_WEIGHT: Final = 0.57
MAX_LEAD: Final = 1.8
INITIAL_PN: Final = 4
INITIAL_DN: Final = 8


class Goal(NamedTuple):
    """The statement to prove, for the side to move."""

    attacker: Any
    """0: only the winner counts. 1: the side to move has lost unless it wins within `plies`; -1: the other side."""
    plies: Any


class Survey(NamedTuple):
    """Chains and liberties of a position."""

    result: Any
    """WIN or LOSS if the count alone decides, else UNKNOWN and the fields below."""
    plays: Any
    """Plays that do not lose at once: they leave their own chain two liberties, and no own chain in atari."""
    opp_twos: Any
    """Liberties of the opponent's chains that have exactly two, and of the mover's."""
    own_twos: Any
    in_atari: Any
    """Whether a chain of the mover is in atari."""
    lead: Any
    """Weighted lead of the mover in chains and liberties."""


class Evaluation(NamedTuple):
    """A position's result, or the plays to search and the initial pn and dn."""

    result: Any
    plays: Any
    pn: Any
    dn: Any


def new_stack() -> Any:
    """Return scratch memory for one thread."""
    return np.zeros(1, STACK).view(np.recarray)[0]


@inner
def surveyed(result: int, in_atari: bool) -> Survey:
    """Return the survey of a position whose result needs no search."""
    return Survey(result, ZERO, ZERO, ZERO, in_atari, 0.0)


@inner
def survey(own: Any, opp: Any, g: Any) -> Survey:
    """Count chains and liberties: a capture wins, and two own chains in atari lose."""
    empty = g.full & ~(own | opp)
    opp_twos, own_twos, atari, roomy = ZERO, ZERO, ZERO, ZERO
    lead = 0.0
    rest = opp
    while rest != ZERO:
        chain = flood(lowest_bit(rest), opp, g)
        rest &= ~chain
        liberties = adjacent(chain, g) & empty
        others = liberties & (liberties - ONE)
        if others == ZERO:
            return surveyed(WIN, False)
        lead -= LIBERTY_WEIGHT * popcount(liberties) - CHAIN_WEIGHT
        if others & (others - ONE) == ZERO:
            opp_twos |= liberties
    rest = own
    while rest != ZERO:
        chain = flood(lowest_bit(rest), own, g)
        rest &= ~chain
        liberties = adjacent(chain, g) & empty
        others = liberties & (liberties - ONE)
        if others == ZERO:
            atari |= liberties
            continue
        lead += LIBERTY_WEIGHT * popcount(liberties) - CHAIN_WEIGHT
        if others & (others - ONE) == ZERO:
            own_twos |= liberties
        else:
            roomy |= liberties
    if atari & (atari - ONE) != ZERO:
        return surveyed(LOSS, True)
    safe = empty & (adjacent_twice(empty, g) | roomy)
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
        return surveyed(LOSS, atari != ZERO)
    return Survey(UNKNOWN, safe, opp_twos, own_twos, atari != ZERO, lead)


@kernel(numba.uint64, numba.uint64, GEOMETRY, returns=numba.uint64)
def safe_plays(own: Any, opp: Any, g: Any) -> Any:
    """Return the plays that do not lose at once; ZERO if there is a capture."""
    return survey(own, opp, g).plays


@inner
def last_liberties(point: Any, stones: Any, empty: Any, g: Any) -> Any:
    """Return the last liberties of the chains in atari among these stones that are next to a point."""
    found = ZERO
    near = adjacent(point, g) & stones
    while near != ZERO:
        chain = flood(lowest_bit(near), stones, g)
        near &= ~chain
        liberties = adjacent(chain, g) & empty
        if liberties & (liberties - ONE) == ZERO:
            found |= liberties
    return found


@inner
def next_attacks(own: Any, opp: Any, attack: Any, answer: Any, g: Any) -> Any:
    """Return the safe plays that continue a ladder after an attack and its answer, which are on the board."""
    empty = g.full & ~(own | opp)
    forced = last_liberties(answer, own, empty, g)
    if forced != ZERO:
        return forced if forced & (forced - ONE) == ZERO and has_two_liberties(forced, own, empty, g) else ZERO
    found = ZERO
    near = (adjacent(attack | answer, g) | answer) & opp
    while near != ZERO:
        chain = flood(lowest_bit(near), opp, g)
        near &= ~chain
        liberties = adjacent(chain, g) & empty
        second = liberties & (liberties - ONE)
        if second & (second - ONE) == ZERO:
            if has_two_liberties(second, own, empty, g):
                found |= second
            if has_two_liberties(liberties ^ second, own, empty, g):
                found |= liberties ^ second
    return found


@inner
def zone_of(stack: Any, level: int, last: Any, g: Any) -> Any:
    """Return the zone of a ladder that ends at a level, where the answers `last` save nothing; see `ladder`."""
    own, opp = stack.own[level] | stack.attack[level], stack.opp[level]
    line = last | stack.attack[level]
    for i in range(level):
        line |= stack.attack[i] | stack.answer[i]
    beside = adjacent(line, g)
    touched = flood((line | beside) & own, own, g) | flood((line | beside) & opp, opp, g)
    return line | ((beside | adjacent(touched, g)) & g.full & ~(own | opp))


@inner
def ladder(stack: Any, levels: int, every: bool, g: Any) -> tuple[Any, Any]:
    """Search for ladders, wins by attacks with one answer each; return the plies to the win, or 0, and the zone.

    Level 0 of the stack holds the position, the attacker to move, and the safe attacks to try. Each attack puts a chain
    in atari. A stone of the other side outside the zone, unless it gives atari, changes no liberty of a chain that the
    ladder touches, so the ladder still wins. With `every`, all first attacks are tried, and the zones are intersected.
    """
    plies, zone, level, budget = 0, EVERYTHING, 0, LADDER_NODES
    while level >= 0:
        left = stack.attacks[level]
        if left == ZERO or budget <= 0:
            level -= 1
            continue
        budget -= 1
        attack = lowest_bit(left)
        stack.attacks[level], stack.attack[level] = left ^ attack, attack
        own, opp = stack.own[level] | attack, stack.opp[level]
        empty = g.full & ~(own | opp)
        answer = last_liberties(attack, opp, empty, g)
        if answer == ZERO:
            continue
        if answer & (answer - ONE) != ZERO or not has_two_liberties(answer, opp, empty, g):
            zone &= zone_of(stack, level, answer, g)
            plies = max(plies, 2 * level + 3)
            if not every:
                break
            level = 0
        elif level + 1 < levels:
            stack.answer[level] = answer
            level += 1
            stack.own[level], stack.opp[level] = own, opp | answer
            stack.attacks[level] = next_attacks(own, opp | answer, attack, answer, g)
    return plies, zone


@inner
def wins_ladder(own: Any, opp: Any, attacks: Any, levels: int, stack: Any, g: Any) -> bool:
    """Return whether the side to move wins by a ladder that begins with one of these safe attacks."""
    if attacks == ZERO or levels <= 0:
        return False
    stack.own[0], stack.opp[0], stack.attacks[0] = own, opp, attacks
    plies, _zone = ladder(stack, levels, False, g)
    return bool(plies > 0)


@inner
def threatened_zone(own: Any, opp: Any, own_twos: Any, levels: int, stack: Any, g: Any) -> Any:
    """Return the common zone of the ladders that the opponent would win if the side to move passed."""
    empty = g.full & ~(own | opp)
    attacks, rest = ZERO, own_twos
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        if has_two_liberties(p, opp, empty, g):
            attacks |= p
    if attacks == ZERO or levels <= 0:
        return EVERYTHING
    stack.own[0], stack.opp[0], stack.attacks[0] = opp, own, attacks
    _plies, zone = ladder(stack, levels, True, g)
    return zone


@inner
def evaluate(own: Any, opp: Any, goal: Goal, features: int, stack: Any, g: Any) -> Evaluation:
    """Evaluate a new position for a goal; `stack` is scratch memory."""
    if goal.attacker != 0 and goal.plies < (goal.attacker + 1) // 2:
        return Evaluation(-goal.attacker, ZERO, 0, 0)
    seen = survey(own, opp, g)
    result, plays = seen.result, seen.plays
    if result == LOSS and goal.attacker < 0 and goal.plies < 2 and (goal.plies < 0 or has_legal_play(own, opp, g)):
        result = WIN
    if result != UNKNOWN:
        return Evaluation(result, ZERO, 0, 0)
    if features & LADDERS:
        levels = min(LEVELS, (goal.plies - 1) // 2) if goal.attacker > 0 else LEVELS
        if wins_ladder(own, opp, plays & seen.opp_twos, levels, stack, g):
            return Evaluation(WIN, ZERO, 0, 0)
    if features & ZONES and not seen.in_atari and seen.own_twos != ZERO:
        levels = min(LEVELS, (goal.plies - 2) // 2) if goal.attacker < 0 else LEVELS
        plays &= threatened_zone(own, opp, seen.own_twos, levels, stack, g) | seen.opp_twos
        if plays == ZERO:
            # No play prevents all the ladders, and there are enough plies for each.
            return Evaluation(LOSS, ZERO, 0, 0)
    moves = popcount(plays) if features & MOBILITY else 1
    hope = math.exp(max(-MAX_LEAD, min(MAX_LEAD, seen.lead))) if features & LIBERTIES else 1.0
    return Evaluation(UNKNOWN, plays, max(1, int(INITIAL_PN / hope)), max(1, int(INITIAL_DN * moves * hope)))
