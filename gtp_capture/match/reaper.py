"""Run an engine as a child process, and end all its descendants with it (Linux).

    python -I -S reaper.py DESCRIPTOR COMMAND [ARGUMENT ...]

This process is a child subreaper: an orphan among the engine's descendants becomes its child, even if it has left the
engine's session. So every process to end becomes a child of this process, and no other process does. DESCRIPTOR is a
socket to the referee: the errno of the start, or 0, is written to it, and its end of file (the referee shut it down or
was killed) is the request to end the engine.

It imports only the standard library, so that it starts in about 20 ms.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

assert sys.platform == "linux"  # see launch.py, which starts engines in another way elsewhere

SET_DUMPABLE: Final = 4
SET_CHILD_SUBREAPER: Final = 36
"""Options of prctl(2)."""
KILL_SECONDS: Final = 5.0
"""Time limit for killing; a process of another user or in an uninterruptible call may remain."""
POLL_SECONDS: Final = 0.002


def main() -> int:
    """Run the command. Returns its exit code, or ends this process by the signal that ended the command."""
    control, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(control, False)
    _prctl(SET_CHILD_SUBREAPER, 1)
    signals, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _ignore)
    try:
        # Python ignores these two signals, and the engine would inherit that.
        default = [signal.SIGPIPE, signal.SIGXFSZ]
        engine = os.posix_spawnp(command[0], command, os.environ, setsigdef=default)
    except OSError as error:
        os.write(control, str(error.errno).encode())
        return 1
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _ignore)  # an engine may send one to its whole process group
    _release_pipes()
    with suppress(OSError):
        os.write(control, b"0")
    status = _wait(engine, control, signals)
    _end_children()
    code = 1 if status is None else os.waitstatus_to_exitcode(status)
    if code < 0:
        _prctl(SET_DUMPABLE, 0)  # one core file is enough
        with suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _ignore(number: int, frame: object) -> None:
    """Do nothing: the signal only wakes up `select`. Unlike SIG_IGN, the engine does not inherit this handler."""


def _prctl(option: int, value: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _release_pipes() -> None:
    """Close the engine's pipes in this process, so that the referee detects when the engine closes them."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)


def _wait(engine: int, control: int, signals: int) -> int | None:
    """Wait for the engine to end, and return its status, or None if the referee requests its end."""
    while True:
        ready = select.select([control, signals], [], [])[0]
        if signals in ready:
            os.read(signals, 4096)
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == engine:
                return status
            if pid == 0:
                break
        if control in ready:
            return None


def _end_children() -> None:
    """Kill all children, and the orphans that then become children, until none is left."""
    until = time.monotonic() + KILL_SECONDS
    while time.monotonic() < until:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return  # usually at once: there are no children
        for pid in _children():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(POLL_SECONDS)


def _children() -> Iterator[int]:
    """The ids of this process's children. Only this process can reap them, so no id can have been reused."""
    parent = os.getpid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with suppress(OSError):
                file = os.open(f"{entry.path}/stat", os.O_RDONLY)
                try:
                    stat = os.read(file, 4096)
                finally:
                    os.close(file)
                if int(stat.rpartition(b")")[2].split()[1]) == parent:
                    yield int(entry.name)


if __name__ == "__main__":
    os._exit(main())
