"""The data of a thread of the df-pn search, besides its path."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba

from .bitboard import GEOMETRY, ZOBRIST, Geometry, kernel_geometry
from .journal import JOURNAL, new_journal
from .ladder import STACK, new_stack
from .table import TABLE


class Memory(NamedTuple):
    """The data of a thread: the shared table and keys; its own stack and journal."""

    table: Any
    zobrist: Any
    stack: Any
    geometry: Any
    journal: Any


PATHS: Final = numba.int64[:, ::1]
MEMORY: Final = numba.types.NamedTuple([TABLE, ZOBRIST, STACK, GEOMETRY, JOURNAL], Memory)


def new_memory(table: Any, zobrist: Any, g: Geometry, words: int = 1) -> Memory:
    """Return the memory of one thread; the table and the keys are shared."""
    return Memory(table, zobrist, new_stack(words), kernel_geometry(g, words), new_journal(0))
