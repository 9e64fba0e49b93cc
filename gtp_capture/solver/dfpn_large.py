"""The kernel for boards of 65 to 128 points, whose sets of points are 128-bit numbers.

This is the code of `dfpn`, compiled for the other type of number. `solver` imports this module only if
such a board is searched, because the import loads machine code. Arguments hold a number as two words, see
`jit.uint128`.
"""

from __future__ import annotations

from typing import Any, Final

import numba

from ..jit.kernel import code_of, from_dtype, inlined, inner, kernel
from ..jit.uint128 import as_uint128
from . import dfpn
from .bitboard import MASKS, Geometry, zobrist_type
from .ladder import stack_type
from .order import AROUND, ORDER
from .table import TABLE
from .task import PATHS, Memory, frame_type, journal_type, task_type

WORDS: Final = 2
GEOMETRY: Final = from_dtype(MASKS)
MEMORY: Final = numba.types.NamedTuple(
    [
        TABLE, from_dtype(zobrist_type(WORDS)), from_dtype(stack_type(WORDS)), GEOMETRY,
        from_dtype(journal_type(WORDS)), ORDER, AROUND,
    ],
    Memory,
)  # fmt: skip
df_pn = code_of(dfpn.search)


@inner
def geometry_of(masks: Any) -> Geometry:
    """Return the geometry of which these are the words."""
    g = as_uint128(masks)
    return Geometry(g.full, g.not_first, g.not_last, g.edge, g.corners, g.width)


@inlined
def with_numbers(memory: Memory) -> Memory:
    """Return a thread's memory with numbers in place of pairs of words."""
    stack, journal = as_uint128(memory.stack), as_uint128(memory.journal)
    return Memory(
        memory.table, memory.zobrist, stack, geometry_of(memory.geometry), journal, memory.order, memory.around
    )


@kernel(from_dtype(frame_type(WORDS))[::1], from_dtype(task_type(WORDS)), MEMORY, PATHS)
def search(frames: Any, task: Any, memory: Memory, paths: Any) -> None:
    """See `dfpn.search`."""
    df_pn(as_uint128(frames), as_uint128(task), with_numbers(memory), paths)
