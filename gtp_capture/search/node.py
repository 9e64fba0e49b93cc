"""The nodes of the tree search: their record, what is derived from a node's children, and how they are credited.

Values are for the colour that moved into a node, as in `uct.py`.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numba
import numpy as np

from .kernel import fence, inner, kernel
from .tactics import LOST

NODE_DTYPE: Final = np.dtype(
    [
        ("link", "i8"),  # first child * 2**16 + number of children; 0 before they are known
        ("visits", "i4"),
        ("wins", "f4"),
        ("amaf_visits", "f4"),
        ("amaf_wins", "f4"),
        ("move", "i2"),
        ("length", "i2"),  # of a proven node: plies to the end
        ("proven", "i1"),  # WON or LOST for the colour that moved here, or 0
    ],
    align=True,
)
NODES: Final = numba.from_dtype(NODE_DTYPE)[::1]
WON: Final = 1


@inner
def first_child(node: Any) -> int:
    """Index of a node's first child."""
    return int(node.link >> 16)


@inner
def child_count(node: Any) -> int:
    """Number of a node's children."""
    return int(node.link & 0xFFFF)


@inner
def add_child(nodes: Any, index: int, move: int, prior: float, weight: float) -> int:
    """Write a fresh node; the index after it."""
    child = nodes[index]
    child.link = 0
    child.visits = 0
    child.wins = 0.0
    child.amaf_visits = weight
    child.amaf_wins = weight * prior
    child.move = move
    child.length = 0
    child.proven = 0
    return index + 1


@inner
def winning_child(nodes: Any, index: int, arena: Any, move: int, length: int) -> int:
    """Give a node the one child that wins, `length` plies after the move."""
    first = int(arena[0])
    arena[0] = add_child(nodes, first, move, 1.0, 1.0)
    nodes[first].length = length
    nodes[first].proven = WON
    fence()
    nodes[index].link = (first << 16) | 1
    return WON


@inner
def select(nodes: Any, index: int, parameters: Any) -> int:
    """The child to try next, or 0 where every child loses."""
    exploration, equivalence = parameters[0], parameters[1]
    node = nodes[index]
    log_visits = math.log(node.visits + 1.0)
    best, best_value = 0, -1e9
    first = first_child(node)
    for child_index in range(first, first + child_count(node)):
        child = nodes[child_index]
        if child.proven != 0:
            if child.proven == WON:
                return child_index
            continue
        visits = float(child.visits)
        amaf = child.amaf_wins / child.amaf_visits
        if visits > 0:
            beta = math.sqrt(equivalence / (3.0 * visits + equivalence))
            value = (1.0 - beta) * child.wins / visits + beta * amaf
            value += exploration * math.sqrt(log_visits / visits)
        else:
            value = amaf + exploration * math.sqrt(log_visits + 1.0)
        if value > best_value:
            best, best_value = child_index, value
    return best


@inner
def prove(nodes: Any, index: int) -> None:
    """Derive what a node's children prove about it."""
    node = nodes[index]
    first, count = first_child(node), child_count(node)
    if node.proven != 0 or count == 0:
        return
    shortest, longest = 32_000, -1
    for child_index in range(first, first + count):
        child = nodes[child_index]
        if child.proven == WON:
            shortest = min(shortest, int(child.length))
        elif child.proven == LOST:
            longest = max(longest, int(child.length))
        else:
            longest = 32_000
    if shortest < 32_000:
        node.length = shortest + 1
        node.proven = LOST
    elif longest < 32_000:
        node.length = longest + 1
        node.proven = WON


@inner
def update_amaf(nodes: Any, index: int, first_plays: Any, c: int, share: float) -> None:
    """Credit every child whose play colour c made first, now or later in the game; `share` is c's result."""
    node = nodes[index]
    first = first_child(node)
    for child_index in range(first, first + child_count(node)):
        child = nodes[child_index]
        if child.move > 0 and first_plays[child.move] == c:
            child.amaf_visits += 1.0
            child.amaf_wins += share


@kernel(NODES, numba.int64, NODES, returns=numba.int64)
def copy_subtree(source: Any, root: int, target: Any) -> int:
    """Copy what hangs below a node to the start of another array, node 1 being the root; the nodes then in use.

    What no longer fits is left out: its parents become leaves again.
    """
    origin = np.zeros(len(target), np.int64)
    origin[1] = root
    target[1] = source[root]
    used, index = 2, 1
    while index < used:
        old = source[origin[index]]
        first, count = first_child(old), child_count(old)
        if count > 0 and used + count <= len(target):
            for i in range(count):
                origin[used + i] = first + i
                target[used + i] = source[first + i]
            target[index].link = (used << 16) | count
            used += count
        else:
            target[index].link = 0
        index += 1
    return used
