"""Plays of playouts where several prisoners decide: captures and escapes by the number of stones, else safe plays."""

from __future__ import annotations

from typing import Any

from ..go import board as bd
from ..go.board import Board, neighbors4
from ..go.vertex import PASS, opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import random_below, set_aside
from .moves import is_ko
from .static import keeps_two_liberties


@inner
def better_capture(b: Board, rules: Any, p: int, c: int, saved: int, best: tuple[int, int]) -> tuple[int, int]:
    """Return the better of `best`, as (point, stones), and a capture at p that also saves `saved` own stones."""
    stones = bd.captures_at(b, p, c) + saved
    return (p, stones) if stones > best[1] and not is_ko(b, rules, p) else best


@inner
def better_rescue(b: Board, rules: Any, q: int, c: int, rng: Any, best: tuple[int, int]) -> tuple[int, int]:
    """Return the best of `best` and the plays that save the chain at q, which is in atari.

    An extension is tried only half of the time: always extending loses more stones.
    """
    stride = int(b.stride)
    size = as_int64(b.chain_size[b.root[q]])
    liberty = bd.last_liberty(b, q)
    if bd.captures_at(b, liberty, c) > 0:
        best = better_capture(b, rules, liberty, c, size, best)
    elif size > best[1] and random_below(rng, 2) == 0 and keeps_two_liberties(b, liberty, c):
        best = liberty, size
    stone = q
    while True:
        for near in neighbors4(stone, stride):
            if b.color[near] == opponent(c) and bd.in_atari(b, near):
                best = better_capture(b, rules, bd.last_liberty(b, near), c, size, best)
        stone = as_int64(b.next[stone])
        if stone == q:
            break
    return best


@inner
def urgent_capture(b: Board, rules: Any, last: int, before: int, c: int, rng: Any) -> int:
    """Return the play that captures or saves most stones next to the last two plays, or 0.

    `last`: the opponent's last play; `before`: the own play before it. Either is 0 if there is none.
    """
    color = b.color
    stride = int(b.stride)
    best = 0, 0
    if last > 0 and color[last] == opponent(c) and bd.in_atari(b, last):
        best = better_capture(b, rules, bd.last_liberty(b, last), c, 0, best)
    if before > 0:
        for q in neighbors4(before, stride):
            if color[q] == opponent(c) and bd.in_atari(b, q):
                best = better_capture(b, rules, bd.last_liberty(b, q), c, 0, best)
    if last > 0:
        for q in neighbors4(last, stride):
            if color[q] == c and bd.in_atari(b, q):
                best = better_rescue(b, rules, q, c, rng, best)
    return best[0]


@inner
def quiet_play(b: Board, rules: Any, c: int, rng: Any) -> int:
    """Return a random play that captures or keeps two liberties, else another legal one, or PASS if there is none."""
    rest, other = as_int64(b.empties), PASS
    while rest > 0:
        i = random_below(rng, rest)
        p = as_int64(b.empty[i])
        if not is_ko(b, rules, p):
            if keeps_two_liberties(b, p, c) or bd.captures_at(b, p, c) > 0:
                return p
            if other == PASS and bd.is_legal(b, p, c, rules.suicide):
                other = p
        rest -= 1
        set_aside(b, i, rest)
    return other


@inner
def race_play(b: Board, rules: Any, last: int, before: int, c: int, rng: Any) -> int:
    """Return the play of `urgent_capture`, else the play of `quiet_play`, which may be PASS."""
    p = urgent_capture(b, rules, last, before, c, rng)
    return p if p > 0 else quiet_play(b, rules, c, rng)
