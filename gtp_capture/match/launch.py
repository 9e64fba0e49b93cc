"""Start an engine's process, and end it together with its descendants.

On Linux `reaper.py`, a small process between the referee and the engine, ends all descendants. On other Unix systems
those in the engine's process group are ended, on Windows only the engine itself.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

KILL_SECONDS: Final = 7.0
"""Time for killed processes to end; longer than the reaper's own limit."""
REAPER: Final = str(Path(__file__).with_name("reaper.py"))


class EngineProcess:
    """A running engine process."""

    def __init__(self, command: str, seconds: float) -> None:
        """Start a command within `seconds`. OSError or ValueError: it cannot be started."""
        self._control: socket.socket | None = None
        if sys.platform == "win32":
            self.process = _popen(command)
            return
        words = shlex.split(command)
        if not words:
            raise ValueError("the command is empty")
        if sys.platform != "linux":
            self.process = _popen(words)
            return
        self._control, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self.process = _popen([sys.executable, "-I", "-S", REAPER, str(number), *words], number)
        if error := self._error(seconds):
            self.end()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                assert stream is not None
                stream.close()
            raise OSError(error, os.strerror(error))

    def _error(self, seconds: float) -> int:
        """The errno of the start, 0 for success."""
        assert self._control is not None
        self._control.settimeout(seconds)
        try:
            return int(self._control.recv(16) or errno.ECHILD)
        except TimeoutError:
            return errno.ETIMEDOUT

    def wait(self, seconds: float) -> int:
        """Wait for the process to end by itself, and return its exit code. TimeoutExpired: it has not ended in time."""
        if self._control is not None and seconds > 0:
            # The end of file on the reaper's socket arrives at once; Popen.wait polls every 50 ms only.
            self._control.settimeout(seconds)
            try:
                self._control.recv(1)
            except TimeoutError:
                seconds = 0
            except OSError:
                pass  # the reaper was killed: its end of the socket is closed too
        return self.process.wait(seconds)

    def end(self) -> None:
        """Kill the process and its descendants."""
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait(KILL_SECONDS)
                self._control.close()
                return
            self._control.close()
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(KILL_SECONDS)


def _popen(command: str | list[str], *kept: int) -> subprocess.Popen[bytes]:
    """Start a command in its own session (on Windows: process group), so that ^C reaches only the referee."""
    pipe, group = subprocess.PIPE, getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, creationflags=group, pass_fds=kept
    )
