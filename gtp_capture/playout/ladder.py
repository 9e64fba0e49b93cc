"""Forced wins by continuous atari, as in a ladder: each play gives atari, so that only one answer exists.

This also finds nets that end in a ladder, double ataris, and throw-ins without a sacrifice. It is valid where the next
capture wins (see `static.py`), because then nothing is captured on the way.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.board import Board, neighbors4
from ..go.vertex import BORDER, EMPTY, opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import BOARD_DTYPE, copy_board
from .static import NO_DEFENCE, QUIET, forced_near, keeps_two_liberties

LONGEST: Final = 48
"""Maximum number of attacking plays in a row."""
WIDTH: Final = 64
"""Maximum number of attacking plays tried in one position."""
FRAME_DTYPE: Final = np.dtype(
    [
        ("attacks", "i2", (WIDTH,)),  # attacking plays
        ("number", "i2"),  # the number of attacks
        ("tried", "i2"),  # the number of attacks that have been tried: the current one is attacks[tried - 1]
        ("answer", "i2"),  # the forced answer to the current one
        ("plies", "i2"),  # for `threats.py`: plies to the end of the longest line found so far
    ],
    align=True,
)


READER_DTYPE: Final = np.dtype(
    [("boards", BOARD_DTYPE, (LONGEST + 1,)), ("frames", FRAME_DTYPE, (LONGEST + 1,))], align=True
)
"""Scratch memory of `forced_win` and `forced_capture`: a stack of positions, and of the attacks tried in them."""


def new_reader() -> Any:
    """Return scratch memory for `forced_win`, a record of READER_DTYPE."""
    return np.zeros(1, READER_DTYPE).view(np.recarray)[0]


@inner
def current_attack(frame: Any) -> int:
    """Return the attack that was tried last in a position."""
    return as_int64(frame.attacks[frame.tried - 1])


@inner
def first_attack(reader: Any) -> int:
    """Return the first play of the line that `forced_win` has just found."""
    return current_attack(reader.frames[0])


def winning_line(reader: Any, length: int) -> list[int]:
    """Return the line that `forced_win` has just found, as alternating plays up to the last attack.

    `length` is the value that `forced_win` returned; the line is empty if `length` is 0.
    """
    line = []
    for frame in reader.frames[: max(0, (length - 1) // 2)]:
        line += [current_attack(frame), int(frame.answer)]
    return line[:-1]  # the last attack has no answer


@inner
def two_liberties(b: Board, p: int) -> tuple[int, int]:
    """Return the liberties of the chain at p if it has exactly two, else (0, 0)."""
    color, following = b.color, b.next
    stride = int(b.stride)
    first, second = 0, 0
    stone = p
    while True:
        for q in neighbors4(stone, stride):
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
def add_play(frame: Any, p: int) -> None:
    """Add a play to a frame unless it is there or the frame is full."""
    count = as_int64(frame.number)
    for i in range(count):
        if frame.attacks[i] == p:
            return
    if count < WIDTH:
        frame.attacks[count] = p
        frame.number = count + 1


@inner
def add_attacks(b: Board, p: int, c: int, frame: Any) -> None:
    """Add to a frame the plays of colour c that put the chain at p into atari and keep two liberties themselves."""
    if b.libs[b.root[p]] > 2 * b.chain_size[b.root[p]] + 2:
        return  # more pseudo-liberties than a chain of this size can have at two points
    for liberty in two_liberties(b, p):
        if liberty > 0 and keeps_two_liberties(b, liberty, c):
            add_play(frame, liberty)


@inner
def add_attacks_near(b: Board, center: int, c: int, frame: Any) -> None:
    """Add the attacks on the opposing chains next to a point."""
    stride = int(b.stride)
    for q in neighbors4(center, stride):
        if b.color[q] == opponent(c):
            add_attacks(b, q, c, frame)


@inner
def add_all_attacks(b: Board, c: int, frame: Any) -> None:
    """Add the attacks on all opposing chains of the board."""
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == opponent(c) and b.root[p] == p:
            add_attacks(b, p, c, frame)


@inner
def clear(frame: Any) -> None:
    """Empty a frame."""
    frame.number = 0
    frame.tried = 0


@inner
def forced_win(b: Board, c: int, reader: Any, budget: int, longest: int = LONGEST) -> int:
    """Search for a win of colour c by continuous atari, depth first, trying at most `budget` attacks.

    `longest`: maximum number of attacks in a row, up to LONGEST.

    Colour c is to move, the next capture wins, and no chain is in atari. Returns the plies to the end of the line
    found, which need not be the shortest, or 0. The line stays in `reader`.
    """
    boards, frames = reader.boards, reader.frames
    d = opponent(c)
    copy_board(boards[0], b)
    clear(frames[0])
    add_all_attacks(b, c, frames[0])
    level = 0
    while level >= 0:
        frame = frames[level]
        if frame.tried >= frame.number or level >= longest:
            level -= 1
            continue
        if budget == 0:
            return 0
        budget -= 1
        frame.tried += 1
        attack = current_attack(frame)
        work = boards[level + 1]
        copy_board(work, boards[level])
        bd.place(work, attack, c)
        answer = forced_near(work, attack, d)
        if answer == NO_DEFENCE:
            return 2 * level + 3
        if answer == QUIET:
            continue
        frame.answer = answer
        bd.place(work, answer, d)
        forced = forced_near(work, answer, c)
        if forced == NO_DEFENCE:
            continue
        level += 1
        following = frames[level]
        clear(following)
        if forced != QUIET:
            following.attacks[0] = forced
            following.number = 1
        else:
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
        for q in neighbors4(stone, stride):
            if color[q] == EMPTY:
                zone[q] = 1
        stone = int(following[stone])
        if stone == p:
            break


@inner
def mark_near(b: Board, p: int, zone: Any) -> None:
    """Add a point, the empty points next to it, and the liberties of the chains at it or next to it to a zone."""
    stride = int(b.stride)
    zone[p] = 1
    if b.color[p] != EMPTY:
        mark_liberties(b, p, zone)
    for q in neighbors4(p, stride):
        if b.color[q] == EMPTY:
            zone[q] = 1
        elif b.color[q] != BORDER:
            mark_liberties(b, q, zone)


@inner
def mark_zone(reader: Any, length: int, zone: Any) -> None:
    """Set `zone` to the points where a stone of the other colour could refute the line that `forced_win` has found.

    `length` is the value that `forced_win` returned; zone[p] becomes 1 or 0. A stone outside the zone changes no
    liberty of a chain in the line. The answers are forced, so the line has no branches, and it still wins unless that
    stone gives atari; the caller must keep such plays too.
    """
    boards, frames = reader.boards, reader.frames
    last = (length - 3) // 2
    final = boards[last + 1]
    zone[:] = 0
    for i in range(last + 1):
        mark_near(final, current_attack(frames[i]), zone)
        if i < last:
            mark_near(final, as_int64(frames[i].answer), zone)
    attack = current_attack(frames[last])
    stride = int(final.stride)
    for q in neighbors4(attack, stride):
        if final.color[q] == opponent(as_int64(final.color[attack])) and bd.in_atari(final, q):
            mark_near(final, bd.last_liberty(final, q), zone)


@inner
def gives_atari(b: Board, p: int, c: int) -> bool:
    """Return whether a play of colour c at the empty point p leaves an opposing chain one liberty."""
    stride = int(b.stride)
    for q in neighbors4(p, stride):
        if b.color[q] == opponent(c):
            first, second = two_liberties(b, q)
            if first == p or second == p:
                return True
    return False
