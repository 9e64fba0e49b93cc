"""Where work is done that needs more than one process: here, or on a Dask cluster."""

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
from multiprocessing import connection, util
from typing import Any, Final, TypeVar

CONNECT_SECONDS: Final = 5.0
WORKERS_SECONDS: Final = 1.0
"""Between two looks at whether a cluster has workers."""
LOOK_SECONDS: Final = 0.1
"""Between two looks at whether to give up."""
MOST_BREAKS: Final = 3
"""Times that a place to work may break without a result in between."""

Job = TypeVar("Job")
Result = TypeVar("Result")
_at_end: list[Callable[[], None]] = []


class ExecutorError(Exception):
    """There is no such place to work; the message says why."""


@contextmanager
def executor(jobs: int, scheduler: str | None = None) -> Iterator[Executor]:
    """Processes of this machine, or the workers of a Dask cluster where a scheduler's address is given.

    Leaving the context gives up what is not done yet. A process here that dies breaks the executor (BrokenExecutor);
    what a lost worker of a cluster was doing is done again by another. ExecutorError: no cluster.
    """
    if scheduler is not None:
        with _cluster(scheduler) as client, _waiting_told(client, scheduler):
            from distributed import KilledWorker

            pool = client.get_executor(pure=False)
            try:
                yield pool
            except KilledWorker:
                raise ExecutorError(f"one worker after the other is lost at {scheduler}") from None
            except CancelledError:
                raise ExecutorError(f"the scheduler at {scheduler} is gone") from None
            finally:
                pool.shutdown(wait=False)
        return
    others = multiprocessing.active_children()
    # Spawned, not forked: what runs beside us in threads (a progress display) is not safe to copy.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _serve_parent) as processes:
        try:
            with _deaf_to_interrupts():
                for _ in range(jobs):
                    processes.submit(_nothing)  # each starts a process
            yield processes
        except BaseException:
            processes.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                if child not in others:
                    child.terminate()
            raise


def perform(
    place: Callable[[], AbstractContextManager[Executor]],
    call: Callable[[Job], Result],
    jobs: Iterable[Job],
    given_up: Callable[[], bool] = lambda: False,
) -> Generator[tuple[Job, Result], None, None]:
    """Each job with what a call makes of it, in the order in which they are done.

    What a broken place has lost is done again in a new one. `given_up` is asked several times a second; where it is
    true, what is not done is left. ExecutorError: there is no such place, or it is lost again and again.
    """
    missing = dict(enumerate(jobs))
    breaks = 0
    with suppress(_GivenUpError):
        while missing:
            try:
                with place() as pool:
                    done: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
                    numbers = {pool.submit(call, job): number for number, job in missing.items()}
                    for future in numbers:
                        future.add_done_callback(done.put)
                    while missing:
                        if given_up():
                            raise _GivenUpError  # through the place, which ends what is still under way
                        with suppress(queue.Empty):
                            future = done.get(timeout=LOOK_SECONDS)
                            result = future.result()
                            breaks = 0
                            yield missing.pop(numbers[future]), result
            except BrokenExecutor:
                breaks += 1
                if breaks > MOST_BREAKS:
                    raise ExecutorError("the processes that work are lost again and again") from None


def unwanted() -> Callable[[], bool]:
    """A question for a long call to ask while it works: has everybody gone who waited for its result?

    It is got where the call runs. A process here is ended by who started it; a worker of a cluster works on unless it
    asks.
    """
    distributed = sys.modules.get("distributed")
    try:
        worker = None if distributed is None else distributed.get_worker()
    except ValueError:
        worker = None
    if worker is None:
        return lambda: False
    key = worker.get_current_task()

    def question() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return question


class _GivenUpError(Exception):
    """Nobody waits for the results any more."""


def at_worker_end(callback: Callable[[], None]) -> None:
    """Have a worker call this before it ends, also where it is told to end in the middle of its work."""
    if not _at_end:
        util.Finalize(None, _end_work, exitpriority=1)
    _at_end.append(callback)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started inside never hears of ^C, not even before it can say so itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing() -> None:
    pass


def _serve_parent() -> None:
    """Prepare a process of the pool: ^C is the parent's affair, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: _leave())
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        _leave()


def _leave() -> None:
    _end_work()
    os._exit(1)


def _end_work() -> None:
    while _at_end:
        _at_end.pop()()


@contextmanager
def _waiting_told(client: Any, address: str) -> Iterator[None]:
    """Say on stderr while the cluster has no workers, without which nothing is done, and when it has some again."""
    over = threading.Event()

    def look() -> None:
        waiting = False
        with suppress(OSError, RuntimeError, CancelledError):  # the scheduler is gone, which is told elsewhere
            while not over.is_set():
                workers = len(client.nthreads())
                if waiting != (workers == 0):
                    waiting = not waiting
                    what = f"waiting for workers: dask worker {address}" if waiting else f"workers: {workers}"
                    print(f"gtp-capture: {address}: {what}", file=sys.stderr, flush=True)
                over.wait(WORKERS_SECONDS)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(CONNECT_SECONDS)


def _cluster(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError("a scheduler needs more packages: pip install 'gtp-capture[cluster]'") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told in one line of ours
    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from None
