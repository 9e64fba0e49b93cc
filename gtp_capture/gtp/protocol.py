"""The Go Text Protocol without Go: parsing, framing, the registry of commands and the session loop.

A reader thread reads the input, so that an interruption is noticed while a command runs. The commands are executed in
order on the thread that calls `Session.run`. Nothing here needs POSIX.

Of a line longer than MAX_LINE bytes only the beginning is kept, enough for its id and an error. At most MAX_LINES lines
are queued. While the queue is full the reader does not read, so the client's writes block, as with any full pipe; no
line is dropped. Consequently `# interrupt` and the end of the input are noticed at once unless the queue is full.

End of a session: when the output is closed (`Session.hang_up`), the running command is stopped and the session ends.
The end of the input stops only analysis and pondering, which run until the next line; all other commands are answered
in full, so scripts can be piped in. The exception is a command without a time limit: because no interruption can arrive
any more, it is stopped PATIENCE seconds after the end of the input, or after its own start if that is later. The same
holds while the reader waits for room in the queue.

A client that sends `quit` waits for the end, and kills the engine after three to five seconds. So `quit` interrupts the
running command and all queued ones as soon as it is read. Each of them is still answered; a search answers with the
best move so far. In a script, `quit` is only the last line: if there is no pause of more than PAUSE seconds before it,
and the input ends as soon after it, all commands are answered in full.
"""

from __future__ import annotations

import codecs
import queue
import re
import threading
import time
import traceback
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final, Generic, NamedTuple, TypeVar

from ..util.memory import SHORTAGE, is_shortage
from ..util.signals import leave_to_main_thread

Context = TypeVar("Context")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_EMPTY_LINES: Final = re.compile(r"\n\s*(?=\n)")
_INTERRUPT: Final = re.compile(rb"\s*#\s*interrupt\b", re.IGNORECASE)
_MAX_ID: Final = 2**31 - 1
MAX_LINE: Final = 2**16
"""Maximum bytes of a line: a position of 25x25 in one line has less than 5,000."""
MAX_LINES: Final = 1000
"""Maximum number of queued lines."""
PATIENCE: Final = 300.0
"""Seconds that a command without a time limit may run while no line can be read."""
PAUSE: Final = 0.25
"""Longest wait in seconds for `quit` and for the end of the input after it in a script."""
_SIGNAL_CHECK: Final = 0.5
"""Longest wait in seconds: Windows delivers ^C to a waiting thread only when the wait ends."""


class GtpError(Exception):
    """Raised by a command that fails; its message is the text of the error response."""


@contextmanager
def refusing(*errors: type[Exception], reason: str = "") -> Iterator[None]:
    """Raise GtpError instead of these errors in the block, with a reason (default: the message of the error)."""
    try:
        yield
    except errors as error:
        raise GtpError(reason or str(error)) from None


class GtpQuit(Exception):
    """Raised by a command that succeeds and ends the session after its response."""


class Disconnected(Exception):
    """The client has closed its end of our output."""


class Command(NamedTuple):
    """A parsed command line."""

    id: int | None
    name: str
    args: tuple[str, ...]


class Line(NamedTuple):
    """One line of the input."""

    number: int
    """Counted from 1."""
    data: bytes

    @property
    def too_long(self) -> bool:
        """Whether the command is cut off; a cut comment does not matter."""
        return len(self.data) > MAX_LINE and b"#" not in self.data


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
    ends: bool = False
    """Whether the command ends the session; `Session.stop` is then set for the commands before it."""


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

    def ends(self, command: Command) -> bool:
        """Whether a command ends the session."""
        entry = self._entries.get(command.name)
        return entry is not None and entry.ends and entry.least <= len(command.args) <= entry.most

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


def read_lines(stdin: BinaryIO) -> Iterator[bytes]:
    """Yield each line with its line end; of a line longer than MAX_LINE bytes, the first MAX_LINE + 1 bytes.

    A byte-order mark before the first line, as Windows programs write it, is left out.
    """
    first = True
    while line := stdin.readline(MAX_LINE + 1):
        line, first = line.removeprefix(codecs.BOM_UTF8) if first else line, False
        rest = line
        while len(line) > MAX_LINE and rest and not rest.endswith(b"\n"):
            rest = stdin.readline(MAX_LINE)
        yield line


def frame(command_id: int | None, ok: bool, text: str) -> bytes:
    """Format a response: always a space after sign and id, and no empty line before its end."""
    sign = "=" if ok else "?"
    number = "" if command_id is None else command_id
    body = _EMPTY_LINES.sub("", text.rstrip())
    return f"{sign}{number} {body}\n\n".encode("utf-8", "replace")


class Session(Generic[Context]):
    """Serves one client: answers its lines in order until `quit` or the end of the input."""

    def __init__(
        self,
        registry: Registry[Context],
        context: Context,
        write: Callable[[bytes], None],
        notify: Callable[[str], None],
        log: Callable[[str, str], None] = lambda direction, text: None,
    ) -> None:
        """`log`: gets each line with its direction, ">" from the client and "<" to it."""
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
        self._queue: queue.Queue[Line | None] = queue.Queue(MAX_LINES)
        """The lines that were read and not yet executed; None is the end of the input."""
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
            while not self._gone:
                try:
                    line = self._queue.get(timeout=_SIGNAL_CHECK)
                except queue.Empty:
                    continue
                if line is None:
                    break
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
        return not self._queue.empty()

    def _read(self, stdin: BinaryIO) -> None:
        leave_to_main_thread()
        lines, input_ended = read_lines(stdin), threading.Event()
        try:
            since = time.monotonic()
            for line in lines:
                waited = time.monotonic() - since
                self._receive(line)
                if (command := parse(line)) is not None and self.registry.ends(command):
                    threading.Thread(target=self._leave, args=(waited, input_ended), name="quit", daemon=True).start()
                since = time.monotonic()
        except (OSError, ValueError):
            pass  # a broken input counts as its end
        input_ended.set()
        self._put(None)
        self._wait_unread(self._over.wait)

    def _receive(self, line: bytes) -> None:
        if _INTERRUPT.match(line):
            self._interrupt()
            return
        self._received += 1
        self._put(Line(self._received, line))

    def _put(self, line: Line | None) -> None:
        """Append a line, or the end of the input, to the queue; stop a command that runs until then."""

        def put(seconds: float) -> bool:
            with suppress(queue.Full):
                self._queue.put(line, timeout=seconds)
                return True
            return self._over.is_set()

        self._wait_unread(put)
        with self._lock:
            if self._yielding:
                self.stop.set()

    def _interrupt(self) -> None:
        """Stop the running command and all queued ones."""
        with self._lock:
            self._interrupted = self._received
            self.stop.set()

    def _leave(self, waited: float, input_ended: threading.Event) -> None:
        """Interrupt all commands after `quit`, which was read after a wait of some seconds, unless it ends a script."""
        if waited > PAUSE or not input_ended.wait(PAUSE):
            self._interrupt()

    def _wait_unread(self, over: Callable[[float], bool]) -> None:
        """Wait for an event while no line can be read.

        `over` waits for the event for some seconds and returns whether it has happened.
        """
        since = time.monotonic()
        while not over(min(1.0, PATIENCE)):
            with self._lock:
                began = self._began
                late = began is not None and time.monotonic() - max(began, since) > PATIENCE
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
