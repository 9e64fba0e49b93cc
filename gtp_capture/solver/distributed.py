"""The winners after all first moves of a position, found by several processes, on this machine or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace

from ..go.game import Game
from ..go.symmetry import Symmetry, symmetries
from ..go.vertex import opponent
from ..util.executor import cancellation_check, run_jobs
from ..util.limit import Limit
from .result import LOSS, UNKNOWN, WIN
from .solver import Solver, Stones


@dataclass(frozen=True, slots=True)
class SolveJob:
    """A position to solve in another process, with the memory and threads for it."""

    width: int
    height: int
    stones: Stones
    color: int
    """The colour to move."""
    memory: int
    """Bytes of the table."""
    threads: int


def solve_job(job: SolveJob) -> tuple[int, int]:
    """Solve a position in this process, with a table of its own; return the result for the side to move, and the nodes.

    The result is UNKNOWN only if the task was cancelled.
    """
    solver = Solver(job.width, job.height, job.memory, job.threads)
    limit, cancelled = Limit(), cancellation_check()

    def look(nodes: int) -> None:
        if cancelled():
            limit.stop.set()

    solver.watch = look
    return solver.result(job.stones, job.color, limit), solver.nodes


def first_moves(
    solver: Solver, game: Game, limit: Limit, make_executor: Callable[[], AbstractContextManager[Executor]]
) -> dict[int, int | None]:
    """Return the winner after each legal play of the colour to move; None if the limit was reached first.

    Positions that the local solver already knows, and symmetric duplicates, are not dispatched. Each process gets as
    much memory and as many threads as the local solver; their nodes are added to those of the local solver.
    ExecutorError: no process can be used. MemoryError: a process cannot allocate its table.
    """
    stones, color, other = solver.stones(game.board), game.to_move, opponent(game.to_move)
    winner = {WIN: other, LOSS: color, UNKNOWN: None}
    found: dict[int, int | None] = {}
    plays: dict[Stones, list[int]] = {}
    for play, after in solver.plays(stones, color):
        found[play] = color if solver.captures(stones, color, play) else None
        if found[play] is None:
            canonical = min(_image(after, symmetry) for symmetry in symmetries(game.width, game.height))
            plays.setdefault(canonical, []).append(play)
    known = {after: winner[solver.result(after, other, replace(limit, playouts=1))] for after in plays}
    size, means = (game.width, game.height), (solver.table.nbytes, solver.threads)
    jobs = [SolveJob(*size, after, other, *means) for after in plays if known[after] is None]
    with closing(run_jobs(make_executor, solve_job, jobs, limit.expired)) as results:
        for job, (result, nodes) in results if jobs else ():
            known[job.stones] = winner[result]
            solver.nodes += nodes
            solver.watch(solver.nodes)
    return found | {play: known[after] for after, same in plays.items() for play in same}


def _image(stones: Stones, symmetry: Symmetry) -> Stones:
    """Return the image of a position under a symmetry."""
    black, white = (sum(1 << i for i, source in enumerate(symmetry) if bits >> source & 1) for bits in stones)
    return black, white
