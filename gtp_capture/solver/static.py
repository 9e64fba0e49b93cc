"""What the solver knows of a position before it searches: results told at sight, ladders, and the plays worth trying.

All of it is exact. `own` is the side to move; "won" and "lost" are said of it.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numba

from ..jit.kernel import inner, kernel
from .bitboard import (
    EVERYTHING,
    GEOMETRY,
    ONE,
    ZERO,
    around,
    count,
    first_of,
    flood,
    has_legal_play,
    is_safe,
    twice_around,
)

WON: Final = 1
OPEN: Final = 0
LOST: Final = -1

LEVELS: Final = 40
"""Attacking plays in a row, at most."""
LADDER: Final = numba.uint64[:, ::1]
"""Room for `ladder`: [LEVELS + 1, 5]: attacker, other side, attacks left, attack, answer."""

# Switches, bits of one number, so that tests and tables can take each piece of knowledge away.
LADDERS: Final = 1
ZONES: Final = 2
SYMMETRY: Final = 4
MOBILITY: Final = 8
LIBERTIES: Final = 16
ALL: Final = 31

# What an open position is worth at sight: the mover's chains, a liberty counting for and a chain against it, less the
# other's. The form is that of a logistic fit to 2,100 solved positions of 6x6; the numbers are those, of about forty
# tried, with which fifteen positions of 6x6 took the fewest nodes.
LIBERTY: Final = 0.27
CHAIN: Final = 0.57
MOST: Final = 1.8
PROVE: Final = 4
DISPROVE: Final = 8


@inner
def survey(own: Any, opp: Any, g: Any) -> tuple[Any, ...]:
    """The result if plain, the plays that lose not at once, liberties of chains with two (opp's, own), own in atari?

    At last, how far the mover's chains are ahead: see LIBERTY.
    """
    empty = g[0] & ~(own | opp)
    opp_twos, tight, atari, roomy = ZERO, ZERO, ZERO, ZERO
    lead = 0.0
    rest = opp
    while rest != ZERO:
        chain = flood(first_of(rest), opp, g)
        rest &= ~chain
        libs = around(chain, g) & empty
        others = libs & (libs - ONE)
        if others == ZERO:
            return WON, ZERO, ZERO, ZERO, False, 0.0
        others &= others - ONE
        lead -= LIBERTY * count(libs) - CHAIN
        if others == ZERO:
            opp_twos |= libs
    rest = own
    while rest != ZERO:
        chain = flood(first_of(rest), own, g)
        rest &= ~chain
        libs = around(chain, g) & empty
        others = libs & (libs - ONE)
        if others == ZERO:
            atari |= libs
            continue
        others &= others - ONE
        lead += LIBERTY * count(libs) - CHAIN
        if others == ZERO:
            tight |= libs
        else:
            roomy |= libs
    if atari & (atari - ONE) != ZERO:
        return LOST, ZERO, ZERO, ZERO, True, 0.0
    safe = empty & (twice_around(empty, g) | roomy)
    if atari != ZERO:
        safe &= atari
        rest = atari & ~safe
    else:
        rest = tight & ~safe
    while rest != ZERO:
        p = first_of(rest)
        rest ^= p
        if is_safe(p, own, empty, g):
            safe |= p
    if safe == ZERO:
        return LOST, ZERO, ZERO, ZERO, atari != ZERO, 0.0
    return OPEN, safe, opp_twos, tight, atari != ZERO, lead


@kernel(numba.uint64, numba.uint64, GEOMETRY, returns=numba.uint64)
def safe_plays(own: Any, opp: Any, g: Any) -> Any:
    """The plays that do not lose at once; none where a capture is there."""
    _, plays, _, _, _, _ = survey(own, opp, g)
    return plays


@inner
def last_liberties(point: Any, stones: Any, empty: Any, g: Any) -> Any:
    """The last liberties of the chains in atari among these stones that stand next to a point."""
    found = ZERO
    near = around(point, g) & stones
    while near != ZERO:
        chain = flood(first_of(near), stones, g)
        near &= ~chain
        libs = around(chain, g) & empty
        if libs & (libs - ONE) == ZERO:
            found |= libs
    return found


@inner
def ladder(
    own: Any, opp: Any, attacks: Any, g: Any, levels: int, every: bool, budget: int, room: Any
) -> tuple[Any, ...]:
    """Plies to a win of `own`, to move, by plays that each leave a chain one liberty, with only one answer; or 0.

    `attacks` are safe plays that do so. Also the zone: a stone of the other side outside, unless it gives atari,
    changes no liberty of a chain that the line touches, so the line still wins. With `every`, the points that
    are in the zones of all lines found, one line for each first attack.
    """
    found, zone = 0, EVERYTHING
    room[0, 0], room[0, 1], room[0, 2] = own, opp, attacks
    level = 0
    while level >= 0:
        left = room[level, 2]
        if left == ZERO or budget <= 0:
            level -= 1
            continue
        budget -= 1
        attack = first_of(left)
        room[level, 2] = left ^ attack
        x, y = room[level, 0] | attack, room[level, 1]
        empty = g[0] & ~(x | y)
        atari = last_liberties(attack, y, empty, g)
        if atari == ZERO:
            continue
        room[level, 3] = attack
        if atari & (atari - ONE) != ZERO or not is_safe(atari, y, empty, g):
            line = atari
            for i in range(level + 1):
                line |= room[i, 3]
            for i in range(level):
                line |= room[i, 4]
            beside = around(line, g)
            touched = flood((line | beside) & x, x, g) | flood((line | beside) & y, y, g)
            zone &= line | ((beside | around(touched, g)) & empty)
            found = max(found, 2 * level + 3)
            if not every:
                return found, zone
            level = 0
            continue
        if level + 1 >= levels:
            continue
        answer = atari
        room[level, 4] = answer
        y |= answer
        empty ^= answer
        forced = last_liberties(answer, x, empty, g)
        if forced & (forced - ONE) != ZERO:
            continue
        following = ZERO
        if forced != ZERO:
            if is_safe(forced, x, empty, g):
                following = forced
        else:
            near = (around(attack | answer, g) | answer) & y
            while near != ZERO:
                chain = flood(first_of(near), y, g)
                near &= ~chain
                libs = around(chain, g) & empty
                second = libs & (libs - ONE)
                if second & (second - ONE) == ZERO:
                    if is_safe(second, x, empty, g):
                        following |= second
                    if is_safe(libs ^ second, x, empty, g):
                        following |= libs ^ second
        level += 1
        room[level, 0], room[level, 1], room[level, 2] = x, y, following
    return found, zone


@inner
def evaluate(own: Any, opp: Any, g: Any, switches: int, attacker: int, left: int, room: Any) -> tuple[Any, ...]:
    """WON, LOST or OPEN, the plays that need be tried, the numbers of moves to begin with: to prove, to disprove.

    `attacker` 0: nothing but the result counts. 1: the side to move must have won when so many plies are `left`,
    or has lost; -1: the other side must.
    """
    if attacker != 0 and left < (attacker + 1) // 2:
        return -attacker, ZERO, 0, 0
    result, plays, opp_twos, own_twos, in_atari, lead = survey(own, opp, g)
    if result == LOST and attacker < 0 and left < 2 and (left < 0 or has_legal_play(own, opp, g)):
        result = WON
    if result != OPEN:
        return result, ZERO, 0, 0
    if switches & LADDERS:
        attacks = plays & opp_twos
        levels = min(LEVELS, (left - 1) // 2) if attacker > 0 else LEVELS
        if attacks != ZERO and levels > 0:
            length, _zone = ladder(own, opp, attacks, g, levels, False, 100, room)
            if length > 0:
                return WON, ZERO, 0, 0
    if switches & ZONES and not in_atari and own_twos != ZERO:
        empty = g[0] & ~(own | opp)
        attacks, rest = ZERO, own_twos
        while rest != ZERO:
            p = first_of(rest)
            rest ^= p
            if is_safe(p, opp, empty, g):
                attacks |= p
        levels = min(LEVELS, (left - 2) // 2) if attacker < 0 else LEVELS
        if attacks != ZERO and levels > 0:
            length, zone = ladder(opp, own, attacks, g, levels, True, 100, room)
            if length > 0:
                plays &= zone | opp_twos
                if plays == ZERO:
                    # Whatever is played, the ladder follows; with all its plies the other side has won.
                    return LOST, ZERO, 0, 0
    moves = count(plays) if switches & MOBILITY else 1
    hope = math.exp(max(-MOST, min(MOST, lead))) if switches & LIBERTIES else 1.0
    return OPEN, plays, max(1, int(PROVE / hope)), max(1, int(DISPROVE * moves * hope))
