"""Playouts alone, for measuring them. Not part of what a session loads, so that it compiles less."""

from __future__ import annotations

from typing import Any

import numba

from ..board import Board
from ..vertex import BLACK
from .kernel import BOARD, kernel
from .playout import RNG, RULES, copy_board, uniform_playout
from .tactical import RECORD, tactical_playout


@kernel(BOARD, BOARD, RULES, RNG, numba.int64, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def uniform_playouts(start: Board, work: Board, rules: Any, state: Any, color: int, count: int) -> tuple[int, int]:
    """Play from one position many times: how often Black won, and all plays together."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, start)
        winner, plays = uniform_playout(work, rules, color, state)
        black += winner == BLACK
        total += plays
    return black, total


@kernel(BOARD, BOARD, RULES, RNG, RECORD, numba.int64, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def tactical_playouts(
    start: Board, work: Board, rules: Any, state: Any, record: Any, color: int, count: int
) -> tuple[int, int]:
    """Play from one quiet position many times: how often Black won, and all plays together."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, start)
        winner, plays = tactical_playout(work, rules, color, 0, 0, state, record, 0)
        black += winner == BLACK
        total += plays
    return black, total
