"""The nodes of the tree search: their fields, what is derived from a node's children, and how they are credited.

Each field of all nodes is one array, and the children of a node lie side by side in it: a loop over them is a few
vector instructions (ten times as fast as with a record for each node). Values are for the colour that moved into a
node, as in `uct.py`.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..jit.kernel import fence, inner, kernel
from ..playout.static import LOST


class Nodes(NamedTuple):
    """All nodes; index 0 means none."""

    link: Any
    """First child * 2**16 + number of children; 0 before they are known."""
    visits: Any
    wins: Any
    amaf_visits: Any
    amaf_wins: Any
    move: Any
    length: Any
    """Of a proven node: plies to the end."""
    proven: Any
    """WON or LOST for the colour that moved here, or 0."""


TYPES: Final = Nodes(np.int64, np.int32, np.float32, np.float32, np.float32, np.int16, np.int16, np.int8)
NODES: Final = numba.types.NamedTuple([numba.from_dtype(np.dtype(t))[::1] for t in TYPES], Nodes)
BYTES: Final = sum(np.dtype(t).itemsize for t in TYPES)
"""Memory that one node takes."""
BUSY: Final = 1 << 16
"""The link, to no children, of a node that a thread is about to give some: the others take it for a leaf."""
WON: Final = 1
ENDLESS: Final = 32_000
"""Plies to the end where no end is known: more than any game has."""
FAR: Final = np.float32(1e9)
"""Beyond every value of a child that is not proven."""
_0, _1, _3 = np.float32(0), np.float32(1), np.float32(3)


def new_nodes(capacity: int) -> Nodes:
    """Room for so many nodes."""
    return Nodes(*(np.zeros(capacity, t) for t in TYPES))


@inner
def first_child(nodes: Nodes, index: int) -> int:
    """Index of a node's first child."""
    return int(nodes.link[index] >> 16)


@inner
def child_count(nodes: Nodes, index: int) -> int:
    """Number of a node's children."""
    return int(nodes.link[index] & 0xFFFF)


@inner
def add_child(nodes: Nodes, index: int, move: int, prior: float, weight: float) -> int:
    """Write a fresh node; the index after it."""
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
def winning_child(nodes: Nodes, index: int, arena: Any, move: int, length: int) -> int:
    """Give a node the one child that wins, `length` plies after the move."""
    first = int(arena[0])
    arena[0] = add_child(nodes, first, move, 1.0, 1.0)
    nodes.length[first] = length
    nodes.proven[first] = WON
    fence()
    nodes.link[index] = (first << 16) | 1
    return WON


@inner
def select(nodes: Nodes, index: int, parameters: Any, values: Any) -> int:
    """The child to try next, or 0 where every child loses; `values` has room for one of each child."""
    exploration, equivalence = np.float32(parameters[0]), np.float32(parameters[1])
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
    """Derive what a node's children prove about it."""
    first, count = first_child(nodes, index), child_count(nodes, index)
    if nodes.proven[index] != 0 or count == 0:
        return
    shortest, longest = ENDLESS, -1
    for child in range(first, first + count):
        if nodes.proven[child] == WON:
            shortest = min(shortest, int(nodes.length[child]))
        elif nodes.proven[child] == LOST:
            longest = max(longest, int(nodes.length[child]))
        else:
            longest = ENDLESS
    if shortest < ENDLESS:
        nodes.length[index] = shortest + 1
        nodes.proven[index] = LOST
    elif longest < ENDLESS:
        nodes.length[index] = longest + 1
        nodes.proven[index] = WON


@inner
def update_amaf(nodes: Nodes, index: int, first_plays: Any, share: float) -> None:
    """Credit every child whose play its colour made first, now or later in the game, with that colour's result.

    `first_plays`: 1 for such points, else 0.
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
    """Copy one node with all its fields but the link."""
    target.visits[to] = source.visits[index]
    target.wins[to] = source.wins[index]
    target.amaf_visits[to] = source.amaf_visits[index]
    target.amaf_wins[to] = source.amaf_wins[index]
    target.move[to] = source.move[index]
    target.length[to] = source.length[index]
    target.proven[to] = source.proven[index]


@kernel(NODES, numba.int64, NODES, numba.int64, returns=numba.int64)
def copy_subtree(source: Nodes, root: int, target: Nodes, room: int) -> int:
    """Copy what hangs below a node to the start of another array, node 1 being the root; the nodes then in use.

    What no longer fits below `room` is left out: its parents become leaves again.
    """
    origin = np.zeros(room, np.int64)
    origin[1] = root
    copy_node(source, root, target, 1)
    used, index = 2, 1
    while index < used:
        first, count = first_child(source, origin[index]), child_count(source, origin[index])
        if count > 0 and used + count <= room:
            for i in range(count):
                origin[used + i] = first + i
                copy_node(source, first + i, target, used + i)
            target.link[index] = (used << 16) | count
            used += count
        else:
            target.link[index] = 0
        index += 1
    return used
