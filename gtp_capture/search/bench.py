"""Benchmarks: the speed of playouts, and a fixed amount of each search. Sessions do not import this module."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

import numba

from ..go import board as bd
from ..go.board import Board
from ..go.rules import PRESETS
from ..go.vertex import BLACK
from ..jit.kernel import BOARD, kernel
from ..jit.records import RNG, TURN, Turn, copy_board, new_rng, rules_record
from ..playout.first_capture import light_board, light_playouts
from ..playout.policies import tactical_playout
from ..playout.uniform import uniform_playout
from ..util.limit import Limit
from . import mcts, uct

SIZE: Final = 9
BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Playouts:
    """The speed of playouts, and their mean results."""

    playouts_per_second: float
    moves_per_playout: float
    black_wins: float
    """Share of the playouts that Black wins, 0 to 1."""
    size: int
    policy: str


def measure_playouts(size: int, policy: str, seconds: float, seed: int) -> Playouts:
    """Run playouts of first capture from the empty board for `seconds` on one core.

    `policy`: "uniform" (random legal plays) or "tactical" (the playouts of the search).
    """
    start, light = bd.new(size, size), light_board(bd.new(size, size))
    work, rng = bd.copy(start), new_rng(seed)
    turn = Turn(start, rules_record(PRESETS["first-capture"], 0.0), BLACK)
    black, plays, count = 0, 0, 0
    began = time.perf_counter()
    while count == 0 or time.perf_counter() - began < seconds:
        if policy == "uniform":
            won, length = light_playouts(light, light.copy(), rng, BLACK, BATCH)
        else:
            won, length = tactical_playouts(turn, work, rng, BATCH)
        black, plays, count = black + won, plays + length, count + BATCH
    elapsed = time.perf_counter() - began
    return Playouts(count / elapsed, plays / count, black / count, size, policy)


@dataclass(frozen=True, slots=True)
class Piece:
    """The speed and the results of a fixed amount of search."""

    playouts_per_second: float
    nodes: int
    visits: tuple[int, ...]


def measure_uct(playouts: int, seed: int) -> Piece:
    """Run plain UCT from the empty board."""
    start = bd.new(SIZE, SIZE)
    moves = bd.points(start)
    nodes, worker = uct.new_tree(moves), uct.new_worker(seed)
    turn = Turn(start, rules_record(PRESETS["first-capture"], 0.0), BLACK)
    began = time.perf_counter()
    used = uct.search(nodes, 1 + len(moves), turn, worker, playouts)
    elapsed = time.perf_counter() - began
    return Piece(playouts / elapsed, used, tuple(int(node.visits) for node in nodes[1 : 1 + len(moves)]))


def measure_mcts(playouts: int, seed: int) -> Piece:
    """Run the tree search with one thread from the empty board."""
    start = bd.new(SIZE, SIZE)
    turn = Turn(start, rules_record(PRESETS["first-capture"], 0.0), BLACK)
    tree = mcts.Tree(128 * 2**20, 1, seed)
    began = time.perf_counter()
    done = tree.search(mcts.ROOT, turn, bd.points(start), Limit(playouts=playouts).begin())
    elapsed = time.perf_counter() - began
    visits = sorted((c.move, c.visits) for c in tree.candidates(mcts.ROOT))
    return Piece(done / elapsed, tree.size, tuple(count for _, count in visits))


@kernel(TURN, BOARD, RNG, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def uniform_playouts(turn: Turn, work: Board, rng: Any, count: int) -> tuple[int, int]:
    """Run uniform playouts from one position; return Black's wins and the total number of plays."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, turn.board)
        winner, plays = uniform_playout(work, turn.rules, turn.color, rng)
        black += winner == BLACK
        total += plays
    return black, total


@kernel(TURN, BOARD, RNG, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def tactical_playouts(turn: Turn, work: Board, rng: Any, count: int) -> tuple[int, int]:
    """Run tactical playouts from a position without ataris; return Black's wins and the total number of plays."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, turn.board)
        winner, plays = tactical_playout(Turn(work, turn.rules, turn.color, 0, 0), rng)
        black += winner == BLACK
        total += plays
    return black, total
