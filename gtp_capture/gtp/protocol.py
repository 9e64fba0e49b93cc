"""GTP itself: parsing, framing, the registry of commands and the session loop. It knows no Go.

A reader thread takes lines from the input so that an interruption is seen while a command runs; commands are
executed in strict order on the thread that calls `Session.run`. `backlog.py` says how long a line may be and how many
may wait. Nothing here waits on a file descriptor in a way that only POSIX knows.

When the client leaves: once nothing reads the output (`Session.hang_up`), the command that runs is stopped, and the
session ends. The end of the input stops only what goes on until the next line, analysis and pondering: a script that
is piped in gets every answer in full. A command without a time limit is the exception, because no interruption can
reach it any more: it is stopped PATIENCE seconds after the end of the input, or after its own start if that is later.
The same holds while the reader waits for room in the backlog.
"""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import BinaryIO, Final, Generic, NamedTuple, Protocol, TypeVar

from .backlog import Backlog, Line, read_lines

Context = TypeVar("Context")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_EMPTY_LINES: Final = re.compile(r"\n\s*(?=\n)")
_INTERRUPT: Final = re.compile(rb"\s*#\s*interrupt\b", re.IGNORECASE)
_MAX_ID: Final = 2**31 - 1
PATIENCE: Final = 300.0
"""Seconds for which a command without a time limit goes on while no line can be read."""
_SIGNAL_CHECK: Final = 0.5
"""Seconds. Windows delivers ^C to a waiting thread only when the wait ends."""


class GtpError(Exception):
    """The command fails; the message is sent to the client word for word."""


class GtpQuit(Exception):
    """The command succeeds, and the session ends once the client has the answer."""


class Disconnected(Exception):
    """The client does not read any more."""


class Command(NamedTuple):
    """One line of the client."""

    id: int | None
    name: str
    args: tuple[str, ...]


Answer = str | Iterator[str]
"""The text of a response, or its lines as they come: they follow the line that holds sign and id."""


class Entry(NamedTuple, Generic[Context]):
    """A handler and the number of arguments that it takes."""

    handler: Callable[[Context, Sequence[str]], Answer]
    least: int = 0
    most: int = 0
    yields: bool = False
    """Whether it goes on until the client sends something else: any further line sets `Session.stop`."""


Table = Mapping[str, Entry[Context]]


class Registry(Generic[Context]):
    """All commands, from tables that may not overlap; what is listed is what is known is what is dispatched."""

    def __init__(self, *tables: Table[Context]) -> None:
        self._entries: dict[str, Entry[Context]] = {}
        for table in tables:
            twice = self._entries.keys() & table.keys()
            if twice:
                raise ValueError(f"commands defined twice: {sorted(twice)}")
            self._entries.update(table)

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def names(self) -> list[str]:
        """The names of all commands, sorted."""
        return sorted(self._entries)

    def yields(self, command: Command) -> bool:
        """Whether a command comes to its end when the next line arrives."""
        return command.name in self._entries and self._entries[command.name].yields

    def run(self, context: Context, command: Command) -> Answer:
        """Execute a command. GtpError: unknown, the wrong number of arguments, or the handler's own reason."""
        entry = self._entries.get(command.name)
        if entry is None:
            raise GtpError("unknown command")
        if not entry.least <= len(command.args) <= entry.most:
            raise GtpError("syntax error")
        return entry.handler(context, command.args)


def parse(line: bytes) -> Command | None:
    """The command of an input line, or None for a blank line or a comment."""
    text = line.decode("utf-8", "surrogateescape").partition("#")[0]
    words = _CONTROL.sub("", text).split()
    if not words:
        return None
    number = int(words[0]) if words[0].isascii() and words[0].isdigit() and len(words[0]) <= 10 else -1
    if not 0 <= number <= _MAX_ID:
        return Command(None, words[0], tuple(words[1:]))
    return Command(number, words[1] if len(words) > 1 else "", tuple(words[2:]))


def frame(command_id: int | None, ok: bool, text: str) -> bytes:
    """A response on the wire: always a space after the sign and the id, and no empty line inside."""
    sign = "=" if ok else "?"
    number = "" if command_id is None else command_id
    body = _EMPTY_LINES.sub("", text.rstrip())
    return f"{sign}{number} {body}\n\n".encode("utf-8", "replace")


class Log(Protocol):
    """Takes each line of the conversation: ">" from the client, "<" to it."""

    def __call__(self, direction: str, text: str) -> None:
        """Write one entry."""


class Session(Generic[Context]):
    """One client: reads its lines, answers each in order, and stops at `quit` or the end of input."""

    def __init__(
        self,
        registry: Registry[Context],
        context: Context,
        write: Callable[[bytes], None],
        say: Callable[[str], None],
        log: Log = lambda direction, text: None,
    ) -> None:
        self.registry = registry
        self.context = context
        self.write = write
        self.say = say
        self.log = log
        self.stop = threading.Event()
        """Set while the command being executed should come to an end."""
        self.answered = threading.Event()
        """Set once the first command has its answer."""
        self.idle: Callable[[], None] | None = None
        """Called after an answer while nothing else is asked; it ends when `stop` is set, which any line does."""
        self.endless: Callable[[float], bool] = lambda began: False
        """Whether the command that began at a time (`time.monotonic`) has no time limit."""
        self.patience = PATIENCE
        self.backlog = Backlog()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._received = 0
        self._interrupted = 0
        self._yielding = False
        self._began: float | None = None
        """When the command that runs began."""
        self._gone = False
        """Whether nothing reads the answers."""

    def run(self, stdin: BinaryIO) -> None:
        """Serve until the client quits or closes its end. Disconnected: it does not read any more."""
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
        """End the session, and the command that runs: nothing reads the answers."""
        with self._lock:
            self._gone = True
            self.stop.set()

    def pending(self) -> bool:
        """Whether the client has sent more than it has answers for."""
        return not self.backlog.empty

    def _read(self, stdin: BinaryIO) -> None:
        try:
            for line in read_lines(stdin):
                self._receive(line)
        except (OSError, ValueError):
            pass  # the input is gone, which is an end like any other
        self.backlog.end()
        self._arrive()
        self._wait_unread(self._over.wait)

    def _receive(self, line: bytes) -> None:
        if _INTERRUPT.match(line):
            # It means the commands sent so far, though they may still wait for their turn.
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
        """End a command that goes on until the client sends something else."""
        with self._lock:
            if self._yielding:
                self.stop.set()

    def _wait_unread(self, over: Callable[[float], bool]) -> None:
        """Wait for something while no line can be read; `over` waits for some seconds and says whether it happened."""
        since = time.monotonic()
        while not over(min(1.0, self.patience)):
            with self._lock:
                began = self._began
                late = began is not None and time.monotonic() - max(began, since) > self.patience
                if began is not None and late and self.endless(began):
                    self.stop.set()

    def _resume(self) -> None:
        """Take back the last request to stop, unless nothing reads the answers; the lock is held."""
        if not self._gone:
            self.stop.clear()

    def _serve(self, line: Line) -> bool:
        """Answer one line; whether the session goes on."""
        command = parse(line.data) or (Command(None, "", ()) if line.too_long else None)
        if command is None:
            return True
        with self._lock:
            if line.number > self._interrupted:
                self._resume()
            self._began = time.monotonic()
            self._yielding = self.registry.yields(command)
            if self._yielding and self.pending():
                self.stop.set()
        self.log(">", line.data.decode("utf-8", "replace").rstrip())
        going_on = True
        try:
            if line.too_long:
                raise GtpError("line too long")
            answer = self.registry.run(self.context, command)
            response = frame(command.id, True, answer) if isinstance(answer, str) else self._stream(command.id, answer)
        except GtpQuit:
            response, going_on = frame(command.id, True, ""), False
        except GtpError as error:
            response = frame(command.id, False, str(error))
        except Disconnected:
            raise
        except Exception:
            self.say(traceback.format_exc().rstrip())
            response = frame(command.id, False, "internal error")
        with self._lock:
            self._began, self._yielding = None, False
        self._send(response)
        self.answered.set()
        return going_on

    def _rest(self, idle: Callable[[], None]) -> None:
        """Use the time until the next line arrives."""
        with self._lock:
            self._resume()
            self._yielding = True
        try:
            if not self.pending():
                idle()
        except Exception:
            self.say(traceback.format_exc().rstrip())
        with self._lock:
            self._yielding = False

    def _stream(self, command_id: int | None, lines: Iterator[str]) -> bytes:
        """Send lines as they come; what is left to send at the end."""
        self._send(frame(command_id, True, "")[:-1])
        try:
            for line in lines:
                self._send(f"{line}\n".encode())
        except Disconnected:
            raise
        except Exception:  # the answer has begun well, so it can only stop
            self.say(traceback.format_exc().rstrip())
        finally:
            if isinstance(lines, Generator):
                lines.close()  # ends the thread that works for it
        return b"\n"

    def _send(self, data: bytes) -> None:
        if text := data.decode().rstrip():
            self.log("<", text)
        try:
            self.write(data)
        except OSError as error:
            raise Disconnected from error
