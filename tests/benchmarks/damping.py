"""Compare dampings of the solver's sums on random positions: `python -m tests.benchmarks.damping 7x7 10`.

The arguments are the board and the number of random plies. A position counts if it takes at least 50,000 nodes with the
first damping, and less than --most with some damping; a search that takes more counts as --most.
"""

from __future__ import annotations

import math
import random
import statistics

import click

from gtp_capture.cli.options import SIZE
from gtp_capture.go.game import Game
from gtp_capture.solver.solver import TUNING, Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

LEAST = 50_000


def nodes(game: Game, damping: float, most: int) -> int:
    """Return the nodes that an empty table needs, at most `most`."""
    solver = Solver(game.width, game.height, 512 * MEBIBYTE, 1, TUNING._replace(damping=damping))
    solver.value(game.board, game.to_move, Limit(nodes=most).begin())
    return solver.nodes


@click.command()
@click.argument("size", type=SIZE)
@click.argument("plies", type=int)
@click.option("--count", default=16, show_default=True, help="Positions.")
@click.option("--damping", "dampings", type=float, multiple=True, default=(0.65, 0.75, 0.9, 1.0), show_default=True)
@click.option("--most", default=6_000_000, show_default=True, help="Nodes of a search.")
@click.option("--seed", default=1, show_default=True)
def main(size: tuple[int, int], plies: int, count: int, dampings: tuple[float, ...], most: int, seed: int) -> None:
    """Print the geometric mean of the nodes of each damping, relative to that of the first one."""
    chance, logs = random.Random(seed), {damping: list[float]() for damping in dampings}
    while len(logs[dampings[0]]) < count:
        game = Game("first-capture", size)
        while len(game.positions) <= plies and not game.is_over:
            game.play_point(chance.choice(game.legal_plays()))
        first = LEAST if game.is_over else nodes(game, dampings[0], most)
        if game.is_over or first < LEAST:
            continue
        found = [first, *(nodes(game, damping, most) for damping in dampings[1:])]
        if min(found) < most:
            for damping, number in zip(dampings, found, strict=True):
                logs[damping].append(math.log(number / first))
    for damping, ratios in logs.items():
        error = math.exp(statistics.stdev(ratios) / math.sqrt(count))
        click.echo(
            f"{damping}: {math.exp(statistics.fmean(ratios)):.2f} times or divided by {error:.2f} (standard error), "
            f"{math.exp(min(ratios)):.2f} to {math.exp(max(ratios)):.2f}"
        )


if __name__ == "__main__":
    main()
