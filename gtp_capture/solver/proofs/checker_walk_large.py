"""The checker's kernels for boards of 65 to 128 points: the code of `checker_walk` and `keyset` for 128-bit numbers."""

from __future__ import annotations

from typing import Any, Final

import numba

from ...jit.kernel import code_of, kernel
from ...jit.uint128 import as_uint128
from . import checker_walk, keyset
from .checker_walk import CheckerWalk, walk_type
from .keyset import key_set_type

WALK: Final = walk_type(2)
KEYS: Final = key_set_type(2)
walk_on = code_of(checker_walk.walk)
enter_root = code_of(checker_walk.enter)
copy = code_of(keyset.copy_keys)


@kernel(WALK, returns=numba.int64)
def walk(w: CheckerWalk) -> int:
    """See `checker_walk.walk`."""
    return walk_on(as_uint128(w))  # type: ignore[no-any-return]


@kernel(WALK, numba.int64, returns=numba.int64)
def enter(w: CheckerWalk, winners_turn: int) -> int:
    """See `checker_walk.enter`."""
    return enter_root(as_uint128(w), winners_turn)  # type: ignore[no-any-return]


@kernel(KEYS, KEYS)
def copy_keys(target: Any, source: Any) -> None:
    """See `keyset.copy_keys`."""
    copy(as_uint128(target), as_uint128(source))
