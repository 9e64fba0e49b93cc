"""A client for a GTP engine in a process, with a deadline for each response.

Threads read the engine's output, so that a misbehaving engine cannot block the referee on any system.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import IO, Final, NamedTuple, NoReturn


def printable(text: str) -> str:
    """Replace each character that is not printable (`str.isprintable`) by a space.

    These are control characters, bidi controls and other format characters, surrogates, unassigned and private
    characters, and every space other than U+0020.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def one_line(text: str, longest: int | None = None) -> str:
    """Return the printable text, stripped, and cut after `longest` characters."""
    return printable(text).strip()[:longest].rstrip()


class Fault(StrEnum):
    """Kinds of misbehaviour of an engine."""

    ILLEGAL = "illegal move"
    TIME = "time"
    CRASH = "crash"
    SILENCE = "silence"
    GARBAGE = "garbage"
    """A response that is not GTP, or that does not answer the command."""
    REFUSAL = "refusal"
    """A failure response to a command that may not fail, or another board than the one that was asked for."""


class EngineFault(Exception):
    """An engine misbehaved; the message describes it in one printable line."""

    color: int | None = None
    """The colour of the engine in a game of a match, else None."""

    def __init__(self, fault: Fault, message: str, stderr: Sequence[str] = ()) -> None:
        """`stderr`: the last lines of the engine's stderr; the message gets them too."""
        self.fault, self.stderr = fault, tuple(stderr)
        self._said = one_line(message)
        super().__init__(fault, message, self.stderr)

    def __str__(self) -> str:
        return " | ".join([self._said, *(["stderr: " + self.stderr[0], *self.stderr[1:]] if self.stderr else [])])


class Response(NamedTuple):
    """A response: success, and the text without `=` or `?`, printable except for line breaks."""

    ok: bool
    text: str


LONGEST_LINE: Final = 1 << 16
"""Bytes."""
LONGEST_RESPONSE: Final = 1 << 20
"""Bytes."""
UNREAD: Final = 8
"""Responses that are kept until they are read. Further ones are dropped, except the end of the output."""
KEPT_STDERR: Final = 10
"""Lines of stderr that are kept."""
SHOWN: Final = 200
"""Characters of a quoted line."""
NAME_LENGTH: Final = 60
"""Maximum characters of an engine's name and version."""
QUIT_SECONDS: Final = 2.0
"""Time to exit after `quit`."""
KILL_SECONDS: Final = 5.0
"""Time for a killed process to end."""
WATCHING: Final = 0.05
"""Seconds between two looks at an engine that reports."""
_DRAIN_SECONDS: Final = 0.5
_RESPONSE: Final = re.compile(r"([=?])\d*(?:\s+(.*))?$", re.DOTALL)


_Responses = queue.Queue[Response | EngineFault | None]
"""Responses and faults of an engine that were not read yet; None marks the end of its output."""


class EngineClient:
    """A client for one GTP engine, which `start` starts if it is not running. Not thread-safe."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.commands: frozenset[str] = frozenset()
        """The engine's list_commands."""
        self.name = ""
        self.version = ""
        self.warmed_up = False
        """Whether a warm-up genmove has been played, or none is needed."""
        self.stderr: deque[str] = deque(maxlen=KEPT_STDERR)
        self._process: _Process | None = None
        self._killed = False
        self._responses: _Responses = queue.Queue()
        self._reported = threading.Event()
        """Set when a response goes on after its first line."""

    @property
    def running(self) -> bool:
        """Whether the process has been started and not closed."""
        return self._process is not None

    def start(self, seconds: float) -> None:
        """Start the process if needed, and read name, version and commands. EngineFault: one of these fails."""
        if self.running:
            return
        self.stderr.clear()
        self._responses = queue.Queue()
        try:
            self._process = _Process(_start(self.command), self._responses, self._reported, self.stderr)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineFault(Fault.CRASH, f"cannot start {self.command!r}: {reason}") from None
        if self._killed:  # by another thread, while the process started
            self._process.kill()
        self.name = one_line(self.ask("name", seconds), NAME_LENGTH)
        version = self.send("version", seconds)
        self.version = one_line(version.text, NAME_LENGTH) if version.ok else ""
        self.commands = frozenset(self.ask("list_commands", seconds).split())
        self.warmed_up = False

    def send(self, command: str, seconds: float) -> Response:
        """Send a command and return the response. EngineFault: none in time, not GTP, or the process has ended."""
        self._check_silent()
        self._write(command)
        return self._response(command, seconds)

    def watch(self, command: str, seconds: float, stop: threading.Event, patience: float) -> Response:
        """Send a command that reports until the next line comes, let it run, end it, and return all reports.

        It ends after `seconds`, but not before the first report, when `stop` is set, or by itself. EngineFault: as for
        `send`, within `patience`.
        """
        self._check_silent()
        self._reported.clear()
        self._write(command)
        end = time.monotonic() + seconds
        while self._responses.empty() and not stop.is_set():
            left = end + (0.0 if self._reported.is_set() else patience) - time.monotonic()
            if left <= 0:
                break
            stop.wait(min(WATCHING, left))
        ended = not self._responses.empty()
        if not ended:
            self._write("name")  # any line ends the reports
        response = self._response(command, patience)
        if not ended:
            self._response("name", patience)
        return response

    def _check_silent(self) -> None:
        """EngineFault: it is not running, or it has said something without being asked."""
        if self._process is None:
            raise EngineFault(Fault.CRASH, "it is not running")
        if not self._responses.empty():
            self._fail(self._responses.get(), "")

    def _write(self, command: str) -> None:
        """Write a command. EngineFault: the process has ended."""
        if self._process is None:
            raise EngineFault(Fault.CRASH, "it is not running")
        try:
            self._process.write(command.encode() + b"\n")
        except OSError:
            self._fail(None, command)

    def _response(self, command: str, seconds: float) -> Response:
        """Return the next response. EngineFault: see `send`."""
        try:
            response = self._responses.get(timeout=seconds)
        except queue.Empty:
            raise EngineFault(Fault.SILENCE, f"no answer to {command!r} in {seconds:g} s") from None
        if not isinstance(response, Response):
            self._fail(response, command)
        return response

    def ask(self, command: str, seconds: float) -> str:
        """Send a command and return the text of the response. EngineFault: as for `send`, or a failure response."""
        response = self.send(command, seconds)
        if not response.ok:
            raise EngineFault(Fault.REFUSAL, f"{command!r} was answered '? {response.text[:SHOWN]}'")
        return response.text

    def knows(self, command: str, seconds: float) -> bool:
        """Whether the engine lists a command, or says that it knows it. EngineFault: as for `send`."""
        return command in self.commands or self.send(f"known_command {command}", seconds).text == "true"

    def close(self, seconds: float = QUIT_SECONDS) -> bool:
        """End the engine and its process group: `quit`, then by force. Returns whether it ended without force."""
        process, self._process, self._killed = self._process, None, False
        if process is None:
            return True
        return process.close(b"quit\n" if seconds > 0 else b"", seconds)

    def kill(self) -> None:
        """End the process group by force, also while it starts, before `close`. Another thread may call this."""
        self._killed = True
        if (process := self._process) is not None:
            process.kill()

    def _fail(self, item: Response | EngineFault | None, command: str) -> NoReturn:
        """Raise the fault for an item other than a response to the command; None is the end of the output."""
        if isinstance(item, EngineFault):
            raise EngineFault(item.fault, f"{item}{_asked(command)}")
        if isinstance(item, Response):
            raise EngineFault(Fault.GARBAGE, f"it said {item.text[:SHOWN]!r} without being asked")
        reason = "it was closed" if self._killed or self._process is None else self._process.end()
        raise EngineFault(Fault.CRASH, f"{reason}{_asked(command)}")


class _Process:
    """A process with threads that read its output and its errors, and wait for its end."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        responses: _Responses,
        reported: threading.Event,
        errors: deque[str],
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._input = process, process.stdin
        self._waiter = _thread(self._end_group)
        self._stderr_reader = _thread(_keep, process.stderr, errors)
        _thread(_read, process.stdout, responses, reported)

    def write(self, data: bytes) -> None:
        """Write to the process. OSError: it has ended or closed its input."""
        self._input.write(data)
        self._input.flush()

    def close(self, last: bytes, seconds: float) -> bool:
        """Close the input after the last bytes, and end the process group. Returns whether it ended without force."""
        with contextlib.suppress(OSError):  # it may have ended before
            self._input.write(last)
            self._input.close()
        if not (ended := self._ends(seconds)):
            self.kill()
            self._ends(KILL_SECONDS)
        self._stderr_reader.join(_DRAIN_SECONDS)
        return ended

    def kill(self) -> None:
        """Kill the process and its process group; on Windows the process alone."""
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> str:
        """Return how the process has ended, after it has closed its output."""
        reason = "it closed its output"
        if self._ends(QUIT_SECONDS):
            code = self._process.returncode
            reason = f"exit code {code}" if code >= 0 else f"ended by {_signal_name(-code)}"
        self._stderr_reader.join(_DRAIN_SECONDS)
        return reason

    def _ends(self, seconds: float) -> bool:
        """Wait for the process to end; return whether it has."""
        self._waiter.join(seconds)
        return not self._waiter.is_alive()

    def _end_group(self) -> None:
        """Wait for the process to end, and kill the rest of its process group, which may hold the output open."""
        self._process.wait()
        self.kill()


def _thread(function: Callable[..., None], *args: object) -> threading.Thread:
    """Start a thread that ends with this process."""
    thread = threading.Thread(target=function, args=args, daemon=True)
    thread.start()
    return thread


def joined(words: Sequence[str]) -> str:
    """Return a command as text from its words."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _start(command: str) -> subprocess.Popen[bytes]:
    """Start a command with pipes, in a session of its own (on Windows: process group), so that ^C does not reach it.

    OSError or ValueError: it cannot be started.
    """
    words: str | list[str] = command if sys.platform == "win32" else shlex.split(command)
    if not words:
        raise ValueError("the command is empty")
    pipe, group = subprocess.PIPE, getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, creationflags=group)


def _asked(command: str) -> str:
    """Return the part of a message that names the command, if there was one."""
    return f" (asked: {command!r})" if command else ""


def _read(stream: IO[bytes], responses: _Responses, reported: threading.Event) -> None:
    """Parse an engine's output into responses until it ends; None marks the end.

    `reported` is set when a response goes on after its first line.
    """

    def put(item: Response | EngineFault) -> None:
        if responses.qsize() < UNREAD:
            responses.put(item)

    lines: list[str] = []
    size = 0
    with contextlib.suppress(OSError, ValueError), stream:
        while data := stream.readline(LONGEST_LINE):
            line = _text(data).rstrip()
            if not lines:
                if line == "":
                    continue
                if not _RESPONSE.match(line):
                    put(EngineFault(Fault.GARBAGE, f"it said {line[:SHOWN]!r}"))
                    continue
                size = 0
            size += len(data)
            if size > LONGEST_RESPONSE:
                put(EngineFault(Fault.GARBAGE, f"it said {lines[0][:SHOWN]!r} and so on without an end"))
                lines = []
                continue
            if line:
                if lines:
                    reported.set()
                lines.append(line)
                continue
            response = _RESPONSE.match("\n".join(lines))
            assert response is not None
            put(Response(response[1] == "=", (response[2] or "").strip()))
            lines = []
    responses.put(None)


def _keep(stream: IO[bytes], kept: deque[str]) -> None:
    """Keep the last lines of an engine's stderr."""
    with contextlib.suppress(OSError, ValueError), stream:
        while data := stream.readline(LONGEST_LINE):
            if text := one_line(_text(data), SHOWN):
                kept.append(text)


def _text(data: bytes) -> str:
    """Decode a line of an engine's output and make it printable."""
    return printable(data.decode("utf-8", "replace"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
