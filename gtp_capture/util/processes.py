"""An executor with processes of this machine, each of which may be killed at any time."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import connection, process, resource_tracker
from typing import Any, Final, TypeVar

END_SECONDS: Final = 3.0
"""Seconds for processes to end that were told to."""
TRIES: Final = 4
"""Processes that may end during one job."""

Result = TypeVar("Result")
_exit_callbacks: list[Callable[[], None]] = []


class Processes(Executor):
    """Threads that each have a job done by a process, and by another one if that process ends.

    If TRIES processes end during a job, its result is BrokenExecutor. The processes end with the executor or with this
    process, also during a job: a pipe from this process is then closed.
    """

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count, "jobs", _block_sigint)
        self._context = multiprocessing.get_context("spawn")  # a fork would copy the locks that other threads hold
        self._ending, self._lifeline = self._context.Pipe(duplex=False)
        self._started: list[process.BaseProcess] = []
        self._idle: list[Any] = []
        """The connections to processes without a job; their class depends on the system."""

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Have `function` called in a process; all is sent by pickle."""
        return self._threads.submit(self._call, function, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes, also during their jobs."""
        self._lifeline.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + END_SECONDS
        for each in self._started:
            each.join(max(0.0, until - time.monotonic()))
            each.kill()
        self._threads.shutdown()

    def _call(self, *call: Any) -> Any:
        for _ in range(TRIES):
            if self._lifeline.closed:
                break
            try:
                pipe = self._idle.pop() if self._idle else self._start()
                pipe.send(call)
                result, error = pipe.recv()
            except (EOFError, OSError):  # the process has ended, or there are too many
                continue
            self._idle.append(pipe)
            if error is not None:
                raise error
            return result
        raise BrokenExecutor

    def _start(self) -> Any:
        ours, theirs = self._context.Pipe()
        started = self._context.Process(target=_work, args=(theirs, self._ending), daemon=True)
        started.start()
        self._started.append(started)
        theirs.close()
        return ours


def at_exit(callback: Callable[[], None]) -> None:
    """Register a callback to run before this process ends, also if that is in the middle of a job.

    It may run in another thread, so it must not wait for a lock that the job may hold.
    """
    atexit.register(callback)
    _exit_callbacks.append(callback)


def _block_sigint() -> None:
    """Let processes that this thread starts get no SIGINT before they ignore it."""
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # its start would unblock the signal
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _work(pipe: connection.Connection, ending: connection.Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles ^C
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_exit_at_end, args=(ending,), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            function, args, kwargs = pipe.recv()
            answer: tuple[Any, Exception | None]
            try:
                answer = function(*args, **kwargs), None
            except Exception as error:
                answer = None, error
            pipe.send(answer)


def _exit_at_end(ending: connection.Connection) -> None:
    connection.wait([ending])
    try:
        for callback in _exit_callbacks:
            callback()
    finally:
        os._exit(1)
