"""A GTP session on stdin and stdout."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TextIO

import click

from ..gtp.commands import registry
from ..gtp.engine import Engine
from ..gtp.options import Options
from ..gtp.protocol import Disconnected, Session


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


def private_stdout() -> int:
    """Return a new descriptor of stdout for the protocol; other output to stdout is sent to stderr."""
    descriptor = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return descriptor


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


def serve(options: Options, log: Path | None) -> None:
    """Serve one client until its session ends, then end this process without waiting for its threads."""
    try:
        log_file = log.open("a", encoding="utf-8", errors="replace") if log is not None else None
    except OSError as error:
        raise click.UsageError(f"cannot write the log {log}: {error.strerror or error}") from None
    # Numba imports SciPy if it finds it, for functions that no kernel uses. That takes 14 MiB, and for ever if there is
    # no memory for the work space of its OpenBLAS.
    sys.modules["scipy"] = None  # type: ignore[assignment]
    open_missing_descriptors()
    console = Console(log_file)
    stdout = private_stdout()

    def write(data: bytes) -> None:
        while data:
            data = data[os.write(stdout, data) :]

    commands = registry(options)
    engine = Engine(options, console.notify)
    engine.command_names = commands.names
    session = Session(commands, engine, write, console.notify, console.record)
    engine.stop = session.stop
    session.endless = engine.endless
    if options.ponder:
        session.idle = engine.ponder
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    code = 0
    try:
        on_reader_gone(stdout, session.hang_up)
        engine.start(after=session.answered)
        session.run(open(0, "rb", closefd=False))  # noqa: SIM115 - the process ends with it
    except Disconnected:
        pass
    except KeyboardInterrupt:
        code = 130
    except SystemExit:
        pass
    engine.warmup.stop()
    if log_file is not None:
        log_file.close()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    # The reader thread may wait for input for ever, and an import may be half done: do not wait for either.
    os._exit(code)
