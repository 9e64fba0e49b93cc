"""Measure how a proof is written after a search in jobs: `python -m tests.benchmarks.proof_workers --board 5x6`.

Each round solves each board twice in jobs: once its workers, threads that share a table, write the proof in parts, and
once one thread does.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from gtp_capture import Game
from gtp_capture.cli.check_proof import check_parts
from gtp_capture.cli.jobs import Means, crew_of, solve_in_jobs
from gtp_capture.cli.proofs import claim_of
from gtp_capture.solver.proofs.manifest import PART_INFERENCES
from gtp_capture.solver.proofs.parts import Parts
from gtp_capture.solver.proofs.parts_writer import write_parts, write_parts_in_workers
from gtp_capture.solver.solver import Solver
from gtp_capture.util.lanes import lanes
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

MEMORY = 2**32


class Row(NamedTuple):
    nodes: int
    """Of the search."""
    seconds: float
    """To write."""
    choices: int
    parts: int
    bytes: int
    again: int
    """Nodes searched again."""


def run(board: str, workers: int, memory: int, most: int, together: bool) -> Row:
    """Solve a board, and write its proof by all workers together, or by one; check it."""
    width, _, height = board.partition("x")
    game = Game("first-capture", int(width), int(height))
    solver = Solver(game.width, game.height, memory)
    means = Means(partial(lanes, workers), True, memory, 1, None)
    found = solve_in_jobs(solver, game, means, Limit(), False)
    winner = found.solution.winner
    assert winner is not None
    with tempfile.TemporaryDirectory() as name:
        began = time.monotonic()
        parts = Parts(solver, game, winner, Path(name, "proof"), most)
        if together:
            write_parts_in_workers(parts, crew_of(solver, found, means))
        else:
            write_parts(parts, solver)
        parts.finish(claim_of(game, winner, PART_INFERENCES))
        took = time.monotonic() - began
        check_parts(Path(name, "proof"), MEMORY, None)
    return Row(found.solution.nodes, took, parts.choices, parts.count, parts.bytes, parts.nodes)


def median(rows: Sequence[Row]) -> Row:
    return Row(*(statistics.median(values) for values in zip(*rows, strict=True)))


@click.command()
@click.option("--board", "boards", multiple=True, default=["5x5", "5x6"], show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--memory", default=256, show_default=True, help="MiB of the table.")
@click.option("--part-choices", default=1_000_000, show_default=True)
def main(boards: Sequence[str], workers: int, rounds: int, memory: int, part_choices: int) -> None:
    """Print a table of the medians."""
    print("| board | written by | nodes | s | choices | parts | bytes | again |")
    print("|---|---|---|---|---|---|---|---|")
    for board in boards:
        pairs = [
            [run(board, workers, memory * MEBIBYTE, part_choices, together) for together in (False, True)]
            for _ in range(rounds)
        ]
        for writer, rows in zip(("one worker", f"{workers} workers"), zip(*pairs, strict=True), strict=True):
            row = median(rows)
            print(
                f"| {board} | {writer} | {row.nodes:,.0f} | {row.seconds:.2f} | {row.choices:,.0f} "
                f"| {row.parts:.0f} | {row.bytes:,.0f} | {row.again:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
