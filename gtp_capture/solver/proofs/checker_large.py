"""The checker's kernels for boards of 65 to 128 points: the code of `checker_walk` and `keyset` for 128-bit numbers.

`checker` imports this module only if such a board is checked, as `solver` imports `solver.dfpn_large`.
"""

from __future__ import annotations

from typing import Any, Final

import numba

from ...jit.bitsets import bits_type
from ...jit.kernel import code_of, from_dtype, inlined, kernel
from ...jit.uint128 import as_uint128
from . import checker_walk, keyset
from .checker_walk import CheckerWalk, frame_type, walk_type
from .keyset import weights_type
from .rules import MASKS, Grid

WORDS: Final = 2
KEYS: Final = from_dtype(bits_type(WORDS))[:, ::1]
WALK: Final = walk_type(from_dtype(frame_type(WORDS)), from_dtype(MASKS), from_dtype(weights_type(WORDS)), KEYS)
walk_on = code_of(checker_walk.walk)
enter_root = code_of(checker_walk.enter)
copy = code_of(keyset.copy_keys)


@inlined
def with_numbers(w: CheckerWalk) -> CheckerWalk:
    """Return a walk with numbers in place of pairs of words."""
    g = as_uint128(w.grid)
    return CheckerWalk(
        as_uint128(w.frames),
        Grid(g.full, g.not_first, g.not_last, g.width),
        as_uint128(w.weights),
        as_uint128(w.keys),
        w.progress,
        w.choices,
        w.kept,
        w.stones,
        w.winner,
    )


@kernel(WALK, returns=numba.int64)
def walk(w: CheckerWalk) -> int:
    """See `checker_walk.walk`."""
    return walk_on(with_numbers(w))  # type: ignore[no-any-return]


@kernel(WALK, numba.int64, returns=numba.int64)
def enter(w: CheckerWalk, winners_turn: int) -> int:
    """See `checker_walk.enter`."""
    return enter_root(with_numbers(w), winners_turn)  # type: ignore[no-any-return]


@kernel(KEYS, KEYS)
def copy_keys(target: Any, source: Any) -> None:
    """See `keyset.copy_keys`."""
    copy(as_uint128(target), as_uint128(source))
