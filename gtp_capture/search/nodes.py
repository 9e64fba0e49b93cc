"""Nodes of the tree search: memory layout, selection of a child, proven values and AMAF statistics.

Each field of all nodes is one array, and the children of a node are adjacent in it, so a loop over them becomes a few
vector instructions (ten times as fast as with a record for each node). Values are for the colour that moved into a
node, as in `uct.py`.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.kernel import fence, inner, kernel, wide
from .parameters import Parameters


class Nodes(NamedTuple):
    """All nodes: one array for each field, indexed by node. Index 0 means no node."""

    link: Any
    """First child * 2**16 + number of children; 0 for a leaf, BUSY while a thread adds the children."""
    visits: Any
    wins: Any
    """Playouts won, a draw counting as half."""
    amaf_visits: Any
    """Playouts in which the colour played this move first, here or later; begins with the visits of the prior."""
    amaf_wins: Any
    move: Any
    """The point played to reach the node, or PASS."""
    length: Any
    """Plies to the end, of a proven node."""
    proven: Any
    """PROVEN_WIN or PROVEN_LOSS for the colour that moved here, or 0."""


TYPES: Final = Nodes(np.int64, np.int32, np.float32, np.float32, np.float32, np.int16, np.int16, np.int8)
NODES: Final = numba.types.NamedTuple([numba.from_dtype(np.dtype(t))[::1] for t in TYPES], Nodes)
BYTES: Final = sum(np.dtype(t).itemsize for t in TYPES)
"""Bytes of memory for one node."""
BUSY: Final = 1 << 16
"""Link of a node that a thread is expanding; it names no children, so other threads treat the node as a leaf."""
PROVEN_WIN: Final = 1
PROVEN_LOSS: Final = -1
ENDLESS: Final = 32_000
"""Plies to the end if no end is known: more than any game has."""
FAR: Final = np.float32(1e9)
"""Larger than the value of any child that is not proven."""
ARENA_DTYPE: Final = np.dtype([("next", "i8"), ("end", "i8")], align=True)
"""The range of free nodes of one thread."""
ARENA: Final = numba.from_dtype(ARENA_DTYPE)
_0, _1, _3 = np.float32(0), np.float32(1), np.float32(3)


def new_nodes(capacity: int) -> Nodes:
    """Return memory for `capacity` nodes."""
    return Nodes(*(np.zeros(capacity, t) for t in TYPES))


@inner
def link(first: int, count: int) -> int:
    """Return the link of a node with `count` children, the first one at index `first`."""
    return first << 16 | count


@inner
def first_child(nodes: Nodes, index: int) -> int:
    """Return the index of a node's first child."""
    return int(nodes.link[index] >> 16)


@inner
def child_count(nodes: Nodes, index: int) -> int:
    """Return the number of a node's children."""
    return int(nodes.link[index] & 0xFFFF)


@inner
def add_child(nodes: Nodes, index: int, move: int, prior: float, weight: float) -> int:
    """Write a new node with a prior win rate that counts for `weight` AMAF visits; return the index after it."""
    nodes.link[index] = 0
    nodes.visits[index] = 0
    nodes.wins[index] = 0.0
    nodes.amaf_visits[index] = weight
    nodes.amaf_wins[index] = weight * prior
    nodes.move[index] = move
    nodes.length[index] = 0
    nodes.proven[index] = 0
    return index + 1


@inner
def publish(nodes: Nodes, index: int, arena: Any, end: int) -> None:
    """Link a node to its new children, which are the nodes of the arena up to `end`.

    Children are complete before the link is stored, so that other threads can read them without a lock.
    """
    first = wide(arena.next)
    arena.next = end
    fence()
    nodes.link[index] = link(first, end - first)


@inner
def publish_win(nodes: Nodes, index: int, arena: Any, move: int, length: int) -> None:
    """Link a node to one new child, a move that wins `length` plies after it."""
    child = wide(arena.next)
    end = add_child(nodes, child, move, 1.0, 1.0)
    nodes.length[child] = length
    nodes.proven[child] = PROVEN_WIN
    publish(nodes, index, arena, end)


@inner
def select(nodes: Nodes, index: int, parameters: Parameters, values: Any) -> int:
    """Return the child to visit next: the one with the highest value; 0 if every child is a proven loss.

    The value mixes a child's mean with its AMAF mean, which gets less weight as visits grow (RAVE; Gelly and Silver
    2007), and adds a UCB term if `exploration` is not 0. `values` is scratch memory, a float32 for each child.
    """
    exploration, equivalence = np.float32(parameters.exploration), np.float32(parameters.rave_equivalence)
    log_visits = np.float32(math.log(nodes.visits[index] + 1.0))
    first, count = first_child(nodes, index), child_count(nodes, index)
    visits, wins = nodes.visits[first : first + count], nodes.wins[first : first + count]
    amaf_visits, amaf_wins = nodes.amaf_visits[first : first + count], nodes.amaf_wins[first : first + count]
    proven = nodes.proven[first : first + count]
    for i in range(count):
        n = np.float32(visits[i])
        at_least_1 = max(n, _1)
        mean = wins[i] / at_least_1
        amaf = amaf_wins[i] / amaf_visits[i]
        beta = np.float32(math.sqrt(equivalence / (_3 * n + equivalence)))
        value = mean + beta * (amaf - mean)
        if exploration != _0:
            value += exploration * np.float32(math.sqrt((log_visits + (_1 if n == _0 else _0)) / at_least_1))
        values[i] = value if proven[i] == 0 else FAR * np.float32(proven[i])
    best, best_value = 0, -FAR
    for i in range(count):
        if values[i] > best_value:
            best, best_value = first + i, values[i]
    return best


@inner
def prove(nodes: Nodes, index: int) -> None:
    """Derive a node's proven value from its children's (MCTS-Solver; Winands, Björnsson and Saito 2008).

    If a child is a win, the node is a loss for the colour that moved into it, one ply longer than the shortest win. If
    all children are losses, the node is a win, one ply longer than the longest loss.
    """
    first, count = first_child(nodes, index), child_count(nodes, index)
    if nodes.proven[index] != 0 or count == 0:
        return
    shortest, longest = ENDLESS, -1
    for child in range(first, first + count):
        if nodes.proven[child] == PROVEN_WIN:
            shortest = min(shortest, int(nodes.length[child]))
        elif nodes.proven[child] == PROVEN_LOSS:
            longest = max(longest, int(nodes.length[child]))
        else:
            longest = ENDLESS
    if shortest < ENDLESS:
        nodes.length[index] = shortest + 1
        nodes.proven[index] = PROVEN_LOSS
    elif longest < ENDLESS:
        nodes.length[index] = longest + 1
        nodes.proven[index] = PROVEN_WIN


@inner
def update_amaf(nodes: Nodes, index: int, first_plays: Any, share: float) -> None:
    """Credit each child whose move its colour played first in the rest of the playout (AMAF; Gelly and Silver 2007).

    `first_plays`: float32 for each point, 1 if that colour played there first, else 0. `share`: its result, 0 to 1.
    """
    first, count = first_child(nodes, index), child_count(nodes, index)
    move = nodes.move[first : first + count]
    amaf_visits, amaf_wins = nodes.amaf_visits[first : first + count], nodes.amaf_wins[first : first + count]
    won = np.float32(share)
    for i in range(count):
        played = first_plays[move[i]]
        amaf_visits[i] += played
        amaf_wins[i] += played * won


@inner
def copy_node(source: Nodes, index: int, target: Nodes, to: int) -> None:
    """Copy one node without its link."""
    target.visits[to] = source.visits[index]
    target.wins[to] = source.wins[index]
    target.amaf_visits[to] = source.amaf_visits[index]
    target.amaf_wins[to] = source.amaf_wins[index]
    target.move[to] = source.move[index]
    target.length[to] = source.length[index]
    target.proven[to] = source.proven[index]


@kernel(NODES, numba.int64, NODES, numba.int64[::1], returns=numba.int64)
def copy_subtree(source: Nodes, root: int, target: Nodes, origin: Any) -> int:
    """Copy a node and its descendants to other nodes, breadth first from node 1; return the end of the nodes in use.

    `origin` is scratch memory; its length limits the number of nodes. Parents whose children exceed it become leaves.
    """
    origin[1] = root
    copy_node(source, root, target, 1)
    used, index = 2, 1
    while index < used:
        first, count = first_child(source, origin[index]), child_count(source, origin[index])
        if count > 0 and used + count <= len(origin):
            for i in range(count):
                origin[used + i] = first + i
                copy_node(source, first + i, target, used + i)
            target.link[index] = link(used, count)
            used += count
        else:
            target.link[index] = 0
        index += 1
    return used
