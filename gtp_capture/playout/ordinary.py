"""What ordinary Go, where the score alone decides, adds: answers to the last play, and a look at each play."""

from __future__ import annotations

from typing import Any

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BORDER, EMPTY
from ..jit.kernel import inner
from .patterns import TABLE, around, code_around
from .static import is_safe
from .uniform import random_below


@inner
def has_shape(b: Board, p: int) -> bool:
    """Whether the cells around p make one of the shapes that are worth a play."""
    return bool(TABLE[code_around(b, p)])


@inner
def rescue(b: Board, last: int, c: int) -> int:
    """A play that takes a chain of colour c next to the last play out of atari, or 0."""
    color = b.color
    stride = int(b.stride)
    for q in (last - 1, last + 1, last - stride, last + stride):
        if color[q] == c and bd.in_atari(b, q):
            p = bd.last_liberty(b, q)
            if is_safe(b, p, c):
                return p
    return 0


@inner
def local_shape(b: Board, rules: Any, last: int, c: int, state: Any) -> int:
    """One of the shapes around the last play, each with equal chance, or 0."""
    found, count = 0, 0
    for p in around(b, last):
        if b.color[p] == EMPTY and has_shape(b, p) and is_safe(b, p, c) and not (rules.ko and p == b.ko):
            count += 1
            if random_below(state, count) == 0:
                found = p
    return found


@inner
def answer(b: Board, rules: Any, last: int, c: int, state: Any) -> int:
    """A rescue that the last play calls for, else a shape beside it, else 0."""
    p = rescue(b, last, c)
    return p if p > 0 else local_shape(b, rules, last, c, state)


@inner
def ordinary_prior(b: Board, p: int, c: int, last: int) -> float:
    """How promising a legal play looks before it is tried, 0 to 1."""
    stride = int(b.stride)
    color = b.color
    captured = bd.captures_at(b, p, c)
    if captured == 0 and not is_safe(b, p, c):
        return 0.1
    value = 0.45
    if captured > 0:
        value += 0.2 + 0.05 * min(captured, 4)
    neighbors = 0
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == c and bd.in_atari(b, q):
            value += 0.2
            break
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] != EMPTY and color[q] != BORDER:
            neighbors += 1
    if has_shape(b, p):
        value += 0.12
    elif neighbors == 0:
        for q in (p - 1, p + 1, p - stride, p + stride):
            if color[q] == BORDER:
                value -= 0.2
    if last > 0:
        d = abs(p - last)
        if d == 1 or stride - 1 <= d <= stride + 1:
            value += 0.08
    return min(value, 0.95)
