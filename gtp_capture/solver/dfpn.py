"""Depth-first proof-number search with a table, compiled.

Proof and disproof numbers are those of the side to move: `prove` is a measure of the work to show that it wins,
`disprove` that it loses. So prove(n) = min disprove(child) and disprove(n) = sum of prove(child).
Sources: Nagai (2002) for df-pn; Pawlewicz and Lew (2007) for the 1 + epsilon trick.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import inner, kernel
from .bitboard import GEOMETRY, ONE, SYMMETRIES, ZERO, lowest
from .result import POINTS
from .static import LADDER, LEVELS, LOST, SYMMETRY, WON, evaluate

NUMBER_BITS: Final = 28
INFINITE: Final = 2**NUMBER_BITS - 1
"""A proof number that says never; the largest finite one is one less."""
BUCKET: Final = 4
WORDS: Final = 3
"""Of a table entry: the key's two and the numbers. Each key word is mixed with the numbers, so that what two
threads wrote at once fits no key."""

DEPTH: Final = POINTS + 2
TABLE: Final = numba.uint64[::1]
KEYS: Final = numba.uint64[:, :, ::1]
COUNTERS: Final = numba.int64[:, ::1]
NUMBERS: Final = numba.int64[:, :, ::1]

FRAME: Final = np.dtype(
    [
        ("hash", "u8", (2 * SYMMETRIES,)),
        ("own", "u8"),
        ("opp", "u8"),
        ("low", "u8"),
        ("high", "u8"),
        ("children", "i8"),
        ("max_prove", "i8"),
        ("max_disprove", "i8"),
        ("chosen", "i8"),
        ("nodes_before", "i8"),
        ("child_low", "u8", (POINTS,)),
        ("child_high", "u8", (POINTS,)),
        ("plays", "u8", (POINTS,)),  # of a child: the plays to try there, or none where they are not known
        ("point", "i8", (POINTS,)),
        ("prove", "i8", (POINTS,)),
        ("disprove", "i8", (POINTS,)),
    ],
    align=True,
)
FRAMES: Final = numba.from_dtype(FRAME)[::1]

TASK: Final = np.dtype(
    [
        ("black", "u8"),
        ("white", "u8"),
        ("side", "i8"),  # 0 black, 1 white to move
        ("attacker", "i8"),  # see `evaluate`
        ("plies", "i8"),
        ("switches", "i8"),
        ("epsilon", "f8"),
        ("thread", "i8"),
        ("depth", "i8"),  # where a call that ran out of budget stood, to go on from there; -1 to begin
        ("budget", "i8"),  # nodes, for one call
        ("nodes", "i8"),  # positions looked at so far
        ("expanded", "i8"),  # positions whose children were looked at so far
        ("prove", "i8"),
        ("disprove", "i8"),
    ],
    align=True,
)
TASK_RECORD: Final = numba.from_dtype(TASK)


@inner
def salt(side: int, attacker: int, plies: int) -> Any:
    """What keeps apart the same stones with another side to move, or another question about them."""
    if attacker == 0:
        return np.uint64(side) * np.uint64(0x9E3779B97F4A7C15)
    number = np.uint64(side + 2 * (attacker + 1) + 8 * (plies + 1))
    return number * np.uint64(0x9E3779B97F4A7C15) ^ (number << np.uint64(40))


@inner
def look_up(table: Any, low: Any, high: Any) -> Any:
    """The numbers stored for a key, packed, or 0."""
    start = np.int64(low & np.uint64(table.size // (BUCKET * WORDS) - 1)) * (BUCKET * WORDS)
    for i in range(start, start + BUCKET * WORDS, WORDS):
        value = table[i + 2]
        if table[i] ^ value == low and table[i + 1] ^ value == high:
            return value
    return ZERO


@inner
def effort_of(value: Any) -> Any:
    """The logarithm of the nodes that a table's value cost, plus one; 0 of an empty entry."""
    return np.int64(value >> np.uint64(2 * NUMBER_BITS))


@inner
def store(table: Any, low: Any, high: Any, prove: int, disprove: int, nodes: int) -> None:
    """Keep the numbers of a position, in the place of its bucket's entry that cost least."""
    effort: Any = np.int64(1)
    while nodes > 1:
        effort += 1
        nodes >>= 1
    start = np.int64(low & np.uint64(table.size // (BUCKET * WORDS) - 1)) * (BUCKET * WORDS)
    chosen: Any = start
    least: Any = np.int64(1000)
    for i in range(start, start + BUCKET * WORDS, WORDS):
        value = table[i + 2]
        if table[i] ^ value == low and table[i + 1] ^ value == high:
            chosen = i
            effort = max(effort, effort_of(value))
            break
        known = effort_of(value)
        if known < least:
            chosen, least = i, known
    value = np.uint64(prove) | np.uint64(disprove) << np.uint64(NUMBER_BITS)
    value |= np.uint64(effort) << np.uint64(2 * NUMBER_BITS)
    table[chosen + 2] = value
    table[chosen] = low ^ value
    table[chosen + 1] = high ^ value


@inner
def unpack(value: Any) -> tuple[Any, Any]:
    """The proof and the disproof number of a table's value."""
    mask = np.uint64(INFINITE)
    return np.int64(value & mask), np.int64(value >> np.uint64(NUMBER_BITS) & mask)


@inner
def expand(frames: Any, depth: int, plays: Any, table: Any, zobrist: Any, g: Any, task: Any, room: Any) -> None:
    """Fill a frame with the children of its position: their keys, and their numbers from the table or at sight."""
    frame = frames[depth]
    own, opp = frame.own, frame.opp
    side = (task.side + depth) & 1
    attacker = task.attacker if depth & 1 == 0 else -task.attacker
    left = task.plies - depth
    mixed = salt(1 - side, -attacker, left - 1)
    symmetric = 0
    if task.switches & SYMMETRY:
        for s in range(1, SYMMETRIES):
            symmetric += frame.hash[s] == frame.hash[0]
    n = 0
    while plays != ZERO:
        index = lowest(plays)
        p = ONE << np.uint64(index)
        plays ^= p
        best, low = 0, frame.hash[0] ^ zobrist[side, index, 0]
        if task.switches & SYMMETRY:
            for s in range(1, SYMMETRIES):
                h = frame.hash[s] ^ zobrist[side, index, s]
                if h < low:
                    best, low = s, h
        high = frame.hash[SYMMETRIES + best] ^ zobrist[side, index, SYMMETRIES + best]
        low ^= mixed
        high ^= mixed
        if symmetric > 0:
            known = False
            for i in range(n):
                known |= frame.child_low[i] == low and frame.child_high[i] == high
            if known:
                continue
        value = look_up(table, low, high)
        if value != ZERO:
            prove, disprove = unpack(value)
            following = ZERO
        else:
            task.nodes += 1
            result, following, prove, disprove = evaluate(opp, own | p, g, task.switches, -attacker, left - 1, room)
            if result == WON:
                prove, disprove = 0, INFINITE
            elif result == LOST:
                prove, disprove = INFINITE, 0
        frame.child_low[n], frame.child_high[n] = low, high
        frame.plays[n], frame.point[n] = following, index
        frame.prove[n], frame.disprove[n] = prove, disprove
        n += 1
        if disprove == 0:
            break
    frame.children = n


@inner
def begin(frames: Any, task: Any, zobrist: Any) -> None:
    """Make the first frame hold the task's position."""
    frame = frames[0]
    frame.own, frame.opp = (task.black, task.white) if task.side == 0 else (task.white, task.black)
    frame.hash[:] = ZERO
    for color in range(2):
        rest = task.black if color == 0 else task.white
        while rest != ZERO:
            index = lowest(rest)
            rest &= rest - ONE
            for s in range(2 * SYMMETRIES):
                frame.hash[s] ^= zobrist[color, index, s]
    best = 0
    if task.switches & SYMMETRY:
        for s in range(1, SYMMETRIES):
            if frame.hash[s] < frame.hash[best]:
                best = s
    mixed = salt(task.side, task.attacker, task.plies)
    frame.low, frame.high = frame.hash[best] ^ mixed, frame.hash[SYMMETRIES + best] ^ mixed
    frame.max_prove, frame.max_disprove = INFINITE, INFINITE


@inner
def start(frames: Any, task: Any, table: Any, zobrist: Any, g: Any, room: Any) -> bool:
    """Begin a task; whether there is anything to search."""
    begin(frames, task, zobrist)
    value = look_up(table, frames[0].low, frames[0].high)
    if value != ZERO:
        task.prove, task.disprove = unpack(value)
        if task.prove == 0 or task.disprove == 0:
            return False
    task.nodes += 1
    attacker = task.attacker
    result, plays, _, _ = evaluate(frames[0].own, frames[0].opp, g, task.switches, attacker, task.plies, room)
    if result != 0:
        task.prove, task.disprove = (0, INFINITE) if result == WON else (INFINITE, 0)
        return False
    task.depth = 0
    frames[0].nodes_before = task.nodes
    task.expanded += 1
    expand(frames, 0, plays, table, zobrist, g, task, room)
    return True


@kernel(FRAMES, TASK_RECORD, TABLE, numba.uint64[:, :, ::1], GEOMETRY, LADDER, COUNTERS)
def search(frames: Any, task: Any, table: Any, zobrist: Any, g: Any, room: Any, paths: Any) -> None:
    """Go on with a task until it is decided or its budget is spent; the numbers of its position are in the task.

    A later call with the same frames goes on where this one ended; with others, from what the table knows.
    `paths` [threads, DEPTH] holds what positions each thread stands at, so that others look elsewhere.
    """
    end = task.nodes + task.budget
    if task.depth < 0 and not start(frames, task, table, zobrist, g, room):
        return
    threads, depth = paths.shape[0], task.depth
    while True:
        frame = frames[depth]
        n = frame.children
        prove, second, chosen, total = INFINITE, INFINITE, 0, 0
        shown = INFINITE
        for i in range(n):
            total += frame.prove[i]
            d = frame.disprove[i]
            prove = min(prove, d)
            if threads > 1 and d < INFINITE:
                for t in range(threads):
                    if t != task.thread and paths[t, depth + 1] == np.int64(frame.child_low[i]):
                        d = min(INFINITE - 1, d + d // 2 + 2)
            if d < shown:
                second = shown
                shown, chosen = d, i
            elif d < second:
                second = d
        disprove = INFINITE if prove == 0 else min(total, INFINITE - 1)
        if prove == INFINITE:
            disprove = 0
        if depth == 0:
            task.prove, task.disprove = prove, disprove
        if prove >= frame.max_prove or disprove >= frame.max_disprove or prove == 0 or disprove == 0:
            store(table, frame.low, frame.high, prove, disprove, task.nodes - frame.nodes_before)
            if depth == 0:
                task.depth = -1
                return
            paths[task.thread, depth] = 0
            depth -= 1
            above = frames[depth]
            above.prove[above.chosen], above.disprove[above.chosen] = prove, disprove
            above.plays[above.chosen] = ZERO
            continue
        if task.nodes >= end:
            task.depth = depth
            return
        frame.chosen = chosen
        child = frames[depth + 1]
        low, high = frame.child_low[chosen], frame.child_high[chosen]
        if threads > 1:
            value = look_up(table, low, high)
            if value != ZERO:
                known, other = unpack(value)
                if known == 0 or other == 0:
                    frame.prove[chosen], frame.disprove[chosen] = known, other
                    continue
            paths[task.thread, depth + 1] = np.int64(low)
        side = (task.side + depth) & 1
        index = frame.point[chosen]
        child.own, child.opp = frame.opp, frame.own | ONE << np.uint64(index)
        child.low, child.high = low, high
        for s in range(2 * SYMMETRIES):
            child.hash[s] = frame.hash[s] ^ zobrist[side, index, s]
        most = min(INFINITE, np.int64(second + np.int64(second * task.epsilon) + 1))
        child.max_disprove = min(frame.max_prove, most)
        child.max_prove = INFINITE
        if frame.max_disprove < INFINITE:
            child.max_prove = min(INFINITE, frame.max_disprove - total + frame.prove[chosen])
        child.nodes_before = task.nodes
        plays = frame.plays[chosen]
        depth += 1
        if plays == ZERO:
            task.nodes += 1
            attacker = task.attacker if depth & 1 == 0 else -task.attacker
            _, plays, _, _ = evaluate(child.own, child.opp, g, task.switches, attacker, task.plies - depth, room)
        task.expanded += 1
        expand(frames, depth, plays, table, zobrist, g, task, room)


def new_room() -> Any:
    """Room for the ladders of one thread."""
    return np.zeros((LEVELS + 1, 5), np.uint64)
