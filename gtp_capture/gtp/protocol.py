"""The Go Text Protocol without Go: parsing, framing, the registry of commands and the session loop.

A reader thread reads the input, so that an interruption is noticed while a command runs. The commands are executed in
order on the thread that calls `Session.run`. `backlog.py` bounds the length of a line and the number of queued lines.
Nothing here needs POSIX.

End of a session: when the output is closed (`Session.hang_up`), the running command is stopped and the session ends.
The end of the input stops only analysis and pondering, which run until the next line; all other commands are answered
in full, so scripts can be piped in. The exception is a command without a time limit: because no interruption can arrive
any more, it is stopped PATIENCE seconds after the end of the input, or after its own start if that is later. The same
holds while the reader waits for room in the backlog.
"""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from typing import BinaryIO, Final, Generic, NamedTuple, Protocol, TypeVar

from ..util.memory import SHORTAGE, is_shortage
from .backlog import Backlog, Line, read_lines

Context = TypeVar("Context")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_EMPTY_LINES: Final = re.compile(r"\n\s*(?=\n)")
_INTERRUPT: Final = re.compile(rb"\s*#\s*interrupt\b", re.IGNORECASE)
_MAX_ID: Final = 2**31 - 1
PATIENCE: Final = 300.0
"""Seconds that a command without a time limit may run while no line can be read."""
_SIGNAL_CHECK: Final = 0.5
"""Longest wait in seconds: Windows delivers ^C to a waiting thread only when the wait ends."""


class GtpError(Exception):
    """Raised by a command that fails; its message is the text of the error response."""


class GtpQuit(Exception):
    """Raised by a command that succeeds and ends the session after its response."""


class Disconnected(Exception):
    """The client has closed its end of our output."""


class Command(NamedTuple):
    """A parsed command line."""

    id: int | None
    name: str
    args: tuple[str, ...]


Answer = str | Iterator[str]
"""The text of a response, or its lines as they are produced; these follow a first line with sign and id only."""


class Entry(NamedTuple, Generic[Context]):
    """A handler, with its minimum and maximum number of arguments."""

    handler: Callable[[Context, Sequence[str]], Answer | None]
    """None is an empty response."""
    least: int = 0
    most: int = 0
    yields: bool = False
    """Whether the command runs until the next line arrives, which then sets `Session.stop`."""


Table = Mapping[str, Entry[Context]]


class Registry(Generic[Context]):
    """The one table of commands: list_commands, known_command and dispatch all use it."""

    def __init__(self, *tables: Table[Context], unlisted: Collection[str] = ()) -> None:
        """Raise ValueError if two tables define the same command.

        `unlisted`: commands that are executed, but neither listed nor known.
        """
        self._entries: dict[str, Entry[Context]] = {}
        for table in tables:
            twice = self._entries.keys() & table.keys()
            if twice:
                raise ValueError(f"commands defined twice: {sorted(twice)}")
            self._entries.update(table)
        self._unlisted = frozenset(unlisted)

    def names(self) -> list[str]:
        """Return the names of the listed commands, sorted."""
        return sorted(self._entries.keys() - self._unlisted)

    def yields(self, command: Command) -> bool:
        """Whether a command runs until the next line arrives."""
        return command.name in self._entries and self._entries[command.name].yields

    def run(self, context: Context, command: Command) -> Answer:
        """Execute a command. Raise GtpError if it is unknown, has a wrong number of arguments, or fails."""
        entry = self._entries.get(command.name)
        if entry is None:
            raise GtpError("unknown command")
        if not entry.least <= len(command.args) <= entry.most:
            raise GtpError("syntax error")
        return entry.handler(context, command.args) or ""


def parse(line: bytes) -> Command | None:
    """Return the command of an input line; None for a blank line or a comment."""
    text = line.decode("utf-8", "surrogateescape").partition("#")[0]
    parts = _CONTROL.sub("", text).split()
    if not parts:
        return None
    number = int(parts[0]) if parts[0].isascii() and parts[0].isdigit() and len(parts[0]) <= 10 else -1
    if not 0 <= number <= _MAX_ID:
        return Command(None, parts[0], tuple(parts[1:]))
    return Command(number, parts[1] if len(parts) > 1 else "", tuple(parts[2:]))


def frame(command_id: int | None, ok: bool, text: str) -> bytes:
    """Format a response: always a space after sign and id, and no empty line before its end."""
    sign = "=" if ok else "?"
    number = "" if command_id is None else command_id
    body = _EMPTY_LINES.sub("", text.rstrip())
    return f"{sign}{number} {body}\n\n".encode("utf-8", "replace")


class Log(Protocol):
    """A function that logs each line: direction ">" from the client, "<" to it."""

    def __call__(self, direction: str, text: str) -> None:
        """Write one entry."""


class Session(Generic[Context]):
    """Serves one client: answers its lines in order until `quit` or the end of the input."""

    def __init__(
        self,
        registry: Registry[Context],
        context: Context,
        write: Callable[[bytes], None],
        notify: Callable[[str], None],
        log: Log = lambda direction, text: None,
    ) -> None:
        self.registry = registry
        self.context = context
        self.write = write
        self.notify = notify
        self.log = log
        self.stop = threading.Event()
        """Set while the running command should end."""
        self.answered = threading.Event()
        """Set once the first command was answered."""
        self.idle: Callable[[], None] | None = None
        """Called after a response while no line is queued; it must end when `stop` is set, which any line does."""
        self.endless: Callable[[float], bool] = lambda began: False
        """Whether the command that began at a time of `time.monotonic` has no time limit."""
        self.patience = PATIENCE
        self.backlog = Backlog()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._received = 0
        self._interrupted = 0
        self._yielding = False
        self._began: float | None = None
        """Start time of the running command (`time.monotonic`)."""
        self._gone = False
        """Whether the client has closed our output."""

    def run(self, stdin: BinaryIO) -> None:
        """Serve until `quit` or the end of the input. Raise Disconnected if the client has closed our output."""
        threading.Thread(target=self._read, args=(stdin,), name="gtp-reader", daemon=True).start()
        try:
            while not (self.backlog.ended or self._gone):
                line = self.backlog.get(_SIGNAL_CHECK)
                if line is None:
                    continue
                if not self._serve(line):
                    return
                if self.idle is not None:
                    self._rest(self.idle)
        finally:
            self._over.set()
        if self._gone:
            raise Disconnected

    def hang_up(self) -> None:
        """Stop the running command and end the session: the client has closed our output."""
        with self._lock:
            self._gone = True
            self.stop.set()

    def pending(self) -> bool:
        """Whether lines, or the end of the input, are queued."""
        return not self.backlog.empty

    def _read(self, stdin: BinaryIO) -> None:
        try:
            for line in read_lines(stdin):
                self._receive(line)
        except (OSError, ValueError):
            pass  # a broken input counts as its end
        self.backlog.end()
        self._arrive()
        self._wait_unread(self._over.wait)

    def _receive(self, line: bytes) -> None:
        if _INTERRUPT.match(line):
            # It applies to all commands received so far, queued ones included.
            with self._lock:
                self._interrupted = self._received
                self.stop.set()
            return
        self._received += 1
        received = Line(self._received, line)
        if not self.backlog.put(received, 0):
            self._wait_unread(lambda seconds: self.backlog.put(received, seconds) or self._over.is_set())
        self._arrive()

    def _arrive(self) -> None:
        """Stop a command that runs until the next line."""
        with self._lock:
            if self._yielding:
                self.stop.set()

    def _wait_unread(self, over: Callable[[float], bool]) -> None:
        """Wait for an event while no line can be read.

        `over` waits for the event for some seconds and returns whether it has happened.
        """
        since = time.monotonic()
        while not over(min(1.0, self.patience)):
            with self._lock:
                began = self._began
                late = began is not None and time.monotonic() - max(began, since) > self.patience
                if began is not None and late and self.endless(began):
                    self.stop.set()

    def _resume(self) -> None:
        """Clear `stop`, unless the client has closed our output. The lock must be held."""
        if not self._gone:
            self.stop.clear()

    def _serve(self, line: Line) -> bool:
        """Answer one line; return whether the session goes on."""
        command = parse(line.data) or (Command(None, "", ()) if line.too_long else None)
        if command is None:
            return True
        with self._lock:
            if line.number > self._interrupted:
                self._resume()
            else:
                self.stop.set()  # `_rest` may have cleared it since
            self._began = time.monotonic()
            self._yielding = self.registry.yields(command)
            if self._yielding and self.pending():
                self.stop.set()
        self.log(">", line.data.decode("utf-8", "replace").rstrip())
        continues = True
        try:
            if line.too_long:
                raise GtpError("line too long")
            answer = self.registry.run(self.context, command)
            response = frame(command.id, True, answer) if isinstance(answer, str) else self._stream(command.id, answer)
        except GtpQuit:
            response, continues = frame(command.id, True, ""), False
        except GtpError as error:
            response = frame(command.id, False, str(error))
        except Disconnected:
            raise
        except Exception as error:
            response = frame(command.id, False, self._failure(error))
        with self._lock:
            self._began, self._yielding = None, False
        self._send(response)
        self.answered.set()
        return continues

    def _rest(self, idle: Callable[[], None]) -> None:
        """Run `idle` until the next line arrives."""
        with self._lock:
            self._resume()
            self._yielding = True
        try:
            if not self.pending():
                idle()
        except Exception as error:
            self.notify(self._failure(error))
        with self._lock:
            self._yielding = False

    def _stream(self, command_id: int | None, lines: Iterator[str]) -> bytes:
        """Send lines as they are produced; return the end of the response."""
        self._send(frame(command_id, True, "")[:-1])
        try:
            for line in lines:
                self._send(f"{line}\n".encode())
        except Disconnected:
            raise
        except Exception as error:  # the response has begun as a success, so it can only end
            self.notify(str(error) if isinstance(error, GtpError) else self._failure(error))
        finally:
            if isinstance(lines, Generator):
                lines.close()  # ends its worker thread
        return b"\n"

    def _failure(self, error: Exception) -> str:
        """Return the text of the response to an unforeseen error; print the traceback of a bug."""
        if is_shortage(error):
            return SHORTAGE
        self.notify(traceback.format_exc().rstrip())
        return "internal error"

    def _send(self, data: bytes) -> None:
        if text := data.decode().rstrip():
            self.log("<", text)
        try:
            self.write(data)
        except OSError as error:
            raise Disconnected from error
