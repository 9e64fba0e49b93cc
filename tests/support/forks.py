"""Runs of the command line without the start of Python: a server has imported the program, and forks for each run.

`run` gives what `python -m gtp_capture` would print and return, in a process of its own, but takes a twentieth of the
time. Tests of the start itself, of signals and of terminals start a process as a user does.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from .process import HANG

PRELOADED: Final = (
    *("gtp_capture.cli.app", "gtp_capture.gtp.commands", "gtp_capture.cli.match", "gtp_capture.cli.solve"),
    *("gtp_capture.solver.solver", "gtp_capture.search.mcts"),
)
"""What the server imports; the last two load compiled code."""
COMPILING: Final = 1800.0
"""Seconds after which a test gives up waiting for these imports, which on a new machine compile that code."""


def run(
    *args: str, data: str | bytes = b"", folder: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `gtp-capture` with arguments, in a folder and with changes of the environment; return its output as text."""
    done = run_bytes(*args, data=data, folder=folder, env=env)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def run_bytes(
    *args: str, data: str | bytes = b"", folder: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `gtp-capture`; return its output as bytes."""
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(tempfile.NamedTemporaryFile()) for _ in range(3)]
        streams[0].write(data.encode() if isinstance(data, str) else data)
        streams[0].flush()
        job = [args, [stream.name for stream in streams], str(folder or Path.cwd()), {**os.environ, **(env or {})}]
        code = _asked(_server(), json.dumps(job))
        return subprocess.CompletedProcess(args, code, streams[1].read(), streams[2].read())


def script(lines: str | bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    """Run a session of our engine with a script as its input."""
    return run_bytes(*options, data=lines)


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.kill)
    _read(server, COMPILING, "the program has not been imported")
    return server


def _asked(server: subprocess.Popen[str], job: str) -> int:
    assert server.stdin is not None
    server.stdin.write(f"{job}\n")
    server.stdin.flush()
    return int(_read(server, HANG, f"this has not ended: {job}"))


def _read(server: subprocess.Popen[str], seconds: float, failure: str) -> str:
    """Read a line of the server. AssertionError: it does not come in so many seconds; the next run has a new server."""
    assert server.stdout is not None
    if not select.select([server.stdout], [], [], seconds)[0]:
        server.kill()
        _server.cache_clear()
        raise AssertionError(failure)
    return server.stdout.readline()


def serve(jobs: IO[str]) -> None:
    """Print an empty line once the program is imported; then fork for each line, and print the exit code of the run."""
    for name in PRELOADED:
        importlib.import_module(name)
    print(flush=True)
    for line in jobs:
        child = os.fork()
        if child == 0:
            _be_the_program(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _be_the_program(args: list[str], streams: list[str], folder: str, env: dict[str, str]) -> NoReturn:
    """Run the console script in this process, with files as its standard streams, and end the process."""
    from gtp_capture.cli.app import main

    code: Any = 1
    try:
        for number, (name, flags) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
            os.dup2(os.open(name, flags), number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        sys.path[:0] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
        sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
        sys.argv = ["gtp-capture", *args]
        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve(sys.stdin)
