"""Writes the proof of a solved position: a play of the winner for each position, from the solver's table.

`write_proof` is the entry; `format` describes the file, and `checker` verifies it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Protocol

import numba
import numpy as np

from ...go.board import Board
from ...go.vertex import BLACK
from ...jit.kernel import inner, kernel
from ...util.limit import Limit
from ..bitboard import GEOMETRY, ONE, SYMMETRIES, ZERO, ZOBRIST_RECORD, lowest_index
from ..dfpn import canonical
from ..result import LOSS, WIN
from ..solver import Solver, Stones
from ..static import ALL, LEVELS, STACK_RECORD, Goal, evaluate, ladder, new_stack, survey
from ..table import TABLE, effort_of, numbers_of, probe, salt
from ..task import DEPTH
from . import keyset
from .format import CHUNK, ProofError
from .keyset import KEY_SET, add, contains

# What `walk` returns: why it stopped.
DONE: Final = 0
OUTPUT_FULL: Final = 1
SET_FULL: Final = 2
UNSOLVED: Final = 3
"""The table has no winning play for the position on top: it must be solved again."""
BROKEN: Final = 4
"""A winning play of the table can be captured."""

FRAME: Final = np.dtype(
    [
        ("winner", "u8"),  # stones
        ("loser", "u8"),
        ("left", "u8"),  # the loser's plays that are not tried yet
        ("winners_turn", "i8"),
        ("hash", "u8", (2 * SYMMETRIES,)),  # as in `bitboard.ZOBRIST`
    ],
    align=True,
)
"""A position on the path from the root."""
PROGRESS: Final = np.dtype([("level", "i8"), ("positions", "i8"), ("written", "i8")], align=True)
"""The level of the current frame, positions with the winner's turn so far, and bytes in `output`."""


class WriterWalk(NamedTuple):
    """A walk through the proof tree."""

    frames: Any
    color: Any
    """The winner: 0 Black, 1 White."""
    table: Any
    zobrist: Any
    geometry: Any
    stack: Any
    keys: Any
    """Positions with the winner's turn whose choice is written."""
    progress: Any
    output: Any
    """The choices."""


WALK: Final = numba.types.NamedTuple(
    [
        numba.from_dtype(FRAME)[::1], numba.int64, TABLE, ZOBRIST_RECORD, GEOMETRY, STACK_RECORD, KEY_SET,
        numba.from_dtype(PROGRESS), numba.uint8[::1],
    ],
    WriterWalk,
)  # fmt: skip


@inner
def add_stone(hashes: Any, zobrist: Any, color: int, index: int) -> None:
    """Change the keys of a position's images by a stone; a second call removes the stone."""
    for s in range(2 * SYMMETRIES):
        hashes[s] ^= zobrist.keys[color, index, s]


@inner
def choose(w: WriterWalk, frame: Any) -> Any:
    """Return a winning play as a bit, ZERO if there is none: by a ladder, static evaluation, or least effort."""
    seen = survey(frame.winner, frame.loser, w.geometry)
    plays = seen.plays
    attacks = plays & seen.opp_twos
    if attacks != ZERO:
        stack = w.stack
        stack.own[0], stack.opp[0], stack.attacks[0] = frame.winner, frame.loser, attacks
        plies, _zone = ladder(stack, LEVELS, False, w.geometry)
        if plies > 0:
            return stack.attack[0]
    best, least = ZERO, np.int64(1000)
    mixed = salt(1 - w.color, 0, 0)
    while plays != ZERO:
        index = lowest_index(plays)
        p = ONE << np.uint64(index)
        plays ^= p
        if evaluate(frame.loser, frame.winner | p, Goal(0, 0), ALL, w.stack, w.geometry).result == LOSS:
            return p
        add_stone(frame.hash, w.zobrist, w.color, index)
        s = canonical(frame.hash)
        value = probe(w.table, frame.hash[s] ^ mixed, frame.hash[SYMMETRIES + s] ^ mixed)
        add_stone(frame.hash, w.zobrist, w.color, index)
        if value != ZERO:
            _, dn = numbers_of(value)
            if dn == 0 and effort_of(value) < least:
                best, least = p, effort_of(value)
    return best


@inner
def winners_turn(w: WriterWalk, frame: Any) -> int:
    """Write the winner's play in the top position, unless it can capture or the position is written already."""
    progress, g = w.progress, w.geometry
    if 3 * progress.positions >= 2 * w.keys.shape[0]:
        return SET_FULL
    if progress.written == w.output.size:
        return OUTPUT_FULL
    if survey(frame.winner, frame.loser, g).result == WIN:
        progress.level -= 1
        return DONE
    s = canonical(frame.hash)
    low, high = frame.hash[s] | ONE, frame.hash[SYMMETRIES + s]
    if contains(w.keys, low, high):
        progress.level -= 1
        return DONE
    p = choose(w, frame)
    if p == ZERO:
        return UNSOLVED
    add(w.keys, low, high)
    progress.positions += 1
    index = lowest_index(p)
    w.output[progress.written] = index
    progress.written += 1
    frame.winner |= p
    add_stone(frame.hash, w.zobrist, w.color, index)
    frame.winners_turn = 0
    seen = survey(frame.loser, frame.winner, g)
    frame.left = seen.plays
    return BROKEN if seen.result == WIN else DONE


@inner
def losers_turn(w: WriterWalk, frame: Any) -> None:
    """Try the loser's next play in the top position, or leave the position after the last one."""
    if frame.left == ZERO:
        w.progress.level -= 1
        return
    index = lowest_index(frame.left)
    p = ONE << np.uint64(index)
    frame.left ^= p
    following = w.frames[w.progress.level + 1]
    following.winner, following.loser, following.winners_turn = frame.winner, frame.loser | p, 1
    for s in range(2 * SYMMETRIES):
        following.hash[s] = frame.hash[s]
    add_stone(following.hash, w.zobrist, 1 - w.color, index)
    w.progress.level += 1


@kernel(WALK, returns=numba.int64)
def walk(w: WriterWalk) -> int:
    """Write until the output or a table needs work, or all is DONE; returns one of the codes above."""
    while w.progress.level >= 0:
        frame = w.frames[w.progress.level]
        if frame.winners_turn == 1:
            result = winners_turn(w, frame)
            if result != DONE:
                return result
        else:
            losers_turn(w, frame)
    return DONE


class StoppedError(Exception):
    """The limit was reached before the end of the proof."""


class Output(Protocol):
    """A destination for the bytes of a proof."""

    def write(self, data: bytes, /) -> object:
        """Write the next bytes."""


def write_proof(
    solver: Solver, board: Board, to_move: int, winner: int, file: Output, limit: Limit | None = None
) -> Iterator[int]:
    """Write the choices of the winner of a solved position; yield their number after each part and at the end.

    Positions that are no longer in the table are solved again. OSError: the file cannot be written. ProofError: the
    table is wrong. StoppedError: the limit was reached while a position was solved again.
    """
    limit = limit or Limit()
    w = _start(solver, solver.stones(board), to_move, winner)
    unsolved = None
    while True:
        result = int(walk(w))
        if result in (OUTPUT_FULL, DONE):
            file.write(w.output[: w.progress.written].tobytes())
            w.progress.written = 0
            yield int(w.progress.positions)
        if result == DONE:
            return
        if result == SET_FULL:
            w = w._replace(keys=keyset.grown(w.keys))
        elif result == UNSOLVED:
            frame = w.frames[w.progress.level]
            pair = int(frame.winner), int(frame.loser)
            if pair == unsolved:
                raise ProofError("a winning play is in the table and not found there")
            unsolved = pair
            _solve_again(solver, pair if winner == BLACK else pair[::-1], winner, limit)
        elif result == BROKEN:
            raise ProofError("a winning play can be captured")


def _start(solver: Solver, stones: Stones, to_move: int, winner: int) -> WriterWalk:
    """Return a walk at the root of a proof."""
    frames = np.zeros(DEPTH, FRAME).view(np.recarray)
    frames[0].winner, frames[0].loser = (np.uint64(s) for s in (stones if winner == BLACK else stones[::-1]))
    frames[0].winners_turn = int(to_move == winner)
    for side in range(2):
        for i in range(solver.width * solver.height):
            if stones[side] >> i & 1:
                frames[0].hash ^= solver.zobrist.keys[side, i]
    if to_move != winner:
        frames[0].left = solver.safe_plays(stones, to_move)
    return WriterWalk(
        frames=frames,
        color=winner - BLACK,
        table=solver.table,
        zobrist=solver.zobrist,
        geometry=solver.geometry,
        stack=new_stack(),
        keys=keyset.new_set(2),
        progress=np.zeros(1, PROGRESS).view(np.recarray)[0],
        output=np.zeros(CHUNK, np.uint8),
    )


def _solve_again(solver: Solver, stones: Stones, winner: int, limit: Limit) -> None:
    """Store a winning play of a won position in the table again. ProofError: there is none."""
    if solver.best(stones, winner, WIN, None, limit) is None:
        if limit.expired():
            raise StoppedError
        raise ProofError("a won position has no winning play")
