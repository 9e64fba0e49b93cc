"""The data of a thread of the df-pn search, besides its path."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from .bitboard import EVERYTHING, GEOMETRY, ZOBRIST_RECORD, Geometry
from .journal import JOURNAL, new_journal
from .ladder import STACK_RECORD, new_stack
from .table import TABLE

RECENT: Final = np.dtype([("own", "u8"), ("opp", "u8"), ("plays", "u8"), ("pn", "i4"), ("dn", "i4")], align=True)
"""An evaluation, kept because a node that is searched again evaluates the same children again."""
RECENT_ENTRIES: Final = 1 << 13
"""A power of two; 256 KiB for a thread."""


class Memory(NamedTuple):
    """The data of a thread: the shared table and keys; its own stack, recent evaluations and journal."""

    table: Any
    zobrist: Any
    stack: Any
    geometry: Any
    recent: Any
    journal: Any


PATHS: Final = numba.int64[:, ::1]
MEMORY: Final = numba.types.NamedTuple(
    [TABLE, ZOBRIST_RECORD, STACK_RECORD, GEOMETRY, numba.from_dtype(RECENT)[::1], JOURNAL], Memory
)


def new_memory(table: Any, zobrist: Any, g: Geometry) -> Memory:
    """Return the memory of one thread; the table and the keys are shared."""
    recent = np.zeros(RECENT_ENTRIES, RECENT).view(np.recarray)
    memory = Memory(table, zobrist, new_stack(), g, recent, new_journal(0))
    forget(memory)
    return memory


def forget(memory: Memory) -> None:
    """Forget the recent evaluations."""
    memory.recent.own = memory.recent.opp = EVERYTHING  # no position
