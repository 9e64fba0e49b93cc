"""Depth-first proof-number search (df-pn) with a transposition table, compiled.

Proof and disproof numbers refer to the side to move: pn estimates the work to prove that it wins, dn the work to prove
that it loses. The pn of a node is the least dn of its children; each dn is multiplied by a factor, which is
greater for a play that `order` finds unlikely. The dn of a node is a damped sum of the pn of its children: the greatest
pn and a part of the others. A plain sum would count work several times, because plays in another order lead to the same
positions. `choose_child` computes both numbers and selects the child to search. `expand` probes the table. `search` is
the loop; it stores to the table where a threshold is reached.

Most plays need no evaluation. The plays that are not urgent form the rest of a node: each counts with the numbers of
`static.estimate_rest`, and becomes a child when these numbers are the best.

Sources: Nagai (2002) for df-pn; Pawlewicz and Lew (2006) for the 1 + epsilon trick, by which a child is searched until
its dn exceeds the second least dn by a factor, not by one.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from ..jit.intrinsics import borrowed, fetch
from ..jit.kernel import inner, kernel
from .bitboard import ONE, SYMMETRIES, ZERO, lowest_index, point_bit, popcount, zero_like
from .order import FACTORS, INITIAL_FACTORS, LOWEST, MOST_COLUMNS, ONCE, enter_scores, factor, least_with, times
from .result import LOSS, UNKNOWN, WIN
from .static import ALL, KNOWLEDGE, LEARNED, SMALL_POINTS, URGENCY, Evaluation, Goal, estimate_rest, evaluate
from .table import INFINITE, bucket_of, goal_key, numbers_of, probe, store, store_leaf
from .task import FRAMES, MEMORY, PATHS, TASK, Memory

BEST_OF_REST: Final = -1
"""In place of the index of a child: the best play of the rest."""
FEW: Final = 5
"""If a node has no more plays than this, all become children at once."""
NODES_BETWEEN_CHECKS: Final = 2_000
"""Nodes between two checks whether another thread has decided a node of the path."""
STEPS: Final = 8
"""Maximum steps for each node of a budget. A step to a node whose numbers are in the table counts no node."""
EPSILON: Final = 0.1
"""A child is searched until its dn exceeds the second least dn by this part; see Pawlewicz and Lew."""
LEAST_DAMPING: Final = 0.65
"""The damping on boards of up to SMALL_POINTS."""
PLAIN_POINTS: Final = 45
"""Points of the smallest board with the plain sum. Between SMALL_POINTS and this size the damping grows with each
point."""
ORDERED_POINTS: Final = 56
"""Points of the smallest board with the learned order. On 7x7 it hardly saves time."""


class Choice(NamedTuple):
    """A node's numbers and the child to search next."""

    pn: Any
    dn: Any
    child: Any
    """The index of the child in the frame, or BEST_OF_REST."""
    second: Any
    """The least dn of the other children."""
    pn_sum: Any
    """The sum of the children's pn, which may exceed INFINITE."""
    pn_most: Any
    """The greatest pn of the other children."""


@inner
def damped_sum(total: Any, most: Any, damping: float) -> Any:
    """Return the dn of a node by the sum of its children's pn and the greatest one: most + damping * the others."""
    return min(np.int64(most + damping * (total - most)), INFINITE - 1)


@inner
def weighted(dn: Any, factor: Any) -> Any:
    """Return the dn of a child times its factor; INFINITE stays, because it is a result."""
    return dn if dn == INFINITE else min(INFINITE - 1, times(dn, factor))


@inner
def child_threshold(dn: Any, others: Any, most: Any, damping: float) -> Any:
    """Return the least pn of a child with which `damped_sum` reaches `dn`.

    `others`, `most`: the sum of its siblings' pn and the greatest one.
    """
    alone = dn - damping * others
    return alone if alone > most else (dn - most) / damping + most - others


@inner
def choose_child(frame: Any, depth: int, task: Any, paths: Any) -> Choice:
    """Compute a node's pn and dn from its children, and choose the child with the least dn.

    The dn of a child that another thread is searching is increased a little (virtual dn): the threads stay on the most
    promising path, and separate where other children are about as good. An increased dn stays below the node's
    threshold if dn is below it: a child at the threshold returns at once, so to choose it would be an endless loop.
    """
    pn, second, child, pn_sum = INFINITE, INFINITE, 0, 0
    least = INFINITE
    first_most, second_most = 0, 0  # the greatest pn of a child, and the next
    thread, threads, children = task.thread, paths.shape[0], frame.children
    for i in range(children):
        pn_sum += frame.pn[i]
        second_most = max(second_most, min(first_most, frame.pn[i]))
        first_most = max(first_most, frame.pn[i])
        dn = weighted(frame.dn[i], frame.factor[i])
        pn = min(pn, dn)
        if threads > 1 and dn < INFINITE:
            for t in range(threads):
                if t != thread and paths[t, depth + 1] == np.int64(frame.child_low[i]):
                    dn = min(dn + dn // 32 + 1, max(dn, frame.pn_threshold - 1))
        if dn < least:
            second = least
            least, child = dn, i
        elif dn < second:
            second = dn
    if frame.rest != ZERO:
        pn_sum += popcount(frame.rest) * frame.rest_pn
        second_most = max(second_most, min(first_most, frame.rest_pn))
        first_most = max(first_most, frame.rest_pn)
        dn = weighted(frame.rest_dn, frame.rest_factor)
        pn = min(pn, dn)
        if dn < least:
            second, least, child = least, dn, BEST_OF_REST
        else:
            second = min(second, dn)
    node_dn = INFINITE if pn == 0 else 0 if pn == INFINITE else damped_sum(pn_sum, first_most, task.damping)
    most = second_most if child != BEST_OF_REST and frame.pn[child] == first_most else first_most
    return Choice(pn, node_dn, child, second, pn_sum, most)


def damping_for(width: int, height: int) -> float:
    """Return the part of the other children's pn that a sum counts on a board, from measurements in solver.md.

    On a small board, plays in another order often lead to the same positions, and a plain sum counts their work several
    times. On a large board, different plays mostly need different work.
    """
    part = (width * height - SMALL_POINTS) / (PLAIN_POINTS - SMALL_POINTS)
    return LEAST_DAMPING + (1 - LEAST_DAMPING) * min(1.0, max(0.0, part))


def features_for(width: int, height: int) -> int:
    """Return the features of `static` that save time on a board of this size."""
    features = ALL
    if width * height < ORDERED_POINTS or width > MOST_COLUMNS:
        features -= LEARNED
    if width * height <= SMALL_POINTS:
        features -= URGENCY
    return features


@inner
def goal_at(task: Any, depth: int) -> Goal:
    """Return the goal for the side to move at a depth."""
    return Goal(task.attacker if depth & 1 == 0 else -task.attacker, task.plies - depth)


@inner
def canonical(hashes: Any) -> int:
    """Return the index of the symmetry with the least key: the canonical form of the position."""
    best = 0
    for s in range(1, SYMMETRIES):
        if hashes[s] < hashes[best]:
            best = s
    return best


@inner
def evaluate_node(own: Any, opp: Any, goal: Goal, task: Any, memory: Memory) -> Evaluation:
    """Evaluate a position for a task; a result is an infinite pn or dn."""
    task.nodes += 1
    evaluation = evaluate(own, opp, goal, task.features, memory.stack, memory.geometry)
    if evaluation.result == WIN:
        return Evaluation(WIN, zero_like(own), 0, INFINITE)
    if evaluation.result == LOSS:
        return Evaluation(LOSS, zero_like(own), INFINITE, 0)
    return evaluation


@inner
def is_symmetric(frame: Any, task: Any, g: Any) -> bool:
    """Return whether the position of a frame is its own image by a symmetry."""
    if task.features & KNOWLEDGE:
        different = SYMMETRIES if g.width * g.width == popcount(g.full) else SYMMETRIES // 2
        for s in range(1, different):
            if frame.hash[s] == frame.hash[0]:
                return True
    return False


@inner
def enter_child(frame: Any, depth: int, index: Any, task: Any, memory: Memory) -> None:
    """Add the key of a child to a frame, and fetch its bucket of the table."""
    zobrist = memory.zobrist.keys
    side, goal = (task.side + depth) & 1, goal_at(task, depth + 1)
    best, low = 0, frame.hash[0] ^ zobrist[side, index, 0]
    if task.features & KNOWLEDGE:
        for s in range(1, SYMMETRIES):  # a constant, which makes the loop faster
            h = frame.hash[s] ^ zobrist[side, index, s]
            if h < low:
                best, low = s, h
    high = frame.hash[SYMMETRIES + best] ^ zobrist[side, index, SYMMETRIES + best]
    mixed = goal_key(1 - side, goal.attacker, goal.plies)
    n = frame.children
    frame.child_low[n], frame.child_high[n], frame.point[n] = low ^ mixed, high ^ mixed, index
    frame.factor[n] = factor_of(frame, index, FACTORS, task)
    fetch(memory.table, bucket_of(memory.table, low ^ mixed))
    frame.children = n + 1


@inner
def enter_children(frame: Any, depth: int, plays: Any, symmetric: bool, task: Any, memory: Memory) -> None:
    """Fill a frame with the keys of the children that these plays lead to.

    If the position is symmetric, only one of children that are images of one another is entered.
    """
    frame.children = 0
    while plays != ZERO:
        index = lowest_index(plays)
        plays &= plays - ONE
        enter_child(frame, depth, index, task, memory)
        if symmetric:
            n = frame.children - 1
            for i in range(n):
                if frame.child_low[i] == frame.child_low[n] and frame.child_high[i] == frame.child_high[n]:
                    frame.children = n
                    break


@inner
def take_numbers(frame: Any, i: int, value: Any) -> None:
    """Set the numbers of a child from a value of the table."""
    frame.pn[i], frame.dn[i] = numbers_of(value)
    frame.plays[i] = ZERO


@inner
def evaluate_child(frame: Any, i: int, depth: int, task: Any, memory: Memory) -> None:
    """Set the numbers of a child from the table, or by static evaluation."""
    value = probe(memory.table, frame.child_low[i], frame.child_high[i])
    if value != ZERO:
        take_numbers(frame, i, value)
        return
    own = frame.own | point_bit(frame.point[i], memory.geometry)
    evaluation = evaluate_node(frame.opp, own, goal_at(task, depth + 1), task, memory)
    dn = evaluation.dn
    if evaluation.result == UNKNOWN:
        dn = times(dn, factor_of(frame, frame.point[i], INITIAL_FACTORS, task))
    frame.pn[i], frame.dn[i], frame.plays[i] = evaluation.pn, dn, evaluation.plays
    store_leaf(memory.table, frame.child_low[i], frame.child_high[i], frame.pn[i], frame.dn[i])


@inner
def factor_of(frame: Any, point: Any, factors: Any, task: Any) -> Any:
    """Return the factor of the dn of a play, see `order`."""
    return factor(factors, frame.scores[point], frame.best_score) if task.features & LEARNED else np.int64(ONCE)


@inner
def choose_rest(frame: Any, task: Any) -> None:
    """Find the play of the rest with the greatest score, and its factor, unless the last one is still in the rest."""
    if frame.rest == ZERO or frame.rest >> int(frame.rest_best) & ONE != ZERO:
        return
    frame.rest_best = lowest_index(frame.rest)
    if task.features & LEARNED:
        rest, best = frame.rest, np.int64(LOWEST)
        while rest != ZERO:
            point = lowest_index(rest)
            rest &= rest - ONE
            if frame.scores[point] > best:
                best, frame.rest_best = np.int64(frame.scores[point]), point
    frame.rest_factor = factor_of(frame, frame.rest_best, FACTORS, task)


@inner
def expand_best_of_rest(frame: Any, depth: int, task: Any, memory: Memory) -> None:
    """Take the best play of the rest and make it a child."""
    index = frame.rest_best
    frame.rest &= ~point_bit(index, memory.geometry)
    choose_rest(frame, task)
    enter_child(frame, depth, index, task, memory)
    evaluate_child(frame, frame.children - 1, depth, task, memory)


@inner
def take_known(frame: Any, depth: int, task: Any, memory: Memory) -> None:
    """Make a child of each play of the rest whose position is in the table."""
    n, rest = frame.children, frame.rest
    while rest != ZERO:
        index = lowest_index(rest)
        rest &= rest - ONE
        enter_child(frame, depth, index, task, memory)
    last, frame.children = frame.children, n
    for i in range(n, last):
        value = probe(memory.table, frame.child_low[i], frame.child_high[i])
        if value == ZERO:
            continue
        n = frame.children
        frame.child_low[n], frame.child_high[n] = frame.child_low[i], frame.child_high[i]
        frame.point[n], frame.factor[n] = frame.point[i], frame.factor[i]
        frame.children, frame.rest = n + 1, frame.rest & ~point_bit(frame.point[n], memory.geometry)
        take_numbers(frame, n, value)
    choose_rest(frame, task)


@inner
def expand(frame: Any, depth: int, evaluation: Evaluation, known: Any, task: Any, memory: Memory) -> None:
    """Fill a frame with the children that the urgent plays of its evaluation lead to; the other plays are the rest.

    `known`: whether the position was searched before; then each play of the rest whose position is in the table becomes
    a child too. A child that decides the node is the last one.
    """
    g, plays = memory.geometry, evaluation.plays
    symmetric = is_symmetric(frame, task, g)
    frame.rest = zero_like(plays)
    if task.features & LEARNED:
        enter_scores(frame, plays, memory.order, memory.around, g)
    if task.features & URGENCY and not symmetric and popcount(plays) > FEW:
        expected = estimate_rest(frame.own, frame.opp, g)
        frame.rest = plays & ~expected.urgent
        frame.rest_pn, frame.rest_dn = expected.pn, expected.dn
        frame.rest_best = lowest_index(~frame.rest)  # a point outside the rest, so that `choose_rest` chooses
        choose_rest(frame, task)
    enter_children(frame, depth, plays & ~frame.rest, symmetric, task, memory)
    for i in range(frame.children):
        evaluate_child(frame, i, depth, task, memory)
        if frame.dn[i] == 0:
            frame.children = i + 1
            return
    if known and frame.rest != ZERO:
        take_known(frame, depth, task, memory)


@inner
def enter_root(frame: Any, task: Any, zobrist: Any) -> None:
    """Set the first frame to the task's position."""
    frame.own, frame.opp = (task.black, task.white) if task.side == 0 else (task.white, task.black)
    frame.hash[:] = ZERO
    for color in range(2):
        rest = task.black if color == 0 else task.white
        while rest != ZERO:
            index = lowest_index(rest)
            rest &= rest - ONE
            for s in range(2 * SYMMETRIES):
                frame.hash[s] ^= zobrist.keys[color, index, s]
    best = canonical(frame.hash) if task.features & KNOWLEDGE else 0
    mixed = goal_key(task.side, task.attacker, task.plies)
    frame.low, frame.high = frame.hash[best] ^ mixed, frame.hash[SYMMETRIES + best] ^ mixed
    frame.pn_threshold, frame.dn_threshold = INFINITE, INFINITE


@inner
def begin(frame: Any, task: Any, memory: Memory, probes: bool) -> bool:
    """Begin a task; return whether there is anything to search.

    Without `probes`, it does not take the result of the root from the table, so that `search` finds a play.
    """
    enter_root(frame, task, memory.zobrist)
    value = probe(memory.table, frame.low, frame.high)
    if probes and value != ZERO:
        task.pn, task.dn = numbers_of(value)
        if task.pn == 0 or task.dn == 0:
            return False
    evaluation = evaluate_node(frame.own, frame.opp, goal_at(task, 0), task, memory)
    if evaluation.result != UNKNOWN:
        task.pn, task.dn = evaluation.pn, evaluation.dn
        return False
    task.depth = 0
    frame.nodes_before = task.nodes
    expand(frame, 0, evaluation, True, task, memory)
    return True


@inner
def descend(frame: Any, child: Any, choice: Choice, depth: int, task: Any, memory: Memory) -> None:
    """Expand the chosen child of the node at a depth, with its thresholds."""
    i, side, zobrist = choice.child, (task.side + depth) & 1, memory.zobrist.keys
    index = frame.point[i]
    frame.chosen = i
    child.own, child.opp = frame.opp, frame.own | point_bit(index, memory.geometry)
    child.low, child.high = frame.child_low[i], frame.child_high[i]
    for s in range(2 * SYMMETRIES):
        child.hash[s] = frame.hash[s] ^ zobrist[side, index, s]
    second = min(INFINITE, np.int64(choice.second + np.int64(choice.second * EPSILON) + 1))
    child.dn_threshold = min(frame.pn_threshold, second)
    if child.dn_threshold < INFINITE:
        child.dn_threshold = least_with(child.dn_threshold, frame.factor[i])
    child.pn_threshold = INFINITE
    if frame.dn_threshold < INFINITE:
        pn = frame.pn[i]
        needed = child_threshold(frame.dn_threshold, choice.pn_sum - pn, choice.pn_most, task.damping)
        child.pn_threshold = min(INFINITE, max(pn + 1, np.int64(math.ceil(needed))))
    child.nodes_before = task.nodes
    evaluation, known = Evaluation(UNKNOWN, frame.plays[i], 1, 1), frame.plays[i] == ZERO
    if known:
        evaluation = evaluate_node(child.own, child.opp, goal_at(task, depth + 1), task, memory)
    expand(child, depth + 1, evaluation, known, task, memory)


@inner
def leave_decided(frames: Any, depth: int, thread: int, paths: Any, memory: Memory) -> int:
    """Return the depth of the first node on the path that another thread has decided; if there is none, `depth`.

    The frame of a decided node gets a single child that decides it.
    """
    for above in range(depth):
        frame = frames[above]
        value = probe(memory.table, frame.low, frame.high)
        if value != ZERO:
            pn, dn = numbers_of(value)
            if pn == 0 or dn == 0:
                frame.children, frame.pn[0], frame.dn[0], frame.rest = 1, dn, pn, ZERO
                frame.factor[0] = ONCE
                for below in range(above + 1, depth + 1):
                    paths[thread, below] = 0
                return above
    return depth


@kernel(FRAMES, TASK, MEMORY, PATHS)
def search(frames: Any, task: Any, memory: Memory, paths: Any) -> None:
    """Search until the task is decided or its budget is spent; `task.pn` and `task.dn` are the numbers of the root.

    A later call with the same frames resumes the search; with other frames it begins at the root, with the same table.
    `paths` [threads, DEPTH] holds the keys of the nodes on each thread's path.
    """
    frames, memory, paths = borrowed(frames), borrowed(memory), borrowed(paths)
    end = task.nodes + task.budget
    if task.depth < 0 and not begin(frames[0], task, memory, True):
        return
    thread, threads, depth = task.thread, paths.shape[0], task.depth
    next_check, steps = task.nodes + NODES_BETWEEN_CHECKS, STEPS * task.budget + 1_000
    while True:
        if threads > 1 and task.nodes >= next_check:
            next_check = task.nodes + NODES_BETWEEN_CHECKS
            depth = leave_decided(frames, depth, thread, paths, memory)
        frame = frames[depth]
        choice = choose_child(frame, depth, task, paths)
        pn, dn = choice.pn, choice.dn
        if depth == 0:
            task.pn, task.dn = pn, dn
        if pn >= frame.pn_threshold or dn >= frame.dn_threshold or pn == 0 or dn == 0:
            store(memory.table, frame.low, frame.high, pn, dn, task.nodes - frame.nodes_before)
            if depth == 0:
                task.depth = -1
                return
            paths[thread, depth] = 0
            depth -= 1
            parent = frames[depth]
            i = parent.chosen
            parent.pn[i], parent.dn[i], parent.plays[i] = pn, dn, ZERO
            continue
        steps -= 1
        if task.nodes >= end or steps <= 0:
            task.depth = depth
            return
        if choice.child == BEST_OF_REST:
            expand_best_of_rest(frame, depth, task, memory)
            continue
        if threads > 1:
            child, low = choice.child, frame.child_low[choice.child]
            value = probe(memory.table, low, frame.child_high[child])
            if value != ZERO:
                pn, dn = numbers_of(value)
                if pn == 0 or dn == 0:  # another thread has decided it
                    take_numbers(frame, child, value)
                    continue
            paths[thread, depth + 1] = np.int64(low)
        descend(frame, frames[depth + 1], choice, depth, task, memory)
        depth += 1
