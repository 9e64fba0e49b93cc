"""The data of a thread of the df-pn search: task (root and progress), path of frames (nodes), and memory."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.bitsets import WORD, as_words, bits_field
from ..jit.kernel import from_dtype
from .bitboard import SYMMETRIES, Geometry, geometry_type, kernel_geometry, zobrist_type
from .ladder import new_stack, stack_type
from .order import AROUND, ORDER, new_surroundings, weights
from .result import POINTS
from .table import TABLE

DEPTH: Final = POINTS + 2
"""Maximum number of frames of a path."""


def frame_type(words: int) -> Any:
    """Return the type of a frame: a node on the path from the root, with its children."""
    most = WORD * words
    return np.dtype(
        [
            ("hash", "u8", (2 * SYMMETRIES,)),  # as in `bitboard.zobrist_keys`
            bits_field("own", words),
            bits_field("opp", words),
            ("low", "u8"),  # the key in the table
            ("high", "u8"),
            ("children", "i8"),
            ("pn_threshold", "i8"),
            ("dn_threshold", "i8"),
            ("chosen", "i8"),
            ("nodes_before", "i8"),
            bits_field("rest", words),  # plays that are not children yet, and the pn and dn to expect after each
            ("rest_pn", "i8"),
            ("rest_dn", "i8"),
            # See `order`: the score of the play at each point, the greatest score, the play of the rest with the
            # greatest score, and its factor.
            ("scores", "i2", (most,)),
            ("best_score", "i8"),
            ("rest_best", "i8"),
            ("rest_factor", "i8"),
            # For each child:
            ("child_low", "u8", (most,)),
            ("child_high", "u8", (most,)),
            bits_field("plays", words, (most,)),  # plays to search there; 0 if not computed
            ("point", "i8", (most,)),
            ("pn", "i8", (most,)),
            ("dn", "i8", (most,)),
            ("factor", "i8", (most,)),  # the factor of its dn, see `order`
        ],
        align=True,
    )


class Root(NamedTuple):
    """The position at the root of a search, and the goal there, see `static.Goal`."""

    black: int
    white: int
    side: int
    """The side to move: 0 Black, 1 White."""
    attacker: int
    plies: int


def task_type(words: int) -> Any:
    """Return the type of a task: the search of a root by one thread, with its progress."""
    return np.dtype(
        [
            bits_field("black", words),
            bits_field("white", words),
            *((name, "i8") for name in Root._fields[2:]),
            ("features", "i8"),  # see `static`
            ("damping", "f8"),  # see `dfpn.damping_for`
            ("thread", "i8"),
            ("budget", "i8"),  # nodes that one call may evaluate
            ("depth", "i8"),  # the depth where the budget was spent, to resume there; -1 to begin
            ("nodes", "i8"),  # evaluated so far
            ("pn", "i8"),  # pn and dn of the root
            ("dn", "i8"),
        ],
        align=True,
    )


RECORDS: Final = {words: np.dtype((np.record, task_type(words))) for words in (1, 2)}
TASK: Final = from_dtype(task_type(1))
FRAMES: Final = from_dtype(frame_type(1))[::1]


def new_task(root: Root, features: int, damping: float, thread: int, words: int = 1) -> Any:
    """Return the task of one thread, at its beginning."""
    budget, depth, nodes, pn, dn = 0, -1, 0, 1, 1
    stones = as_words(root.black, words), as_words(root.white, words)
    values = (*stones, *root[2:], features, damping, thread, budget, depth, nodes, pn, dn)
    return np.array([values], RECORDS[words])[0]  # 15 times as fast as one field after the other


def new_frames(words: int = 1) -> Any:
    """Return the path of one thread."""
    return np.zeros(WORD * words + 2, frame_type(words)).view(np.recarray)


class Memory(NamedTuple):
    """The data of a thread: the shared table, keys and weights; its own stack and surroundings."""

    table: Any
    zobrist: Any
    stack: Any
    geometry: Any
    order: Any
    around: Any


PATHS: Final = numba.int64[:, ::1]


def memory_type(words: int) -> Any:
    """Return the type of the memory of one thread, for sets of points of one or two words."""
    zobrist, stack = (from_dtype(kind(words)) for kind in (zobrist_type, stack_type))
    return numba.types.NamedTuple([TABLE, zobrist, stack, geometry_type(words), ORDER, AROUND], Memory)


MEMORY: Final = memory_type(1)


def new_memory(table: Any, zobrist: Any, g: Geometry, words: int = 1) -> Memory:
    """Return the memory of one thread; the table, the keys and the weights are shared."""
    return Memory(table, zobrist, new_stack(words), kernel_geometry(g, words), weights(), new_surroundings())
