"""A GTP engine as a process: asked with a deadline, and ended by force where it does not go by itself.

Threads read its output, so that nothing it does or leaves undone can hold up the referee, on any system.
"""

from __future__ import annotations

import contextlib
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque
from enum import StrEnum
from typing import IO, Final, NamedTuple, NoReturn

from .launch import Launched
from .text import one_line, printable


class Fault(StrEnum):
    """What an engine can do wrong."""

    ILLEGAL = "illegal move"
    TIME = "time"
    CRASH = "crash"
    SILENCE = "silence"
    GARBAGE = "garbage"
    """An answer that is not GTP, or no answer to the question."""
    REFUSAL = "refusal"
    """A failure response where the protocol leaves no reason for one."""


class EngineFault(Exception):
    """An engine did something wrong; the message says what, in one printable line."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(one_line(message))
        self.fault = fault


class Response(NamedTuple):
    """What came back: success, and the text without its sign, printable but for its line breaks."""

    ok: bool
    text: str


LONGEST_LINE: Final = 1 << 16
"""Bytes."""
LONGEST_RESPONSE: Final = 1 << 20
"""Bytes."""
UNREAD: Final = 8
"""Responses that wait unread before the engine itself has to wait."""
KEPT_STDERR: Final = 10
"""Lines."""
SHOWN: Final = 200
"""Characters of a line that is kept or quoted."""
NAME_LENGTH: Final = 60
"""Characters of an engine's name and version."""
QUIT_SECONDS: Final = 2.0
"""To leave after `quit`."""
_DRAIN_SECONDS: Final = 0.5
_ANSWER: Final = re.compile(r"([=?])\d*(?:\s+(.*))?$", re.DOTALL)


class Engine:
    """A GTP engine that is started when it is needed. One thread at a time may use it."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.commands: frozenset[str] = frozenset()
        """What list_commands names."""
        self.name = ""
        self.version = ""
        self.practised = False
        """Whether it has made a move, so that what a first move loads is loaded."""
        self.stderr: deque[str] = deque(maxlen=KEPT_STDERR)
        self._launched: Launched | None = None
        self._answers: queue.Queue[Response | EngineFault | None] = queue.Queue(UNREAD)
        self._reader: threading.Thread | None = None
        self._console: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._launched is not None

    def start(self, seconds: float) -> None:
        """Start it where it does not run, and ask who it is. EngineFault: it cannot be started, or answers wrongly."""
        if self.running:
            return
        self.stderr.clear()
        self._answers = queue.Queue(UNREAD)
        try:
            self._launched = Launched(self.command, seconds)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineFault(Fault.CRASH, f"cannot start {self.command!r}: {reason}") from None
        process = self._launched.process
        assert process.stdout is not None
        assert process.stderr is not None
        self._reader = threading.Thread(target=_read, args=(process.stdout, self._answers), daemon=True)
        self._console = threading.Thread(target=_keep, args=(process.stderr, self.stderr), daemon=True)
        self._reader.start()
        self._console.start()
        self.name = one_line(self.ask("name", seconds), NAME_LENGTH)
        version = self.send("version", seconds)
        self.version = one_line(version.text, NAME_LENGTH) if version.ok else ""
        self.commands = frozenset(self.ask("list_commands", seconds).split())
        self.practised = False

    def send(self, command: str, seconds: float) -> Response:
        """Send a command and wait for its answer. EngineFault: none in time, nonsense, or the engine is gone."""
        if self._launched is None:
            raise EngineFault(Fault.CRASH, "it is not running")
        process = self._launched.process
        assert process.stdin is not None
        if not self._answers.empty():
            self._fail(self._answers.get(), "unasked")
        try:
            process.stdin.write(command.encode() + b"\n")
            process.stdin.flush()
            answer = self._answers.get(timeout=seconds)
        except OSError:
            self._fail(None, command)
        except queue.Empty:
            raise EngineFault(Fault.SILENCE, f"no answer to {command!r} in {seconds:g} s") from None
        if not isinstance(answer, Response):
            self._fail(answer, command)
        return answer

    def ask(self, command: str, seconds: float) -> str:
        """The text of a successful answer. EngineFault: as for `send`, or the engine refuses."""
        response = self.send(command, seconds)
        if not response.ok:
            raise EngineFault(Fault.REFUSAL, f"{command!r} was answered '? {response.text[:SHOWN]}'")
        return response.text

    def close(self, seconds: float = QUIT_SECONDS) -> bool:
        """End it: `quit`, then by force, and with it what it has started. Returns whether it went by itself."""
        launched, self._launched = self._launched, None
        if launched is None:
            return True
        process, went = launched.process, False
        assert process.stdin is not None
        if seconds > 0:
            with contextlib.suppress(OSError):
                process.stdin.write(b"quit\n")
                process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            launched.wait(seconds)
            went = True
        launched.end()
        self._drain()
        return went

    def _drain(self) -> None:
        """Make room for what is left to read, so that the reader comes to the end of the output."""
        until = time.monotonic() + _DRAIN_SECONDS
        while self._reader is not None and self._reader.is_alive() and time.monotonic() < until:
            with contextlib.suppress(queue.Empty):
                while True:
                    self._answers.get_nowait()
            self._reader.join(0.002)

    def _fail(self, what: Response | EngineFault | None, command: str) -> NoReturn:
        """Raise the fault that stands in the place of an answer."""
        if isinstance(what, EngineFault):
            raise EngineFault(what.fault, f"{what} (asked: {command!r})")
        if isinstance(what, Response):
            raise EngineFault(Fault.GARBAGE, f"it said {what.text[:SHOWN]!r} without being asked")
        assert self._launched is not None
        assert self._console is not None
        try:
            code = self._launched.wait(QUIT_SECONDS)
            reason = f"exit code {code}" if code >= 0 else f"ended by {_signal_name(-code)}"
        except subprocess.TimeoutExpired:
            reason = "it closed its output"
        self._console.join(_DRAIN_SECONDS)
        raise EngineFault(Fault.CRASH, f"{reason} (asked: {command!r})")


def _read(stream: IO[bytes], answers: queue.Queue[Response | EngineFault | None]) -> None:
    """Make responses of an engine's output until it ends."""
    lines: list[str] = []
    size = 0
    with contextlib.suppress(OSError, ValueError), stream:
        while data := stream.readline(LONGEST_LINE):
            line = _text(data).rstrip()
            if not lines:
                if line == "":
                    continue
                if not _ANSWER.match(line):
                    answers.put(EngineFault(Fault.GARBAGE, f"it said {line[:SHOWN]!r}"))
                    continue
                size = 0
            size += len(data)
            if size > LONGEST_RESPONSE:
                answers.put(EngineFault(Fault.GARBAGE, f"it said {lines[0][:SHOWN]!r} and so on without an end"))
                lines = []
                continue
            if line:
                lines.append(line)
                continue
            found = _ANSWER.match("\n".join(lines))
            assert found is not None
            answers.put(Response(found[1] == "=", (found[2] or "").strip()))
            lines = []
    answers.put(None)


def _keep(stream: IO[bytes], kept: deque[str]) -> None:
    """Keep the last lines of an engine's console."""
    with contextlib.suppress(OSError, ValueError), stream:
        while data := stream.readline(LONGEST_LINE):
            if text := one_line(_text(data), SHOWN):
                kept.append(text)


def _text(data: bytes) -> str:
    """A line of an engine's output, printable whatever the engine wrote."""
    return printable(data.decode("utf-8", "replace"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
