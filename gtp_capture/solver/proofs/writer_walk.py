"""The compiled walk of the writer through a proof tree: it finds a winning play for each position, and writes it.

The play is found by static evaluation or in the solver's table. If the table has forgotten it, the position is searched
again, in the same table: with a tenth of the table that the search needs, this takes 0.2 to 6 % of its nodes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ...go.vertex import BLACK
from ...jit.bitsets import bits_field
from ...jit.kernel import from_dtype, inner, kernel
from ..bitboard import ONE, SYMMETRIES, ZERO, lowest_index, point_bit, zero_like
from ..dfpn import begin, canonical, search
from ..ladder import LEVELS, won_ladder
from ..result import LOSS, WIN
from ..solver import Solver
from ..static import ALL, Goal, count_liberties, evaluate
from ..table import effort_of, goal_key, numbers_of, probe
from ..task import DEPTH, PATHS, Root, memory_type, new_frames, new_memory, task_type
from ..task import frame_type as search_frame_type
from . import keyset
from .format import CHUNK
from .keyset import KEY_SET, slot_of

# Values that `walk` returns: the reason why it stopped.
DONE: Final = 0
OUTPUT_FULL: Final = 1
SET_FULL: Final = 2
SEARCHING: Final = 3
"""The budget of a search for a winning play is spent; the next call goes on with it."""
BROKEN: Final = 4
"""A winning play of the table can be captured."""
UNPROVEN: Final = 5
"""A position has no winning play: a result in the table is wrong."""
BUDGET: Final = 100_000
"""Nodes of a search between two tests of the limit."""


def frame_type(words: int) -> Any:
    """Return the type of a position on the path from the root."""
    return np.dtype(
        [
            bits_field("winner", words),  # stones
            bits_field("loser", words),
            bits_field("left", words),  # the loser's plays that are not tried yet
            ("winners_turn", "i8"),
            ("hash", "u8", (2 * SYMMETRIES,)),  # as in `bitboard.zobrist_keys`
        ],
        align=True,
    )


PROGRESS: Final = np.dtype(
    [
        ("level", "i8"),  # index of the current frame
        ("choices", "i8"),
        ("written", "i8"),  # bytes in `output`
        ("searching", "i8"),  # 1 while the position on top is searched for a play
    ],
    align=True,
)


class WriterWalk(NamedTuple):
    """A walk through the proof tree."""

    frames: Any
    color: Any
    """The winner: 0 Black, 1 White."""
    search: Any
    """A `Memory`; with `path`, `task` and `paths` it serves the search for a forgotten play."""
    path: Any
    task: Any
    paths: Any
    keys: Any
    """Positions with the winner's turn whose choice is written."""
    progress: Any
    output: Any
    """The choices."""


def walk_type(words: int) -> Any:
    """Return the type of a walk whose sets of points have one or two words."""
    frames, path, task = (from_dtype(kind(words)) for kind in (frame_type, search_frame_type, task_type))
    members = [
        frames[::1], numba.int64, memory_type(words), path[::1], task, PATHS, KEY_SET, from_dtype(PROGRESS),
        numba.uint8[::1],
    ]  # fmt: skip
    return numba.types.NamedTuple(members, WriterWalk)


@inner
def add_stone(hashes: Any, zobrist: Any, color: int, index: int) -> None:
    """Change the keys of a position's images by a stone; a second call removes the stone."""
    for s in range(2 * SYMMETRIES):
        hashes[s] ^= zobrist.keys[color, index, s]


@inner
def choose(w: WriterWalk, frame: Any) -> Any:
    """Return a winning play as a bit, ZERO if there is none: by a ladder, static evaluation, or least effort."""
    seen = count_liberties(frame.winner, frame.loser, w.search.geometry)
    plays = seen.plays
    if won_ladder(frame.winner, frame.loser, plays & seen.opp_twos, LEVELS, w.search.stack, w.search.geometry):
        return w.search.stack.attack[0]
    best, least = ZERO, np.int64(1000)
    mixed = goal_key(1 - w.color, 0, 0)
    while plays != ZERO:
        index = lowest_index(plays)
        p = point_bit(index, w.search.geometry)
        plays ^= p
        if evaluate(frame.loser, frame.winner | p, Goal(0, 0), ALL, w.search.stack, w.search.geometry).result == LOSS:
            return p
        add_stone(frame.hash, w.search.zobrist, w.color, index)
        s = canonical(frame.hash)
        value = probe(w.search.table, frame.hash[s] ^ mixed, frame.hash[SYMMETRIES + s] ^ mixed)
        add_stone(frame.hash, w.search.zobrist, w.color, index)
        if value != ZERO:
            _, dn = numbers_of(value)
            if dn == 0 and effort_of(value) < least:
                best, least = p, effort_of(value)
    return best


@inner
def found_play(root: Any, g: Any) -> Any:
    """Return the winning play that the search of a root has found, as a bit; ZERO if there is none yet."""
    for i in range(root.children):
        if root.dn[i] == 0:
            return point_bit(root.point[i], g)
    return zero_like(g.full)


@inner
def winners_turn(w: WriterWalk, frame: Any) -> int:
    """Write the winner's play in the top position, unless it can capture or the position is written already."""
    progress, task, g = w.progress, w.task, w.search.geometry
    if count_liberties(frame.winner, frame.loser, g).result == WIN:
        progress.level -= 1
        return DONE
    s = canonical(frame.hash)
    low, high = frame.hash[s] | ONE, frame.hash[SYMMETRIES + s]
    place = slot_of(w.keys, low, high)
    if w.keys[place, 0] != ZERO:
        progress.level -= 1
        return DONE
    p = choose(w, frame) if progress.searching == 0 else found_play(w.path[0], g)
    if p == ZERO:
        if progress.searching == 0:
            task.black, task.white = (frame.winner, frame.loser) if w.color == 0 else (frame.loser, frame.winner)
            begin(w.path[0], task, w.search, False)
            progress.searching = 1
        elif task.depth < 0:
            return UNPROVEN
        task.budget = BUDGET
        return SEARCHING
    progress.searching, task.depth = 0, -1
    w.keys[place, 0], w.keys[place, 1] = low, high
    progress.choices += 1
    index = lowest_index(p)
    w.output[progress.written] = index
    progress.written += 1
    frame.winner |= p
    add_stone(frame.hash, w.search.zobrist, w.color, index)
    frame.winners_turn = 0
    seen = count_liberties(frame.loser, frame.winner, g)
    frame.left = seen.plays
    return BROKEN if seen.result == WIN else DONE


@inner
def losers_turn(w: WriterWalk, frame: Any) -> None:
    """Try the loser's next play in the top position, or leave the position after the last one."""
    if frame.left == ZERO:
        w.progress.level -= 1
        return
    index = lowest_index(frame.left)
    p = point_bit(index, w.search.geometry)
    frame.left ^= p
    following = w.frames[w.progress.level + 1]
    following.winner, following.loser, following.winners_turn = frame.winner, frame.loser | p, 1
    for s in range(2 * SYMMETRIES):
        following.hash[s] = frame.hash[s]
    add_stone(following.hash, w.search.zobrist, 1 - w.color, index)
    w.progress.level += 1


@inner
def write(w: WriterWalk) -> int:
    """Write until a search, the output or a table needs work, or all is DONE; returns one of the codes above."""
    progress = w.progress
    while progress.level >= 0:
        if 3 * progress.choices >= 2 * w.keys.shape[0]:
            return SET_FULL
        if progress.written == w.output.size:
            return OUTPUT_FULL
        frame = w.frames[progress.level]
        if frame.winners_turn == 1:
            result = winners_turn(w, frame)
            if result != DONE:
                return result
        else:
            losers_turn(w, frame)
    return DONE


@kernel(walk_type(1), returns=numba.int64)
def walk(w: WriterWalk) -> int:
    """Write, and search, until the limit has to be tested, or the output or a table needs work, or all is DONE."""
    while True:
        result = write(w)
        if result != SEARCHING:
            return result
        search(w.path, w.task, w.search, w.paths)
        if w.task.depth >= 0:
            return SEARCHING


def new_walk(solver: Solver, winner: int) -> WriterWalk:
    """Return a walk without a root."""
    progress, words = np.zeros(1, PROGRESS).view(np.recarray)[0], solver.words
    return WriterWalk(
        frames=np.zeros(DEPTH, frame_type(words)).view(np.recarray),
        color=winner - BLACK,
        search=new_memory(solver.table, solver.zobrist, solver.geometry, words),
        path=new_frames(words),
        task=solver.new_task(Root(0, 0, winner - BLACK, 0, 0)),
        paths=np.zeros((1, DEPTH), np.int64),
        keys=keyset.new_set(2),
        progress=progress,
        output=np.zeros(CHUNK, np.uint8),
    )
