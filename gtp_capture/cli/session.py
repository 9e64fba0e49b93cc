"""A GTP session on this process's stdin and stdout."""

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
    """Where lines for a person go: stderr, and the log if there is one."""

    def __init__(self, log: TextIO | None) -> None:
        self._log = log

    def say(self, text: str) -> None:
        """Print a line on stderr; a console that is gone stops nothing."""
        with contextlib.suppress(OSError, ValueError):
            print(text, file=sys.stderr, flush=True)
        self.record("!", text)

    def record(self, direction: str, text: str) -> None:
        """Write lines to the log, each with the time and who spoke."""
        if self._log is None:
            return
        with contextlib.suppress(OSError, ValueError):
            for line in text.splitlines():
                self._log.write(f"{datetime.now().isoformat(timespec='milliseconds')} {direction} {line}\n")
            self._log.flush()


def mend_descriptors() -> None:
    """Put the null device in the place of a standard stream that the caller has closed, before a file takes it."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for the whole session


def private_stdout() -> int:
    """A descriptor of stdout that only the protocol has; whatever else prints goes to stderr."""
    descriptor = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return descriptor


def when_unread(descriptor: int, act: Callable[[], None]) -> None:
    """Call a function once nothing can read what is written to a pipe, a socket or a terminal.

    Does nothing where the platform has no poll (Windows): there the end of the input is the only sign.
    """
    if not hasattr(select, "poll"):
        return

    def watch() -> None:
        poll = select.poll()
        poll.register(descriptor, 0)  # the events that say so are always reported
        if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll()):
            act()

    threading.Thread(target=watch, name="output", daemon=True).start()


def serve(options: Options, log: Path | None) -> None:
    """Serve one client until it leaves; then end this process, whatever its threads are doing."""
    try:
        log_file = log.open("a", encoding="utf-8", errors="replace") if log is not None else None
    except OSError as error:
        raise click.UsageError(f"cannot write the log: {error}") from None
    mend_descriptors()
    console = Console(log_file)
    stdout = private_stdout()

    def write(data: bytes) -> None:
        while data:
            data = data[os.write(stdout, data) :]

    commands = registry(options)
    engine = Engine(options, console.say)
    engine.command_names = commands.names
    session = Session(commands, engine, write, console.say, console.record)
    engine.stop = session.stop
    session.endless = engine.endless
    if options.ponder:
        session.idle = engine.ponder
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    code = 0
    try:
        when_unread(stdout, session.hang_up)
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
    # Neither the reader, which may wait for input for ever, nor a half-done import may keep the process alive.
    os._exit(code)
