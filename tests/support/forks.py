"""Runs of the command line without the start of Python: a server has imported the program, and forks for each run.

This needs calls of Linux; on other systems each run starts Python.

A run is a process of its own that does what `python -m gtp_capture` does, but takes a twentieth of the time to start.
Tests of the start itself start a process as a user does.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from .paths import ROOT

HANG: Final = 300.0
"""Seconds after which a test gives up waiting: far more than a busy machine needs, so it ends tests that hang only."""
PRELOADED: Final = (
    *("gtp_capture.cli.app", "gtp_capture.gtp.commands", "gtp_capture.cli.match", "gtp_capture.cli.solve"),
    *("gtp_capture.solver.solver", "gtp_capture.search.mcts"),
)
"""The modules that the server imports; the last two load compiled code."""
COMPILING_SECONDS: Final = 900.0
"""Seconds after which a test gives up waiting for these imports, which on a new machine compile that code."""
LARGEST: Final = 1 << 20
"""Bytes of a message between the tests and the server."""


def changed(env: Mapping[str, str | None] | None) -> dict[str, str]:
    """Return the environment of this process with changes; None removes a variable."""
    return {name: value for name, value in {**os.environ, **(env or {})}.items() if value is not None}


def take_terminal() -> None:
    """Make the terminal at stdin the controlling terminal of this process, so that SIGINT and SIGHUP reach it.

    SIGHUP gets its default action, because tests that were started by `nohup` would pass on that it is ignored.
    """
    if sys.platform != "win32":
        import fcntl
        import termios

        signal.signal(signal.SIGHUP, signal.SIG_DFL)

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


if sys.platform != "linux":

    class Program(subprocess.Popen[Any]):
        """A run of the command line, in a process that starts as a user's does."""

        def __init__(
            self,
            args: Sequence[str],
            *,
            folder: Path | None = None,
            env: Mapping[str, str | None] | None = None,
            terminal: bool = False,
            **streams: Any,
        ) -> None:
            """See the class `Program` for Linux."""
            super().__init__(
                [sys.executable, "-m", "gtp_capture", *args],
                cwd=folder,
                env=changed(env),
                start_new_session=terminal,
                preexec_fn=take_terminal if terminal else None,
                **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL) | streams,
            )

else:

    class Program:
        """A run of the command line, with the interface of `subprocess.Popen` as far as tests use it."""

        def __init__(
            self,
            args: Sequence[str],
            *,
            stdin: IO[Any] | int = subprocess.DEVNULL,
            stdout: IO[Any] | int = subprocess.DEVNULL,
            stderr: IO[Any] | int = subprocess.DEVNULL,
            text: bool = False,
            folder: Path | None = None,
            env: Mapping[str, str | None] | None = None,
            terminal: bool = False,
        ) -> None:
            """`env`: changes of the environment, None removes a variable; `terminal`: whether stdin is one, for ^C."""
            self.args = args
            self.returncode: int | None = None
            self.stdin: IO[Any] | None
            self.stdout: IO[Any] | None
            self.stderr: IO[Any] | None
            with contextlib.ExitStack() as stack:

                def ends(stream: IO[Any] | int, mode: str) -> tuple[int, IO[Any] | None]:
                    """Return the descriptor for the program, and the other end of a pipe."""
                    if stream == subprocess.DEVNULL:
                        stream = stack.enter_context(Path(os.devnull).open("r+b"))
                    if stream != subprocess.PIPE:
                        return (stream if isinstance(stream, int) else stream.fileno()), None
                    read, write = os.pipe()
                    ours, theirs = (read, write) if mode == "r" else (write, read)
                    stack.callback(os.close, theirs)
                    return theirs, os.fdopen(ours, mode if text else f"{mode}b")

                given = [ends(stdin, "w"), ends(stdout, "r"), ends(stderr, "r")]
                self.stdin, self.stdout, self.stderr = (ours for _, ours in given)
                job = {
                    "args": list(args),
                    "folder": str(folder or Path.cwd()),
                    "env": changed(env),
                    "terminal": terminal,
                }
                self.pid = _asked(job, [theirs for theirs, _ in given])

        def poll(self) -> int | None:
            """Return the exit code; None if the program runs."""
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.wait(0)
            return self.returncode

        def wait(self, timeout: float = HANG) -> int:
            """Return the exit code. subprocess.TimeoutExpired: the program still runs after `timeout` seconds."""
            if self.returncode is None:
                ended = os.pidfd_open(self.pid)
                try:
                    if not select.select([ended], [], [], timeout)[0]:
                        raise subprocess.TimeoutExpired(self.args, timeout)
                finally:
                    os.close(ended)
                self.returncode = _asked({"ended": self.pid})
            assert self.returncode is not None
            return self.returncode

        def send_signal(self, number: int) -> None:
            """Send a signal, unless the program has ended."""
            if self.poll() is None:
                os.kill(self.pid, number)

        def kill(self) -> None:
            """End the program, unless it has ended."""
            self.send_signal(signal.SIGKILL)

    @cache
    def _server() -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", __name__, str(theirs.fileno())]
            server = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], cwd=ROOT)
        atexit.register(server.kill)
        ours.settimeout(COMPILING_SECONDS)
        assert ours.recv(LARGEST), "the program has not been imported"
        ours.settimeout(HANG)
        return ours

    def _asked(job: Mapping[str, Any], streams: Sequence[int] = ()) -> int:
        """Send a job to the server, with descriptors; return its answer."""
        socket.send_fds(_server(), [json.dumps(job).encode()], streams)
        return int(_server().recv(LARGEST))

    def serve(channel: socket.socket) -> None:
        """Send a line once the program is imported; then fork for each job, or send the exit code of a process."""
        for name in PRELOADED:
            importlib.import_module(name)
        channel.send(b"ready")
        while True:
            data, streams, _, _ = socket.recv_fds(channel, LARGEST, 3)
            if not data:
                return
            job = json.loads(data)
            if "ended" in job:
                answer = os.waitstatus_to_exitcode(os.waitpid(job["ended"], 0)[1])
            elif (answer := os.fork()) == 0:
                channel.close()
                _be_the_program(streams=streams, **job)
            for stream in streams:
                os.close(stream)
            channel.send(str(answer).encode())

    def _be_the_program(
        args: list[str], streams: list[int], folder: str, env: dict[str, str], terminal: bool
    ) -> NoReturn:
        """Run the console script in this process, with these standard streams, and end the process."""
        from gtp_capture.cli.app import main

        code: Any = 1
        try:
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            for stream in streams:
                os.close(stream)
            if terminal:
                os.setsid()
                take_terminal()
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(env)
            sys.path[:0] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
            encoding, _, errors = env.get("PYTHONIOENCODING", "utf-8").partition(":")
            sys.stdin = os.fdopen(0, encoding=encoding, errors=errors or None)
            sys.stdout = os.fdopen(1, "w", encoding=encoding, errors=errors or None)
            sys.stderr = os.fdopen(2, "w", encoding=encoding, errors="backslashreplace", buffering=1)
            sys.argv = ["gtp-capture", *args]
            main()
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(code)

    if __name__ == "__main__":
        serve(socket.socket(fileno=int(sys.argv[1])))


def run(
    *args: str, data: str | bytes = b"", folder: Path | None = None, env: Mapping[str, str | None] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `gtp-capture` with arguments, in a folder and with changes of the environment; return its output as text."""
    done = run_bytes(*args, data=data, folder=folder, env=env)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """Return the line of a command that refuses what it was given: exit code 2, and nothing else is printed."""
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    return line


def run_bytes(
    *args: str, data: str | bytes = b"", folder: Path | None = None, env: Mapping[str, str | None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `gtp-capture`; return its output as bytes."""
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams[0].write(data.encode() if isinstance(data, str) else data)
        for stream in streams:
            stream.seek(0)
        program = Program(args, stdin=streams[0], stdout=streams[1], stderr=streams[2], folder=folder, env=env)
        try:
            code = program.wait()
        except subprocess.TimeoutExpired:
            program.kill()
            raise AssertionError(f"this has not ended: {args}") from None
        for stream in streams[1:]:
            stream.seek(0)
        return subprocess.CompletedProcess(args, code, streams[1].read(), streams[2].read())


def script(lines: str | bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run a session of our engine with a script as its input."""
    return run_bytes(*options, data=lines)
