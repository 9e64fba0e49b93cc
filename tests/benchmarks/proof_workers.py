"""Measure how a proof is written after a search in jobs: `python -m tests.benchmarks.proof_workers --board 5x6`.

Each round solves a board with worker processes, and they write its proof. Then this process writes one too, as it does
without workers: it solves the board again with the numbers that the workers returned, and writes parts from its table.
Times are processor time, of the process that has worked most: the time if each had a processor of its own.
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
from gtp_capture.cli.jobs import Found, Means, crew_of, solve_in_jobs
from gtp_capture.cli.proofs import Target, claim_of
from gtp_capture.solver.proofs.manifest import PART_INFERENCES
from gtp_capture.solver.proofs.parts import Parts
from gtp_capture.solver.proofs.parts_writer import write_parts, write_parts_in_workers
from gtp_capture.solver.solver import MEBIBYTE, Solver
from gtp_capture.util.lanes import MakeLanes, kept, lanes
from gtp_capture.util.limit import Limit

MEMORY = 2**32


class Row(NamedTuple):
    seconds: float
    choices: int
    parts: int
    bytes: int
    again: int
    """Nodes searched again."""
    here: float
    """Seconds of this process."""


def processor_time(_: None) -> float:
    return time.process_time()


def times(make_lanes: MakeLanes) -> list[float]:
    """The processor time of each worker, once it has no job."""
    with make_lanes() as made:
        return [future.result() for future in [made.submit(lane, processor_time, None) for lane in made.names()]]


def here(solver: Solver, game: Game, found: Found, most: int, folder: Path) -> Row:
    """Write a proof in this process."""
    winner, before, began = found.solution.winner, solver.nodes, time.process_time()
    assert winner is not None
    assert solver.solve(game.board, game.to_move).winner == winner
    parts = Parts(solver, game, winner, folder / "here", most)
    write_parts(parts, solver)
    parts.finish(claim_of(game, winner, PART_INFERENCES))
    took = time.process_time() - began
    return Row(took, parts.choices, parts.count, parts.bytes, solver.nodes - before, took)


def there(solver: Solver, game: Game, found: Found, means: Means, target: Target) -> Row:
    """Write a proof in the workers."""
    winner, before = found.solution.winner, times(means.make_lanes)
    assert winner is not None
    assert target.most is not None
    began = time.process_time()
    parts = Parts(solver, game, winner, target.path, target.most)
    write_parts_in_workers(parts, crew_of(solver, found, means))
    parts.finish(claim_of(game, winner, PART_INFERENCES))
    local = time.process_time() - began
    took = max(after - earlier for earlier, after in zip(before, times(means.make_lanes), strict=True))
    return Row(max(took, local), parts.choices, parts.count, parts.bytes, parts.nodes, local)


def run(board: str, workers: int, memory: int, most: int) -> dict[str, Row]:
    """Solve a board and write its proof twice; return the figures, and in another row the nodes of the search."""
    width, _, height = board.partition("x")
    game = Game("first-capture", int(width), int(height))
    solver = Solver(game.width, game.height, memory)
    with tempfile.TemporaryDirectory() as name, kept(partial(lanes, workers)) as make_lanes:
        means = Means(make_lanes, memory, 1, None)
        found = solve_in_jobs(solver, game, means, Limit(), False)
        target = Target(Path(name, "there"), most)
        rows = {f"{workers} workers": there(solver, game, found, means, target)}
        rows["one process"] = here(solver, game, found, most, Path(name))
        for file in ("there", "here"):
            check_parts(Path(name, file), MEMORY, None)
        rows["search"] = Row(0, 0, 0, 0, found.solution.nodes, 0)
    return rows


def median(rows: Sequence[Row]) -> Row:
    return Row(*(statistics.median(values) for values in zip(*rows, strict=True)))


@click.command()
@click.option("--board", "boards", multiple=True, default=["5x5", "5x6"], show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--memory", default=256, show_default=True, help="MiB for each worker.")
@click.option("--part-choices", default=1_000_000, show_default=True)
def main(boards: Sequence[str], workers: int, rounds: int, memory: int, part_choices: int) -> None:
    """Print a table of the medians."""
    print("| board | nodes | writer | s | s here | choices | parts | bytes | again |")
    print("|---|---|---|---|---|---|---|---|---|")
    for board in boards:
        found = [run(board, workers, memory * MEBIBYTE, part_choices) for _ in range(rounds)]
        nodes = statistics.median(rows.pop("search").again for rows in found)
        for writer in found[0]:
            row = median([rows[writer] for rows in found])
            print(
                f"| {board} | {nodes:,.0f} | {writer} | {row.seconds:.2f} | {row.here:.2f} | {row.choices:,.0f} "
                f"| {row.parts:.0f} | {row.bytes:,.0f} | {row.again:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
