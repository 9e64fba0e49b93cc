"""Estimate the nodes of an empty board from those of smaller ones: `python -m tests.benchmarks.estimate 7x7`

Each smaller board is solved with an empty table. A line is fitted to the logarithms of the nodes by the points of the
boards; where it comes to the points of the board asked for is the estimate, which assumes that a point more multiplies
the nodes as before. Its interval is that of a prediction with normal errors.
"""

from __future__ import annotations

import itertools
import math
import statistics
from typing import Final

import click

from gtp_capture.cli.options import SIZE
from gtp_capture.go.game import Game
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

SMALLER: Final = ("4x6", "5x5", "4x7", "5x6", "4x8", "5x7", "4x9", "6x6", "4x10", "5x8")
STUDENT: Final = {6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262}
"""The 0.975 quantile of Student's distribution, by degrees of freedom."""


def solve(size: tuple[int, int], memory: int, threads: int) -> int:
    """Return the nodes that an empty board takes."""
    solver, game = Solver(*size, memory * MEBIBYTE, threads), Game("first-capture", size)
    solver.value(game.board, int(game.to_move), Limit().begin())
    return solver.nodes


def estimate(found: dict[tuple[int, int], int], points: int) -> tuple[float, float, float]:
    """Return the nodes of a board with so many points, and their interval of 95 %. `found`: nodes by size."""
    xs = [width * height for width, height in found]
    ys = [math.log(nodes) for nodes in found.values()]
    slope, start = statistics.linear_regression(xs, ys)
    free, mean = len(xs) - 2, statistics.fmean(xs)
    error = math.sqrt(sum((y - slope * x - start) ** 2 for x, y in zip(xs, ys, strict=True)) / free)
    far = (points - mean) ** 2 / sum((x - mean) ** 2 for x in xs)
    middle, spread = slope * points + start, STUDENT[free] * error * math.sqrt(1 + 1 / len(xs) + far)
    return math.exp(middle), math.exp(middle - spread), math.exp(middle + spread)


@click.command()
@click.argument("size", type=SIZE)
@click.option("--smaller", type=SIZE, multiple=True, default=SMALLER, show_default=True)
@click.option("--memory", type=int, default=8000, show_default=True, help="MiB of each table.")
@click.option("--threads", type=int, default=2, show_default=True)
def main(size: tuple[int, int], smaller: tuple[tuple[int, int], ...], memory: int, threads: int) -> None:
    """Print the nodes of each smaller board, and the estimate; before that, one for each board from those before it."""
    found: dict[tuple[int, int], int] = {}
    for board in itertools.chain(smaller, [size]):
        said = ""
        if len(found) - 2 in STUDENT:
            nodes, low, high = estimate(found, board[0] * board[1])
            said = f"; estimate {nodes:.1e}, 95 % [{low:.1e}, {high:.1e}]"
        if board != size:
            found[board] = solve(board, memory, threads)
        taken = f"{found[board]:,} nodes" if board in found else "not solved"
        click.echo(f"{board[0]}x{board[1]}: {taken}{said}")


if __name__ == "__main__":
    main()
