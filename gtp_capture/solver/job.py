"""A job of a search in jobs: a bounded df-pn search of one position, in a process that keeps its table.

All jobs of a process share the table. With the numbers of the position a job returns its news: the numbers of its
largest subtrees. They are stored in the tables of other processes before their next jobs, so that a subtree is not
searched twice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..go.vertex import BLACK
from ..util.executor import cancellation_check
from ..util.limit import Limit
from .journal import new_journal, store_all, taken
from .result import Stones
from .solver import Solver
from .table import new_table
from .task import Root
from .trunk import Child, Finding

NEWS_NODES: Final = 10
"""Nodes of a subtree whose numbers are news, at least."""
ROWS: Final = 1 << 15
"""Maximum number of subtrees in a journal, and in the news of one job of each worker together."""


@dataclass(frozen=True, slots=True)
class Job:
    """A position to search in another thread or process, with the memory and threads for it."""

    number: int
    size: tuple[int, int]
    """Width and height."""
    stones: Stones
    color: int
    """The colour to move."""
    budget: int
    """Nodes, of all threads together."""
    memory: int
    """Bytes of the table of the process."""
    threads: int
    news: Any = None
    """Numbers of other processes, see `journal`; None if there are none."""
    rows: int = 0
    """Maximum number of subtrees to return."""


class Answer(NamedTuple):
    """What a worker returns for a job."""

    found: Finding
    news: Any
    """Numbers for the other processes, see `journal`."""


class JobSolver(Solver):
    """A solver that returns numbers, also of a position that it cannot decide."""

    def __init__(self, width: int, height: int, memory: int, threads: int = 1, table: Any = None) -> None:
        """See Solver."""
        super().__init__(width, height, memory, threads, table=table)
        self._memories = [m._replace(journal=new_journal(ROWS, NEWS_NODES)) for m in self._memories]

    def news(self, most: int) -> Any:
        """Return the numbers of subtrees since the last call, at most so many, those that cost most."""
        return np.concatenate([taken(memory.journal, most // self.threads, NEWS_NODES) for memory in self._memories])

    def survey(self, stones: Stones, color: int, limit: Limit) -> tuple[int, int, tuple[Child, ...]]:
        """Search a position; return its pn and dn, and if it is not decided the numbers of the plays worth trying."""
        root = Root(*stones, color - BLACK, 0, 0)
        for thread, task in enumerate(self._searched(root, limit)):
            if task.pn == 0 or task.dn == 0:
                return int(task.pn), int(task.dn), ()
            if task.depth >= 0:
                # With these thresholds the search leaves all nodes of its path, and stores their numbers.
                self._frames[thread].pn_threshold[:] = 0
                self._kernels.search(self._frames[thread], task, self._memories[thread], self._paths)
        return self._stored(root)

    def _stored(self, root: Root) -> tuple[int, int, tuple[Child, ...]]:
        """Return the numbers of a position and of its children as they are in the table, or new ones."""
        task: Any = self.new_task(root)
        self._kernels.search(self._frames[0], task, self._memories[0], self._single_path)
        self.nodes += int(task.nodes)
        if task.depth < 0:
            return int(task.pn), int(task.dn), ()
        frame = self._frames[0][0]
        columns = (column[: frame.children].tolist() for column in (frame.point, frame.pn, frame.dn))
        return int(task.pn), int(task.dn), tuple(Child(*values) for values in zip(*columns, strict=True))


class _Kept(NamedTuple):
    """The table of this process, and solvers that share it and have no job."""

    table: Any
    idle: list[JobSolver]


Key = tuple[tuple[int, int], int, int]
"""Board size, memory and threads."""

_kept: dict[Key, _Kept] = {}
"""At most one."""
_keeping = threading.Lock()


def lend(table: Any, size: tuple[int, int], memory: int, threads: int) -> None:
    """Let the jobs of this process that have these means share a table that exists."""
    with _keeping:
        _keep((size, memory, threads), table)


def _keep(key: Key, table: Any = None) -> None:
    """Keep a table, a new one if there is none."""
    _kept.clear()  # frees the table of another search first
    _kept[key] = _Kept(new_table(key[1]) if table is None else table, [])


@contextmanager
def kept_solver(size: tuple[int, int], memory: int, threads: int, limit: Limit) -> Iterator[JobSolver]:
    """Yield a solver with the table of this process; the limit ends if the job is cancelled.

    MemoryError: the table cannot be allocated.
    """
    key = size, memory, threads
    with _keeping:
        if key not in _kept:
            _keep(key)
        kept = _kept[key]
        solver = kept.idle.pop() if kept.idle else JobSolver(*size, memory, threads, kept.table)
    cancelled = cancellation_check()

    def look(nodes: int) -> None:
        if cancelled():
            limit.stop.set()

    solver.watch = look
    yield solver
    kept.idle.append(solver)


def work(job: Job) -> Answer:
    """Do a job in this process. MemoryError: the table cannot be allocated.

    If the job is cancelled, the numbers so far are returned, and are not used.
    """
    limit = Limit(playouts=max(1, job.budget // job.threads))
    with kept_solver(job.size, job.memory, job.threads, limit) as solver:
        return perform(solver, job, limit)


def perform(solver: JobSolver, job: Job, limit: Limit) -> Answer:
    """Do a job with this solver."""
    began, before = time.monotonic(), solver.nodes
    if job.news is not None:
        store_all(solver.table, job.news)
    pn, dn, children = solver.survey(job.stones, job.color, limit)
    found = Finding(job.number, job.stones, pn, dn, solver.nodes - before, time.monotonic() - began, children)
    return Answer(found, solver.news(job.rows))
