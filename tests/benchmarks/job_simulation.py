"""Simulate a search in jobs with many workers, from measured times of its jobs and of its trunk.

    python -m tests.benchmarks.job_simulation --workers 1,2,16,256

The trunk, its jobs and the tables of all workers are real, only the clock is not: a job takes the processor time that
it took here, times --scale, and --latency seconds on its way; the jobs of different workers overlap. The trunk takes
the processor time that it took here, one result after the other. A scale of 1000 stands for a problem with 1000 times
as many nodes and jobs that are as much longer, but with the leaves of the small one.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from gtp_capture import Game
from gtp_capture.solver.job import JobSolver, perform
from gtp_capture.solver.journal import store_all
from gtp_capture.solver.search import Search
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.trunk import Trunk
from gtp_capture.util.lanes import Lane, Lanes
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

BOARDS = {
    "5x6": (5, 6, ""),
    "4x7": (4, 7, ""),
    "4x8": (4, 8, ""),
    "5x7": (5, 7, ""),
    "5x5 B2": (5, 5, "B2"),
    "4x6 B2": (4, 6, "B2"),
    "5x6 C3 B5": (5, 6, "C3 B5"),
    "4x8 B3 C5": (4, 8, "B3 C5"),
    "5x6 B2 D5": (5, 6, "B2 D5"),
    "5x7 C3 C5 B4 D4": (5, 7, "C3 C5 B4 D4"),
    "6x6 C3 E4 B5 D2": (6, 6, "C3 E4 B5 D2"),
    "5x7 E3 A5": (5, 7, "E3 A5"),
    "6x6 C1": (6, 6, "C1"),
    "6x6 B1": (6, 6, "B1"),
    "6x6 F4 B6 D3 C5": (6, 6, "F4 B6 D3 C5"),
}
"""Boards and the plays of both sides before the search."""


class Clock:
    """The simulated time, in seconds, and what is under way."""

    def __init__(self, scale: float, latency: float) -> None:
        self.scale, self.latency = scale, latency
        self.now = self.trunk = self.working = 0.0
        """The time, and the seconds that the trunk and all workers together worked."""
        self._mark = time.process_time()
        self._ends: list[tuple[float, int, Future[Any], Any]] = []
        self._number = itertools.count()

    def tick(self) -> None:
        """Add the processor time since the last call: the trunk worked."""
        took = time.process_time() - self._mark
        self.now, self.trunk = self.now + took, self.trunk + took
        self._mark = time.process_time()

    def run(self, learn: Callable[[], None], work: Callable[[], Any]) -> Future[Any]:
        """Do a job, which ends later; the time to learn the news of other workers does not grow with the scale."""
        self.tick()
        learn()
        took = time.process_time() - self._mark
        began = time.process_time()
        answer = work()
        took += (time.process_time() - began) * self.scale
        self.working += took
        self._mark = time.process_time()
        future: Future[Any] = Future()
        heapq.heappush(self._ends, (self.now + self.latency + took, next(self._number), future, answer))
        return future

    def next(self) -> Future[Any]:
        """Wait for the job that ends next."""
        self.tick()
        end, _, future, answer = heapq.heappop(self._ends)
        self.now = max(self.now, end)
        future.set_result(answer)
        return future


class SimulatedLanes:
    """Workers that stand for processes with one thread each, so each has its own table."""

    def __init__(self, count: int, clock: Clock) -> None:
        self._lanes, self._clock = [Lane(str(number), 0) for number in range(count)], clock
        self._solvers: dict[Lane, JobSolver] = {}

    def now(self) -> Collection[Lane]:
        return self._lanes

    def solver(self, lane: Lane, size: tuple[int, int], memory: int) -> JobSolver:
        """Return the solver of a worker."""
        if lane not in self._solvers:
            self._solvers[lane] = JobSolver(*size, memory)
        return self._solvers[lane]

    def submit(self, lane: Lane, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        solver, alone = self.solver(lane, job.size, job.memory), replace(job, news=None)
        return self._clock.run(
            lambda: None if job.news is None else store_all(solver.table, job.news),
            lambda: perform(solver, alone, Limit(playouts=job.budget)),
        )


class SimulatedSearch(Search):
    """A search in jobs whose jobs end by a simulated clock."""

    def __init__(self, trunk: Trunk, memory: int, clock: Clock) -> None:
        super().__init__(trunk, memory, 1)
        self._wait = lambda done: clock.next()


def game_of(name: str) -> Game:
    """Return the position of a board."""
    width, height, plays = BOARDS[name]
    game = Game("first-capture", width, height)
    for play in plays.split():
        game.play(play)
    return game


def trunk_of(name: str) -> Trunk:
    """Return a new trunk at the position of a board."""
    game = game_of(name)
    stones = Solver(game.width, game.height, MEBIBYTE).stones(game.board)
    return Trunk(game.width, game.height, stones, game.to_move)


def simulate(name: str, workers: int, memory: int, scale: float, latency: float) -> tuple[Trunk, Clock]:
    """Search a board with simulated workers."""
    trunk, clock = trunk_of(name), Clock(scale, latency)
    search = SimulatedSearch(trunk, memory, clock)

    @contextmanager
    def make_lanes() -> Iterator[Lanes]:
        yield SimulatedLanes(workers, clock)

    search.run([trunk.root], make_lanes, Limit())
    return trunk, clock


@click.command()
@click.option("--board", type=click.Choice(list(BOARDS)), default="5x6", show_default=True)
@click.option("--workers", default="1,2,16,256", show_default=True)
@click.option("--memory", default=16, show_default=True, help="MiB for each worker.")
@click.option("--scale", default=1.0, show_default=True, help="Factor for the times of jobs.")
@click.option("--latency", default=0.002, show_default=True, help="Seconds between a job and the trunk, both ways.")
def main(board: str, workers: str, memory: int, scale: float, latency: float) -> None:
    """Print a table: for each number of workers the simulated time, and how it was spent."""
    simulate("4x6 B2", 1, memory * MEBIBYTE, 1, 0)  # compiles
    print(f"{board}, times of jobs {scale:g} times those measured, {latency * 1000:g} ms latency")
    columns = "workers", "seconds", "speed-up", "nodes", "of one", "jobs", "s a job", "workers busy", "trunk busy"
    print("|".join(["", *columns, "trunk ms a job", ""]) + "\n" + "|---" * (len(columns) + 1) + "|")
    first = None
    for count in map(int, workers.split(",")):
        trunk, clock = simulate(board, count, memory * MEBIBYTE, scale, latency)
        first = first or (clock.now, trunk.nodes)
        shares = clock.working / clock.now / count, clock.trunk / clock.now
        row = [
            f"{count:,}", f"{clock.now:.2f}", f"{first[0] / clock.now:.2f}", f"{trunk.nodes:,}",
            f"{trunk.nodes / first[1]:.2f}", f"{trunk.jobs:,}", f"{clock.working / trunk.jobs:.4f}",
            *(f"{share:.0%}" for share in shares), f"{1000 * clock.trunk / trunk.jobs:.2f}",
        ]  # fmt: skip
        print("|".join(["", *row, ""]), flush=True)


if __name__ == "__main__":
    main()
