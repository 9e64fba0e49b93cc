"""Simulate a proof that many workers write after their search: `python -m tests.benchmarks.proof_simulation`.

As in `job_simulation`, the jobs, the tables and the process that gives the jobs are real, only the clock is not: jobs
of different workers overlap, and a job takes the processor time that it took here, times --scale.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gtp_capture.cli.check_proof import check_parts
from gtp_capture.cli.proofs import claim_of
from gtp_capture.go.vertex import opponent
from gtp_capture.solver.journal import store_all
from gtp_capture.solver.proofs.manifest import PART_INFERENCES
from gtp_capture.solver.proofs.part_job import Known, perform, work
from gtp_capture.solver.proofs.parts import Parts
from gtp_capture.solver.proofs.parts_writer import Crew, Writing
from gtp_capture.solver.result import WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.verdicts import verdicts
from gtp_capture.util.lanes import Lane, Lanes, run_on_lanes
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from .job_simulation import BOARDS, Clock, SimulatedLanes, SimulatedSearch, game_of, trunk_of


class WriterLanes(SimulatedLanes):
    """The workers of a search, which then write its proof."""

    def __init__(self, count: int, clock: Clock) -> None:
        super().__init__(count, clock)
        self._known: dict[Lane, Known] = {}
        self.clock = clock

    def submit(self, lane: Lane, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        if function is not work:
            return super().submit(lane, function, job)
        means, known = job.means, self._known.setdefault(lane, Known())
        solver = self.solver(lane, means.size, means.memory)
        return self.clock.run(
            lambda: None if means.verdicts is None else store_all(solver.table, means.verdicts),
            lambda: perform(solver, replace(job, means=None), known, Limit()),
        )


def simulate(name: str, workers: int, memory: int, most: int, scale: float) -> tuple[Parts, Clock]:
    """Search a board with simulated workers, write its proof and check it; the clock begins with the writing."""
    trunk, game = trunk_of(name), game_of(name)
    made = WriterLanes(workers, Clock(1, 0.002))

    @contextmanager
    def make_lanes() -> Iterator[Lanes]:
        yield made

    SimulatedSearch(trunk, memory, made.clock).run([trunk.root], make_lanes, Limit())
    winner = game.to_move if trunk.root.result == WIN else opponent(game.to_move)
    solver, size = Solver(game.width, game.height, MEBIBYTE), (game.width, game.height)
    with tempfile.TemporaryDirectory() as folder:
        clock = made.clock = Clock(scale, 0.002)
        parts = Parts(solver, game, winner, Path(folder, "proof"), most)
        crew = Crew(make_lanes, size, memory, 1, verdicts(trunk, solver.zobrist))
        run_on_lanes(made, work, Writing(parts, crew), lambda done: clock.next())
        parts.finish(claim_of(game, winner, PART_INFERENCES))
        clock.tick()
        check_parts(Path(folder, "proof"), 2**32, None)
    return parts, clock


@click.command()
@click.option("--board", type=click.Choice(list(BOARDS)), default="5x6", show_default=True)
@click.option("--workers", default="1,2,16,64", show_default=True)
@click.option("--memory", default=64, show_default=True, help="MiB for each worker.")
@click.option("--part-choices", default=1_000_000, show_default=True)
@click.option("--scale", default=1.0, show_default=True, help="Factor for the times of jobs.")
def main(board: str, workers: str, memory: int, part_choices: int, scale: float) -> None:
    """Print a table: for each number of workers the simulated time of writing, and how it was spent."""
    simulate("4x6 B2", 1, memory * MEBIBYTE, part_choices, 1)  # compiles
    columns = "workers", "seconds", "speed-up", "choices", "parts", "nodes again", "workers busy", "giving busy"
    print("|".join(["", *columns, ""]) + "\n" + "|---" * len(columns) + "|")
    first = 0.0
    for count in map(int, workers.split(",")):
        parts, clock = simulate(board, count, memory * MEBIBYTE, part_choices, scale)
        first = first or clock.now
        row = [
            f"{count:,}", f"{clock.now:.2f}", f"{first / clock.now:.2f}", f"{parts.choices:,}", f"{parts.count:,}",
            f"{parts.nodes:,}", f"{clock.working / clock.now / count:.0%}", f"{clock.trunk / clock.now:.0%}",
        ]  # fmt: skip
        print("|".join(["", *row, ""]), flush=True)


if __name__ == "__main__":
    main()
