"""Lanes: workers that are addressed one by one, threads of this process or of the workers of a Dask cluster.

A lane does one job at a time. The lanes of one place are threads of the same process, which keeps its memory between
jobs, so it pays to send related work to the same place.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Final, NamedTuple, Protocol, TypeVar

from .executor import CANCEL_POLL_SECONDS, Cluster, cancel_with, cluster

HERE: Final = "here"
"""The place of the threads of this process."""

Job = TypeVar("Job")
Result = TypeVar("Result")
Taken = TypeVar("Taken", contravariant=True)


class Lane(NamedTuple):
    """A worker: a thread of a process."""

    place: str
    """The process."""
    number: int
    """Of the thread."""


class Lanes(Protocol):
    """Workers that are addressed one by one."""

    def now(self) -> Collection[Lane]:
        """The lanes there are now; the same object as before unless they changed."""

    def submit(self, lane: Lane, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Start a job."""


MakeLanes = Callable[[], AbstractContextManager[Lanes]]


class Work(Protocol[Job, Taken]):
    """The jobs of `run_on_lanes`."""

    def welcome(self, lanes: Collection[Lane]) -> None:
        """Take note of the lanes there are now. What a place that is gone has kept is lost."""

    def left(self) -> bool:
        """Return whether the work is not done; jobs that run then are dropped."""

    def job(self, lane: Lane) -> Job | None:
        """Return the next job for a lane; None if there is none for any, until a job that runs has ended."""

    def take(self, lane: Lane, job: Job, result: Taken) -> None:
        """Take the result of a job."""

    def lost(self, lane: Lane, job: Job) -> None:
        """Take note that a lane is gone: its job has no result."""


Done = queue.SimpleQueue[Future[Result]]
"""The jobs that have ended."""


def first_done(done: Done[Result]) -> Future[Result] | None:
    """Return a job that has ended; None if there is none for a while."""
    try:
        return done.get(timeout=CANCEL_POLL_SECONDS)
    except queue.Empty:
        return None


def run_on_lanes(
    lanes: Lanes,
    function: Callable[[Job], Result],
    work: Work[Job, Result],
    wait: Callable[[Done[Result]], Future[Result] | None] = first_done,
) -> None:
    """Do the jobs of a work until it is done; `wait` returns a job that has ended. Errors of a job are raised."""
    done: Done[Result] = queue.SimpleQueue()
    running: dict[Future[Result], tuple[Lane, Job]] = {}
    free: deque[Lane] = deque()
    known = None
    while work.left():
        if known is not (known := lanes.now()):
            work.welcome(known)
            for future in [future for future, (lane, _) in running.items() if lane not in known]:
                future.cancel()
                work.lost(*running.pop(future))
            busy = {lane for lane, _ in running.values()}
            free = deque(lane for lane in known if lane not in busy)
        while free and (job := work.job(free[0])) is not None:
            lane = free.popleft()
            future = lanes.submit(lane, function, job)
            running[future] = lane, job
            future.add_done_callback(done.put)
        ended = wait(done)
        if ended in running:
            lane, job = running.pop(ended)
            free.append(lane)
            work.take(lane, job, ended.result())


@contextmanager
def kept(make_lanes: MakeLanes) -> Iterator[MakeLanes]:
    """Yield a function for several uses of the same lanes, made at the first; they end with this context."""
    made: list[Lanes] = []
    with ExitStack() as stack:

        @contextmanager
        def same() -> Iterator[Lanes]:
            if not made:
                made.append(stack.enter_context(make_lanes()))
            yield made[0]

        yield same


@contextmanager
def lanes(count: int, scheduler: str | None = None) -> Iterator[Lanes]:
    """`count` threads of this process, or one lane for each thread of a Dask cluster's workers.

    Leaving the context cancels running jobs, see `cancellation_check`. The lanes of a worker that a cluster loses are
    gone, and their jobs do not end. ExecutorError: the cluster cannot be reached or is lost.
    """
    if scheduler is not None:
        with cluster(scheduler) as found:
            yield _ClusterLanes(found)
        return
    over = threading.Event()
    with ThreadPoolExecutor(count, "lane", cancel_with, (over,)) as pool:
        try:
            yield _LocalLanes(count, pool)
        finally:
            over.set()


class _LocalLanes:
    """Lanes that are threads of this process."""

    def __init__(self, count: int, pool: Executor) -> None:
        self._lanes = [Lane(HERE, number) for number in range(count)]
        self._pool = pool

    def now(self) -> Collection[Lane]:
        return self._lanes

    def submit(self, lane: Lane, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        return self._pool.submit(function, job)


class _ClusterLanes:
    """Lanes that are threads of the workers of a Dask cluster, which come and go."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._pools: dict[str, Executor] = {}
        self._lanes: list[Lane] = []

    def now(self) -> Collection[Lane]:
        threads = self._cluster.threads()
        lanes = [Lane(address, thread) for address, count in threads.items() for thread in range(count)]
        self._lanes = self._lanes if lanes == self._lanes else lanes
        return self._lanes

    def submit(self, lane: Lane, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        address = lane.place
        if address not in self._pools:
            self._pools[address] = self._cluster.client.get_executor(pure=False, workers=[address])
        return self._pools[address].submit(function, job)
