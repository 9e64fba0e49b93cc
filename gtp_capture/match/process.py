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
from collections.abc import Sequence
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
"""Size of the queue of responses; while it is full, the engine's output is not read."""
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
_DRAIN_SECONDS: Final = 0.5
_RESPONSE: Final = re.compile(r"([=?])\d*(?:\s+(.*))?$", re.DOTALL)


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
        self._process: subprocess.Popen[bytes] | None = None
        self._killed: subprocess.Popen[bytes] | None = None
        """A process that `kill` has ended; `close` closes its input and waits for it."""
        self._waiter: threading.Thread | None = None
        self._responses: queue.Queue[Response | EngineFault | None] = queue.Queue(UNREAD)
        self._reader: threading.Thread | None = None
        self._stderr_reader: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the process has been started and not closed."""
        return self._process is not None

    def start(self, seconds: float) -> None:
        """Start the process if needed, and read name, version and commands. EngineFault: one of these fails."""
        if self.running:
            return
        self.stderr.clear()
        self._responses = queue.Queue(UNREAD)
        try:
            self._process = process = _start(self.command)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineFault(Fault.CRASH, f"cannot start {self.command!r}: {reason}") from None
        assert process.stdout is not None
        assert process.stderr is not None
        self._reader = threading.Thread(target=_read, args=(process.stdout, self._responses), daemon=True)
        self._stderr_reader = threading.Thread(target=_keep, args=(process.stderr, self.stderr), daemon=True)
        self._waiter = threading.Thread(target=_end_group, args=(process,), daemon=True)
        for thread in (self._reader, self._stderr_reader, self._waiter):
            thread.start()
        self.name = one_line(self.ask("name", seconds), NAME_LENGTH)
        version = self.send("version", seconds)
        self.version = one_line(version.text, NAME_LENGTH) if version.ok else ""
        self.commands = frozenset(self.ask("list_commands", seconds).split())
        self.warmed_up = False

    def send(self, command: str, seconds: float) -> Response:
        """Send a command and return the response. EngineFault: none in time, not GTP, or the process has ended."""
        if self._process is None:
            raise EngineFault(Fault.CRASH, "it is not running")
        process = self._process
        assert process.stdin is not None
        if not self._responses.empty():
            self._fail(self._responses.get(), "")
        try:
            process.stdin.write(command.encode() + b"\n")
            process.stdin.flush()
            response = self._responses.get(timeout=seconds)
        except OSError:
            self._fail(None, command)
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
        process, self._process, killed = self._process, None, self._killed
        if killed is not None:
            self._killed = None
            _close_input(killed)
            self._ends(KILL_SECONDS)
        if process is None:
            return True
        _close_input(process, b"quit\n" if seconds > 0 else b"")
        ended = self._ends(seconds)
        if not ended:
            _kill(process)
            self._ends(KILL_SECONDS)
        self._drain()
        return ended

    def kill(self) -> None:
        """End the engine and its process group by force. Another thread may call this: it waits for nothing."""
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            self._killed = process

    def _ends(self, seconds: float) -> bool:
        """Wait for the process to end; return whether it has."""
        assert self._waiter is not None
        self._waiter.join(seconds)
        return not self._waiter.is_alive()

    def _drain(self) -> None:
        """Empty the queue until both reader threads have reached the end of the output, within a limit."""
        until = time.monotonic() + _DRAIN_SECONDS
        while self._reader is not None and self._reader.is_alive() and time.monotonic() < until:
            with contextlib.suppress(queue.Empty):
                while True:
                    self._responses.get_nowait()
            self._reader.join(0.002)
        if self._stderr_reader is not None:
            self._stderr_reader.join(max(0.0, until - time.monotonic()))

    def _fail(self, found: Response | EngineFault | None, command: str) -> NoReturn:
        """Raise the fault for an item other than a response to the command; None is the end of the output."""
        if isinstance(found, EngineFault):
            raise EngineFault(found.fault, f"{found}{_asked(command)}")
        if isinstance(found, Response):
            raise EngineFault(Fault.GARBAGE, f"it said {found.text[:SHOWN]!r} without being asked")
        assert self._stderr_reader is not None
        if self._process is None:
            raise EngineFault(Fault.CRASH, f"it was closed{_asked(command)}")
        reason = "it closed its output"
        if self._ends(QUIT_SECONDS):
            code = self._process.returncode
            reason = f"exit code {code}" if code >= 0 else f"ended by {_signal_name(-code)}"
        self._stderr_reader.join(_DRAIN_SECONDS)
        raise EngineFault(Fault.CRASH, f"{reason}{_asked(command)}")


def _start(command: str) -> subprocess.Popen[bytes]:
    """Start a command with pipes, in a session of its own (on Windows: process group), so that ^C does not reach it.

    OSError or ValueError: it cannot be started.
    """
    words: str | list[str] = command if sys.platform == "win32" else shlex.split(command)
    if not words:
        raise ValueError("the command is empty")
    pipe, group = subprocess.PIPE, getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, creationflags=group)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its process group; on Windows the process alone."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process to end, and kill the rest of its process group, which may hold the output open."""
    process.wait()
    _kill(process)


def _close_input(process: subprocess.Popen[bytes], last: bytes = b"") -> None:
    """Close a process's input after the last bytes; it may have ended before."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(last)
        process.stdin.close()


def _asked(command: str) -> str:
    """Return the part of a message that names the command, if there was one."""
    return f" (asked: {command!r})" if command else ""


def _read(stream: IO[bytes], responses: queue.Queue[Response | EngineFault | None]) -> None:
    """Parse an engine's output into responses until it ends; None marks the end."""
    lines: list[str] = []
    size = 0
    with contextlib.suppress(OSError, ValueError), stream:
        while data := stream.readline(LONGEST_LINE):
            line = _text(data).rstrip()
            if not lines:
                if line == "":
                    continue
                if not _RESPONSE.match(line):
                    responses.put(EngineFault(Fault.GARBAGE, f"it said {line[:SHOWN]!r}"))
                    continue
                size = 0
            size += len(data)
            if size > LONGEST_RESPONSE:
                responses.put(EngineFault(Fault.GARBAGE, f"it said {lines[0][:SHOWN]!r} and so on without an end"))
                lines = []
                continue
            if line:
                lines.append(line)
                continue
            found = _RESPONSE.match("\n".join(lines))
            assert found is not None
            responses.put(Response(found[1] == "=", (found[2] or "").strip()))
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
