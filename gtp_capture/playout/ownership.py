"""Whose each point becomes, as random playouts to the end see it. Loaded when somebody asks, and compiled then."""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK, EMPTY, WHITE
from ..jit.kernel import BOARD, kernel
from .policies import RECORD, mixed_playout
from .uniform import RNG, RULES, copy_board, rng

RECORD_LENGTH: Final = 4_000
COUNTS: Final = numba.int64[::1]


@kernel(BOARD, BOARD, RULES, RNG, RECORD, numba.int64, numba.int64, COUNTS)
def count_owners(
    start: Board, work: Board, rules: Any, state: Any, record: Any, color: int, playouts: int, counts: Any
) -> None:
    """Add to each point's count 1 where Black owns it at the end of a playout, -1 where White does."""
    stride = int(start.stride)
    for _ in range(playouts):
        copy_board(work, start)
        mixed_playout(work, rules, color, 0, 0, state, record, 0)
        for p in range(stride + 1, start.cells - stride):
            c = work.color[p]
            if c == EMPTY:  # what a playout leaves empty is an eye, or neutral
                black = white = False
                for q in (p - 1, p + 1, p - stride, p + stride):
                    black |= work.color[q] == BLACK
                    white |= work.color[q] == WHITE
                counts[p] += int(black) - int(white)
            elif c == BLACK:
                counts[p] += 1
            elif c == WHITE:
                counts[p] -= 1


def owners(board: Board, rules: Any, color: int, playouts: int, seed: int) -> Any:
    """For each cell of the board, -1 (White's) to 1 (Black's): an array of len(board.color) floats."""
    counts = np.zeros(len(board.color), np.int64)
    record = np.zeros(RECORD_LENGTH, np.int16)
    count_owners(board, bd.copy(board), rules, rng(seed), record, color, playouts, counts)
    return counts / playouts
