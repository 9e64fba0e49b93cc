"""Writes the proof of a solved position: the winner's choices, everything else expanded away. See `proof_file.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Protocol

import numba
import numpy as np

from ...go.board import Board
from ...go.vertex import BLACK
from ...jit.kernel import inner, kernel
from ...util.limit import Limit
from .. import dfpn
from .. import solver as proof
from ..bitboard import GEOMETRY, ONE, SYMMETRIES, ZERO, lowest
from ..dfpn import TABLE, effort_of, look_up, salt, unpack
from ..static import ALL, LADDER, LEVELS, LOST, WON, evaluate, ladder, survey
from .checker import SET, STATE, add, is_in, move_keys
from .format import CHUNK, ProofError

DONE: Final = 0
"""What stopped the kernel: all is written, the buffer or the set is full, or the position on top must be solved."""
BUFFER: Final = 1
FULL: Final = 2
UNSOLVED: Final = 3
BROKEN: Final = 4

FRAME: Final = np.dtype(
    [("winner", "u8"), ("loser", "u8"), ("left", "u8"), ("turn", "i8"), ("hash", "u8", (2 * SYMMETRIES,))], align=True
)
"""A position; the loser's plays that are left; whether it is the winner's turn."""


@inner
def keys_of(hashes: Any) -> tuple[Any, Any]:
    """The key that a position shares with its images."""
    best = 0
    for s in range(1, SYMMETRIES):
        if hashes[s] < hashes[best]:
            best = s
    return hashes[best], hashes[SYMMETRIES + best]


@inner
def choose(frame: Any, color: int, table: Any, zobrist: Any, g: Any, room: Any, hashes: Any) -> Any:
    """A winning play of the winner, as a set, or none where none is known here."""
    _, plays, opp_twos, _, _, _ = survey(frame.winner, frame.loser, g)
    attacks = plays & opp_twos
    if attacks != ZERO:
        length, _zone = ladder(frame.winner, frame.loser, attacks, g, LEVELS, False, 100, room)
        if length > 0:
            return room[0, 3]
    best, least = ZERO, np.int64(1000)
    mixed = salt(1 - color, 0, 0)
    while plays != ZERO:
        index = lowest(plays)
        p = ONE << np.uint64(index)
        plays ^= p
        result, _, _, _ = evaluate(frame.loser, frame.winner | p, g, ALL, 0, 0, room)
        if result == LOST:
            return p
        for s in range(2 * SYMMETRIES):
            hashes[s] = frame.hash[s] ^ zobrist[color, index, s]
        low, high = keys_of(hashes)
        value = look_up(table, low ^ mixed, high ^ mixed)
        if value != ZERO:
            _, disprove = unpack(value)
            if disprove == 0 and effort_of(value) < least:
                best, least = p, effort_of(value)
    return best


@kernel(
    numba.from_dtype(FRAME)[::1], numba.int64, TABLE, numba.uint64[:, :, ::1], GEOMETRY, LADDER, SET, STATE,
    numba.uint8[::1], returns=numba.int64,
)  # fmt: skip
def walk(frames: Any, color: int, table: Any, zobrist: Any, g: Any, room: Any, keys: Any, state: Any, out: Any) -> int:
    """Go on writing; `state` is [level, positions, bytes in `out`], the codes are above; colour 0 is Black's."""
    hashes = np.zeros(2 * SYMMETRIES, np.uint64)
    level, positions, written = state[0], state[1], state[2]
    result = DONE
    while level >= 0:
        frame = frames[level]
        if frame.turn == 1:
            if 2 * positions > keys.shape[0]:
                result = FULL
                break
            if written == out.size:
                result = BUFFER
                break
            plain, _, _, _, _, _ = survey(frame.winner, frame.loser, g)
            if plain == WON:
                level -= 1
                continue
            low, high = keys_of(frame.hash)
            low |= ONE
            if is_in(keys, low, high):
                level -= 1
                continue
            p = choose(frame, color, table, zobrist, g, room, hashes)
            if p == ZERO:
                result = UNSOLVED
                break
            add(keys, low, high)
            positions += 1
            index = lowest(p)
            out[written] = index
            written += 1
            frame.winner |= p
            for s in range(2 * SYMMETRIES):
                frame.hash[s] ^= zobrist[color, index, s]
            frame.turn = 0
            plain, frame.left, _, _, _, _ = survey(frame.loser, frame.winner, g)
            if plain == WON:
                result = BROKEN
                break
        if frame.left == ZERO:
            level -= 1
            continue
        index = lowest(frame.left)
        p = ONE << np.uint64(index)
        frame.left ^= p
        following = frames[level + 1]
        following.winner, following.loser, following.turn = frame.winner, frame.loser | p, 1
        for s in range(2 * SYMMETRIES):
            following.hash[s] = frame.hash[s] ^ zobrist[1 - color, index, s]
        level += 1
    state[0], state[1], state[2] = level, positions, written
    return result


class StoppedError(Exception):
    """The limit came before the end of the proof."""


class Output(Protocol):
    """Where the bytes of a proof go."""

    def write(self, data: bytes, /) -> object:
        """Take the next bytes."""


def write(
    solver: proof.Solver, board: Board, to_move: int, winner: int, file: Output, limit: Limit | None = None
) -> Iterator[int]:
    """Write the choices of the winner of a solved position; how many so far, now and then, to the last.

    What the table has forgotten is solved again. OSError: the file cannot be written. ProofError: what the table says
    is wrong. StoppedError: the limit came while something was solved again.
    """
    limit = limit or Limit()
    stones = solver.stones(board)
    color = winner - BLACK
    frames = np.zeros(dfpn.DEPTH, FRAME).view(np.recarray)
    frames[0].winner, frames[0].loser = (np.uint64(s) for s in (stones if winner == BLACK else stones[::-1]))
    frames[0].turn = int(to_move == winner)
    for side in range(2):
        for i in range(solver.width * solver.height):
            if stones[side] >> i & 1:
                frames[0].hash ^= solver.zobrist[side, i]
    if to_move != winner:
        frames[0].left = solver.safe_plays(stones, to_move)
    state, out = np.zeros(3, np.int64), np.zeros(CHUNK, np.uint8)
    keys, room = np.zeros((1 << 16, 2), np.uint64), dfpn.new_room()
    unsolved = None
    while True:
        args = (frames, color, solver.table, solver.zobrist, solver.geometry, room, keys, state, out)
        result = int(walk(*args))
        if result in (BUFFER, DONE):
            file.write(out[: state[2]].tobytes())
            state[2] = 0
            yield int(state[1])
        if result == DONE:
            return
        if result == FULL:
            larger = np.zeros((4 * len(keys), 2), np.uint64)
            move_keys(larger, keys)
            keys = larger
        elif result == UNSOLVED:
            frame = frames[state[0]]
            pair = int(frame.winner), int(frame.loser)
            if pair == unsolved:
                raise ProofError("a winning play is in the table and not found there")
            unsolved = pair
            _resolve(solver, pair if winner == BLACK else pair[::-1], winner, limit)
        elif result == BROKEN:
            raise ProofError("a winning play can be captured")


def _resolve(solver: proof.Solver, stones: tuple[int, int], winner: int, limit: Limit) -> None:
    """Bring a winning play of a won position back into the table. ProofError: there is none."""
    if solver.best(stones, winner, proof.WINS, None, limit) is None:
        if limit.expired():
            raise StoppedError
        raise ProofError("a won position has no winning play")
