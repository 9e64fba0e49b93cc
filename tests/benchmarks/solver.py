"""python -m tests.benchmarks.solver: the solver's figures, as the tables of solver.md (kernels warm, one thread)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.go.opening import crosscut
from gtp_capture.solver import solver as proof
from gtp_capture.solver.static import ALL, LADDERS, LIBERTIES, MOBILITY, SYMMETRY, ZONES
from gtp_capture.util.limit import Limit

from ..support.solved_boards import CROSSCUT, EMPTY

MEMORY = 512 * proof.MEBIBYTE
NODES = 100_000_000
"""Where a search is given up."""


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
        game = Game("first-capture", self.width, self.height)
        stones = [[game.point(v) for v in text.split()] for text in (self.black, self.white)]
        game.setup(stones[0], stones[1], self.to_move)
        return game


ABLATION = [
    Problem("5x5", 5, 5),
    Problem("5x5 after B2", 5, 5, "B2", "", WHITE),
    Problem("4x5", 4, 5),
    Problem("6x6 crosscut", 6, 6, "C3 D4", "D3 C4"),
    Problem("7x7 crosscut", 7, 7, "D4 E5", "E4 D5"),
]


def games() -> Iterator[tuple[str, Game, bool, int]]:
    """The boards of the table: name, position, whether the first player wins, plies."""
    for (width, height), (first, plies) in EMPTY.items():
        yield f"{width}x{height} empty", Game("first-capture", width, height), first, plies
    for (width, height), (first, plies) in CROSSCUT.items():
        game = Game("first-capture", width, height)
        game.setup(*crosscut(width, height), BLACK)
        yield f"{width}x{height} crosscut", game, first, plies


def search(game: Game, switches: int = ALL, epsilon: float = proof.EPSILON) -> Run:
    """One search with a fresh table."""
    solver = proof.Solver(game.width, game.height, MEMORY, switches=switches, epsilon=epsilon)
    solver.table[:] = 0  # the system gives the memory now, not while the clock runs
    began = time.perf_counter()
    result = solver.result(solver.stones(game.board), game.to_move, Limit(playouts=NODES))
    return Run(result, solver.nodes, time.perf_counter() - began)


def figures() -> None:
    """Winners, nodes and times; shortest wins."""
    print("| board | winner | nodes | seconds | shortest win, plies | seconds for it |\n|---|---|---|---|---|---|")
    for name, game, first, plies in games():
        run = search(game)
        assert (run.result == proof.WINS) == first, name
        verdict = proof.Solver(game.width, game.height, MEMORY).solve(game.board, game.to_move, length=True)
        assert verdict.length == plies, name
        winner = "first" if run.result == proof.WINS else "second"
        print(f"| {name} | {winner} | {run.nodes:,} | {run.seconds:.3f} | {verdict.length} | {verdict.seconds:.2f} |")


def ablation() -> None:
    """Nodes with each piece of knowledge taken away."""
    rows = [
        ("everything", ALL, proof.EPSILON),
        ("no zones", ALL - ZONES, proof.EPSILON),
        ("no ladders", ALL - LADDERS, proof.EPSILON),
        ("neither", ALL - LADDERS - ZONES, proof.EPSILON),
        ("no symmetry", ALL - SYMMETRY, proof.EPSILON),
        ("no mobility", ALL - MOBILITY, proof.EPSILON),
        ("no liberties", ALL - LIBERTIES, proof.EPSILON),
        ("epsilon 0", ALL, 0.0),
        ("epsilon 0.1", ALL, 0.1),
        ("epsilon 0.5", ALL, 0.5),
        ("epsilon 1", ALL, 1.0),
    ]
    print("\n| nodes | " + " | ".join(problem.name for problem in ABLATION) + " |")
    print("|---" * (len(ABLATION) + 1) + "|")
    whole = [search(problem.game()) for problem in ABLATION]
    for name, switches, epsilon in rows:
        cells = []
        for problem, best in zip(ABLATION, whole, strict=True):
            run = search(problem.game(), switches, epsilon)
            assert run.result in (0, best.result), (name, problem)
            cells.append(f"{run.nodes:,} ({run.nodes / best.nodes:.1f}x)" if run.result else f"over {run.nodes:,}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def speed() -> None:
    """Nodes per second."""
    print("\n| position | nodes | seconds | nodes/s |\n|---|---|---|---|")
    for problem in (Problem("5x5 after B2", 5, 5, "B2", "", WHITE), Problem("5x6", 5, 6)):
        run = search(problem.game())
        print(f"| {problem.name} | {run.nodes:,} | {run.seconds:.2f} | {run.nodes / run.seconds / 1e6:.2f} million |")


if __name__ == "__main__":
    figures()
    ablation()
    speed()
