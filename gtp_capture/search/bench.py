"""Measuring: playouts alone, and a fixed piece of each search. No session loads this, so that it compiles less."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.rules import PRESETS
from ..go.vertex import BLACK
from ..jit.kernel import BOARD, kernel
from ..playout.first_capture import light_board, light_playouts
from ..playout.policies import RECORD, tactical_playout
from ..playout.uniform import RNG, RULES, copy_board, rng, rules_record, uniform_playout
from ..util.limit import Limit
from . import kernel as tree
from . import mcts, uct

SIZE: Final = 9
BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Playouts:
    """How fast playouts run, and what comes out of them."""

    playouts_per_second: float
    moves_per_playout: float
    black_wins: float
    """A share, 0 to 1."""
    size: int
    policy: str


def measure_playouts(size: int, policy: str, seconds: float, seed: int) -> Playouts:
    """Run playouts of first capture from the empty board for so many seconds on one core.

    `policy` is uniform (random legal plays) or tactical (what the search uses).
    """
    start, light = bd.new(size, size), light_board(bd.new(size, size))
    work, record, state = bd.copy(start), np.zeros(tree.RECORD_LENGTH, np.int16), rng(seed)
    rules = rules_record(PRESETS["first-capture"], 0.0)
    black, plays, count = 0, 0, 0
    began = time.perf_counter()
    while count == 0 or time.perf_counter() - began < seconds:
        if policy == "uniform":
            won, length = light_playouts(light, light.copy(), state, BLACK, BATCH)
        else:
            won, length = tactical_playouts(start, work, rules, state, record, BLACK, BATCH)
        black, plays, count = black + won, plays + length, count + BATCH
    elapsed = time.perf_counter() - began
    return Playouts(count / elapsed, plays / count, black / count, size, policy)


@dataclass(frozen=True, slots=True)
class Piece:
    """A fixed amount of a search: how fast it ran, and all that it found."""

    playouts_per_second: float
    nodes: int
    visits: tuple[int, ...]


def measure_uct(playouts: int, seed: int) -> Piece:
    """Plain UCT from the empty board."""
    start = bd.new(SIZE, SIZE)
    moves = bd.points(start)
    nodes = uct.new_tree(moves)
    rules, state = rules_record(PRESETS["first-capture"], 0.0), rng(seed)
    began = time.perf_counter()
    used = uct.search(nodes, 1 + len(moves), start, bd.copy(start), rules, state, BLACK, 0, playouts)
    elapsed = time.perf_counter() - began
    return Piece(playouts / elapsed, used, tuple(int(node.visits) for node in nodes[1 : 1 + len(moves)]))


def measure_mcts(playouts: int, seed: int) -> Piece:
    """The tree search with one thread from the empty board."""
    start = bd.new(SIZE, SIZE)
    rules = rules_record(PRESETS["first-capture"], 0.0)
    search = mcts.Tree(128 * 2**20, 1, seed)
    began = time.perf_counter()
    done = search.search(mcts.ROOT, start, rules, BLACK, 0, 0, bd.points(start), Limit(playouts=playouts))
    elapsed = time.perf_counter() - began
    visits = sorted((c.move, c.visits) for c in search.candidates(mcts.ROOT))
    return Piece(done / elapsed, search.size, tuple(count for _, count in visits))


@kernel(BOARD, BOARD, RULES, RNG, numba.int64, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def uniform_playouts(start: Board, work: Board, rules: Any, state: Any, color: int, count: int) -> tuple[int, int]:
    """Play from one position many times: how often Black won, and all plays together."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, start)
        winner, plays = uniform_playout(work, rules, color, state)
        black += winner == BLACK
        total += plays
    return black, total


@kernel(BOARD, BOARD, RULES, RNG, RECORD, numba.int64, numba.int64, returns=numba.types.UniTuple(numba.int64, 2))
def tactical_playouts(
    start: Board, work: Board, rules: Any, state: Any, record: Any, color: int, count: int
) -> tuple[int, int]:
    """Play from one quiet position many times: how often Black won, and all plays together."""
    black, total = 0, 0
    for _ in range(count):
        copy_board(work, start)
        winner, plays = tactical_playout(work, rules, color, 0, 0, state, record, 0)
        black += winner == BLACK
        total += plays
    return black, total
