"""3x3 patterns for playouts of ordinary Go, and the code of the eight cells around a point.

The patterns are from MoGo (Gelly, Wang, Munos and Teytaud 2006): hane, cuts, and plays on the first line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK, BORDER, EMPTY, WHITE
from ..jit.kernel import inner

# X and O are the two colours, in either assignment; . is an empty point, # a cell off the board, ? any cell, o a point
# without an O, and x a point without an X.
SHAPES: Final = (
    # Hane around the end of a stone.
    ("XOX", ".*.", "???"),
    ("XO.", ".*.", "?.?"),
    ("XO?", "X*.", "?.?"),
    # Hane from the shoulder.
    (".O.", "X*.", "..."),
    # Cuts through a diagonal, and between two stones.
    ("XO?", "O*o", "?o?"),
    ("XO?", "O*X", "???"),
    ("?X?", "O*O", "ooo"),
    ("OX?", "?*O", "???"),
    # First line: chase, block, and connect.
    ("X.?", "O*?", "###"),
    ("OX?", "X*O", "###"),
    ("?X?", "o*O", "###"),
    ("?XO", "o*o", "###"),
    ("?OX", "X*O", "###"),
)
_MEANING: Final = {
    "X": (BLACK,),
    "O": (WHITE,),
    ".": (EMPTY,),
    "#": (BORDER,),
    "?": (EMPTY, BLACK, WHITE, BORDER),
    "x": (EMPTY, WHITE),
    "o": (EMPTY, BLACK),
}
_SWAP: Final = str.maketrans("XOxo", "OXox")


@inner
def neighbors8(b: Board, p: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the eight cells around p, row by row."""
    above, below = p - int(b.stride), p + int(b.stride)
    return above - 1, above, above + 1, p - 1, p + 1, below - 1, below, below + 1


@inner
def code_of(b: Board, p: int) -> int:
    """Return the colours of the eight cells around p as a number, two bits each in the order of `neighbors8`."""
    code, shift = 0, 0
    for q in neighbors8(b, p):
        code |= int(b.color[q]) << shift
        shift += 2
    return code


def orientations(grid: Any) -> Iterator[Any]:
    """Return a grid of 3x3 cells in its eight orientations."""
    return (np.rot90(side, turn) for side in (grid, grid.T) for turn in range(4))


def _table() -> Any:
    """Return for each code whether it matches a pattern in any orientation and with either assignment of colours."""
    table = np.zeros((4,) * 8, np.bool_)  # by the colours of the eight cells, the last cell first
    for shape in SHAPES:
        for rows in (shape, tuple(row.translate(_SWAP) for row in shape)):
            grid = np.array([list(row) for row in rows])
            for image in orientations(grid):
                colors = [_MEANING[cell] for cell in image.flat if cell != "*"]
                table[np.ix_(*reversed(colors))] = True
    return table.ravel()


TABLE: Final = _table()
"""For each code, whether it matches a pattern; a constant of the compiled code."""
