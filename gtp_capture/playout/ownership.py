"""Ownership of each point by playouts to the end. Compiled separately from the search, which does not need it."""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go.board import CELLS, Board, neighbors4
from ..go.rules import Rules
from ..go.vertex import BLACK, EMPTY, WHITE
from ..jit.kernel import kernel
from ..jit.records import BOARD, RNG, TURN, Turn, copy_board, new_rng, record, rules_record
from .policies import general_playout

COUNTS: Final = numba.int64[::1]


@kernel(TURN, BOARD, RNG, numba.int64, COUNTS)
def count_owners(turn: Turn, work: Board, rng: Any, playouts: int, counts: Any) -> None:
    """For each playout add 1 to the count of each point that Black owns at its end, and -1 if White owns it."""
    stride = int(turn.board.stride)
    for _ in range(playouts):
        copy_board(work, turn.board)
        general_playout(Turn(work, turn.rules, turn.color, 0, 0), rng)
        for p in range(stride + 1, turn.board.cells - stride):
            c = work.color[p]
            if c == EMPTY:  # a playout leaves only eyes and neutral points empty
                black = white = False
                for q in neighbors4(p, stride):
                    black |= work.color[q] == BLACK
                    white |= work.color[q] == WHITE
                counts[p] += int(black) - int(white)
            elif c == BLACK:
                counts[p] += 1
            elif c == WHITE:
                counts[p] -= 1


def owners(board: Board, rules: Rules, komi: float, color: int, playouts: int, *, seed: int) -> Any:
    """Return the mean owner of each cell with `color` to move, -1 (White) to 1 (Black): float64, shape (CELLS,)."""
    counts = np.zeros(CELLS, np.int64)
    turn = Turn(record(board), rules_record(rules, komi), int(color))
    count_owners(turn, record(board), new_rng(seed), playouts, counts)
    return counts / playouts
