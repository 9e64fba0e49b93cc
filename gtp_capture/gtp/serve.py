"""A GTP session on stdin and stdout. The command line starts it, and so does a program that serves its own bot."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, TextIO

from ..jit.warmup import stop_all
from ..util.files import warn, write_whole
from ..util.limit import Terminated
from ..util.signals import on_signals
from .commands import registry
from .engine import WORKER, Engine
from .options import Options
from .protocol import Disconnected, Session

INTERRUPTED = 130
"""Exit code after ^C."""
LAST_SECONDS = 1.0
"""The seconds that the running command has after the end of the session; then the process is ended."""


class Console:
    """Writes messages to stderr, and the conversation to the log if there is one."""

    def __init__(self, log: TextIO | None) -> None:
        self._log = log

    def notify(self, text: str) -> None:
        """Print a line on stderr; write errors are ignored."""
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{text}\n")  # in one piece: print writes the end of the line by itself
            sys.stderr.flush()
        self.record("!", text)

    def record(self, direction: str, text: str) -> None:
        """Write lines to the log, each with the time and its direction: `>` in, `<` out, `!` stderr."""
        if self._log is None:
            return
        with contextlib.suppress(OSError, ValueError):
            for line in text.splitlines():
                self._log.write(f"{datetime.now().isoformat(timespec='milliseconds')} {direction} {line}\n")
            self._log.flush()


def open_missing_descriptors() -> None:
    """Open the null device for each standard stream that the caller closed, so that no other file gets its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for the whole session


@contextmanager
def private_stdout() -> Iterator[int]:
    """Give a new descriptor of stdout for the protocol; all other output to stdout goes to stderr meanwhile."""
    open_missing_descriptors()
    before = sys.stdout
    if before is not None:
        before.flush()
    descriptor = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        yield descriptor
    finally:
        sys.stdout = before
        os.dup2(descriptor, 1)
        os.close(descriptor)


def on_reader_gone(descriptor: int, callback: Callable[[], None]) -> None:
    """Call a function once the reading end of a pipe, a socket or a terminal is closed.

    Does nothing on a platform without poll (Windows): there only the end of the input is noticed.
    """
    if sys.platform == "win32":
        return

    def watch() -> None:
        poll = select.poll()
        poll.register(descriptor, 0)  # errors and hang-ups are always reported
        if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll()):
            callback()

    threading.Thread(target=watch, name="output", daemon=True).start()


def ended_by_sigterm(leave: Callable[[], None]) -> AbstractContextManager[None]:
    """Let SIGTERM call `leave` and end the block by Terminated."""

    def end() -> None:
        leave()
        raise Terminated

    return on_signals(end, signal.SIGTERM)


@contextmanager
def ended_in_time() -> Iterator[Callable[[], None]]:
    """Yield a function. If the block has not ended LAST_SECONDS after its call, end the process: a bot may think on."""
    leaving, ended = threading.Event(), threading.Event()

    def watch() -> None:
        leaving.wait()
        if not ended.wait(LAST_SECONDS):
            stop_all()
            os._exit(0)

    threading.Thread(target=watch, name="end", daemon=True).start()
    try:
        yield leaving.set
    finally:
        for thread in threading.enumerate():
            if leaving.is_set() and thread.name.startswith(WORKER):
                thread.join()  # SIGTERM may have ended the wait for it
        ended.set()
        leaving.set()


def serve(options: Options, log: Path | None = None) -> int:
    """Serve one client on stdin and stdout until `quit` or the end of the input; return an exit code.

    After SIGTERM, or once the output is closed, it ends the process if a command does not end in LAST_SECONDS.
    Threads may stay: the one that reads stdin, and one that still loads the search. OSError: the log cannot be written.
    """
    with (
        ended_in_time() as leave,
        private_stdout() as stdout,
        ended_by_sigterm(leave),
        _opened(log) as log_file,
    ):
        session, code = _session(options, Console(log_file), partial(write_whole, stdout)), 0

        def reader_gone() -> None:
            session.hang_up()
            leave()

        try:
            on_reader_gone(stdout, reader_gone)
            session.context.start(after=session.answered)
            session.run(open(0, "rb", closefd=False))  # noqa: SIM115 - its thread may read for ever
        except Disconnected as gone:
            if isinstance(gone.__cause__, OSError) and gone.__cause__.errno == errno.ENOSPC:
                warn(f"the output cannot be written: {gone.__cause__.strerror}")
                code = 1
        except Terminated:
            pass
        except KeyboardInterrupt:
            code = INTERRUPTED
        session.context.warmup.stop()
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        return code


def serve_streams(options: Options, stdin: BinaryIO, write: Callable[[bytes], None], log: Path | None) -> None:
    """Serve one client on other streams than stdin and stdout, until `quit` or an end of one of them, without signals.

    OSError: the log cannot be written. `write` raises OSError at the end of the output.
    """
    with _opened(log) as log_file:
        session = _session(options, Console(log_file), write)
        session.context.start(after=session.answered)
        try:
            session.run(stdin)
        except Disconnected:
            pass
        finally:
            session.context.warmup.stop()


def _opened(log: Path | None) -> AbstractContextManager[TextIO | None]:
    return contextlib.nullcontext() if log is None else log.open("a", encoding="utf-8", errors="replace")


def _session(options: Options, console: Console, write: Callable[[bytes], None]) -> Session[Engine]:
    """Return a session with its engine; neither has begun."""
    engine = Engine(options, console.notify)
    commands = registry(options, engine.player)
    engine.command_names = commands.names
    session = Session(commands, engine, write, console.notify, console.record)
    engine.stop = session.stop
    session.endless = engine.endless
    if options.ponder:
        session.idle = engine.ponder
    return session
