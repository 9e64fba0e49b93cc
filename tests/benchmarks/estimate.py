"""Estimate the nodes that a board still takes, from the logs of searches: `python -m tests.benchmarks.estimate LOG...`

The logs are those of `gtp-capture solve --jobs N --checkpoint LOG`; some are of solved boards. A table shows how the
numbers of each root rise and fall with the nodes spent. In a solved board, the nodes that were left at each mark are
known; a line is fitted to their logarithms against that of the lesser number of the root. The fit and the spread of its
residuals, applied to the boards that are not solved, give the estimate: it holds if they are like the solved ones.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import click

from gtp_capture.go.vertex import BLACK
from gtp_capture.solver.log import Log
from gtp_capture.solver.result import UNKNOWN
from gtp_capture.solver.search import parsed
from gtp_capture.solver.trunk import Trunk

FIRST: Final = 1e6


class Mark(NamedTuple):
    """A root's numbers after some nodes."""

    nodes: int
    pn: int
    dn: int

    @property
    def least(self) -> float:
        """The logarithm of the lesser number."""
        return math.log(min(self.pn, self.dn))


class History(NamedTuple):
    """The search of an empty board."""

    name: str
    marks: list[Mark]
    nodes: int
    solved: bool


def history(path: Path) -> History:
    """Read a log of an empty board, with a mark at each half power of ten, and at the end if it is not solved."""
    with path.open() as file:
        header = json.loads(file.readline().partition(" ")[2])
    trunk = Trunk(header["width"], header["height"], (0, 0), BLACK)
    with closing(Log(path, {})) as log:
        marks = list(marks_of(trunk, log))
    solved = trunk.root.result != UNKNOWN
    if not solved:
        marks.append(Mark(trunk.nodes, trunk.root.pn, trunk.root.dn))
    return History(f"{trunk.width}x{trunk.height}", marks, trunk.nodes, solved)


def marks_of(trunk: Trunk, log: Log) -> Iterator[Mark]:
    """Replay a log, and yield the marks."""
    following = FIRST
    for record in log.records():
        trunk.record(*parsed(record))
        if trunk.nodes >= following and trunk.root.result == UNKNOWN:
            yield Mark(trunk.nodes, trunk.root.pn, trunk.root.dn)
            following *= math.sqrt(10)


@click.command()
@click.argument("logs", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1, required=True)
def main(logs: tuple[Path, ...]) -> None:
    """Print the table, the fit, and the estimates for boards that are not solved."""
    found = [history(path) for path in logs]
    pairs = []
    for board in found:
        for mark in board.marks:
            click.echo(f"{board.name}: {mark.nodes:.2e} nodes, to prove {mark.pn:,}, to disprove {mark.dn:,}")
        click.echo(f"{board.name}: {'solved' if board.solved else 'not solved'} with {board.nodes:.3e} nodes")
        if board.solved:
            pairs += [(mark.least, math.log(board.nodes - mark.nodes)) for mark in board.marks]
    if len(pairs) < 3:
        return
    slope, intercept = statistics.linear_regression(*zip(*pairs, strict=True))
    spread = statistics.stdev(y - slope * x - intercept for x, y in pairs)
    click.echo(f"nodes left: {math.exp(intercept):.3g} * number ** {slope:.2f}, times or over {math.exp(spread):.2f}")
    for board in found:
        if not board.solved:
            estimate = math.exp(slope * board.marks[-1].least + intercept)
            low, high = estimate / math.exp(2 * spread), estimate * math.exp(2 * spread)
            click.echo(f"{board.name}: {estimate:.1e} nodes left, {low:.1e} to {high:.1e} within two spreads")


if __name__ == "__main__":
    main()
