"""The writer's kernel for boards of 65 to 128 points: the code of `writer_walk` for 128-bit numbers."""

from __future__ import annotations

import numba

from ...jit.kernel import kernel
from ...jit.uint128 import as_uint128
from ..dfpn_large import search
from .writer_walk import SEARCHING, WriterWalk, walk_type, write


@kernel(walk_type(2), returns=numba.int64)
def walk(w: WriterWalk) -> int:
    """See `writer_walk.walk`."""
    typed = as_uint128(w)
    while True:
        result: int = write(typed)
        if result != SEARCHING:
            return result
        search(w.path, w.task, w.search, w.paths)
        if w.task.depth >= 0:
            return SEARCHING
