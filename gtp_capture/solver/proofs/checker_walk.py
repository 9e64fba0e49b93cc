"""The compiled walk of the checker through a proof tree, see `format`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ...jit.bitsets import WORD, bits_field
from ...jit.intrinsics import lowest_index, popcount, zero_like
from ...jit.kernel import from_dtype, inner, kernel
from . import keyset
from .keyset import NO_STONE, SYMMETRIES, key_set_type, weights_type
from .keyset import copy_keys as copy_keys
from .rules import NONE, ONE, Grid, bit_of, chain_of, grid, grid_type, liberties, near, replies

# Values that `walk` returns: the reason why it stopped, or a failure.
CHUNK_READ: Final = 0
SET_FULL: Final = 1
DONE: Final = 2
ILLEGAL: Final = 3
EXPOSED: Final = 4
GOING_ON: Final = 5


def frame_type(words: int) -> Any:
    """Return the type of a position with the loser's turn."""
    most = WORD * words
    return np.dtype(
        [
            bits_field("winner", words),  # stones
            bits_field("loser", words),
            bits_field("numbers", words, (2 * SYMMETRIES,)),  # the numbers of the images, see `keyset.weights_type`
            ("tried", "i8"),
            ("count", "i8"),
            # For each reply after which the winner cannot capture:
            ("point", "i8", (most,)),
            bits_field("first", words, (most,)),  # the key after it
            bits_field("second", words, (most,)),
        ],
        align=True,
    )


PROGRESS: Final = np.dtype([(name, "i8") for name in ("level", "choices", "replies", "captures", "read")], align=True)
"""The level of the frame on top, counts as in `checker.Counts`, bytes read of the chunk."""


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


def walk_type(words: int) -> Any:
    """Return the type of a walk whose numbers have one or two words."""
    members = [
        from_dtype(frame_type(words))[::1], grid_type(words), from_dtype(weights_type(words)), key_set_type(words),
        from_dtype(PROGRESS), numba.uint8[::1],
    ]  # fmt: skip
    return numba.types.NamedTuple(members, CheckerWalk)


WALK: Final = walk_type(1)


@inner
def add_stone(numbers: Any, weights: Any, color: int, index: Any, count: int) -> None:
    """Add a stone of the winner (0) or the loser (1) to the numbers of a position's images: `count` for each image."""
    for s in range(SYMMETRIES):
        numbers[s] += weights[color, index, s]
    if count > 1:
        for s in range(SYMMETRIES, 2 * SYMMETRIES):
            numbers[s] += weights[color, index, s]


@inner
def key_after(numbers: Any, weights: Any, index: Any, count: int) -> tuple[Any, Any]:
    """Return the key of the position after a reply: the least number of its images, plus 1."""
    first, second = numbers[0] + weights[1, index, 0], zero_like(numbers[0])
    if count == 1:
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
    """Enter the replies after which the winner cannot capture; count all replies. No reply may be a capture."""
    plays = replies(frame.loser, w.grid.full & ~(frame.winner | frame.loser), w.grid)
    key_numbers, n = w.keys.shape[1], 0
    rest = plays.safe
    while rest != NONE:
        index = lowest_index(rest)
        rest &= rest - ONE
        first, second = key_after(frame.numbers, w.weights.weights, index, key_numbers)
        frame.point[n], frame.first[n], frame.second[n] = index, first, second
        n += 1
    frame.tried, frame.count = 0, n
    w.progress.replies += popcount(plays.legal)
    w.progress.captures += popcount(plays.legal) - n


@inner
def set_numbers(frame: Any, weights: Any, count: int) -> None:
    """Compute the numbers of a position's images: `count` for each image."""
    frame.numbers[:] = NONE
    for color in range(2):
        rest = frame.winner if color == 0 else frame.loser
        while rest != NONE:
            add_stone(frame.numbers, weights, color, lowest_index(rest), count)
            rest &= rest - ONE


@kernel(WALK, numba.int64, returns=numba.int64)
def enter(w: CheckerWalk, winners_turn: int) -> int:
    """Enter the position of the first frame as a root; return GOING_ON, or EXPOSED if the loser can capture.

    If the winner has the turn, the position is entered like one after a reply.
    """
    frame, weights, count = w.frames[0], w.weights.weights, w.keys.shape[1]
    set_numbers(frame, weights, count)
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
    frame.first[0], frame.second[0] = key_after(frame.numbers, weights, NO_STONE, count)
    return GOING_ON


@inner
def play_choice(frame: Any, choice: Any, grid: Grid) -> int:
    """Make the winner's choice, where it cannot capture; return GOING_ON, or the code of a failure."""
    taken = frame.winner | frame.loser
    if choice >= frame.point.size:
        return ILLEGAL
    point = bit_of(choice, grid)
    if grid.full & ~taken & point == NONE:
        return ILLEGAL
    frame.winner |= point
    empty = grid.full & ~(taken | point)
    if near(chain_of(point, frame.winner, grid), grid) & empty == NONE:
        return ILLEGAL
    return GOING_ON if liberties(frame.winner, empty, grid).last == NONE else EXPOSED


@kernel(WALK, returns=numba.int64)
def walk(w: CheckerWalk) -> int:
    """Walk through the proof until it needs data or memory, fails, or is DONE; returns one of the codes above."""
    # Local names, because Numba counts references to all arrays of a tuple that is passed on.
    frames, keys, choices, progress = w.frames, w.keys, w.choices, w.progress
    count, weights = keys.shape[1], w.weights.weights
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
        keys[slot, 0] = frame.first[i]
        if count > 1:
            keys[slot, 1] = frame.second[i]
        choice, reply = np.int64(choices[progress.read]), frame.point[i]
        progress.choices += 1
        progress.read += 1
        frame.tried += 1
        following.winner, following.loser = frame.winner, frame.loser
        for s in range(2 * SYMMETRIES):
            following.numbers[s] = frame.numbers[s]
        if reply != NO_STONE:
            following.loser |= bit_of(reply, w.grid)
            add_stone(following.numbers, weights, 1, reply, count)
        result = play_choice(following, choice, w.grid)
        if result != GOING_ON:
            return result
        add_stone(following.numbers, weights, 0, choice, count)
        list_replies(following, w)
        progress.level += 1
    return DONE


def new_walk(width: int, height: int, words: int) -> CheckerWalk:
    """Return a walk without a root, whose numbers have one or two words."""
    return CheckerWalk(
        frames=np.zeros(width * height // 2 + 3, frame_type(words)).view(np.recarray),
        grid=grid(width, height, words),
        weights=keyset.weights(width, height, words),
        keys=keyset.new_set(keyset.numbers_of(width * height, words), words),
        progress=np.zeros(1, PROGRESS).view(np.recarray)[0],
        choices=np.zeros(0, np.uint8),
    )
