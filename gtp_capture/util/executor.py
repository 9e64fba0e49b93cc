"""Jobs in several processes of this machine, which may be killed at any time, or on a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from .extras import how_to_install
from .files import RequestError, warn
from .signals import leave_to_main_thread, take_signals

CONNECT_SECONDS: Final = 5.0
END_SECONDS: Final = 3.0
"""Seconds for a cluster's scheduler to answer at the end."""
CANCEL_POLL_SECONDS: Final = 0.1
"""Seconds between two checks whether jobs are cancelled."""
SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would copy the locks that other threads hold
AHEAD: Final = 1000
"""Maximum number of unfinished jobs that an executor has."""
TRIES: Final = 4
"""Maximum number of processes that may end during the same job."""

Job = TypeVar("Job")
Result = TypeVar("Result")
ExecutorFactory = Callable[[], AbstractContextManager[Executor]]


def executor(jobs: int, scheduler: str | None = None) -> AbstractContextManager[Executor]:
    """Return an executor with `jobs` processes of this machine, or on a Dask cluster if a scheduler's address is given.

    Leaving its context ends all work. If a process or a worker ends during a job, another one does the job.
    RequestError: the cluster cannot be reached or is lost.
    """
    return Processes(jobs) if scheduler is None else _cluster(scheduler)


def run_jobs(
    make_executor: ExecutorFactory,
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield each job with its result, in the order of completion; jobs that are found completed together, as submitted.

    The next job is taken only when the executor has fewer than AHEAD, so `jobs` may be endless.
    `cancelled` is polled every CANCEL_POLL_SECONDS; once it returns true, the remaining jobs are dropped.
    RequestError: there is no executor, it is lost, or several processes ended during the same job.
    """
    following = iter(jobs)
    if not (first := list(islice(following, AHEAD))):
        return
    with make_executor() as pool:
        missing = {pool.submit(function, job): job for job in first}
        while missing and not cancelled():
            completed = wait(missing, CANCEL_POLL_SECONDS, FIRST_COMPLETED).done
            for future in [future for future in missing if future in completed]:
                try:
                    result = future.result()
                except BrokenExecutor:
                    raise RequestError("worker processes end repeatedly without a result") from None
                done = missing.pop(future)
                missing |= {pool.submit(function, job): job for job in islice(following, 1)}
                yield done, result


def cancellation_check() -> Callable[[], bool]:
    """Return a predicate that is true once the job of this thread was cancelled.

    Call this in the worker, and the predicate during long work: a process of this machine ends with its executor, but a
    worker of a cluster has to stop by itself.
    """
    try:
        worker = sys.modules["distributed"].get_worker()
    except (KeyError, ValueError):
        return lambda: False
    tasks, key = worker.state.tasks, worker.get_current_task()
    return lambda: getattr(tasks.get(key), "state", "cancelled") == "cancelled"


class Processes(ThreadPoolExecutor):
    """Threads that each have a job done by a process, and by another one if that process ends.

    If TRIES processes end during a job, its result is BrokenExecutor. The processes end with the executor or with this
    process, also during a job.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count, "jobs", _block_sigint)
        self._lock, self._ended = threading.Lock(), False
        self._idle: list[Any] = []
        """The connections to processes without a job; their class depends on the system."""

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Call `function` in a process; function, arguments and result are sent by pickle."""
        return super().submit(self._call, function, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Kill the processes, also during their jobs."""
        super().shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._ended = True
            for process in multiprocessing.active_children():
                process.kill()
        super().shutdown()

    def _call(self, *call: Any) -> Any:
        for _ in range(TRIES):
            try:
                with self._lock:  # no process starts after shutdown has killed the others
                    if self._ended:
                        break
                    pipe = self._idle.pop() if self._idle else _start()
                pipe.send(call)
                result, error = pipe.recv()
            except (EOFError, OSError):  # the process has ended, or there are too many
                continue
            self._idle.append(pipe)
            if error is not None:
                raise error
            return result
        raise BrokenExecutor


def _start() -> Any:
    """Start a process, and return the connection to it."""
    ours, theirs = SPAWN.Pipe()
    SPAWN.Process(target=_work, args=(theirs,), daemon=True).start()
    theirs.close()
    return ours


def _block_sigint() -> None:
    """Block SIGINT in this thread, so that processes that it starts get none before they ignore it."""
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # its start would unblock the signal
    leave_to_main_thread()


def _work(pipe: Connection) -> None:
    """Call the functions that come through the pipe; ignore ^C, and end with the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    take_signals()
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function, args, kwargs = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(*args, **kwargs), None
            except Exception as error:
                answer = None, error
            pipe.send(answer)


def _exit_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise RequestError(f"a scheduler needs more packages: {how_to_install('cluster')}") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # this function reports errors in one line
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise RequestError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        if not client.nthreads():
            warn(f"{address}: waiting for workers: dask worker {address}")
        yield client.get_executor(pure=False)
    except KilledWorker:
        raise RequestError(f"workers are lost repeatedly at {address}") from None
    except Exception as error:  # a client that has lost the scheduler raises another error in each version
        if isinstance(error, CancelledError) or client.status == "closed":
            raise RequestError(f"the scheduler at {address} is gone") from None
        raise
    finally:
        with suppress(Exception):  # the scheduler is gone, or stopped
            client.close(END_SECONDS)  # cancels the running tasks
