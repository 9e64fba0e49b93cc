"""Lanes: workers that are addressed one by one, on this machine or on a Dask cluster.

A lane does one job at a time and keeps its memory between jobs, so it pays to send related work to the same lane.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from .executor import WORKERS_POLL_SECONDS, cluster, executor, threads_of_workers

if TYPE_CHECKING:
    from distributed import Client

Job = TypeVar("Job")
Result = TypeVar("Result")


class Lanes(Protocol):
    """Workers that are addressed one by one."""

    def names(self) -> Collection[str]:
        """The lanes there are now; the same object as before unless they changed."""

    def submit(self, lane: str, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Start a job. If the process of the lane died, a new one is started."""


MakeLanes = Callable[[], AbstractContextManager[Lanes]]


@contextmanager
def lanes(count: int, scheduler: str | None = None) -> Iterator[Lanes]:
    """`count` processes of this machine, or one lane for each thread of a Dask cluster's workers.

    Leaving the context ends running jobs. A local process that dies breaks its job (BrokenExecutor); a cluster gives
    the jobs of a lost worker to another one. ExecutorError: the cluster cannot be reached or is lost.
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
        self._pools[lane] = self._stacks[lane].enter_context(executor(1))


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
            # Another worker may take the jobs of this one if it is lost.
            options = {"pure": False, "workers": [address], "allow_other_workers": True}
            self._pools[address] = self._client.get_executor(**options)
        return self._pools[address].submit(function, job)
