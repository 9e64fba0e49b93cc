"""The data of a thread of the df-pn search, besides its path."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.kernel import from_dtype
from .bitboard import EVERY_BIT, GEOMETRY, ZOBRIST, Geometry, bits_field, kernel_geometry
from .journal import JOURNAL, new_journal
from .ladder import STACK, new_stack
from .table import TABLE

RECENT_ENTRIES: Final = 1 << 10
"""A power of two; 32 KiB for a thread."""


def recent_type(words: int) -> Any:
    """Return the type of an evaluation, kept because a node that is searched again evaluates its children again."""
    stones = [bits_field(name, words) for name in ("own", "opp", "plays")]
    return np.dtype([*stones, ("pn", "i4"), ("dn", "i4")], align=True)


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
    [TABLE, ZOBRIST, STACK, GEOMETRY, from_dtype(recent_type(1))[::1], JOURNAL], Memory
)


def new_memory(table: Any, zobrist: Any, g: Geometry, words: int = 1) -> Memory:
    """Return the memory of one thread; the table and the keys are shared."""
    recent = np.zeros(RECENT_ENTRIES, recent_type(words)).view(np.recarray)
    memory = Memory(table, zobrist, new_stack(words), kernel_geometry(g, words), recent, new_journal(0))
    forget(memory)
    return memory


def forget(memory: Memory) -> None:
    """Forget the recent evaluations."""
    memory.recent.own = memory.recent.opp = EVERY_BIT  # no position
