"""Plain UCT, a reference for measurements of strength, and a player of it; it is kept unchanged.

Upper confidence bounds over all playable moves, uniformly random playouts, one thread, no knowledge of the game
(Kocsis and Szepesvári 2006; the constant is that of Cazenave's experiments with Atari Go).
"""

from __future__ import annotations

import math
from typing import Any, Final

import numba
import numpy as np

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import PASS, opponent
from gtp_capture.go.words import counted
from gtp_capture.jit.kernel import as_int64, inner, kernel
from gtp_capture.jit.records import BOARD_DTYPE, TURN, Turn, copy_board, new_rng, rules_record
from gtp_capture.players.endgame import area_komi, passes_before
from gtp_capture.players.player import Decision
from gtp_capture.players.search_player import SearchPlayer
from gtp_capture.playout.endings import DRAW, must_lose
from gtp_capture.playout.moves import is_playable, make_move
from gtp_capture.playout.random_games import random_game
from gtp_capture.util.limit import Deadline, run_in_slices

NODE_DTYPE: Final = np.dtype(
    [
        ("visits", "i4"),
        ("first", "i4"),  # index of the first child; children are adjacent
        ("wins", "f4"),  # for the colour that moved here
        ("children", "i2"),  # number of children, -1 before they are known
        ("move", "i2"),
    ],
    align=True,
)
NODES: Final = numba.from_dtype(NODE_DTYPE)[::1]
CAPACITY: Final = 2_000_000
"""Nodes of a tree."""
DEPTH: Final = 2_000
"""Maximum number of nodes on a path."""
CONSTANT: Final = 0.4
"""Exploration constant of the UCB term."""


WORKER_DTYPE: Final = np.dtype([("rng", "u8", (1,)), ("board", BOARD_DTYPE), ("path", "i4", (DEPTH,))], align=True)
"""The memory of a search: its generator, and scratch memory for a position and a path of nodes."""
WORKER: Final = numba.from_dtype(WORKER_DTYPE)


def new_worker(seed: int) -> Any:
    """Return the memory of a search."""
    worker = np.zeros(1, WORKER_DTYPE).view(np.recarray)[0]
    worker.rng[:] = new_rng(seed)
    return worker


def new_tree(moves: list[int]) -> Any:
    """Return a tree whose root, node 0, has these moves."""
    nodes = np.zeros(CAPACITY, NODE_DTYPE).view(np.recarray)
    nodes[0].first, nodes[0].children = 1, len(moves)
    for i, move in enumerate(moves):
        nodes[1 + i].move, nodes[1 + i].children = move, -1
    return nodes


@inner
def expand(nodes: Any, node: int, used: int, turn: Turn) -> int:
    """Add the playable moves as children of a node; return the number of nodes then in use.

    If there is no room for them, the node stays a leaf.
    """
    b, rules, c = turn.board, turn.rules, turn.color
    if used + b.empties + 1 > len(nodes):
        return used
    first = used
    for i in range(b.empties):
        p = as_int64(b.empty[i])
        if is_playable(b, rules, p, c):
            nodes[used].move = p
            nodes[used].children = -1
            used += 1
    if rules.scored or (used == first and not must_lose(b, rules, c)):
        nodes[used].move = PASS
        nodes[used].children = -1
        used += 1
    nodes[node].first = first
    nodes[node].children = used - first
    return used


@inner
def select(nodes: Any, node: int) -> int:
    """Return the child with the highest upper confidence bound, or the first one without a visit."""
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


@kernel(NODES, numba.int64, TURN, WORKER, numba.int64, returns=numba.int64)
def search(nodes: Any, used: int, turn: Turn, worker: Any, playouts: int) -> int:
    """Run `playouts` playouts from the root, whose position is `turn`; return the number of nodes then in use."""
    b, rules, path = worker.board, turn.rules, worker.path
    for _ in range(playouts):
        copy_board(b, turn.board)
        node, depth, c, passes, winner = 0, 0, turn.color, turn.passes, 0
        path[0] = 0
        while winner == 0:
            if nodes[node].children < 0:
                if nodes[node].visits == 0 or depth == DEPTH - 1:
                    break
                used = expand(nodes, node, used, Turn(b, rules, c, 0, passes))
                if nodes[node].children < 0:
                    break
            if nodes[node].children == 0:
                winner = opponent(c)
                break
            node = select(nodes, node)
            depth += 1
            path[depth] = node
            passes, winner = make_move(b, rules, as_int64(nodes[node].move), c, passes)
            c = opponent(c)
        if winner == 0:
            winner, _moves = random_game(Turn(b, rules, c, 0, 0), worker.rng)
        for i in range(depth + 1):
            # The colour that moved into path[i] is the root's opponent at even i.
            mover = opponent(turn.color) if i % 2 == 0 else turn.color
            nodes[path[i]].visits += 1
            if winner == mover:
                nodes[path[i]].wins += 1.0
            elif winner == DRAW:
                nodes[path[i]].wins += 0.5
    return used


class UctPlayer(SearchPlayer):
    """Plays the most visited move of a UCT search; a new tree for each move."""

    _worker: Any = None
    """The memory of the search."""

    def search(self, game: Game, color: int, moves: list[int], deadline: Deadline) -> Decision:
        """See SearchPlayer."""
        if self._worker is None:
            self._worker = new_worker(self.seed)
        nodes, used = new_tree(moves), 1 + len(moves)
        turn = Turn(game.board, rules_record(game.rules, area_komi(game)), color, passes=passes_before(game))

        def run(count: int) -> int:
            nonlocal used
            used = search(nodes, used, turn, self._worker, count)
            return count

        playouts = run_in_slices(run, deadline)
        best = max(nodes[1 : 1 + len(moves)], key=lambda node: int(node.visits))
        winrate = float(best.wins) / max(1, int(best.visits))
        return Decision(int(best.move), f"{winrate:.0%}, {counted(playouts, 'playout')}", playouts, winrate)
