"""The proof checker: verifies a proof file by the rules alone. `verify` is the entry; `format` describes the file.

It uses the functions of `go/board.py` and nothing of the solver: no ladder, no zone, no bitboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.symmetry import symmetries
from ...go.vertex import opponent
from ...jit.kernel import BOARD, inner, kernel
from ...jit.records import copy_board
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
"""Positions that are kept before `Keep.take` is called."""
PROGRESS: Final = np.dtype([("level", "i8"), ("positions", "i8"), ("read", "i8"), ("kept", "i8")], align=True)
"""The level of the walk, positions with the winner's turn so far, bytes read of the chunk, positions kept."""


class CheckerWalk(NamedTuple):
    """A walk through the proof tree.

    Each level has a position with the loser's turn, and as cursor the index of the next play to try there. At the top
    level, a cursor of -1 means that the position has the winner's turn.
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
    CheckerWalk,
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
        if b.color[p] == opponent(c) and b.root[p] == p and bd.in_atari(b, p):
            return True
    return False


@inner
def keep_position(row: Any, b: Board, plays: Any, choice: Any) -> None:
    """Keep the colours of a position's points, and the winner's choice there."""
    for i in range(plays.size):
        row[i] = b.color[plays[i]]
    row[plays.size] = choice


@inner
def play_choice(b: Board, choice: Any, plays: Any, winner: int) -> int:
    """Make the winner's choice; return GOING_ON, or the code of a failure."""
    if choice >= plays.size or not bd.is_legal(b, plays[choice], winner, False):
        return ILLEGAL
    bd.place(b, plays[choice], winner)
    return EXPOSED if can_capture(b, opponent(winner)) else GOING_ON


@inner
def next_play(b: Board, plays: Any, cursor: Any, loser: int) -> Any:
    """Return the index of the loser's next legal play from a cursor on, or the number of points."""
    while cursor < plays.size and not bd.is_legal(b, plays[cursor], loser, False):
        cursor += 1
    return cursor


@kernel(WALK, returns=numba.int64)
def walk(w: CheckerWalk) -> int:
    """Walk through the proof until it needs data or memory, fails, or is DONE; returns one of the codes above."""
    # Local names, because Numba counts references to all arrays of a tuple that is passed on.
    boards, cursors, images, keys, choices, kept = w.boards, w.cursors, w.symmetries, w.keys, w.choices, w.kept
    progress, winner, plays = w.progress, w.winner, w.symmetries[0]
    while progress.level >= 0:
        level = progress.level
        b = boards[level]
        if cursors[level] < 0:
            if 2 * progress.positions > keys.shape[0]:
                return SET_FULL
            if can_capture(b, winner):
                progress.level -= 1
                continue
            high, low = canonical_key(b, images)
            if contains(keys, high, low):
                progress.level -= 1
                continue
            if progress.read == choices.size:
                return CHUNK_READ
            choice = np.int64(choices[progress.read])
            if level < w.depth:
                if progress.kept == kept.shape[0]:
                    return KEPT_FULL
                keep_position(kept[progress.kept], b, plays, choice)
                progress.kept += 1
            add(keys, high, low)
            progress.positions += 1
            progress.read += 1
            failure = play_choice(b, choice, plays, winner)
            if failure != GOING_ON:
                return failure
            cursors[level] = 0
        cursor = next_play(b, plays, cursors[level], opponent(winner))
        cursors[level] = cursor + 1
        if cursor == plays.size:
            progress.level -= 1
            continue
        copy_board(boards[level + 1], b)
        bd.place(boards[level + 1], plays[cursor], opponent(winner))
        progress.level += 1
        cursors[progress.level] = -1
    return DONE


class Keep(NamedTuple):
    """Positions of a proof to keep: those of the winner's first `turns` turns."""

    take: Callable[[Any], None]
    """Called with [position, points + 1]: the colours of the points from A1 row by row, and the play's index."""
    turns: int


def verify(
    board: Board, to_move: int, winner: int, chunks: Iterator[bytes], memory: int, keep: Keep | None = None
) -> Iterator[int]:
    """Verify that `winner` wins first capture from here; yield the positions checked after each chunk and at the end.

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


def _start(board: Board, to_move: int, winner: int, depth: int) -> CheckerWalk:
    """Return a walk at the root of a proof."""
    width, height = int(board.width), int(board.height)
    boards = np.zeros(width * height // 2 + 3, bd.DTYPE).view(np.recarray)
    boards[0] = board
    cursors = np.full(len(boards), -1, np.int64)
    cursors[0] = -1 if to_move == winner else 0
    points = np.array(bd.points(board), np.int64)
    images = np.array([points[list(symmetry)] for symmetry in symmetries(width, height)])
    return CheckerWalk(
        boards=boards,
        cursors=cursors,
        symmetries=images,
        keys=keyset.new_set(),
        progress=np.zeros(1, PROGRESS).view(np.recarray)[0],
        choices=np.zeros(0, np.uint8),
        kept=np.zeros((KEPT_ROWS, width * height + 1), np.uint8),
        depth=depth,
        winner=int(winner),  # compiled code takes no enum
    )
