"""The eight cells around a point, and which of their shapes are worth a play in ordinary Go.

The shapes are those of the first programs that answered locally in their playouts (MoGo; Gelly, Wang, Munos and Teytaud
2006): hane, cuts, and the same at the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK, BORDER, EMPTY, WHITE
from ..jit.kernel import inner

# X and O are the two colours, either way round; . is empty, # off the board, ? anything, o no O, x no X (on the board).
SHAPES: Final = (
    # Hane: round the end of a stone, ...
    ("XOX", ".*.", "???"),
    ("XO.", ".*.", "?.?"),
    ("XO?", "X*.", "?.?"),
    # ... and from the shoulder.
    (".O.", "X*.", "..."),
    # Cuts: through a diagonal, and between two stones that a third pushes apart.
    ("XO?", "O*o", "?o?"),
    ("XO?", "O*X", "???"),
    ("?X?", "O*O", "ooo"),
    ("OX?", "?*O", "???"),
    # On the first line: chase, block, and connect underneath.
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


CODES: Final = 4**8
"""Of eight cells, two bits each."""


@inner
def around(b: Board, p: int) -> tuple[int, int, int, int, int, int, int, int]:
    """The eight points around p, row by row."""
    above, below = p - int(b.stride), p + int(b.stride)
    return above - 1, above, above + 1, p - 1, p + 1, below - 1, below, below + 1


@inner
def code_around(b: Board, p: int) -> int:
    """The eight cells around p, row by row, in one number."""
    code, shift = 0, 0
    for q in around(b, p):
        code |= int(b.color[q]) << shift
        shift += 2
    return code


@inner
def seen_by(code: int, c: int) -> int:
    """The same cells with the own stones where Black's were, and the opponent's where White's were."""
    return code if c == BLACK else (code & 0x5555) << 1 | (code >> 1 & 0x5555)


def turned(grid: Any) -> Iterator[Any]:
    """A grid of 3x3 cells in its eight orientations."""
    return (np.rot90(side, turn) for side in (grid, grid.T) for turn in range(4))


def _table() -> Any:
    """For each code of `code_around`, whether some shape, in some orientation and with either colour, is there."""
    table = np.zeros(CODES, np.bool_)
    for shape in SHAPES:
        for rows in (shape, tuple(row.translate(_SWAP) for row in shape)):
            grid = np.array([list(row) for row in rows])
            for image in turned(grid):
                cells = [str(cell) for cell in image.flat if cell != "*"]
                for colors in product(*(_MEANING[cell] for cell in cells)):
                    table[sum(color << 2 * i for i, color in enumerate(colors))] = True
    return table


TABLE: Final = _table()
"""Frozen into the compiled code."""
