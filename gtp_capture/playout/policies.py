"""Playouts that know the tactics: the sharp ones of capture games at their end, and mixed ones for all the rest.

Each notes its plays in `record` (point, negative for White's; see `note`), for the statistics of all moves as first.
"""

from __future__ import annotations

from typing import Any, Final

import numba

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK
from ..jit.kernel import inner, wide
from .ordinary import answer
from .static import LOST, QUIET, forced_near, is_safe, is_sharp
from .uniform import area_winner, captured_enough, must_lose, pass_stone, random_below, random_play, set_aside

RECORD: Final = numba.int16[::1]
TRIES: Final = 4
"""Random plays looked at before one that puts its own chain into atari is accepted."""


@inner
def note(c: int, p: int) -> int:
    """A play as a record keeps it."""
    return p if c == BLACK else -p


@inner
def safe_play(b: Board, c: int, state: Any) -> int:
    """A play that leaves its chain two liberties, each with equal chance, or 0 where there is none."""
    rest = wide(b.empties)
    while rest > 0:
        i = random_below(state, rest)
        p = wide(b.empty[i])
        if is_safe(b, p, c):
            return p
        rest -= 1
        set_aside(b, i, rest)
    return 0


@inner
def sharp_playout(b: Board, c: int, last: int, state: Any, record: Any, length: int) -> tuple[int, int]:
    """Play on from a sharp position in which no stone of the colour that just played is in atari.

    The winner, and the length of the record. Nothing is captured: the side that would be has lost before.
    """
    while True:
        p = forced_near(b, last, c)
        if p == LOST:
            return 3 - c, length
        if p == QUIET:
            p = safe_play(b, c, state)
            if p == 0:
                return 3 - c, length
        bd.place(b, p, c)
        record[length] = note(c, p)
        length += 1
        last = p
        c = 3 - c


@inner
def urgent_play(b: Board, rules: Any, last: int, c: int) -> int:
    """A capture of the opponent's last play, or of what it threatened with, or 0.

    Running from atari is left to chance: who always runs loses more stones than one who sometimes does not.
    """
    color = b.color
    stride = int(b.stride)
    if color[last] == 3 - c and bd.in_atari(b, last):
        p = bd.last_liberty(b, last)
        if bd.is_legal(b, p, c, False) and not (rules.ko and p == b.ko):
            return p
    for q in (last - 1, last + 1, last - stride, last + stride):
        if color[q] == c and bd.in_atari(b, q):
            p = bd.last_liberty(b, q)
            if not (rules.ko and p == b.ko) and bd.captures_at(b, p, c) > 0:
                return p
    return 0


@inner
def mixed_play(b: Board, rules: Any, last: int, c: int, state: Any) -> int:
    """An urgent play, in ordinary Go an answer to the last one, else a random play; 0 where there is none.

    A random play rather does not put its own chain into atari.
    """
    if last > 0:
        p = urgent_play(b, rules, last, c)
        if p == 0 and rules.captures == 0:
            p = answer(b, rules, last, c, state)
        if p > 0:
            return p
    p = random_play(b, rules, c, state)
    for _ in range(TRIES):
        if p == 0 or is_safe(b, p, c) or bd.captures_at(b, p, c) > 0:
            return p
        p = random_play(b, rules, c, state)
    return p


@inner
def mixed_playout(
    b: Board, rules: Any, c: int, last: int, passes: int, state: Any, record: Any, length: int
) -> tuple[int, int]:
    """Play on to the end of any game; the winner (or DRAW), and the length of the record."""
    most = min(len(record), length + 3 * b.width * b.height + 20)
    while length < most:
        p = mixed_play(b, rules, last, c, state)
        if p == 0:
            if must_lose(b, rules, c):
                return 3 - c, length
            passes += 1
            if passes >= 2:
                break
            pass_stone(b, rules, c)
        else:
            passes = 0
            record[length] = note(c, p)
            length += 1
            if bd.play(b, p, c) != 0:
                winner = captured_enough(b, rules)
                if winner:
                    return winner, length
        last = p
        c = 3 - c
    return area_winner(b, rules), length


@inner
def tactical_playout(
    b: Board, rules: Any, c: int, last: int, passes: int, state: Any, record: Any, length: int
) -> tuple[int, int]:
    """Play on with what the tactics know; see `sharp_playout` for what a sharp position must keep."""
    if is_sharp(b, rules):
        return sharp_playout(b, c, last, state, record, length)
    return mixed_playout(b, rules, c, last, passes, state, record, length)
