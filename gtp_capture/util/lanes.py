"""Lanes: workers that are addressed one by one, on this machine or on a Dask cluster.

A lane does one job at a time and keeps its memory between jobs, so it pays to send related work to the same lane.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from .executor import (
    CANCEL_POLL_SECONDS,
    MAX_BREAKS,
    WORKERS_POLL_SECONDS,
    ExecutorError,
    cluster,
    executor,
    threads_of_workers,
)

if TYPE_CHECKING:
    from distributed import Client

Job = TypeVar("Job")
Result = TypeVar("Result")
Taken = TypeVar("Taken", contravariant=True)


class Lanes(Protocol):
    """Workers that are addressed one by one."""

    def names(self) -> Collection[str]:
        """The lanes there are now; the same object as before unless they changed."""

    def submit(self, lane: str, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Start a job. If the process of the lane died, a new one is started."""


MakeLanes = Callable[[], AbstractContextManager[Lanes]]


class Work(Protocol[Job, Taken]):
    """The jobs of `run_on_lanes`."""

    def welcome(self, lanes: Collection[str]) -> None:
        """Take note of the lanes there are now."""

    def left(self) -> bool:
        """Return whether the work is not done; jobs that run then are dropped."""

    def job(self, lane: str) -> Job | None:
        """Return the next job for a lane; None if there is none for any, until a job that runs has ended."""

    def take(self, lane: str, job: Job, result: Taken) -> None:
        """Take the result of a job."""

    def lost(self, lane: str, job: Job) -> None:
        """Take note that the process of a lane died: its job has no result, and its memory is gone."""


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
    """Do the jobs of a work until it is done; `wait` returns a job that has ended.

    ExecutorError: processes die repeatedly. Errors of the function are raised.
    """
    done: Done[Result] = queue.SimpleQueue()
    running: dict[Future[Result], tuple[str, Job]] = {}
    breaks, names = 0, None
    while work.left():
        if names is not (names := lanes.names()):
            work.welcome(names)
            for future in [future for future, (lane, _) in running.items() if lane not in names]:
                future.cancel()
                work.lost(*running.pop(future))
        busy = {lane for lane, _ in running.values()}
        for lane in [lane for lane in names if lane not in busy]:
            job = work.job(lane)
            if job is None:
                break
            future = lanes.submit(lane, function, job)
            running[future] = lane, job
            future.add_done_callback(done.put)
        ended = wait(done)
        if ended is None or ended not in running:
            continue
        lane, job = running.pop(ended)
        try:
            result = ended.result()
        except BrokenExecutor:
            breaks += 1
            if breaks > MAX_BREAKS:
                raise ExecutorError("worker processes end repeatedly without a result") from None
            work.lost(lane, job)
            continue
        breaks = 0
        work.take(lane, job, result)


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
    """`count` processes of this machine, or one lane for each thread of a Dask cluster's workers.

    Leaving the context ends running jobs. A local process that dies breaks its job (BrokenExecutor); the lanes of a
    worker that a cluster loses are no longer among the names, and their jobs do not end. ExecutorError: the cluster
    cannot be reached or is lost, or no process can be started.
    """
    if scheduler is not None:
        with cluster(scheduler) as client:
            yield _ClusterLanes(client)
        return
    with suppress(_EndOfJobsError), ExitStack() as stack:
        yield _LocalLanes(count, stack)
        raise _EndOfJobsError  # an executor ends running jobs if it is left by an exception


class _EndOfJobsError(Exception):
    """Leaves the contexts of the executors."""


class _LocalLanes:
    """Lanes that are processes of this machine."""

    def __init__(self, count: int, stack: ExitStack) -> None:
        self._stacks = {str(number): stack.enter_context(ExitStack()) for number in range(count)}
        self._pools: dict[str, Executor] = {}
        self._names = list(self._stacks)
        for lane in self._names:
            self._start(lane)

    def names(self) -> Collection[str]:
        return self._names

    def submit(self, lane: str, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        try:
            return self._pools[lane].submit(function, job)
        except BrokenExecutor:
            self._stacks[lane].close()
            self._start(lane)
            return self._pools[lane].submit(function, job)

    def _start(self, lane: str) -> None:
        try:
            self._pools[lane] = self._stacks[lane].enter_context(executor(1))
        except OSError as error:
            raise ExecutorError(f"worker processes cannot be started: {error.strerror}") from None


class _ClusterLanes:
    """Lanes that are threads of the workers of a Dask cluster, which come and go."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._pools: dict[str, Executor] = {}
        self._names: list[str] = []
        self._looked = float("-inf")

    def names(self) -> Collection[str]:
        if time.monotonic() - self._looked > WORKERS_POLL_SECONDS:
            threads = threads_of_workers(self._client)
            names = [f"{address} {thread}" for address, count in threads.items() for thread in range(count)]
            self._names = self._names if names == self._names else names
            self._looked = time.monotonic()
        return self._names

    def submit(self, lane: str, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        address = lane.partition(" ")[0]
        if address not in self._pools:
            self._pools[address] = self._client.get_executor(pure=False, workers=[address])
        return self._pools[address].submit(function, job)
