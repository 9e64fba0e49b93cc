"""Verifies a proof file by the rules alone: it uses the board and nothing of the solver. See `proof_file.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numba
import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import point_at
from ...jit.kernel import BOARD, inner, kernel
from ...jit.records import copy_board
from .format import ProofError, ProofRoomError

POINTS: Final = 72
"""Of the largest board whose positions have keys of their own: 32 ternary digits in one word, 40 in the other."""

MORE: Final = 0
"""What stopped the kernel: it needs bytes, a set or the list is full, the proof is whole, or it fails."""
FULL: Final = 1
DONE: Final = 2
ILLEGAL: Final = 3
EXPOSED: Final = 4
SPARE: Final = 5
KEPT: Final = 6

MESSAGES: Final = {
    ILLEGAL: "a choice is no legal play",
    EXPOSED: "after a choice the other side can capture",
    SPARE: "there are bytes left over",
}

# The state: [level, how many positions had the winner's turn, bytes read of this chunk, positions kept].
STATE: Final = numba.int64[::1]
SET: Final = numba.uint64[:, ::1]


def images(width: int, height: int) -> Any:
    """For each symmetry, the board's points in the order in which the image's stand, from A1 row by row."""
    rows = np.array([[point_at(x, y, width) for x in range(width)] for y in range(height)], np.int64)
    grids = [rows, rows[::-1], rows[:, ::-1], rows[::-1, ::-1]]
    if width == height:
        grids += [grid.T for grid in grids]
    return np.array([grid.ravel() for grid in grids])


@inner
def key(b: Board, symmetries: Any) -> tuple[Any, Any]:
    """Two numbers that stand for a position and its images, and no other: the least of the images' ternary digits."""
    least_high, least_low = np.uint64(0), np.uint64(0)
    for s in range(symmetries.shape[0]):
        high, low = np.uint64(0), np.uint64(0)
        for i in range(symmetries.shape[1]):
            digit = np.uint64(b.color[symmetries[s, i]])
            if i < 32:
                high = high * np.uint64(3) + digit
            else:
                low = low * np.uint64(3) + digit
        if s == 0 or high < least_high or (high == least_high and low < least_low):
            least_high, least_low = high, low
    return least_high + np.uint64(1), least_low


@inner
def place_of(keys: Any, high: Any, low: Any) -> Any:
    """Where a key is in the set, or where it would go. The set must have room."""
    mask = np.uint64(keys.shape[0] - 1)
    mixed = (high ^ (low << np.uint64(13))) * np.uint64(0x9E3779B97F4A7C15)
    place = (mixed ^ (mixed >> np.uint64(29))) & mask
    while keys[place, 0] != np.uint64(0) and not (keys[place, 0] == high and keys[place, 1] == low):
        place = (place + np.uint64(1)) & mask
    return place


@inner
def is_in(keys: Any, high: Any, low: Any) -> bool:
    """Whether the set has a key."""
    return bool(keys[place_of(keys, high, low), 0] != np.uint64(0))


@inner
def add(keys: Any, high: Any, low: Any) -> None:
    """Put a key into the set."""
    place = place_of(keys, high, low)
    keys[place, 0], keys[place, 1] = high, low


@inner
def can_capture(b: Board, c: int) -> bool:
    """Whether colour c, to move, can capture: whether an opposing chain has a single liberty."""
    stride = int(b.stride)
    for p in range(stride + 1, b.cells - stride):
        if b.color[p] == 3 - c and b.root[p] == p and bd.in_atari(b, p):
            return True
    return False


@kernel(SET, SET)
def move_keys(target: Any, source: Any) -> None:
    """Put all keys of a set into a larger one."""
    for i in range(source.shape[0]):
        if source[i, 0] != np.uint64(0):
            add(target, source[i, 0], source[i, 1])


@kernel(
    BOARD[::1], numba.int64[::1], numba.int64, numba.int64[:, ::1], SET, STATE, numba.uint8[::1], numba.uint8[:, ::1],
    numba.int64, returns=numba.int64,
)  # fmt: skip
def walk(
    boards: Any, cursors: Any, winner: int, symmetries: Any, keys: Any, state: Any, choices: Any, kept: Any, depth: int
) -> int:
    """Walk through the proof until something is needed; the codes are above.

    Of the first `depth` levels, the positions with the winner's turn are kept: the points' colours, and the choice.

    At each level stands a position with the loser's turn, and the index of the next of its plays to try; on top,
    where the cursor is -1, a position with the winner's turn.
    """
    loser = 3 - winner
    points = symmetries.shape[1]
    level, positions, read = state[0], state[1], state[2]
    result = DONE
    while level >= 0:
        b = boards[level]
        if cursors[level] < 0:
            if 2 * positions > keys.shape[0]:
                result = FULL
                break
            if can_capture(b, winner):
                level -= 1
                continue
            high, low = key(b, symmetries)
            if is_in(keys, high, low):
                level -= 1
                continue
            if read == choices.size:
                result = MORE
                break
            if level < depth:
                if state[3] == kept.shape[0]:
                    result = KEPT
                    break
                for i in range(points):
                    kept[state[3], i] = b.color[symmetries[0, i]]
                kept[state[3], points] = choices[read]
                state[3] += 1
            add(keys, high, low)
            positions += 1
            choice = np.int64(choices[read])
            read += 1
            if choice >= points or not bd.is_legal(b, symmetries[0, choice], winner, False):
                result = ILLEGAL
                break
            bd.place(b, symmetries[0, choice], winner)
            if can_capture(b, loser):
                result = EXPOSED
                break
            cursors[level] = 0
        while cursors[level] < points and not bd.is_legal(b, symmetries[0, cursors[level]], loser, False):
            cursors[level] += 1
        if cursors[level] == points:
            level -= 1
            continue
        following = boards[level + 1]
        copy_board(following, b)
        bd.place(following, symmetries[0, cursors[level]], loser)
        cursors[level] += 1
        level += 1
        cursors[level] = -1
    state[0], state[1], state[2] = level, positions, read
    return result


def check(
    board: Board,
    to_move: int,
    winner: int,
    chunks: Iterator[bytes],
    memory: int,
    keep: Callable[[Any], None] | None = None,
    depth: int = 0,
) -> Iterator[int]:
    """Verify that `winner` wins first capture from here; the positions checked so far, now and then, to the last.

    `keep` gets the positions of the winner's first `depth` turns, [some, points + 1]: the colours of the points from
    A1 row by row, and the index of the play. ProofError: the proof fails, or the board has more than 72 points.
    ProofRoomError: it needs more than `memory` bytes.
    """
    width, height = int(board.width), int(board.height)
    if width * height > POINTS:
        raise ProofError(f"a proof is of a board of up to {POINTS} points")
    symmetries = np.ascontiguousarray(images(width, height))
    boards = np.zeros(width * height // 2 + 3, bd.DTYPE).view(np.recarray)
    boards[0] = board
    cursors = np.full(len(boards), -1, np.int64)
    state = np.zeros(4, np.int64)
    kept = np.zeros((1024, width * height + 1), np.uint8)
    keys = np.zeros((1 << 16, 2), np.uint64)
    empty = np.zeros(0, np.uint8)
    if to_move != winner:
        if any(board.color[p] == winner and bd.in_atari(board, p) for p in bd.chains(board)):
            raise ProofError("the other side can capture at once")
        cursors[0] = 0
    choices = empty
    while True:
        result = int(walk(boards, cursors, winner, symmetries, keys, state, choices, kept, depth if keep else 0))
        if keep and result in (KEPT, DONE):
            keep(kept[: state[3]])
            state[3] = 0
        if result == KEPT:
            continue
        if result == FULL:
            if 4 * keys.nbytes > memory:
                raise ProofRoomError(f"more positions than --memory has room for: {int(state[1])} are proven")
            larger = np.zeros((4 * len(keys), 2), np.uint64)
            move_keys(larger, keys)
            keys = larger
        elif result == MORE:
            chunk = next(chunks, b"")
            if not chunk:
                raise ProofError(f"a choice is missing after {int(state[1])}")
            choices = np.frombuffer(chunk, np.uint8).copy()
            state[2] = 0
            yield int(state[1])
        elif result == DONE:
            if state[2] < choices.size or next(chunks, b""):
                raise ProofError(MESSAGES[SPARE])
            yield int(state[1])
            return
        else:
            raise ProofError(f"{MESSAGES[result]} (choice {int(state[1])})")
