"""Ladders in the solver: wins by attacks with one answer each, and the zone in which a play can prevent them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit.bitsets import bits_field
from ..jit.kernel import from_dtype, inner
from .bitboard import ONE, ZERO, adjacent, flood, has_two_liberties, lowest_bit, zero_like

LEVELS: Final = 40
"""Attacking plays of a ladder, at most."""
LADDER_NODES: Final = 100
"""Attacking plays that one call of `ladder` tries, at most."""


def stack_type(words: int) -> Any:
    """Return the type of the scratch memory of `ladder`: for each level the position and the attack tried there.

    own, opp: the attacker's stones, and the other side's; attacks: not tried yet; attack, answer: the one tried last,
    and the only answer to it.
    """
    names = "own", "opp", "attacks", "attack", "answer"
    return np.dtype([bits_field(name, words, (LEVELS + 1,)) for name in names], align=True)


STACK: Final = from_dtype(stack_type(1))


def new_stack(words: int = 1) -> Any:
    """Return scratch memory for one thread."""
    return np.zeros(1, stack_type(words)).view(np.recarray)[0]


@inner
def last_liberties(point: Any, stones: Any, empty: Any, g: Any) -> Any:
    """Return the last liberties of the chains in atari among these stones that are next to a point."""
    found = ZERO
    near = adjacent(point, g) & stones
    while near != ZERO:
        chain, around = flood(lowest_bit(near), stones, g)
        near &= ~chain
        liberties = around & empty
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
        chain, around = flood(lowest_bit(near), opp, g)
        near &= ~chain
        liberties = around & empty
        second = liberties & (liberties - ONE)
        if second & (second - ONE) == ZERO:
            if has_two_liberties(second, own, empty, g):
                found |= second
            if has_two_liberties(liberties ^ second, own, empty, g):
                found |= liberties ^ second
    return found


@inner
def zone_of(stack: Any, level: int, last: Any, g: Any) -> Any:
    """Return the zone of a ladder that ends at a level, where the answers `last` save nothing; see `zones`."""
    own, opp = stack.own[level] | stack.attack[level], stack.opp[level]
    line = last | stack.attack[level]
    for i in range(level):
        line |= stack.attack[i] | stack.answer[i]
    beside = adjacent(line, g)
    touched, around = flood((line | beside) & own, own, g)
    others, around_others = flood((line | beside) & opp, opp, g)
    return line | touched | others | (beside | around | around_others) & ~(own | opp)


@inner
def ladder(stack: Any, levels: int, every: bool, g: Any) -> tuple[Any, Any, Any]:
    """Search for ladders, wins by attacks with one answer each; return the plies to a win, or 0, and two zones.

    Level 0 of the stack holds the position, the attacker to move, and the safe attacks to try. Each attack puts a chain
    in atari. A stone of the other side outside the zone, unless it gives atari, changes no liberty of a chain that the
    ladder touches, so the ladder still wins. With `every`, all first attacks are tried: a stone outside the
    first zone leaves one of the ladders, and one outside the second zone leaves all. Otherwise the search ends with the
    first ladder, whose zone `zone_of_won` returns.
    """
    plies, common, union, level, budget = 0, g.full, zero_like(g.full), 0, LADDER_NODES
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
            plies = max(plies, 2 * level + 3)
            if not every:
                break
            zone = zone_of(stack, level, answer, g)
            common &= zone
            union |= zone
            level = 0
        elif level + 1 < levels:
            stack.answer[level] = answer
            level += 1
            stack.own[level], stack.opp[level] = own, opp | answer
            stack.attacks[level] = next_attacks(own, opp | answer, attack, answer, g)
    return plies, common, union


@inner
def won_ladder(own: Any, opp: Any, attacks: Any, levels: int, stack: Any, g: Any) -> Any:
    """Return the plies of a ladder that the side to move wins with one of these safe attacks; 0 if there is none."""
    if attacks == ZERO or levels <= 0:
        return 0
    stack.own[0], stack.opp[0], stack.attacks[0] = own, opp, attacks
    plies, _common, _union = ladder(stack, levels, False, g)
    return plies


@inner
def zone_of_won(stack: Any, plies: int, g: Any) -> Any:
    """Return the zone of the ladder of so many plies that `won_ladder` has found."""
    level = (plies - 3) // 2
    attack, opp = stack.attack[level], stack.opp[level]
    return zone_of(stack, level, last_liberties(attack, opp, g.full & ~(stack.own[level] | attack | opp), g), g)


@inner
def threats(own: Any, opp: Any, own_twos: Any, levels: int, stack: Any, g: Any) -> tuple[Any, Any]:
    """Return the two zones of `ladder` of the ladders that the opponent would win if the side to move passed.

    If there is none: all points, and none.
    """
    empty = g.full & ~(own | opp)
    attacks, rest = ZERO, own_twos
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        if has_two_liberties(p, opp, empty, g):
            attacks |= p
    if attacks == ZERO or levels <= 0:
        return g.full, zero_like(own)
    stack.own[0], stack.opp[0], stack.attacks[0] = opp, own, attacks
    _plies, common, union = ladder(stack, levels, True, g)
    return common, union
