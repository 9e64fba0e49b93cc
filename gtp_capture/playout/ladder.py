"""Reading out forced wins: a series of plays that each put a chain into atari, to which only one answer exists.

That covers ladders, nets that end in one, double ataris and throw-ins that need no sacrifice. It holds for sharp
positions (see `tactics.py`), where nothing is ever captured on the way.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BORDER, EMPTY
from ..jit.kernel import BOARD, inner, wide
from .static import LOST, QUIET, forced_near, is_safe
from .uniform import copy_board

LEVELS: Final = 48
"""Attacking plays in a row, at most."""
WIDTH: Final = 64
"""Attacking plays looked at in one position, at most."""
BOARDS: Final = BOARD[::1]
CANDIDATES: Final = numba.int16[:, ::1]


def new_boards() -> Any:
    """Room for `forced_win`: a board for each level."""
    return np.zeros(LEVELS + 1, bd.DTYPE).view(np.recarray)


def new_candidates() -> Any:
    """Room for `forced_win`: of each level the plays, how many there are, how many have been tried, the last answer."""
    return np.zeros((LEVELS + 1, WIDTH + 3), np.int16)


@inner
def first_attack(candidates: Any) -> int:
    """The play that begins the line that `forced_win` has just found."""
    return wide(candidates[0, candidates[0, WIDTH + 1] - 1])


@inner
def two_liberties(b: Board, p: int) -> tuple[int, int]:
    """The liberties of the chain at p if it has exactly two, else (0, 0)."""
    color, following = b.color, b.next
    stride = int(b.stride)
    first, second = 0, 0
    stone = p
    while True:
        for q in (stone - 1, stone + 1, stone - stride, stone + stride):
            if color[q] == EMPTY and q != first and q != second:
                if first == 0:
                    first = q
                elif second == 0:
                    second = q
                else:
                    return 0, 0
        stone = int(following[stone])
        if stone == p:
            break
    if second == 0:
        return 0, 0
    return first, second


@inner
def add_attacks(b: Board, p: int, c: int, plays: Any) -> None:
    """Add to a level's plays those that put the chain at p into atari without endangering themselves."""
    if b.libs[b.root[p]] > 2 * b.chain_size[b.root[p]] + 2:
        return  # more pairs than two points can have with so many stones
    for liberty in two_liberties(b, p):
        count = plays[WIDTH]
        if liberty > 0 and count < WIDTH and is_safe(b, liberty, c):
            seen = False
            for i in range(count):
                seen |= plays[i] == liberty
            if not seen:
                plays[count] = liberty
                plays[WIDTH] = count + 1


@inner
def add_attacks_near(b: Board, center: int, c: int, plays: Any) -> None:
    """Add the attacks on the opposing chains next to a point."""
    stride = int(b.stride)
    for q in (center - 1, center + 1, center - stride, center + stride):
        if b.color[q] == 3 - c:
            add_attacks(b, q, c, plays)


@inner
def forced_win(b: Board, c: int, boards: Any, candidates: Any, budget: int) -> int:
    """Plies to a win of colour c, to move in a quiet sharp position, by continuous atari; 0 if none was found.

    The number is that of the line found, not of the shortest one.
    """
    d = 3 - c
    stride = int(b.stride)
    copy_board(boards[0], b)
    candidates[0, WIDTH] = 0
    candidates[0, WIDTH + 1] = 0
    for p in range(stride + 1, b.cells - stride):
        if b.color[p] == d and b.root[p] == p:
            add_attacks(b, p, c, candidates[0])
    level = 0
    while level >= 0:
        plays = candidates[level]
        tried = plays[WIDTH + 1]
        if tried >= plays[WIDTH] or level >= LEVELS:
            level -= 1
            continue
        if budget == 0:
            return 0
        budget -= 1
        plays[WIDTH + 1] = tried + 1
        attack = wide(plays[tried])
        copy_board(boards[level + 1], boards[level])
        work = boards[level + 1]
        bd.place(work, attack, c)
        answer = forced_near(work, attack, d)
        if answer == LOST:
            return 2 * level + 3
        if answer == QUIET:
            continue
        plays[WIDTH + 2] = answer
        bd.place(work, answer, d)
        forced = forced_near(work, answer, c)
        if forced == LOST:
            continue
        level += 1
        following = candidates[level]
        following[WIDTH] = 0
        following[WIDTH + 1] = 0
        if forced != QUIET:
            following[0] = forced
            following[WIDTH] = 1
            continue
        add_attacks(work, answer, c, following)
        add_attacks_near(work, attack, c, following)
        add_attacks_near(work, answer, c, following)
    return 0


@inner
def mark_liberties(b: Board, p: int, zone: Any) -> None:
    """Add the liberties of the chain at p to a zone."""
    color, following = b.color, b.next
    stride = int(b.stride)
    stone = p
    while True:
        for q in (stone - 1, stone + 1, stone - stride, stone + stride):
            if color[q] == EMPTY:
                zone[q] = 1
        stone = int(following[stone])
        if stone == p:
            break


@inner
def mark_around(b: Board, p: int, zone: Any) -> None:
    """Add a point, the empty points next to it, and the liberties of the chains at it or next to it to a zone."""
    stride = int(b.stride)
    zone[p] = 1
    if b.color[p] != EMPTY:
        mark_liberties(b, p, zone)
    for q in (p - 1, p + 1, p - stride, p + stride):
        if b.color[q] == EMPTY:
            zone[q] = 1
        elif b.color[q] != BORDER:
            mark_liberties(b, q, zone)


@inner
def mark_zone(boards: Any, candidates: Any, length: int, zone: Any) -> None:
    """Mark where a stone of the other colour could disturb the line that `forced_win` has just found.

    A stone elsewhere changes no liberty of a chain that the line touches, so the line still wins, unless the
    stone puts a chain into atari itself: such plays are for the caller to keep. The answers of the line are forced,
    so it has no branches. `length` is what `forced_win` returned.
    """
    level = (length - 3) // 2
    final = boards[level + 1]
    zone[:] = 0
    for i in range(level + 1):
        plays = candidates[i]
        attack = wide(plays[plays[WIDTH + 1] - 1])
        mark_around(final, attack, zone)
        if i < level:
            mark_around(final, wide(plays[WIDTH + 2]), zone)
        else:
            stride = int(final.stride)
            for q in (attack - 1, attack + 1, attack - stride, attack + stride):
                if final.color[q] == 3 - final.color[attack] and bd.in_atari(final, q):
                    mark_around(final, bd.last_liberty(final, q), zone)


@inner
def gives_atari(b: Board, p: int, c: int) -> bool:
    """Whether a play of colour c at the empty point p leaves an opposing chain one liberty."""
    stride = int(b.stride)
    for q in (p - 1, p + 1, p - stride, p + stride):
        if b.color[q] == 3 - c:
            first, second = two_liberties(b, q)
            if first == p or second == p:
                return True
    return False
