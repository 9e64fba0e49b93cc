"""Ladders in the solver: wins by attacks with one answer each, and the points where a play can prevent them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit.bitsets import bits_field
from ..jit.kernel import inner
from .bitboard import ONE, ZERO, adjacent, flood, has_two_liberties, lowest_bit

LEVELS: Final = 40
"""Maximum attacking plays of a ladder."""
LADDER_NODES: Final = 100
"""Maximum attacking plays that one call of `ladder` tries."""


def stack_type(words: int) -> Any:
    """Return the type of the scratch memory of `ladder`, which has for each level the position and the attack tried.

    own, opp: the stones of the attacker and of the other side; attacks: the attacks that are not tried yet; attack,
    answer: the last attack that was tried, and the only answer to it.
    """
    names = "own", "opp", "attacks", "attack", "answer"
    return np.dtype([bits_field(name, words, (LEVELS + 1,)) for name in names], align=True)


def new_stack(words: int = 1) -> Any:
    """Return scratch memory for one thread."""
    return np.zeros(1, stack_type(words)).view(np.recarray)[0]


@inner
def last_liberties(point: Any, stones: Any, empty: Any, g: Any) -> Any:
    """Return the last liberties of the chains in atari among these stones that are next to a point."""
    last = ZERO
    near = adjacent(point, g) & stones
    while near != ZERO:
        chain, around = flood(lowest_bit(near), stones, g)
        near &= ~chain
        liberties = around & empty
        if liberties & (liberties - ONE) == ZERO:
            last |= liberties
    return last


@inner
def next_attacks(own: Any, opp: Any, attack: Any, answer: Any, g: Any) -> Any:
    """Return the safe plays that continue a ladder after an attack and its answer, which are on the board."""
    empty = g.full & ~(own | opp)
    forced = last_liberties(answer, own, empty, g)
    if forced != ZERO:
        return forced if forced & (forced - ONE) == ZERO and has_two_liberties(forced, own, empty, g) else ZERO
    attacks = ZERO
    near = (adjacent(attack | answer, g) | answer) & opp
    while near != ZERO:
        chain, around = flood(lowest_bit(near), opp, g)
        near &= ~chain
        liberties = around & empty
        second = liberties & (liberties - ONE)
        if second & (second - ONE) == ZERO:
            if has_two_liberties(second, own, empty, g):
                attacks |= second
            if has_two_liberties(liberties ^ second, own, empty, g):
                attacks |= liberties ^ second
    return attacks


@inner
def preventing_points(stack: Any, level: int, last: Any, g: Any) -> Any:
    """Return the points where a play can change a ladder that ends at a level; the answers `last` there save nothing.

    These are the points of the plays, and the stones and liberties of the chains next to them.
    """
    own, opp = stack.own[level] | stack.attack[level], stack.opp[level]
    line = last | stack.attack[level]
    for i in range(level):
        line |= stack.attack[i] | stack.answer[i]
    beside = adjacent(line, g)
    touched, around = flood((line | beside) & own, own, g)
    others, around_others = flood((line | beside) & opp, opp, g)
    return line | touched | others | (beside | around | around_others) & ~(own | opp)


@inner
def ladder(stack: Any, levels: int, every: bool, g: Any) -> tuple[bool, Any]:
    """Search for ladders: return whether there is one, and the points where a play can prevent all that were found.

    Level 0 of the stack holds the position, the attacker to move, and the safe attacks to try. Each attack puts a chain
    in atari and leaves one answer. A stone of the other side on no point of `preventing_points`, unless it gives atari,
    changes no liberty of a chain that the ladder touches, so the ladder still wins. With `every`, all first attacks
    are tried, and the points are common to all ladders; otherwise the search ends with the first ladder.
    """
    won, common, level, budget = False, g.full, 0, LADDER_NODES
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
            won = True
            if not every:
                break
            common &= preventing_points(stack, level, answer, g)
            level = 0
        elif level + 1 < levels:
            stack.answer[level] = answer
            level += 1
            stack.own[level], stack.opp[level] = own, opp | answer
            stack.attacks[level] = next_attacks(own, opp | answer, attack, answer, g)
    return won, common


@inner
def won_ladder(own: Any, opp: Any, attacks: Any, levels: int, stack: Any, g: Any) -> bool:
    """Return whether the side to move wins by a ladder that begins with one of these safe attacks."""
    if attacks == ZERO or levels <= 0:
        return False
    stack.own[0], stack.opp[0], stack.attacks[0] = own, opp, attacks
    won, _common = ladder(stack, levels, False, g)
    return won


@inner
def threats(own: Any, opp: Any, own_twos: Any, levels: int, stack: Any, g: Any) -> Any:
    """Return the points where a play can prevent all ladders that the opponent would win if the side to move passed.

    If there is no such ladder, return all points of the board.
    """
    empty = g.full & ~(own | opp)
    attacks, rest = ZERO, own_twos
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        if has_two_liberties(p, opp, empty, g):
            attacks |= p
    if attacks == ZERO or levels <= 0:
        return g.full
    stack.own[0], stack.opp[0], stack.attacks[0] = opp, own, attacks
    _won, common = ladder(stack, levels, True, g)
    return common
