"""Speed-up of a search in jobs by a second worker: `python -m tests.benchmarks.job_workers --rounds 3`.

Each round solves each board with one worker and with two, threads that share a table, in turns. The time to solve
depends on what else the machine does, the ratio of the nodes does not.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import NamedTuple

import click

from gtp_capture.solver.job import lend
from gtp_capture.solver.search import Search
from gtp_capture.solver.table import new_table
from gtp_capture.util.lanes import lanes
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from .job_simulation import BOARDS, trunk_of

DEFAULT = ["5x7", "4x8", "5x7 E3 A5", "6x6 C1", "6x6 B1"]


class Run(NamedTuple):
    seconds: float
    nodes: int
    jobs: int


def run(name: str, workers: int, memory: int) -> Run:
    """Solve a board with an empty table."""
    trunk = trunk_of(name)
    table = new_table(memory)
    table[:] = 0  # the system reserves the memory now
    lend(table, (trunk.width, trunk.height), memory, 1)
    began = time.monotonic()
    Search(trunk, memory, 1).run([trunk.root], partial(lanes, workers), Limit())
    return Run(time.monotonic() - began, trunk.nodes, trunk.jobs)


@click.command()
@click.option("--rounds", default=3, show_default=True)
@click.option("--memory", default=256, show_default=True, help="MiB of the table.")
@click.option("--board", "boards", type=click.Choice(list(BOARDS)), multiple=True, default=DEFAULT, show_default=True)
def main(rounds: int, memory: int, boards: tuple[str, ...]) -> None:
    """Print a table: the medians of seconds and nodes with one worker and with two, and their ratios."""
    print("| board | one: s | two: s | speed-up | one: nodes | two: nodes | ratio |\n|---|---|---|---|---|---|---|")
    speeds, shares = [], []
    for name in boards:
        pairs = [(run(name, 1, memory * MEBIBYTE), run(name, 2, memory * MEBIBYTE)) for _ in range(rounds)]
        one, two = (
            Run(*(statistics.median(values) for values in zip(*runs, strict=True))) for runs in zip(*pairs, strict=True)
        )
        speeds.append(statistics.median(a.seconds / b.seconds for a, b in pairs))
        shares.append(statistics.median(b.nodes / a.nodes for a, b in pairs))
        times = f"{one.seconds:.1f} | {two.seconds:.1f} | {speeds[-1]:.2f}"
        print(f"| {name} | {times} | {one.nodes:,.0f} | {two.nodes:,.0f} | {shares[-1]:.2f} |", flush=True)
    print(f"median speed-up {statistics.median(speeds):.2f}, geometric mean {statistics.geometric_mean(speeds):.2f}; ")
    print(f"nodes of two by those of one, geometric mean {statistics.geometric_mean(shares):.2f}")


if __name__ == "__main__":
    main()
