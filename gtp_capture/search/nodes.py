"""Nodes of the tree search: memory layout, selection of a child, and proven values.

Each field of all nodes is one array, and the children of a node are adjacent in it, so a loop over them becomes a few
vector instructions (ten times as fast as with a record for each node). Values are for the colour that moved into a
node.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.kernel import as_int64, fence, inner
from ..util.memory import sparse_zeros
from .parameters import Parameters


class Nodes(NamedTuple):
    """All nodes: one array for each field, indexed by node. Index 0 means no node."""

    link: Any
    """First child * 2**16 + number of children; 0 for a leaf, BUSY while a thread adds the children."""
    visits: Any
    wins: Any
    """The sum of the values of the leaves below, each 0 to 1 for the colour that moved here."""
    move: Any
    """The point played to reach the node, or PASS."""
    length: Any
    """The plies to the end of a proven node, or EXCLUDED."""
    proven: Any
    """PROVEN_WIN or PROVEN_LOSS for the colour that moved here, or 0."""
    policy: Any
    """Probability of the move by the network's policy."""


TYPES: Final = Nodes(np.int64, np.int32, np.float32, np.int16, np.int16, np.int8, np.float32)
NODES: Final = numba.types.NamedTuple([numba.from_dtype(np.dtype(t))[::1] for t in TYPES], Nodes)
BYTES: Final = sum(np.dtype(t).itemsize for t in TYPES)
"""Bytes of memory for one node."""
BUSY: Final = 1 << 16
"""Link of a node that a thread is expanding; it names no children, so other threads treat the node as a leaf."""
PROVEN_WIN: Final = 1
PROVEN_LOSS: Final = -1
ENDLESS: Final = 32_000
"""Plies to the end if no end is known: more than any game has."""
EXCLUDED: Final = -1
"""Length of a node that counts as a loss only because the search may not consider its move."""
LANES: Final = 8
"""Loops over children run over a multiple of this number: the children that one vector instruction handles."""
FAR: Final = np.float32(1e9)
"""Larger than the value of any child that is not proven."""
ARENA_DTYPE: Final = np.dtype([("start", "i8"), ("next", "i8"), ("end", "i8")], align=True)
"""The range of nodes of one thread, and the first free one."""
_0, _1 = np.float32(0), np.float32(1)


def new_nodes(capacity: int) -> Nodes:
    """Return memory for `capacity` nodes, and for the nodes behind them that loops over whole vectors read."""
    return Nodes(*(sparse_zeros(capacity + LANES, t) for t in TYPES))


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
def add_child(nodes: Nodes, index: int, move: int) -> int:
    """Write a new node; return the index after it."""
    nodes.link[index] = 0
    nodes.visits[index] = 0
    nodes.wins[index] = 0.0
    nodes.move[index] = move
    nodes.length[index] = 0
    nodes.proven[index] = 0
    nodes.policy[index] = 0
    return index + 1


@inner
def is_crowded(arena: Any) -> bool:
    """Return whether a thread has used more than half of its nodes."""
    return bool(arena.next - arena.start > (arena.end - arena.start) // 2)


@inner
def publish(nodes: Nodes, index: int, arena: Any, end: int) -> None:
    """Link a node to its new children, which are the nodes of the arena up to `end`.

    Children are complete before the link is stored, so that other threads can read them without a lock.
    """
    first = as_int64(arena.next)
    arena.next = end
    fence()
    nodes.link[index] = link(first, end - first)


@inner
def publish_win(nodes: Nodes, index: int, arena: Any, move: int, length: int) -> None:
    """Link a node to one new child, a move that wins `length` plies after it."""
    child = as_int64(arena.next)
    end = add_child(nodes, child, move)
    nodes.policy[child] = 1
    nodes.length[child] = length
    nodes.proven[child] = PROVEN_WIN
    publish(nodes, index, arena, end)


@inner
def weigh(nodes: Nodes, index: int, first: int, padded: int, parameters: Parameters, values: Any) -> None:
    """Write the values of children: their means plus c * policy * sqrt(visits of the parent) / (1 + own visits).

    This is PUCT (Rosin 2011) as in AlphaGo Zero (Silver et al. 2017).
    """
    visits, wins = nodes.visits[first : first + padded], nodes.wins[first : first + padded]
    policy, proven = nodes.policy[first : first + padded], nodes.proven[first : first + padded]
    whole = np.float32(nodes.visits[index])
    due = np.float32(parameters.exploration) * np.float32(math.sqrt(whole))
    unknown = max(_0, _1 - nodes.wins[index] / max(whole, _1) - np.float32(parameters.unvisited))
    for i in range(padded):
        n = np.float32(visits[i])
        mean = wins[i] / max(n, _1) if visits[i] > 0 else unknown
        value = mean + due * policy[i] / (_1 + n)
        values[i] = value if proven[i] == 0 else FAR * np.float32(proven[i])


@inner
def select(nodes: Nodes, index: int, parameters: Parameters, values: Any) -> int:
    """Return the child to visit next: the one with the highest value; 0 if every child is a proven loss.

    `values` is scratch memory, a float32 for each child and LANES more.
    """
    first, count = first_child(nodes, index), child_count(nodes, index)
    # The loops run over whole vectors, and so also over nodes behind the children: single steps would take as long.
    padded = (count + LANES - 1) & -LANES
    weigh(nodes, index, first, padded, parameters, values)
    for i in range(count, padded):
        values[i] = -FAR
    # Floats that are not negative are ordered as their bits are, and integers are compared by vector instructions.
    bits = values.view(np.int32)
    most: Any = np.int32(-1)
    for i in range(padded):
        most = max(most, bits[i])
    if most < 0:
        return 0
    best: Any = np.int32(count)
    for i in range(padded):
        best = min(best, np.int32(i) if bits[i] == most else np.int32(count))
    return first + as_int64(best)


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


def copy_subtree(source: Nodes, root: int, target: Nodes, room: int) -> int:
    """Copy a node and its descendants to other nodes, breadth first from node 1; return the end of the nodes in use.

    `room`: maximum of this end. Parents whose children exceed it become leaves.
    """
    begin, end, origin = 1, 2, np.array([root])
    while begin < end:
        links = source.link[origin]
        counts = links & 0xFFFF
        ends = end + np.cumsum(counts)
        counts[ends > room] = 0
        firsts = ends - counts
        for old, new in zip(source, target, strict=True):
            new[begin:end] = old[origin]
        target.link[begin:end] = np.where(counts, firsts << 16 | counts, 0)
        origin = np.repeat((links >> 16) - firsts, counts)
        begin, end = end, end + len(origin)
        origin += np.arange(begin, end)
    return end
