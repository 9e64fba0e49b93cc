"""Show how far long searches are: `python -m tests.benchmarks.progress LOG...`

A log is that of `gtp-capture solve --checkpoint LOG`, or such a file compressed by xz. The table has the numbers of the
root at each half power of ten of the nodes, and at the end. A position is solved where one of them is 0.
"""

from __future__ import annotations

import json
import lzma
import math
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, parse_color
from gtp_capture.solver.checkpoint import OldLog, _key
from gtp_capture.solver.log import Log
from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

FIRST: Final = 1e6
"""Nodes of the first mark."""
STEP: Final = math.sqrt(10)
SHARE: Final = 1.1
"""Growth of the nodes between two marks that are computed in the part of an earlier version."""


class Mark(NamedTuple):
    """The root's numbers after some nodes."""

    nodes: int
    pn: int
    dn: int

    @property
    def solved(self) -> bool:
        """Whether the position is decided."""
        return 0 in (self.pn, self.dn)


def marks(path: Path) -> list[Mark]:
    """Return the marks of a log, and the last one."""
    content = path.read_bytes()
    if path.suffix == ".xz":
        content = lzma.decompress(content)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "log")  # the log itself may be in use
        copy.write_bytes(content)
        with closing(Log(copy, {})) as log:
            every = list(_every(log, json.loads(content.partition(b"\n")[0].partition(b" ")[2])))
    found, following = [], FIRST
    for mark in every:
        if mark.nodes >= following and not mark.solved:
            found.append(mark)
            following = STEP ** math.ceil(math.log(mark.nodes + 1, STEP))
    return [*found, *every[-1:]] if found[-1:] != every[-1:] else found


def _every(log: Log, header: dict[str, Any]) -> Iterator[Mark]:
    """Yield the root's numbers at each record; in the part that an earlier version wrote, at some of them."""
    game = Game(header["rules"], (header["width"], header["height"]))
    game.setup(header["black"], header["white"], parse_color(header["to_move"]))
    solver = Solver(game.width, game.height, MEBIBYTE)
    stones, color = solver.stones(game.board), game.to_move
    old, nodes, following = OldLog(solver, stones, color), 0, FIRST
    key = _key(old._hashes(stones), color - BLACK)
    records = list(log.records())
    for number, record in enumerate(records, 1):
        if "job" not in record:
            decided = [row for row in record["rows"] if row["key"] == key and 0 in (row["pn"], row["dn"])]
            numbers = (decided or [record])[-1]
            yield Mark(record["nodes"], numbers["pn"], numbers["dn"])
            if decided:  # what follows is the search for the line
                return
            continue
        nodes += old.add(record)
        if nodes >= following or number == len(records):
            (root,) = (row for row in old.rows() if row.key == key)
            yield Mark(nodes, root.pn, root.dn)
            following = SHARE * nodes


@click.command()
@click.argument("logs", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1, required=True)
def main(logs: tuple[Path, ...]) -> None:
    """Print the marks of each log."""
    click.echo("| log | nodes | to prove | to disprove |\n|---|---|---|---|")
    for path in logs:
        for mark in marks(path):
            click.echo(f"| {path.name} | {mark.nodes:.2e} | {mark.pn:,} | {mark.dn:,} |")


if __name__ == "__main__":
    main()
