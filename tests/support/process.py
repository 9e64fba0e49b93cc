"""GTP engines, ours and others, as processes with pipes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, NamedTuple, Self

from .forks import HANG as HANG
from .forks import Program

ENGINE = (sys.executable, "-m", "gtp_capture")
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)
"""A signal that ends a process at once."""


class Response(NamedTuple):
    """A response: success, and the text without sign and id."""

    ok: bool
    text: str


def command_line(words: Sequence[str]) -> str:
    """Return words as one text, in the quotes that this system reads."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def wait_until(happened: Callable[[], object], seconds: float = HANG) -> None:
    """Wait for an event that nothing announces: call `happened` until it is true. AssertionError after `seconds`."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "what the test waits for has not happened"
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    """Return the processes that all threads of a process have started and that it has not waited for. Linux."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended meanwhile
            found += map(int, file.read_text().split())
    return found


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent has ended. Linux."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def send_to_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process group, as a terminal does at ^C."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.killpg(pid, number)


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    if sys.platform == "win32":
        raise NotImplementedError
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_work(pid: int, work: float = 0.3) -> None:
    """Wait until a process has used the processor for `work` seconds more. This needs Linux."""
    before = processor_seconds(pid)
    wait_until(lambda: processor_seconds(pid) >= before + work)


def make_pipe(path: Path) -> None:
    """Make a named pipe."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.mkfifo(path)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Limit the size of the files that this process writes; a write beyond it fails, as on a full disk."""
    if sys.platform == "win32":
        raise NotImplementedError
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def started(command: Sequence[str], own_session: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Run a command with pipes for its output; leaving the context kills it if it still runs."""
    traced = {**os.environ, "PYTHONFAULTHANDLER": "1"}  # for `output`
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=traced, start_new_session=own_session
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def output(process: subprocess.Popen[str], seconds: float) -> tuple[str, str]:
    """Return stdout and stderr of a process that was started by `started`, once it has ended.

    AssertionError with the stacks of its threads: the process still runs after `seconds`.
    """
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        raise AssertionError("\n".join(process.communicate())) from None


def end(process: subprocess.Popen[Any] | Program) -> None:
    """Close the input of an engine, and kill it if it does not end."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(HANG)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class GtpProcess:
    """A running engine; leaving the context ends it."""

    def __init__(
        self, command: Sequence[str], console: IO[str] | int = subprocess.DEVNULL, fresh: bool = False
    ) -> None:
        """`console`: the file for stderr; `fresh`: start our engine as a user does, not from a server of forks."""
        self.process: subprocess.Popen[str] | Program
        streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": console, "text": True}
        if tuple(command[: len(ENGINE)]) == ENGINE and not fresh:
            self.process = Program(command[len(ENGINE) :], **streams)
        else:
            self.process = subprocess.Popen(command, **streams)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdout is not None
        end(self.process)
        self.process.stdout.close()

    def read(self) -> Response:
        """Return the next response. Raise EOFError at the end of the output."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            if line == "\n":
                if lines:
                    break
            else:
                lines.append(line)
        if not lines:
            raise EOFError("the engine has ended")
        return Response(lines[0][0] == "=", "".join(lines)[1:].partition(" ")[2].strip())

    def send(self, command: str) -> Response:
        """Send one command; return its response."""
        return self.send_all([command])[0]

    def send_all(self, commands: Iterable[str]) -> list[Response]:
        """Send commands in batches small enough for every pipe; return the responses."""
        assert self.process.stdin is not None
        responses: list[Response] = []
        waiting = list(commands)
        while part := waiting[:100]:
            del waiting[:100]
            self.process.stdin.write("".join(command + "\n" for command in part))
            self.process.stdin.flush()
            responses += [self.read() for _ in part]
        return responses

    def ask(self, command: str) -> str:
        """Send a command; return the text of its answer, which must be a success."""
        response = self.send(command)
        assert response.ok, f"{command}: {response.text}"
        return response.text
