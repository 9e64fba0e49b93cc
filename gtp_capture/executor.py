"""Where work is done that needs more than one process: here, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, util
from typing import Any

CONNECT_SECONDS = 5.0
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
        with _cluster(scheduler) as client:
            pool = client.get_executor(pure=False)
            try:
                yield pool
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


def at_worker_end(callback: Callable[[], None]) -> None:
    """Have a worker call this before it ends, also where it is told to end in the middle of its work."""
    if not _at_end:
        util.Finalize(None, _end_work, exitpriority=1)
    _at_end.append(callback)


def workers(pool: Executor, jobs: int) -> int:
    """How many calls an executor runs at once, as far as it tells."""
    client = getattr(pool, "_client", None)
    return sum(client.nthreads().values()) if client is not None else jobs


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


def _cluster(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise ExecutorError("a scheduler needs more packages: pip install 'gtp-capture[cluster]'") from None
    try:
        return Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from None
