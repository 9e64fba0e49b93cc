"""GTP engines, ours and others, as processes with pipes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

import psutil

from .forks import HANG as HANG
from .forks import Program, changed
from .paths import TESTS

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


DOUBLE: Final = command_line([sys.executable, str(TESTS / "support" / "engine_double.py")])
"""The command of an engine for tests, without its mode."""


def wait_until(happened: Callable[[], object], seconds: float = HANG) -> None:
    """Wait for an event that nothing announces: call `happened` until it is true. AssertionError after `seconds`."""
    end, pause = time.monotonic() + seconds, 0.01
    while not happened():
        assert time.monotonic() < end, "what the test waits for has not happened"
        time.sleep(pause)
        pause = min(0.05, 1.2 * pause)  # a look may be a command to a browser, which costs more than the pause


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that it has not waited for, and those that these started."""
    with suppress(psutil.NoSuchProcess):
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    return []


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent has ended."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


def command_lines(words: str) -> dict[int, str]:
    """Return the command lines, by process id, that contain these words; NUL ends each argument."""
    processes = psutil.process_iter(["cmdline"])
    lines = {process.pid: "".join(f"{word}\0" for word in process.info["cmdline"] or ()) for process in processes}
    return {pid: line for pid, line in lines.items() if words in line}


def send_to_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process group, as a terminal does at ^C."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.killpg(pid, number)


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def wait_for_rest(process: int) -> None:
    """Wait until the main thread of a process waits itself: it has not run for 20 ms (Linux only)."""

    def state() -> list[str]:
        lines = Path(f"/proc/{process}/task/{process}/status").read_text().splitlines()
        return [line for line in lines if line.startswith(("State", "voluntary", "nonvoluntary"))]

    def rests() -> bool:
        before = state()
        time.sleep(0.02)
        return "S (sleeping)" in before[0] and state() == before

    wait_until(rests)


def wait_for_work(pid: int, work: float = 0.3) -> None:
    """Wait until a process has used the processor for `work` seconds more."""
    before = processor_seconds(pid)
    wait_until(lambda: processor_seconds(pid) >= before + work)


def make_pipe(path: Path) -> None:
    """Make a named pipe."""
    if sys.platform == "win32":
        raise NotImplementedError
    os.mkfifo(path)


@contextmanager
def resource_limit(name: str, size: int) -> Iterator[None]:
    """Limit a resource of this process, such as RLIMIT_AS."""
    if sys.platform == "win32":
        raise NotImplementedError
    import resource

    number = getattr(resource, name)
    before = resource.getrlimit(number)
    resource.setrlimit(number, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(number, before)


def file_size_limit(size: int) -> AbstractContextManager[None]:
    """Limit the size of the files that this process writes; a write beyond it fails, as on a full disk."""
    return resource_limit("RLIMIT_FSIZE", size)


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


def python(code: str, *args: str, env: Mapping[str, str | None] | None = None, folder: Path | None = None) -> str:
    """Run a program of Python, in a folder and with changes of the environment; return what it prints."""
    command = [sys.executable, "-c", code, *args]
    return subprocess.run(
        command, env=changed(env), cwd=folder, stdout=subprocess.PIPE, text=True, timeout=HANG, check=True
    ).stdout


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

    def __exit__(self, *args: object) -> None:
        assert self.process.stdout is not None
        end(self.process)
        self.process.stdout.close()

    def memory(self) -> int:
        """Return the memory that it uses, in bytes."""
        return int(psutil.Process(self.process.pid).memory_info().rss)

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
        responses: list[Response] = []
        waiting = iter(commands)
        while part := list(islice(waiting, 100)):
            self.tell(*part)
            responses += [self.read() for _ in part]
        return responses

    def tell(self, *lines: str) -> None:
        """Send lines without reading an answer."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def ask(self, command: str) -> str:
        """Send a command; return the text of its answer, which must be a success."""
        response = self.send(command)
        assert response.ok, f"{command}: {response.text}"
        return response.text
