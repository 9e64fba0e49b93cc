"""The proof checker: verifies a proof file by the rules alone. `verify` is the entry; `format` describes the file.

It uses the board's own functions and nothing of the solver: no ladder, no zone, no bitboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.symmetry import symmetries
from ...jit.kernel import BOARD, inner, kernel
from ...playout.uniform import copy_board
from . import keyset
from .format import ProofError, ProofMemoryError
from .keyset import KEY_SET, add, contains

POINTS: Final = 72
"""Points of the largest board whose positions have exact keys: 32 ternary digits in one word, 40 in the other."""

# What `walk` returns: why it stopped, or a failure.
CHUNK_READ: Final = 0
SET_FULL: Final = 1
DONE: Final = 2
ILLEGAL: Final = 3
EXPOSED: Final = 4
SPARE: Final = 5
KEPT_FULL: Final = 6
GOING_ON: Final = 7

MESSAGES: Final = {
    ILLEGAL: "a choice is no legal play",
    EXPOSED: "after a choice the other side can capture",
    SPARE: "there are bytes left over",
}

KEPT_ROWS: Final = 1024
"""Positions to keep at a time."""
PROGRESS: Final = np.dtype([("level", "i8"), ("positions", "i8"), ("read", "i8"), ("kept", "i8")], align=True)
"""The level of the walk, positions with the winner's turn so far, bytes read of the chunk, positions kept."""


class Walk(NamedTuple):
    """A walk through the proof tree.

    At each level is a position with the loser's turn, and the index of its next play to try; at the top level, where
    that cursor is -1, a position with the winner's turn.
    """

    boards: Any
    cursors: Any
    symmetries: Any
    """[symmetry, index]: the point of the board that the image shows at that index."""
    keys: Any
    """Positions with the winner's turn that are proven already."""
    progress: Any
    choices: Any
    """Bytes of the proof."""
    kept: Any
    """[position, index]: the colours of the points of positions to keep, and their choices at the last index."""
    depth: Any
    """Keep the positions at levels below this one."""
    winner: Any


WALK: Final = numba.types.NamedTuple(
    [
        BOARD[::1], numba.int64[::1], numba.int64[:, ::1], KEY_SET, numba.from_dtype(PROGRESS), numba.uint8[::1],
        numba.uint8[:, ::1], numba.int64, numba.int64,
    ],
    Walk,
)  # fmt: skip


@inner
def canonical_key(b: Board, images: Any) -> tuple[Any, Any]:
    """Return the exact key of a position and its images: the least of their ternary numbers, in two words."""
    least_high, least_low = np.uint64(0), np.uint64(0)
    for s in range(images.shape[0]):
        high, low = np.uint64(0), np.uint64(0)
        for i in range(images.shape[1]):
            digit = np.uint64(b.color[images[s, i]])
            if i < 32:
                high = high * np.uint64(3) + digit
            else:
                low = low * np.uint64(3) + digit
        if s == 0 or high < least_high or (high == least_high and low < least_low):
            least_high, least_low = high, low
    return least_high + np.uint64(1), least_low


@inner
def can_capture(b: Board, c: int) -> bool:
    """Return whether colour c, to move, can capture: whether an opposing chain is in atari."""
    stride = int(b.stride)
    for p in range(stride + 1, b.cells - stride):
        if b.color[p] == 3 - c and b.root[p] == p and bd.in_atari(b, p):
            return True
    return False


@inner
def keep_position(w: Walk, b: Board, choice: Any) -> None:
    """Keep a position and the winner's choice there."""
    row, points = w.progress.kept, w.symmetries.shape[1]
    for i in range(points):
        w.kept[row, i] = b.color[w.symmetries[0, i]]
    w.kept[row, points] = choice
    w.progress.kept += 1


@inner
def winners_turn(w: Walk) -> int:
    """Check the top position, with the winner's turn: a capture, a position that is proven, or the next choice."""
    progress, winner, level = w.progress, w.winner, w.progress.level
    b = w.boards[level]
    if 2 * progress.positions > w.keys.shape[0]:
        return SET_FULL
    if can_capture(b, winner):
        progress.level -= 1
        return GOING_ON
    high, low = canonical_key(b, w.symmetries)
    if contains(w.keys, high, low):
        progress.level -= 1
        return GOING_ON
    if progress.read == w.choices.size:
        return CHUNK_READ
    choice = np.int64(w.choices[progress.read])
    if level < w.depth:
        if progress.kept == w.kept.shape[0]:
            return KEPT_FULL
        keep_position(w, b, choice)
    add(w.keys, high, low)
    progress.positions += 1
    progress.read += 1
    if choice >= w.symmetries.shape[1]:
        return ILLEGAL
    p = w.symmetries[0, choice]
    if not bd.is_legal(b, p, winner, False):
        return ILLEGAL
    bd.place(b, p, winner)
    if can_capture(b, 3 - winner):
        return EXPOSED
    w.cursors[level] = 0
    return GOING_ON


@inner
def losers_turn(w: Walk) -> int:
    """Try the next legal play of the loser in the top position, or leave the position after the last one."""
    loser, level, points, plays = 3 - w.winner, w.progress.level, w.symmetries.shape[1], w.symmetries[0]
    b, cursor = w.boards[level], w.cursors[level]
    while cursor < points and not bd.is_legal(b, plays[cursor], loser, False):
        cursor += 1
    w.cursors[level] = cursor + 1
    if cursor == points:
        w.progress.level -= 1
        return GOING_ON
    following = w.boards[level + 1]
    copy_board(following, b)
    bd.place(following, plays[cursor], loser)
    w.cursors[level + 1] = -1
    w.progress.level += 1
    return GOING_ON


@kernel(WALK, returns=numba.int64)
def walk(w: Walk) -> int:
    """Walk through the proof until something is needed, it fails or it is DONE; see the codes above."""
    while w.progress.level >= 0:
        result = winners_turn(w) if w.cursors[w.progress.level] < 0 else losers_turn(w)
        if result != GOING_ON:
            return result
    return DONE


class Keep(NamedTuple):
    """Positions of a proof to keep: those of the winner's first `turns` turns."""

    take: Callable[[Any], None]
    """Called with [position, points + 1]: the colours of the points from A1 row by row, and the play's index."""
    turns: int


def verify(
    board: Board, to_move: int, winner: int, chunks: Iterator[bytes], memory: int, keep: Keep | None = None
) -> Iterator[int]:
    """Verify that `winner` wins first capture from here; yield the positions checked now and then, and at the end.

    ProofError: the proof fails, or the board has more than 72 points. ProofMemoryError: it needs more than `memory`
    bytes.
    """
    width, height = int(board.width), int(board.height)
    if width * height > POINTS:
        raise ProofError(f"a proof is of a board of up to {POINTS} points")
    w = _start(board, to_move, winner, keep.turns if keep else 0)
    if to_move != winner and any(board.color[p] == winner and bd.in_atari(board, p) for p in bd.chains(board)):
        raise ProofError("the other side can capture at once")
    progress = w.progress
    while True:
        result = int(walk(w))
        if keep and result in (KEPT_FULL, DONE):
            keep.take(w.kept[: progress.kept])
            progress.kept = 0
        if result == SET_FULL:
            if keyset.GROWTH * w.keys.nbytes > memory:
                raise ProofMemoryError(
                    f"more positions than --memory has room for: {int(progress.positions)} are proven"
                )
            w = w._replace(keys=keyset.grown(w.keys))
        elif result == CHUNK_READ:
            chunk = next(chunks, b"")
            if not chunk:
                raise ProofError(f"a choice is missing after {int(progress.positions)}")
            w = w._replace(choices=np.frombuffer(chunk, np.uint8).copy())
            progress.read = 0
            yield int(progress.positions)
        elif result == DONE:
            if progress.read < w.choices.size or next(chunks, b""):
                raise ProofError(MESSAGES[SPARE])
            yield int(progress.positions)
            return
        elif result != KEPT_FULL:
            raise ProofError(f"{MESSAGES[result]} (choice {int(progress.positions)})")


def _start(board: Board, to_move: int, winner: int, depth: int) -> Walk:
    """Return a walk at the root of a proof."""
    width, height = int(board.width), int(board.height)
    boards = np.zeros(width * height // 2 + 3, bd.DTYPE).view(np.recarray)
    boards[0] = board
    cursors = np.full(len(boards), -1, np.int64)
    cursors[0] = -1 if to_move == winner else 0
    points = np.array(bd.points(board), np.int64)
    images = np.array([points[list(symmetry)] for symmetry in symmetries(width, height)])
    return Walk(
        boards=boards,
        cursors=cursors,
        symmetries=images,
        keys=keyset.new_set(),
        progress=np.zeros(1, PROGRESS).view(np.recarray)[0],
        choices=np.zeros(0, np.uint8),
        kept=np.zeros((KEPT_ROWS, width * height + 1), np.uint8),
        depth=depth,
        winner=winner,
    )
