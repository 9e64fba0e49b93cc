"""Measure the solver on 5x5 positions from random play: `python -m tests.benchmarks.solver_5x5 [POSITIONS]`.

Each position is solved with an empty table and without the book: the worst case for a player that uses the solver.
"""

from __future__ import annotations

import random
import sys
import time

from gtp_capture import Game
from gtp_capture.solver.result import UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE


def main() -> None:
    """Print a row for each number of stones."""
    count, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 3000, random.Random(25)
    nodes: dict[int, list[int]] = {}
    seconds: dict[int, list[float]] = {}
    solver = Solver(5, 5, 64 * MEBIBYTE)
    while sum(map(len, nodes.values())) < count:
        game = Game("first-capture", 5)
        for _ in range(rng.randrange(13)):
            if game.outcome is None:
                game.play_point(rng.choice(game.legal_plays()))
        if game.outcome is not None:
            continue
        solver.table[:] = 0
        before, began = solver.nodes, time.perf_counter()
        assert solver.result(solver.stones(game.board), game.to_move, Limit().begin()) != UNKNOWN
        stones = len(game.moves)
        nodes.setdefault(stones, []).append(solver.nodes - before)
        seconds.setdefault(stones, []).append(time.perf_counter() - began)
    print("| stones | positions | nodes, mean | nodes, most | seconds, most |\n|---|---|---|---|---|")
    for stones in sorted(nodes):
        found = nodes[stones]
        row = f"{sum(found) // len(found):,} | {max(found):,} | {max(seconds[stones]):.3f} |"
        print(f"| {stones} | {len(found)} | {row}")


if __name__ == "__main__":
    main()
