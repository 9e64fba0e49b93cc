"""The fields of a board."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .vertex import MAX_SIDE

CELLS: Final = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1
POINTS: Final = MAX_SIDE * MAX_SIDE

DTYPE: Final = np.dtype(
    [
        ("width", "i4"),
        ("height", "i4"),
        ("stride", "i4"),  # cells from one row to the next: width + 1
        ("cells", "i4"),  # cells in use, border included; the arrays below are longer
        ("ko", "i4"),  # point forbidden by simple ko to the colour to move, or 0
        ("empties", "i4"),  # empty points: empty[:empties], in no order
        ("prisoners", "i4", (4,)),  # prisoners[color]: stones that this colour holds
        ("libs", "i4", (CELLS,)),  # of a chain's root: number of its pseudo-liberties ...
        ("lib_sum", "i4", (CELLS,)),  # ... the sum of their points ...
        ("lib_squares", "i4", (CELLS,)),  # ... and the sum of the squares
        ("root", "i2", (CELLS,)),  # of a stone: the point that identifies its chain; of the border: 0
        ("next", "i2", (CELLS,)),  # of a stone: the next one of its chain, in a circle
        ("chain_size", "i2", (CELLS,)),  # of a chain's root: number of stones
        ("empty", "i2", (POINTS,)),
        ("where", "i2", (CELLS,)),  # of an empty point: its index in empty
        ("color", "i1", (CELLS,)),
    ],
    align=True,
)


class Board(np.record):  # type: ignore[misc]  # NumPy's stub calls a base class final, which it is not
    """A record of DTYPE; its fields are described there. As text it is short, where NumPy prints every array."""

    width: int
    height: int
    stride: int
    cells: int
    ko: int
    empties: int
    prisoners: npt.NDArray[Any]
    libs: npt.NDArray[Any]
    lib_sum: npt.NDArray[Any]
    lib_squares: npt.NDArray[Any]
    root: npt.NDArray[Any]
    next: npt.NDArray[Any]
    chain_size: npt.NDArray[Any]
    empty: npt.NDArray[Any]
    where: npt.NDArray[Any]
    color: npt.NDArray[Any]

    def __repr__(self) -> str:
        return f"<Board {self.width}x{self.height}, {self.width * self.height - self.empties} stones>"

    __str__ = __repr__


RECORD: Final = np.dtype((Board, DTYPE))
"""DTYPE with the class of its records."""
