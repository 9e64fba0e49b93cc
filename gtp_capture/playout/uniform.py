"""Uniformly random plays, under all rules."""

from __future__ import annotations

from typing import Any

from ..go.board import Board
from ..go.vertex import PASS
from ..jit.kernel import as_int64, inner
from ..jit.records import random_below, set_aside
from .moves import is_playable


@inner
def random_play(b: Board, rules: Any, c: int, rng: Any) -> int:
    """Return a playable point (see `is_playable`), each with equal chance, or PASS if there is none."""
    rest = as_int64(b.empties)
    while rest > 0:
        i = random_below(rng, rest)
        p = as_int64(b.empty[i])
        if is_playable(b, rules, p, c):
            return p
        rest -= 1
        set_aside(b, i, rest)
    return PASS


@inner
def longest(b: Board) -> int:
    """Return the number of moves after which a playout ends and is scored."""
    return int(3 * b.width * b.height + 20)
