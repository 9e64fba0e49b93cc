"""The writer's kernel for boards of 65 to 128 points: the code of `writer_walk` for 128-bit numbers.

`writer` imports this module only if the proof of such a board is written, as `solver` imports `solver.dfpn_large`.
"""

from __future__ import annotations

from typing import Final

import numba

from ...jit.kernel import from_dtype, inlined, kernel
from ...jit.uint128 import as_uint128
from ..dfpn_large import MEMORY, WORDS, search, with_numbers
from ..task import frame_type as search_frame_type
from ..task import task_type
from .writer_walk import SEARCHING, WriterWalk, frame_type, walk_type, write

FRAMES: Final = from_dtype(search_frame_type(WORDS))[::1]
WALK: Final = walk_type(from_dtype(frame_type(WORDS)), MEMORY, FRAMES, from_dtype(task_type(WORDS)))


@inlined
def walk_with_numbers(w: WriterWalk) -> WriterWalk:
    """Return a walk with numbers in place of pairs of words."""
    return WriterWalk(
        as_uint128(w.frames),
        w.color,
        with_numbers(w.search),
        as_uint128(w.path),
        as_uint128(w.task),
        w.paths,
        w.keys,
        w.progress,
        w.output,
    )


@kernel(WALK, returns=numba.int64)
def walk(w: WriterWalk) -> int:
    """See `writer_walk.walk`."""
    typed = walk_with_numbers(w)
    while True:
        result = write(typed)
        if result != SEARCHING:
            return result
        search(w.path, w.task, w.search, w.paths)
        if w.task.depth >= 0:
            return SEARCHING
