"""What a checkpoint costs, and what a stop loses: `python -m tests.benchmarks.checkpoints`.

Each board is solved by one thread without a checkpoint and with one; then it is stopped at some shares of its nodes,
and continued with an empty table.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

import click

from gtp_capture import Game
from gtp_capture.solver.checkpoint import Checkpoint
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

BOARDS = {
    "5x6": (5, 6, ""),
    "4x8": (4, 8, ""),
    "5x7": (5, 7, ""),
    "5x7 E3 A5": (5, 7, "E3 A5"),
    "6x6 C1": (6, 6, "C1"),
    "8x8 crosscut": (8, 8, "D4 E4 E5 D5"),
}
"""Boards and the plays of both sides before the search."""
STOPS = 0.3, 0.6, 0.9


class Run(NamedTuple):
    nodes: int
    seconds: float
    """Processor time."""


def game_of(name: str) -> Game:
    """Return the position of a board."""
    width, height, plays = BOARDS[name]
    game = Game("first-capture", (width, height))
    for play in plays.split():
        game.play(play)
    return game


def search(game: Game, memory: int, path: Path | None, nodes: int | None = None) -> Run:
    """Search a position with an empty table until it is solved, or for a number of nodes."""
    solver = Solver(game.width, game.height, memory)
    solver.table[:] = 0  # the system reserves the memory now
    root, began = (solver.stones(game.board), game.to_move), time.process_time()
    with nullcontext() if path is None else closing(Checkpoint(solver, path, {}, root)):
        solver.value(game.board, game.to_move, Limit(nodes=nodes).begin())
    return Run(solver.nodes, time.process_time() - began)


@click.command()
@click.option("--memory", default=1024, show_default=True, help="MiB of the table.")
@click.option("--board", "boards", type=click.Choice(list(BOARDS)), multiple=True, default=list(BOARDS))
def main(memory: int, boards: tuple[str, ...]) -> None:
    """Print a table."""
    print("| board | nodes | with a checkpoint | processor time by that without | bytes | nodes in all after a stop |")
    print("|---|---|---|---|---|---|")
    search(Game("first-capture", 5), MEBIBYTE, None)  # loads the code
    for name in boards:
        game = game_of(name)
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "whole")
            alone, kept = search(game, memory * MEBIBYTE, None), search(game, memory * MEBIBYTE, log)
            totals = []
            for stop in STOPS:
                path = Path(folder, str(stop))
                first = search(game, memory * MEBIBYTE, path, int(stop * alone.nodes))
                totals.append((first.nodes + search(game, memory * MEBIBYTE, path).nodes) / alone.nodes)
            ratio, again = kept.seconds / alone.seconds, ", ".join(f"{total:.2f}" for total in totals)
            size = log.stat().st_size
            print(f"| {name} | {alone.nodes:,} | {kept.nodes:,} | {ratio:.2f} | {size:,} | {again} |", flush=True)


if __name__ == "__main__":
    main()
