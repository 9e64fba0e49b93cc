"""Measure the solver: `python -m tests.benchmarks.solver` prints the tables of solver.md (one thread)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.go.opening import crosscut
from gtp_capture.solver.result import WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.solved_boards import CROSSCUT, EMPTY

MEMORY = 512 * MEBIBYTE
NODES = 100_000_000
"""Nodes after which a search is stopped."""


class Run(NamedTuple):
    result: int
    nodes: int
    seconds: float


class Problem(NamedTuple):
    name: str
    width: int
    height: int
    black: str = ""
    white: str = ""
    to_move: int = BLACK

    def game(self) -> Game:
        game = Game("first-capture", (self.width, self.height))
        stones = [[game.point(v) for v in text.split()] for text in (self.black, self.white)]
        game.setup_points(stones[0], stones[1], self.to_move)
        return game


def games() -> Iterator[tuple[str, Game, bool, int]]:
    """Yield the boards of the table: name, position, whether the first player wins, plies."""
    for (width, height), (first, plies) in EMPTY.items():
        yield f"{width}x{height} empty", Game("first-capture", (width, height)), first, plies
    for (width, height), (first, plies) in CROSSCUT.items():
        game = Game("first-capture", (width, height))
        game.setup_points(*crosscut(width, height), BLACK)
        yield f"{width}x{height} crosscut", game, first, plies


def search(game: Game) -> Run:
    """Search a position with an empty table."""
    solver = Solver(game.width, game.height, MEMORY)
    solver.table[:] = 0  # so that the memory is allocated before the clock starts
    began = time.perf_counter()
    result = solver.value(game.board, game.to_move, Limit(nodes=NODES).begin())
    return Run(result, solver.nodes, time.perf_counter() - began)


def figures() -> None:
    """Print winners, nodes, times and shortest wins."""
    print("| board | winner | nodes | seconds | shortest win, plies | seconds for it |\n|---|---|---|---|---|---|")
    for name, game, first, plies in games():
        run = search(game)
        assert (run.result == WIN) == first, name
        solution = Solver(game.width, game.height, MEMORY).solve(game.board, game.to_move, length=True)
        assert solution.plies == plies, name
        winner = "first" if run.result == WIN else "second"
        print(f"| {name} | {winner} | {run.nodes:,} | {run.seconds:.3f} | {solution.plies} | {solution.seconds:.2f} |")


def speed() -> None:
    """Print nodes per second."""
    print("\n| position | nodes | seconds | nodes/s |\n|---|---|---|---|")
    for problem in (Problem("5x5 after B2", 5, 5, "B2", "", WHITE), Problem("5x6", 5, 6)):
        run = search(problem.game())
        print(f"| {problem.name} | {run.nodes:,} | {run.seconds:.2f} | {run.nodes / run.seconds / 1e6:.2f} million |")


if __name__ == "__main__":
    figures()
    speed()
