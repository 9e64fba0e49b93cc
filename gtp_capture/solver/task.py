"""Records of the df-pn search: a task (the root and the progress of its search) and a path of frames (nodes)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from .bitboard import SYMMETRIES
from .result import POINTS
from .static import ALL

DEPTH: Final = POINTS + 2
"""Maximum number of frames of a path."""

FRAME: Final = np.dtype(
    [
        ("hash", "u8", (2 * SYMMETRIES,)),  # as in `bitboard.ZOBRIST`
        ("own", "u8"),
        ("opp", "u8"),
        ("low", "u8"),  # the key in the table
        ("high", "u8"),
        ("children", "i8"),
        ("pn_threshold", "i8"),
        ("dn_threshold", "i8"),
        ("chosen", "i8"),
        ("nodes_before", "i8"),
        # Of each child:
        ("child_low", "u8", (POINTS,)),
        ("child_high", "u8", (POINTS,)),
        ("plays", "u8", (POINTS,)),  # plays to search there; 0 if not computed
        ("point", "i8", (POINTS,)),
        ("pn", "i8", (POINTS,)),
        ("dn", "i8", (POINTS,)),
    ],
    align=True,
)
"""A node on the path from the root, with its children."""


class Root(NamedTuple):
    """The position at the root of a search, and the goal there, see `static.Goal`."""

    black: int
    white: int
    side: int
    """The side to move: 0 Black, 1 White."""
    attacker: int
    plies: int


TASK: Final = np.dtype(
    [
        *zip(Root._fields, ("u8", "u8", "i8", "i8", "i8"), strict=True),
        ("features", "i8"),  # see `static`
        ("epsilon", "f8"),  # see `dfpn`
        ("damping", "f8"),
        ("thread", "i8"),
        ("budget", "i8"),  # nodes that one call may evaluate
        ("depth", "i8"),  # of the node where the budget was spent, to resume there; -1 to begin
        ("nodes", "i8"),  # evaluated so far
        ("pn", "i8"),  # of the root
        ("dn", "i8"),
    ],
    align=True,
)
"""The search of a root by one thread, and its progress."""
TASK_RECORD: Final = numba.from_dtype(TASK)
RECORD: Final = np.dtype((np.record, TASK))
FRAMES: Final = numba.from_dtype(FRAME)[::1]


class Tuning(NamedTuple):
    """How the search weighs what it knows; results do not depend on it. The values are measured, see solver.md."""

    features: int = ALL
    """Flags of `static`."""
    epsilon: float = 0.1
    """Of the 1 + epsilon trick, see `dfpn`."""
    damping: float | None = None
    """Of the sum of proof numbers, see `choice`; None: as measured for the size of the board."""


def new_task(root: Root, tuning: Tuning, thread: int) -> Any:
    """Return the task of one thread, at its beginning."""
    budget, depth, nodes, pn, dn = 0, -1, 0, 1, 1
    values = (*root, *tuning, thread, budget, depth, nodes, pn, dn)
    return np.array([values], RECORD)[0]  # 15 times as fast as one field after the other


def new_frames() -> Any:
    """Return the path of one thread."""
    return np.zeros(DEPTH, FRAME).view(np.recarray)
