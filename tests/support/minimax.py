"""Compare the solver with minimax by definition: `python -m tests.support.minimax [POSITIONS]`.

Random positions of 2x2 to 4x4, winners and plies. A disagreement is printed and ends with exit code 1.
"""

from __future__ import annotations

import random
import sys
import time

from gtp_capture.solver.exact import Node
from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

from .brute_force import bits, outcome, random_position

SIZES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4), (4, 3), (4, 4)]
WEIGHTS = [1, 2, 2, 4, 8, 8, 16, 16, 24]
CACHED = 1_000_000
"""Positions in the cache of minimax: about a gigabyte."""


def check(count: int, seed: int) -> dict[tuple[int, int], int]:
    """Compare `count` positions; return their number by board size. AssertionError: the position where they differ."""
    rng = random.Random(seed)
    solvers = {size: Solver(*size, memory=16 * MEBIBYTE) for size in SIZES}
    done = dict.fromkeys(SIZES, 0)
    while sum(done.values()) < count:
        size = rng.choices(SIZES, WEIGHTS)[0]
        position = random_position(rng, *size)
        if size == (4, 4) and sum(map(len, position)) < 7:
            continue  # minimax would take hours on the emptiest 4x4 boards
        if outcome.cache_info().currsize > CACHED:
            outcome.cache_clear()
        own, opp = position
        won, plies = outcome(own, opp, *size)
        node = Node(bits(own, size[0]), bits(opp, size[0]), 0, 0, rng.choice((0, 1)))
        solver, side = solvers[size], 1 if won else -1
        assert solver.search(node) == side, (size, own, opp)
        assert solver.search(node, None, side, plies) == side, (size, own, opp, plies)
        assert plies < 2 or solver.search(node, None, side, plies - 2) == -side, (size, own, opp, plies)
        done[size] += 1
    return done


def main() -> int:
    """Compare, and print how many positions agree."""
    count, began = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, time.monotonic()
    try:
        done = check(count, seed=2002)
    except AssertionError as error:
        print(f"DISAGREE: {error}")
        return 1
    for (width, height), number in done.items():
        print(f"{width}x{height}: {number} positions")
    print(f"{sum(done.values())} positions agree, winners and lengths, in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
