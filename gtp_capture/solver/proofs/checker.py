"""The proof checker: verifies a proof file by the rules alone. `verify` is the entry; `format` describes the file.

It uses nothing of the solver: no ladder, no zone. What it trusts is `rules` (chains and liberties), `keyset` (exact
keys of positions) and this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import EMPTY, opponent
from ...jit.bits import lowest_index, popcount
from ...jit.kernel import inner, kernel
from . import keyset
from .format import ProofError, ProofMemoryError
from .keyset import KEY_SET, NO_STONE, SYMMETRIES, WEIGHTS_RECORD
from .rules import GRID, NONE, ONE, POINTS, Grid, chain_of, grid, liberties, near, replies

# What `walk` returns: why it stopped, or a failure.
CHUNK_READ: Final = 0
SET_FULL: Final = 1
DONE: Final = 2
ILLEGAL: Final = 3
EXPOSED: Final = 4
KEPT_FULL: Final = 6
GOING_ON: Final = 7

MESSAGES: Final = {
    ILLEGAL: "a choice is no legal play",
    EXPOSED: "after a choice the other side can capture",
}

KEPT_ROWS: Final = 1024
"""Positions that are kept before `Keep.take` is called."""
FRAME: Final = np.dtype(
    [
        ("winner", "u8"),  # stones
        ("loser", "u8"),
        ("numbers", "u8", (2 * SYMMETRIES,)),  # of the images, see `keyset.WEIGHTS`
        ("tried", "i8"),
        ("count", "i8"),
        # Of each reply that lets the winner not capture:
        ("point", "i8", (POINTS,)),
        ("first", "u8", (POINTS,)),  # the key after it
        ("second", "u8", (POINTS,)),
    ],
    align=True,
)
"""A position with the loser's turn."""
PROGRESS: Final = np.dtype(
    [(name, "i8") for name in ("level", "choices", "replies", "captures", "read", "kept")], align=True
)
"""The level of the current frame, counts as in `Counts`, bytes read of the chunk, positions kept."""


class Counts(NamedTuple):
    """What a proof consists of, so far."""

    choices: int
    """Positions with the winner's turn; each is verified once."""
    replies: int
    """Legal plays of the loser after the choices, and at the root if it has the turn."""
    captures: int
    """Replies after which the winner captures at once."""


class CheckerWalk(NamedTuple):
    """A walk through the proof tree, see `format`; each level has a frame."""

    frames: Any
    grid: Any
    weights: Any
    keys: Any
    """Positions with the winner's turn that are proven already, or are on the path from the root."""
    progress: Any
    choices: Any
    """Bytes of the proof."""
    kept: Any
    """[position, index]: the colours of the points of positions to keep, and their choices at the last index."""
    depth: Any
    """Keep the positions after replies at levels below this one."""
    winner: Any


WALK: Final = numba.types.NamedTuple(
    [
        numba.from_dtype(FRAME)[::1], GRID, WEIGHTS_RECORD, KEY_SET, numba.from_dtype(PROGRESS), numba.uint8[::1],
        numba.uint8[:, ::1], numba.int64, numba.int64,
    ],
    CheckerWalk,
)  # fmt: skip


@inner
def add_stone(numbers: Any, weights: Any, color: int, index: Any, words: int) -> None:
    """Add a stone of the winner (0) or the loser (1) to the numbers of a position's images."""
    for s in range(SYMMETRIES):
        numbers[s] += weights[color, index, s]
    if words > 1:
        for s in range(SYMMETRIES, 2 * SYMMETRIES):
            numbers[s] += weights[color, index, s]


@inner
def key_after(numbers: Any, weights: Any, index: Any, words: int) -> tuple[Any, Any]:
    """Return the key of the position after a reply: the least number of its images, plus 1."""
    first, second = numbers[0] + weights[1, index, 0], NONE
    if words == 1:
        for s in range(1, SYMMETRIES):
            first = min(first, numbers[s] + weights[1, index, s])
        return first + ONE, second
    second = numbers[SYMMETRIES] + weights[1, index, SYMMETRIES]
    for s in range(1, SYMMETRIES):
        high = numbers[s] + weights[1, index, s]
        low = numbers[SYMMETRIES + s] + weights[1, index, SYMMETRIES + s]
        if high < first or (high == first and low < second):
            first, second = high, low
    return first + ONE, second


@inner
def list_replies(frame: Any, w: CheckerWalk) -> None:
    """Enter the loser's replies that let the winner not capture; count all. The loser must be unable to capture."""
    found = replies(frame.loser, w.grid.full & ~(frame.winner | frame.loser), w.grid)
    words, n = w.keys.shape[1], 0
    rest = found.safe
    while rest != NONE:
        index = lowest_index(rest)
        rest &= rest - ONE
        first, second = key_after(frame.numbers, w.weights.weights, index, words)
        frame.point[n], frame.first[n], frame.second[n] = index, first, second
        n += 1
    frame.tried, frame.count = 0, n
    w.progress.replies += popcount(found.legal)
    w.progress.captures += popcount(found.legal) - n


@kernel(WALK, numba.int64, returns=numba.int64)
def enter(w: CheckerWalk, winners_turn: int) -> int:
    """Enter the position of the first frame as a root; return GOING_ON, or EXPOSED if the loser can capture.

    With the winner's turn, it is entered like a position after a reply.
    """
    frame, weights, words = w.frames[0], w.weights.weights, w.keys.shape[1]
    frame.numbers[:] = NONE
    for color in range(2):
        rest = frame.winner if color == 0 else frame.loser
        while rest != NONE:
            add_stone(frame.numbers, weights, color, lowest_index(rest), words)
            rest &= rest - ONE
    empty = w.grid.full & ~(frame.winner | frame.loser)
    w.progress.level = 0
    if not winners_turn:
        if liberties(frame.winner, empty, w.grid).last != NONE:
            return EXPOSED
        list_replies(frame, w)
        return GOING_ON
    frame.tried, frame.count = 0, 0
    if liberties(frame.loser, empty, w.grid).last != NONE:
        w.progress.captures += 1
        return GOING_ON
    frame.point[0], frame.count = NO_STONE, 1
    frame.first[0], frame.second[0] = key_after(frame.numbers, weights, NO_STONE, words)
    return GOING_ON


@inner
def play_choice(frame: Any, choice: Any, grid: Grid) -> int:
    """Make the winner's choice, where it cannot capture; return GOING_ON, or the code of a failure."""
    taken = frame.winner | frame.loser
    if choice >= POINTS or (grid.full & ~taken) >> np.uint64(choice) & ONE == NONE:
        return ILLEGAL
    point = ONE << np.uint64(choice)
    frame.winner |= point
    empty = grid.full & ~(taken | point)
    if near(chain_of(point, frame.winner, grid), grid) & empty == NONE:
        return ILLEGAL
    return GOING_ON if liberties(frame.winner, empty, grid).last == NONE else EXPOSED


@inner
def keep_position(row: Any, frame: Any, winner: int, choice: Any) -> None:
    """Keep the colours of a position's points, and the winner's choice there."""
    for i in range(row.size - 1):
        bit = np.uint64(i)
        row[i] = winner if frame.winner >> bit & ONE else opponent(winner) if frame.loser >> bit & ONE else EMPTY
    row[row.size - 1] = choice


@kernel(WALK, returns=numba.int64)
def walk(w: CheckerWalk) -> int:
    """Walk through the proof until it needs data or memory, fails, or is DONE; returns one of the codes above."""
    # Local names, because Numba counts references to all arrays of a tuple that is passed on.
    frames, keys, choices, kept, progress = w.frames, w.keys, w.choices, w.kept, w.progress
    words, weights = keys.shape[1], w.weights.weights
    while progress.level >= 0:
        level = progress.level
        frame, following = frames[level], frames[level + 1]
        if frame.tried == frame.count:
            progress.level -= 1
            continue
        if 3 * progress.choices >= 2 * keys.shape[0]:
            return SET_FULL
        i = frame.tried
        slot = keyset.slot_of(keys, frame.first[i], frame.second[i])
        if keys[slot, 0] != NONE:
            frame.tried += 1
            continue
        if progress.read == choices.size:
            return CHUNK_READ
        if progress.kept == kept.shape[0]:
            return KEPT_FULL
        keys[slot, 0] = frame.first[i]
        if words > 1:
            keys[slot, 1] = frame.second[i]
        choice, reply = np.int64(choices[progress.read]), frame.point[i]
        progress.choices += 1
        progress.read += 1
        frame.tried += 1
        following.winner, following.loser = frame.winner, frame.loser
        for s in range(2 * SYMMETRIES):
            following.numbers[s] = frame.numbers[s]
        if reply != NO_STONE:
            following.loser |= ONE << np.uint64(reply)
            add_stone(following.numbers, weights, 1, reply, words)
        if level < w.depth:
            keep_position(kept[progress.kept], following, w.winner, choice)
            progress.kept += 1
        result = play_choice(following, choice, w.grid)
        if result != GOING_ON:
            return result
        add_stone(following.numbers, weights, 0, choice, words)
        list_replies(following, w)
        progress.level += 1
    return DONE


class Keep(NamedTuple):
    """Positions of a proof to keep: those of the winner's first `turns` turns."""

    take: Callable[[Any], None]
    """Called with [position, points + 1]: the colours of the points from A1 row by row, and the play's index."""
    turns: int


def verify(
    board: Board, to_move: int, winner: int, chunks: Iterator[bytes], memory: int, keep: Keep | None = None
) -> Iterator[Counts]:
    """Verify that `winner` wins first capture from here; yield the counts after each chunk and at the end.

    ProofError: the proof fails, or the board has more than 64 points. ProofMemoryError: it needs more than `memory`
    bytes.
    """
    if int(board.width) * int(board.height) > POINTS:
        raise ProofError(f"a proof is of a board of up to {POINTS} points")
    w = _start(board, winner, keep.turns if keep else 0)
    if enter(w, int(to_move == winner)) == EXPOSED:
        raise ProofError("the other side can capture at once")
    progress = w.progress
    while True:
        result = int(walk(w))
        if keep and result in (KEPT_FULL, DONE):
            keep.take(w.kept[: progress.kept])
            progress.kept = 0
        if result == SET_FULL:
            if 3 * w.keys.nbytes > memory:  # the old and the new set
                raise ProofMemoryError(f"more positions than --memory has room for: {int(progress.choices)} are proven")
            w = w._replace(keys=keyset.grown(w.keys))
        elif result == CHUNK_READ:
            chunk = next(chunks, b"")
            if not chunk:
                raise ProofError(f"a choice is missing after {int(progress.choices)}")
            w = w._replace(choices=np.frombuffer(chunk, np.uint8).copy())
            progress.read = 0
            yield Counts(int(progress.choices), int(progress.replies), int(progress.captures))
        elif result == DONE:
            if progress.read < w.choices.size or next(chunks, b""):
                raise ProofError("there are bytes left over")
            yield Counts(int(progress.choices), int(progress.replies), int(progress.captures))
            return
        elif result != KEPT_FULL:
            raise ProofError(f"{MESSAGES[result]} (choice {int(progress.choices)})")


def _start(board: Board, winner: int, depth: int) -> CheckerWalk:
    """Return a walk for a board and its winner, with the stones in the first frame."""
    width, height = int(board.width), int(board.height)
    frames = np.zeros(width * height // 2 + 3, FRAME).view(np.recarray)
    for i, p in enumerate(bd.points(board)):
        if board.color[p] != EMPTY:
            frames[0]["winner" if board.color[p] == winner else "loser"] |= np.uint64(1 << i)
    return CheckerWalk(
        frames=frames,
        grid=grid(width, height),
        weights=keyset.weights(width, height),
        keys=keyset.new_set(keyset.words_of(width * height)),
        progress=np.zeros(1, PROGRESS).view(np.recarray)[0],
        choices=np.zeros(0, np.uint8),
        kept=np.zeros((KEPT_ROWS, width * height + 1), np.uint8),
        depth=depth,
        winner=int(winner),  # compiled code takes no enum
    )
