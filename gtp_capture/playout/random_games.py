"""Uniformly random games from one position, counted by result and length. The search does not need this module."""

from __future__ import annotations

from typing import Any, Final

import numba

from ..go.board import Board
from ..go.vertex import PASS, opponent
from ..jit.kernel import inner, kernel
from ..jit.records import BOARD, RNG, TURN, Turn, copy_board
from .endings import area_winner, must_lose
from .moves import make_move
from .uniform import longest, random_play

COUNTS: Final = numba.int64[:, ::1]


@inner
def random_game(turn: Turn, rng: Any) -> tuple[int, int]:
    """Play random moves to the end on the board of `turn`; the winner or DRAW, and the number of moves."""
    b, rules, c, _, passes = turn
    moves, most = 0, longest(b)
    while moves < most:
        p = random_play(b, rules, c, rng)
        if p == PASS and must_lose(b, rules, c):
            return opponent(c), moves
        passes, winner = make_move(b, rules, p, c, passes)
        moves += 1
        if winner != 0:
            return winner, moves
        c = opponent(c)
    return area_winner(b, rules), moves


@kernel(TURN, BOARD, RNG, numba.int64, COUNTS)
def count_games(turn: Turn, work: Board, rng: Any, games: int, counts: Any) -> None:
    """Play random games; for each add 1 to `counts` at its winner or DRAW and its number of moves."""
    for _ in range(games):
        copy_board(work, turn.board)
        winner, moves = random_game(Turn(work, turn.rules, turn.color, 0, turn.passes), rng)
        counts[winner, moves] += 1
