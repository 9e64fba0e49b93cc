"""Uniformly random playouts on the full board, under all rules."""

from __future__ import annotations

from typing import Any

from ..go.board import Board
from ..go.vertex import PASS, opponent
from ..jit.kernel import inner, wide
from ..jit.records import random_below, set_aside
from .endings import area_winner, must_lose
from .moves import is_playable, make_move


@inner
def random_play(b: Board, rules: Any, c: int, rng: Any) -> int:
    """Return a playable point (see `is_playable`), each with equal chance, or PASS if there is none."""
    rest = wide(b.empties)
    while rest > 0:
        i = random_below(rng, rest)
        p = wide(b.empty[i])
        if is_playable(b, rules, p, c):
            return p
        rest -= 1
        set_aside(b, i, rest)
    return PASS


@inner
def longest(b: Board) -> int:
    """Return the number of moves after which a playout ends and is scored."""
    return int(3 * b.width * b.height + 20)


@inner
def uniform_playout(b: Board, rules: Any, c: int, rng: Any) -> tuple[int, int]:
    """Play random moves to the end of the game; the winner or DRAW, and the number of plays."""
    plays, passes = 0, 0
    most = longest(b)
    while plays < most:
        p = random_play(b, rules, c, rng)
        if p == PASS and must_lose(b, rules, c):
            return opponent(c), plays
        passes, winner = make_move(b, rules, p, c, passes)
        plays += int(p != PASS)
        if winner != 0:
            return winner, plays
        c = opponent(c)
    return area_winner(b, rules), plays
