"""The kernel for boards of 65 to 128 points, whose sets of points are 128-bit numbers: the code of `dfpn`.

`solver` imports this module only if such a board is searched, because the import loads machine code. Arguments hold a
number as two words, see `jit.uint128`.
"""

from __future__ import annotations

from typing import Any

from ..jit.kernel import code_of, from_dtype, kernel
from ..jit.uint128 import as_uint128
from . import dfpn
from .task import PATHS, Memory, frame_type, memory_type, task_type

df_pn = code_of(dfpn.search)


@kernel(from_dtype(frame_type(2))[::1], from_dtype(task_type(2)), memory_type(2), PATHS)
def search(frames: Any, task: Any, memory: Memory, paths: Any) -> None:
    """See `dfpn.search`."""
    df_pn(as_uint128(frames), as_uint128(task), as_uint128(memory), paths)
