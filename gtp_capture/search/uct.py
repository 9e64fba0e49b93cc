"""Plain UCT: the baseline that every other search is measured against. It stays as it is.

Upper confidence bounds over all legal moves, uniformly random legal playouts, one thread, no knowledge
(Kocsis and Szepesvari 2006; the constant is the one of Cazenave's experiments with Atari Go).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..jit.kernel import BOARD, inner, kernel, wide
from ..playout.uniform import (
    DRAW,
    RNG,
    RULES,
    area_winner,
    captured_enough,
    copy_board,
    must_lose,
    pass_stone,
    uniform_playout,
)

NODE_DTYPE: Final = np.dtype(
    [
        ("visits", "i4"),
        ("first", "i4"),  # index of the first child; children lie side by side
        ("wins", "f4"),  # for the colour that moved here
        ("children", "i2"),  # number of children, -1 before they are known
        ("move", "i2"),
    ],
    align=True,
)
NODES: Final = numba.from_dtype(NODE_DTYPE)[::1]
CAPACITY: Final = 2_000_000
DEPTH: Final = 2_000
CONSTANT: Final = 0.4


def new_tree(moves: list[int]) -> Any:
    """A tree whose root has these moves."""
    nodes = np.zeros(CAPACITY, NODE_DTYPE).view(np.recarray)
    nodes[0].first, nodes[0].children = 1, len(moves)
    for i, move in enumerate(moves):
        nodes[1 + i].move, nodes[1 + i].children = move, -1
    return nodes


@inner
def expand(nodes: Any, node: int, used: int, b: Board, rules: Any, c: int) -> int:
    """Give a node its legal moves as children; the number of nodes then in use. A full tree stays as it is."""
    if used + b.empties + 1 > len(nodes):
        return used
    first = used
    for i in range(b.empties):
        p = wide(b.empty[i])
        if (
            bd.is_legal(b, p, c, rules.suicide)
            and not (rules.ko and p == b.ko)
            and not (rules.scored and bd.is_eye(b, p, c))
        ):
            nodes[used].move = p
            nodes[used].children = -1
            used += 1
    if rules.scored or (used == first and not must_lose(b, rules, c)):
        nodes[used].move = 0
        nodes[used].children = -1
        used += 1
    nodes[node].first = first
    nodes[node].children = used - first
    return used


@inner
def select(nodes: Any, node: int) -> int:
    """The child with the highest upper confidence bound; those without a visit come first."""
    best, best_value = 0, -1.0
    log_visits = math.log(nodes[node].visits + 1)
    first = nodes[node].first
    for child in range(first, first + nodes[node].children):
        visits = nodes[child].visits
        if visits == 0:
            return child
        value = nodes[child].wins / visits + CONSTANT * math.sqrt(log_visits / visits)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel(NODES, numba.int64, BOARD, BOARD, RULES, RNG, numba.int64, numba.int64, numba.int64, returns=numba.int64)
def search(
    nodes: Any, used: int, start: Board, work: Board, rules: Any, state: Any, color: int, passes: int, playouts: int
) -> int:
    """Run so many playouts from the root; the number of nodes then in use.

    `color` is to move in `start`, after `passes` passes in a row.
    """
    path = np.zeros(DEPTH, np.int32)
    for _ in range(playouts):
        copy_board(work, start)
        node, depth, c, passed, winner = 0, 0, color, passes, 0
        path[0] = 0
        while winner == 0:
            if nodes[node].children < 0:
                if nodes[node].visits == 0 or depth == DEPTH - 1:
                    break
                used = expand(nodes, node, used, work, rules, c)
                if nodes[node].children < 0:
                    break
            if nodes[node].children == 0:
                winner = 3 - c
                break
            node = select(nodes, node)
            depth += 1
            path[depth] = node
            move = int(nodes[node].move)
            if move == 0:
                pass_stone(work, rules, c)
                winner = captured_enough(work, rules)
                passed += 1
                if winner == 0 and passed >= 2:
                    winner = area_winner(work, rules)
            else:
                passed = 0
                if bd.play(work, move, c) != 0:
                    winner = captured_enough(work, rules)
            c = 3 - c
        if winner == 0:
            winner, _plays = uniform_playout(work, rules, c, state)
        for i in range(depth + 1):
            # The colour that moved into path[i] is the root's opponent at even i.
            mover = 3 - color if i % 2 == 0 else color
            nodes[path[i]].visits += 1
            if winner == mover:
                nodes[path[i]].wins += 1.0
            elif winner == DRAW:
                nodes[path[i]].wins += 0.5
    return used
