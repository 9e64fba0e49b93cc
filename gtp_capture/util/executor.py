"""Executors for work in several processes, on this machine or on a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing import connection, resource_tracker, util
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from .extras import how_to_install
from .files import RequestError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS: Final = 5.0
WORKERS_POLL_SECONDS: Final = 1.0
"""Seconds between two checks whether a cluster has workers."""
CANCEL_POLL_SECONDS: Final = 0.1
"""Seconds between two checks whether jobs are cancelled."""
END_SECONDS: Final = 5.0
"""Seconds for processes to end that were told to."""
MAX_BREAKS: Final = 3
"""Maximum number of executors that break in a row without a result."""

Job = TypeVar("Job")
Result = TypeVar("Result")
ExecutorFactory = Callable[[], AbstractContextManager[Executor]]
_exit_callbacks: list[Callable[[], None]] = []


class ExecutorError(RequestError):
    """No executor could be made, or it was lost; the message gives the reason."""


@contextmanager
def executor(jobs: int, scheduler: str | None = None) -> Iterator[Executor]:
    """An executor with `jobs` processes of this machine, or on a Dask cluster if a scheduler's address is given.

    Leaving the context cancels pending work. A local process that dies breaks the executor (BrokenExecutor); a cluster
    gives the work of a lost worker to another one. ExecutorError: the cluster cannot be reached or is lost.
    """
    with _local_executor(jobs) if scheduler is None else _cluster_executor(scheduler) as pool:
        yield pool


@contextmanager
def _local_executor(jobs: int) -> Iterator[Executor]:
    others = multiprocessing.active_children()
    # Spawned, not forked: the threads of this process (a progress display) may not be copied safely.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _initialize_worker) as processes:
        try:
            with _sigint_held():
                for _ in range(jobs):
                    processes.submit(_start_worker)
            yield processes
        except BaseException:
            results: Any = getattr(processes, "_result_queue", None)
            manager: Any = getattr(processes, "_executor_manager_thread", None)
            processes.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                if child not in others:
                    child.terminate()
            if results is not None:
                # A process may end in the middle of a result. The executor's thread waits for the rest, and Python at
                # its exit for that thread, as long as this process can write to the pipe too.
                results._writer.close()
            if manager is not None:
                manager.join(END_SECONDS)  # at its exit, Python may wake a thread that is just ending, which fails
            for child in multiprocessing.active_children():
                if child not in others:
                    child.kill()  # it did not end when it was told to, and Python would wait for it at its exit
            raise


@contextmanager
def _cluster_executor(scheduler: str) -> Iterator[Executor]:
    with cluster(scheduler) as found:
        pool = found.client.get_executor(pure=False)
        try:
            yield pool
        finally:
            # In a thread, because it waits for the scheduler, which may be stopped.
            ending = threading.Thread(target=_shut_down, args=(pool,), daemon=True)
            ending.start()
            ending.join(END_SECONDS)


def _shut_down(pool: Executor) -> None:
    with suppress(Exception):  # the scheduler is gone, and with it what is to be cancelled
        pool.shutdown(wait=False)


@contextmanager
def cluster(scheduler: str) -> Iterator[Cluster]:
    """Connect to a Dask cluster. ExecutorError: it cannot be reached or is lost."""
    with _connect(scheduler) as client, Cluster(client, scheduler) as found:
        from distributed import KilledWorker

        try:
            yield found
        except KilledWorker:
            raise ExecutorError(f"workers are lost repeatedly at {scheduler}") from None
        except Exception as error:  # what a client raises that has given the scheduler up depends on its version
            if isinstance(error, CancelledError) or client.status == "closed":
                raise ExecutorError(f"the scheduler at {scheduler} is gone") from None
            raise


class Cluster:
    """A Dask cluster. A thread asks for its workers, so that a scheduler that does not answer delays no one.

    It prints a line on stderr when the cluster has no workers, and another one when it has some again.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.client, self._address = client, address
        self._threads: dict[str, int] | None = None
        """The threads of each worker; None if the scheduler is gone."""
        self._over = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._threads = self._asked()
        self._watching.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._watching.join(CONNECT_SECONDS)

    def _asked(self) -> dict[str, int] | None:
        try:
            return dict(self.client.nthreads())
        except (OSError, RuntimeError, AttributeError, CancelledError):  # AttributeError: the client has given it up
            return None

    def _watch(self) -> None:
        waiting = False
        while self._threads is not None and not self._over.is_set():
            workers = len(self._threads)
            if waiting != (workers == 0):
                waiting = not waiting
                state = f"waiting for workers: dask worker {self._address}" if waiting else f"workers: {workers}"
                print(f"gtp-capture: {self._address}: {state}", file=sys.stderr, flush=True)
            self._over.wait(WORKERS_POLL_SECONDS)
            self._threads = self._asked()


def run_jobs(
    make_executor: ExecutorFactory,
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield each job with the function's result for it, in the order of completion.

    Jobs lost with a broken executor run again in a new one. `cancelled` is polled every CANCEL_POLL_SECONDS; once it
    returns true, the remaining jobs are dropped. ExecutorError: there is no executor, or executors break repeatedly.
    """
    missing = dict(enumerate(jobs))
    breaks = 0
    with suppress(_StoppedError):
        while missing:
            try:
                with make_executor() as pool:
                    done: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
                    numbers = {pool.submit(function, job): number for number, job in missing.items()}
                    for future in numbers:
                        future.add_done_callback(done.put)
                    while missing:
                        if cancelled():
                            raise _StoppedError  # leaves the executor's context, which ends the running jobs
                        with suppress(queue.Empty):
                            future = done.get(timeout=CANCEL_POLL_SECONDS)
                            result = future.result()
                            breaks = 0
                            yield missing.pop(numbers[future]), result
            except BrokenExecutor:
                breaks += 1
                if breaks > MAX_BREAKS:
                    raise ExecutorError("worker processes end repeatedly without a result") from None


def cancellation_check() -> Callable[[], bool]:
    """Return a predicate that is true once the job of this thread was cancelled.

    Call this in the worker, and the predicate during long work: a local process is ended by its parent, but a worker
    of a cluster has to stop by itself.
    """
    distributed = sys.modules.get("distributed")
    try:
        worker = None if distributed is None else distributed.get_worker()
    except ValueError:
        worker = None
    if worker is None:
        return lambda: False
    key = worker.get_current_task()

    def cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return cancelled


class _StoppedError(Exception):
    """Leaves the executor's context when the jobs were cancelled."""


def at_worker_exit(callback: Callable[[], None]) -> None:
    """Register a callback to run before a worker process ends, also if it is terminated during its work.

    It may run in a signal handler, so it must not wait for a lock that the interrupted code may hold.
    """
    if not _exit_callbacks:
        util.Finalize(None, _run_exit_callbacks, exitpriority=1)
    _exit_callbacks.append(callback)


@contextmanager
def _sigint_held() -> Iterator[None]:
    """Child processes started here do not get SIGINT before they ignore it; this process gets it afterwards."""
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # it starts a process too, and would end the holding
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Do nothing; submitting this starts a process."""


def _initialize_worker() -> None:
    """Prepare a process of the pool: only the parent handles ^C, and the process ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held since the start, see `_sigint_held`
    signal.signal(signal.SIGTERM, lambda number, frame: _exit_worker())
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        _exit_worker()


def _exit_worker() -> None:
    """End this process, also if a callback fails: a signal may interrupt a call that cannot be entered again."""
    try:
        _run_exit_callbacks()
    finally:
        os._exit(1)


def _run_exit_callbacks() -> None:
    while _exit_callbacks:
        _exit_callbacks.pop()()


def _connect(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError(f"a scheduler needs more packages: {how_to_install('cluster')}") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported in one line of ours
    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from None
