"""Which empty points look worth a play in ordinary Go, by the eight cells around them.

The shapes are those of the first programs that answered locally in their playouts (MoGo; Gelly, Wang, Munos and Teytaud
2006): hane, cuts, and the same at the edge.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np

from ..vertex import BLACK, BORDER, EMPTY, WHITE

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


def _table() -> Any:
    """For each code of `code_at`, whether some shape, in some orientation and with either colour, is there."""
    table = np.zeros(4**8, np.bool_)
    for shape in SHAPES:
        for rows in (shape, tuple(row.translate(_SWAP) for row in shape)):
            grid = np.array([list(row) for row in rows])
            for turned in (np.rot90(side, turn) for side in (grid, grid.T) for turn in range(4)):
                cells = [str(cell) for cell in turned.flat if cell != "*"]
                for colors in product(*(_MEANING[cell] for cell in cells)):
                    table[sum(color << 2 * i for i, color in enumerate(colors))] = True
    return table


TABLE: Final = _table()
"""Frozen into the compiled code."""
