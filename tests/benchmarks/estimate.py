"""Estimate the nodes of an empty board from those of smaller ones: `python -m tests.benchmarks.estimate 7x7`

Each smaller board is solved with an empty table. A line is fitted to the logarithms of the nodes by the points of the
boards; where it comes to the points of the board asked for is the estimate, which assumes that a point more multiplies
the nodes as before. Its interval is that of a prediction with normal errors.
"""

from __future__ import annotations

import math
import statistics
from typing import Final

import click

from gtp_capture.cli.options import SIZE
from gtp_capture.go.game import Game
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

SMALLER: Final = ((4, 6), (5, 5), (4, 7), (5, 6), (4, 8), (5, 7), (4, 9), (6, 6), (4, 10), (5, 8))
STUDENT: Final = {8: 2.447, 9: 2.365, 10: 2.306}
"""The 0.975 quantile of Student's distribution for a line through so many boards."""


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
    mean = statistics.fmean(xs)
    error = math.sqrt(sum((y - slope * x - start) ** 2 for x, y in zip(xs, ys, strict=True)) / (len(xs) - 2))
    far = (points - mean) ** 2 / sum((x - mean) ** 2 for x in xs)
    middle, spread = slope * points + start, STUDENT[len(xs)] * error * math.sqrt(1 + 1 / len(xs) + far)
    return math.exp(middle), math.exp(middle - spread), math.exp(middle + spread)


@click.command()
@click.argument("size", type=SIZE)
@click.option("--memory", type=int, default=8000, show_default=True, help="MiB of each table.")
@click.option("--threads", type=int, default=2, show_default=True)
def main(size: tuple[int, int], memory: int, threads: int) -> None:
    """Print the nodes of each smaller board; once there are eight, before each of the others an estimate from them."""
    found: dict[tuple[int, int], int] = {}
    for board in (*SMALLER, size):
        said = ""
        if len(found) in STUDENT:
            nodes, low, high = estimate(found, math.prod(board))
            said = f"; estimate {nodes:.1e}, 95 % [{low:.1e}, {high:.1e}]"
        if board == size:
            click.echo(f"{board[0]}x{board[1]}: not solved here{said}")
            return
        found[board] = solve(board, memory, threads)
        click.echo(f"{board[0]}x{board[1]}: {found[board]:,} nodes{said}")


if __name__ == "__main__":
    main()
