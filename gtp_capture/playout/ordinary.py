"""Playout answers for ordinary Go, where the score alone decides."""

from __future__ import annotations

from typing import Any

from ..go import board as bd
from ..go.board import Board, neighbors4
from ..go.vertex import EMPTY
from ..jit.kernel import inner
from ..jit.records import random_below
from .moves import is_ko
from .patterns import TABLE, code_of, neighbors8
from .static import keeps_two_liberties


@inner
def has_shape(b: Board, p: int) -> bool:
    """Return whether the eight cells around p match a pattern."""
    return bool(TABLE[code_of(b, p)])


@inner
def rescue(b: Board, last: int, c: int) -> int:
    """Return a play that takes a chain of colour c next to the last play out of atari, or 0."""
    color = b.color
    stride = int(b.stride)
    for q in neighbors4(last, stride):
        if color[q] == c and bd.in_atari(b, q):
            p = bd.last_liberty(b, q)
            if keeps_two_liberties(b, p, c):
                return p
    return 0


@inner
def local_shape(b: Board, rules: Any, last: int, c: int, rng: Any) -> int:
    """Return a point around the last play that matches a pattern, each with equal chance, or 0."""
    chosen, count = 0, 0
    for p in neighbors8(b, last):
        if b.color[p] == EMPTY and has_shape(b, p) and keeps_two_liberties(b, p, c) and not is_ko(b, rules, p):
            count += 1
            if random_below(rng, count) == 0:
                chosen = p
    return chosen


@inner
def answer(b: Board, rules: Any, last: int, c: int, rng: Any) -> int:
    """Return a rescue next to the last play, else a pattern around it, else 0."""
    p = rescue(b, last, c)
    return p if p > 0 else local_shape(b, rules, last, c, rng)
