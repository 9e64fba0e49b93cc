"""Jobs in several processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final, TypeVar

from .extras import how_to_install
from .files import RequestError
from .processes import Processes

CONNECT_SECONDS: Final = 5.0
END_SECONDS: Final = 3.0
"""Seconds for a cluster's scheduler to answer at the end."""
WORKERS_POLL_SECONDS: Final = 1.0
"""Seconds between two checks whether a cluster has workers."""
CANCEL_POLL_SECONDS: Final = 0.1
"""Seconds between two checks whether jobs are cancelled."""

Job = TypeVar("Job")
Result = TypeVar("Result")
ExecutorFactory = Callable[[], AbstractContextManager[Executor]]


def executor(jobs: int, scheduler: str | None = None) -> AbstractContextManager[Executor]:
    """Return an executor with `jobs` processes of this machine, or on a Dask cluster if a scheduler's address is given.

    Leaving its context ends all work. Another process or worker does the work of a lost one again. RequestError: the
    cluster cannot be reached or is lost.
    """
    return Processes(jobs) if scheduler is None else _cluster(scheduler)


def run_jobs(
    make_executor: ExecutorFactory,
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    cancelled: Callable[[], bool] = lambda: False,
) -> Generator[tuple[Job, Result], None, None]:
    """Yield each job with the function's result for it, in the order of completion.

    `cancelled` is polled every CANCEL_POLL_SECONDS; once it returns true, the remaining jobs are dropped.
    RequestError: there is no executor, it is lost, or several processes ended during the same job.
    """
    if not (jobs := list(jobs)):
        return
    with make_executor() as pool:
        done: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        missing = {pool.submit(function, job): job for job in jobs}
        for future in missing:
            future.add_done_callback(done.put)
        while missing and not cancelled():
            try:
                future = done.get(timeout=CANCEL_POLL_SECONDS)
                result = future.result()
            except queue.Empty:
                continue
            except BrokenExecutor:
                raise RequestError("worker processes end repeatedly without a result") from None
            yield missing.pop(future), result


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


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise RequestError(f"a scheduler needs more packages: {how_to_install('cluster')}") from None
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported in one line of ours
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise RequestError(f"no Dask scheduler answers at {address}: {error}") from None
    over = threading.Event()
    threading.Thread(target=_watch, args=(client, address, over), daemon=True).start()
    try:
        yield client.get_executor(pure=False)
    except KilledWorker:
        raise RequestError(f"workers are lost repeatedly at {address}") from None
    except Exception as error:  # what a client raises that has given the scheduler up depends on its version
        if isinstance(error, CancelledError) or client.status == "closed":
            raise RequestError(f"the scheduler at {address} is gone") from None
        raise
    finally:
        over.set()
        with suppress(Exception):  # the scheduler is gone, or stopped
            client.close(END_SECONDS)  # which cancels what runs


def _watch(client: Any, address: str, over: threading.Event) -> None:
    """Print a line on stderr when a cluster has no workers, and another one when it has some again."""
    waiting = False
    with suppress(Exception):  # the scheduler is gone
        while not over.is_set():
            workers = len(client.nthreads())
            if waiting != (workers == 0):
                waiting = not waiting
                state = f"waiting for workers: dask worker {address}" if waiting else f"workers: {workers}"
                print(f"gtp-capture: {address}: {state}", file=sys.stderr, flush=True)
            over.wait(WORKERS_POLL_SECONDS)
