"""Measure proofs: `python -m tests.benchmarks.proofs` prints the tables of solver.md; processor time of one thread.

With arguments, such as `5x7 6x6`, it measures these empty boards instead of the small ones.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gtp_capture import Game
from gtp_capture.cli.check_proof import check_file
from gtp_capture.cli.solve import write_proof
from gtp_capture.go.vertex import opponent
from gtp_capture.solver.result import WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

BOARDS = ["5x5", "4x7", "5x6"]
ENTRY = 16
"""Bytes that the table needs for each node, at most."""
SHARES = [1.0, 0.1, 0.025]
"""Sizes of the table, as parts of what the nodes of the search need."""
MEMORY = 2**32


class Clock:
    """Seconds of processor time in a block."""

    seconds = 0.0


@contextmanager
def clock() -> Iterator[Clock]:
    found, began = Clock(), time.process_time()
    yield found
    found.seconds = time.process_time() - began


class Solved(NamedTuple):
    solver: Solver
    game: Game
    winner: int


def solved(board: str, memory: int) -> Solved:
    width, _, height = board.partition("x")
    game = Game("first-capture", (int(width), int(height)))
    solver = Solver(game.width, game.height, max(MEBIBYTE, memory))
    won = solver.value(game.board, game.to_move, Limit().begin()) == WIN
    return Solved(solver, game, game.to_move if won else opponent(game.to_move))


def whole(board: str, folder: Path) -> None:
    """Print how a proof is written and checked with tables of several sizes."""
    needed = 0
    for share in SHARES:
        found = solved(board, int(share * ENTRY * needed) if needed else 4096 * MEBIBYTE)
        nodes = found.solver.nodes
        needed = needed or nodes
        path = folder / "whole"
        with clock() as writing:
            write_proof(*found, path, quiet=True)
        again = found.solver.nodes - nodes
        with clock() as checking:
            counts = check_file(path, MEMORY).counts
        print(
            f"| {board} | {share:g} | {nodes:,} | {counts.choices:,} | {100 * again / nodes:.2f} % "
            f"| {writing.seconds:.1f} | {path.stat().st_size:,} | {counts.replies:,} | {counts.captures:,} "
            f"| {checking.seconds:.1f} |",
            flush=True,
        )


def main(boards: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        print(
            "| board | table | nodes | choices | nodes again | s to write | bytes | replies | captures | s to check |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|")
        for board in boards:
            whole(board, Path(name))


if __name__ == "__main__":
    main(sys.argv[1:] or BOARDS)
