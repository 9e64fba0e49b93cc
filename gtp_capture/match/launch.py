"""The processes of an engine: its command, and whatever that starts, which ends with it.

On Linux a small process of ours, `reaper.py`, stands between the referee and the engine, and all descendants are ended.
On other systems of the Unix kind those in the process group of the engine are, on Windows the engine alone.
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
"""For the processes of an engine to be gone after they were killed; longer than the reaper tries."""
REAPER: Final = str(Path(__file__).with_name("reaper.py"))


class Launched:
    """An engine's running process."""

    def __init__(self, command: str, seconds: float) -> None:
        """Start a command; OSError or ValueError: it cannot be started."""
        self._control: socket.socket | None = None
        if os.name == "nt":
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
        """The error number of the start, 0 for none."""
        assert self._control is not None
        self._control.settimeout(seconds)
        try:
            return int(self._control.recv(16) or errno.ECHILD)
        except TimeoutError:
            return errno.ETIMEDOUT

    def wait(self, seconds: float) -> int:
        """The exit code, when the process has ended by itself. TimeoutExpired: it has not."""
        if self._control is not None and seconds > 0:
            # The reaper's end of file comes at once; Popen.wait looks every 50 ms only.
            self._control.settimeout(seconds)
            try:
                self._control.recv(1)
            except TimeoutError:
                seconds = 0
            except OSError:
                pass  # it was killed: its end is closed too
        return self.process.wait(seconds)

    def end(self) -> None:
        """End the process and what it has started, now."""
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait(KILL_SECONDS)
                self._control.close()
                return
            self._control.close()
        with contextlib.suppress(OSError):
            if os.name == "nt":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(KILL_SECONDS)


def _popen(command: str | list[str], *kept: int) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own: ^C is for the referee."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, pass_fds=kept)
