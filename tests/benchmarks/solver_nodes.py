"""Compare the nodes that the solver needs with those of an earlier version, on positions of many sizes.

    python -m tests.benchmarks.solver_nodes
    python -m tests.benchmarks.solver_nodes --most 10000000
    python -m tests.benchmarks.solver_nodes --positions large --without learned

tests/data/solver_positions.txt has a line for each position: the board, the nodes that the version of commit 4bf8352
needed, and the plays from the empty board on. Beside it is large_solver_positions.txt, with the nodes of commit
7a058cf: boards of 6x7 to 9x9, after random plays or a crosscut and plays of a weak search; and
crosscut_solver_positions.txt, with those of commit b60250c: harder ones of 8x8 to 9x9 after a crosscut. A small change
of the search can double or halve the nodes of one position, so only the geometric mean of the positions of a size says
something; its standard error is printed with it.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from gtp_capture.go.game import Game
from gtp_capture.solver import static
from gtp_capture.solver.result import UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

DATA = Path(__file__).parents[1] / "data"
FILES = {
    "small": "solver_positions.txt",
    "large": "large_solver_positions.txt",
    "crosscut": "crosscut_solver_positions.txt",
}
FEATURES = {name: getattr(static, name.upper()) for name in ("urgency", "learned")}


class Position(NamedTuple):
    width: int
    height: int
    nodes: int
    """Nodes of the earlier version."""
    plays: list[str]

    def game(self) -> Game:
        game = Game("first-capture", (self.width, self.height))
        for vertex in self.plays:
            game.play_point(game.point(vertex))
        return game


def positions(file: str) -> Iterator[Position]:
    """Yield the positions of a file."""
    for line in (DATA / file).read_text().splitlines():
        size, nodes, *plays = line.split()
        width, height = map(int, size.split("x"))
        yield Position(width, height, int(nodes), plays)


@click.command()
@click.option("--most", type=int, default=100_000_000, show_default=True, help="Skip positions that needed more nodes.")
@click.option("--memory", type=int, default=2048, show_default=True, help="MiB of the table.")
@click.option("--threads", type=int, default=1, show_default=True)
@click.option("--positions", "name", type=click.Choice(list(FILES)), default="small", show_default=True)
@click.option("--without", type=click.Choice(list(FEATURES)), multiple=True, help="Switch a part of the search off.")
def main(most: int, memory: int, threads: int, name: str, without: tuple[str, ...]) -> None:
    """Solve each position with an empty table; print the nodes and their ratio to those of the earlier version."""
    features = static.ALL - sum(FEATURES[name] for name in without) if without else None
    sizes: dict[str, list[float]] = {}
    total, spent = 0, 0.0
    for position in positions(FILES[name]):
        if position.nodes > most:
            continue
        game = position.game()
        solver = Solver(game.width, game.height, memory * MEBIBYTE, threads, features)
        began = time.perf_counter()
        result = solver.value(game.board, game.to_move, Limit(nodes=50 * position.nodes).begin())
        spent += time.perf_counter() - began
        total += solver.nodes
        ratio = solver.nodes / position.nodes
        sizes.setdefault(f"{position.width}x{position.height}", []).append(math.log(ratio))
        more = " or more" if result == UNKNOWN else ""
        plays = f"{position.width}x{position.height} {' '.join(position.plays)}"
        click.echo(f"{plays:40} {position.nodes:>12,} {solver.nodes:>12,} {ratio:6.2f}{more}")
    sizes["all"] = [log for logs in sizes.values() for log in logs]
    for size, logs in sizes.items():
        deviation = statistics.stdev(logs) if len(logs) > 1 else 0.0
        click.echo(
            f"{size}: {len(logs)} positions, geometric mean of the ratios {math.exp(statistics.fmean(logs)):.3f}, "
            f"times or divided by {math.exp(deviation / math.sqrt(len(logs))):.2f} (standard error) and "
            f"{math.exp(deviation):.2f} (spread); median {math.exp(statistics.median(logs)):.3f}"
        )
    click.echo(f"{total:,} nodes, {total / spent / 1e6:.2f} million a second")


if __name__ == "__main__":
    main()
