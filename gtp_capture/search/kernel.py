"""The tree search: UCT with all-moves-as-first statistics, exact results where they can be proven, and threads.

One array of nodes is shared by all threads without locks. Each thread makes nodes in its own part of the
array and publishes children with a single store once they are whole; a lost count does no harm.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK, WHITE
from ..jit.kernel import BOARD, fence, inner, kernel, wide
from ..playout.ladder import BOARDS, CANDIDATES, first_attack, forced_win, gives_atari, mark_zone
from ..playout.policies import RECORD, note, tactical_playout
from ..playout.static import LOST, QUIET, capture_somewhere, forced_anywhere, is_safe, is_sharp
from ..playout.uniform import (
    DRAW,
    FORBIDDEN,
    RNG,
    RULES,
    area_winner,
    captured_enough,
    copy_board,
    must_lose,
    pass_stone,
)
from .nodes import BUSY, NODES, WON, Nodes, add_child, prove, select, update_amaf, winning_child
from .priors import ROOM, WEIGHTS, learned_prior, plain_prior

ARENA: Final = numba.int64[::1]
"""Of one thread: the next free node, and the end of its part."""
PARAMETERS: Final = numba.float64[::1]

DEPTH: Final = 1_000
RECORD_LENGTH: Final = 4_000
SHARP: Final = (0.0, 1000.0, 50.0, 5.0, 500.0, 250.0, 0.12)
"""Exploration constant, AMAF equivalence, prior visits, visits before a leaf grows, attacks read for either side, and
what a learned weight of 1 is worth (0: plain priors)."""
PLAIN: Final = (0.0, 1000.0, 6.0, 5.0, 500.0, 250.0, 0.0)
"""The same for levels that have learned nothing."""
BLUNT: Final = (0.1, 500.0, 4.0, 4.0, 0.0, 0.0, 0.0)
"""The same for levels that may overlook an atari."""
MIXED: Final = (0.0, 1000.0, 6.0, 5.0, 0.0, 0.0, 0.0)
"""The same where more than one prisoner decides."""
ORDINARY: Final = (0.0, 1000.0, 8.0, 5.0, 0.0, 0.0, 0.0)
"""The same where the score alone decides."""


@inner
def expand(
    nodes: Nodes,
    index: int,
    arena: Any,
    b: Board,
    rules: Any,
    c: int,
    last: int,
    parameters: Any,
    boards: Any,
    candidates: Any,
    zone: Any,
    learned: Any,
    found: Any,
) -> int:
    """Give a node its children, colour c to move: WON or LOST for c where that shows at once, else 0.

    A full arena leaves the node as it is.
    """
    if arena[0] + b.empties + 1 > arena[1]:
        return 0
    first = int(arena[0])
    used = first
    sharp = is_sharp(b, rules)
    weight = parameters[2]
    if rules.captures > 0:
        winning = capture_somewhere(b, c, rules.captures - b.prisoners[c])
        if winning > 0 and not (rules.ko and winning == b.ko):
            return winning_child(nodes, index, arena, winning, 0)
    forced = forced_anywhere(b, c) if sharp else QUIET
    if forced == LOST:
        return LOST
    if sharp and forced == QUIET and parameters[4] > 0:
        length = forced_win(b, c, boards, candidates, int(parameters[4]))
        if length > 0:
            return winning_child(nodes, index, arena, first_attack(candidates), length - 1)
    threat = 0
    if sharp and forced == QUIET and parameters[5] > 0:
        # What would the opponent do if c passed? A win by force leaves only what disturbs it, and counter-ataris.
        threat = forced_win(b, 3 - c, boards, candidates, int(parameters[5]))
        if threat > 0:
            mark_zone(boards, candidates, threat, zone)
    for i in range(b.empties):
        p = wide(b.empty[i])
        if forced != QUIET and p != forced:
            continue
        if sharp:
            good = is_safe(b, p, c) and (threat == 0 or zone[p] == 1 or gives_atari(b, p, c))
        else:
            good = (
                bd.is_legal(b, p, c, rules.suicide)
                and not (rules.ko and p == b.ko)
                and not (rules.scored and bd.is_eye(b, p, c))
            )
        if good:
            if sharp and parameters[6] > 0:
                prior = learned_prior(b, p, c, last, learned, parameters[6], found)
            else:
                prior = plain_prior(b, rules, p, c, last)
            used = add_child(nodes, used, p, prior, weight)
    if sharp:
        if used == first:
            return LOST
    elif rules.passing != FORBIDDEN and not (rules.captures > 0 and must_lose(b, rules, c)):
        used = add_child(nodes, used, 0, 0.3, weight)
    elif used == first:
        return LOST
    arena[0] = used
    fence()
    nodes.link[index] = (first << 16) | (used - first)
    return 0


@inner
def has_play(b: Board, rules: Any, c: int) -> bool:
    """Whether a colour has any legal play."""
    for i in range(b.empties):  # noqa: SIM110 - compiled code has no generators here
        if bd.is_legal(b, wide(b.empty[i]), c, rules.suicide):
            return True
    return False


@inner
def note_first(first_plays: Any, p: int, c: int) -> None:
    """Note that colour c plays a point before the other does."""
    first_plays[c, p] = 1
    first_plays[3 - c, p] = 0


@kernel(
    NODES,
    ARENA,
    numba.int64,
    BOARD,
    BOARD,
    RULES,
    RNG,
    RECORD,
    PARAMETERS,
    WEIGHTS,
    BOARDS,
    CANDIDATES,
    numba.int64,
    numba.int64,
    numba.int64,
    numba.int64,
    returns=numba.int64,
)
def search(
    nodes: Nodes,
    arena: Any,
    root: int,
    start: Board,
    work: Board,
    rules: Any,
    state: Any,
    record: Any,
    parameters: Any,
    learned: Any,
    boards: Any,
    candidates: Any,
    color: int,
    last: int,
    passes: int,
    playouts: int,
) -> int:
    """Run so many playouts from node `root`, where `color` is to move in `start`; how many were run.

    It returns early once the root is proven. `last` is the point of the last play or 0, `passes` the passes in a
    row before it.
    """
    path = np.zeros(DEPTH, np.int64)
    first_plays = np.zeros((3, len(work.color)), np.float32)
    values = np.zeros(len(work.color), np.float32)
    zone = np.zeros(len(work.color), np.int8)
    found = np.zeros(ROOM, np.int32)
    threshold = parameters[3]
    done = 0
    while done < playouts and nodes.proven[root] == 0:
        done += 1
        copy_board(work, start)
        index, depth, length, c, near, passed, winner = root, 0, 0, color, last, passes, 0
        path[0] = root
        nodes.visits[root] += 1
        while winner == 0 and depth < DEPTH - 1:
            if nodes.proven[index] != 0:
                winner = 3 - c if nodes.proven[index] == WON else c
                break
            if nodes.link[index] == 0:
                if index != root and nodes.visits[index] < threshold:
                    break
                nodes.link[index] = BUSY
                shown = expand(
                    nodes, index, arena, work, rules, c, near, parameters, boards, candidates, zone, learned, found
                )
                if nodes.link[index] == BUSY:
                    nodes.link[index] = 0
                if shown == LOST:
                    # One more play and its capture, unless there is no play at all.
                    nodes.length[index] = 2 if has_play(work, rules, c) else 0
                    nodes.proven[index] = WON
                    winner = 3 - c
                    break
                if nodes.link[index] == 0:
                    break
                if shown == WON:
                    prove(nodes, index)
                    winner = c
                    break
            elif nodes.link[index] == BUSY:
                break
            index = select(nodes, index, parameters, values)
            if index == 0:
                # Every child loses; another thread was faster to see it, or this one is about to.
                prove(nodes, path[depth])
                winner = 3 - c
                break
            depth += 1
            path[depth] = index
            nodes.visits[index] += 1
            move = wide(nodes.move[index])
            if move == 0:
                pass_stone(work, rules, c)
                passed += 1
                winner = captured_enough(work, rules)
                if winner == 0 and passed >= 2:
                    winner = area_winner(work, rules)
            else:
                passed = 0
                record[length] = note(c, move)
                length += 1
                if bd.play(work, move, c) != 0:
                    winner = captured_enough(work, rules)
                    if winner != 0:
                        nodes.proven[index] = WON if winner == c else LOST
            near = move
            c = 3 - c
        tree_length = length
        if winner == 0:
            sharp_and_settled = is_sharp(work, rules)
            if sharp_and_settled and capture_somewhere(work, c, 1) > 0:
                winner = c
            elif sharp_and_settled and forced_anywhere(work, c) == LOST:
                winner = 3 - c
            else:
                winner, length = tactical_playout(work, rules, c, near, passed, state, record, length)
        # Backwards, so that at each node first_plays holds who plays a point first from there on.
        for i in range(length - 1, tree_length - 1, -1):
            note_first(first_plays, abs(wide(record[i])), BLACK if record[i] > 0 else WHITE)
        for d in range(depth, -1, -1):
            index = path[d]
            to_move = color if d % 2 == 0 else 3 - color
            share = 0.5 if winner == DRAW else 1.0 if winner == to_move else 0.0
            update_amaf(nodes, index, first_plays[to_move], share)
            nodes.wins[index] += 1.0 - share
            if d < depth and nodes.proven[path[d + 1]] != 0:
                prove(nodes, index)
            if d > 0 and nodes.move[index] > 0:
                note_first(first_plays, wide(nodes.move[index]), 3 - to_move)
        for i in range(length):
            first_plays[BLACK, abs(wide(record[i]))] = 0
            first_plays[WHITE, abs(wide(record[i]))] = 0
    return done
