"""A Dask cluster on loopback: a scheduler and two workers, each a process that a test may kill."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from .paths import ROOT


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, stack: ExitStack, folder: Path, workers: int = 2) -> None:
        self._stack, self._folder = stack, folder
        self.workers: list[subprocess.Popen[str]] = []
        script = "from distributed.cli.dask_scheduler import main; main()"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start(script, options)
        self.address = self._wait_for(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")
        self.add(workers)

    def add(self, workers: int) -> None:
        """Start workers, and wait until the scheduler has registered them."""
        script = "from distributed.cli.dask_worker import main; main()"
        limits = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        new = [self._start(script, [self.address, *limits]) for _ in range(workers)]
        for worker in new:
            self._wait_for(worker, r"Registered to:\s+(tcp://\S+)")
        self.workers += new

    def _start(self, script: str, options: list[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *options],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._stack.enter_context(process)
        self._stack.callback(process.kill)
        return process

    @staticmethod
    def _wait_for(process: subprocess.Popen[str], pattern: str) -> str:
        """Read stderr up to a line that matches, and return the first group."""
        assert process.stderr is not None
        for line in process.stderr:
            if match := re.search(pattern, line):
                return match[1]
        raise AssertionError("the process is gone")
