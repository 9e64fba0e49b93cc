"""Games on a Dask cluster: a scheduler and two workers on loopback, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gtp_capture.executor import executor
from tests.benchmarks.kills import rows
from tests.process import ENGINE

ROOT = Path(__file__).parent.parent
RANDOM = f"{sys.executable} -m gtp_capture --player random"


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        self.workers: list[subprocess.Popen[str]] = []
        script = "from distributed.cli.dask_scheduler import main; main()"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start(script, options)
        self.address = self._say(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")
        for _ in range(2):
            script = "from distributed.cli.dask_worker import main; main()"
            limits = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
            self.workers.append(self._start(script, [self.address, *limits]))
        for worker in self.workers:
            self._say(worker, r"Registered to:\s+(tcp://\S+)")

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
    def _say(process: subprocess.Popen[str], pattern: str) -> str:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(pattern, line):
                return found[1]
        raise AssertionError("the process is gone")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path)


def test_a_worker_that_is_lost_loses_no_game_and_doubles_none(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    games = 200
    command = [*ENGINE, "match", "--black", RANDOM, "--white", RANDOM, "--size", "7", "--games", str(games)]
    command += ["--scheduler", cluster.address, "--results", str(path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not path.exists() or len(rows(path)) < 5:
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)
    assert len(rows(path)) < games
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    found = json.loads(out)
    assert found["games"] == games
    assert sorted(row.game for row in rows(path)) == list(range(games))
    assert found["faults"] == []


def test_the_strength_laboratory_plays_on_a_cluster(cluster: Cluster) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.strength", "greedy", "random", "--games", "6", "--size", "5"]
    found = [
        subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout
        for options in (["--scheduler", cluster.address], ["--jobs", "2"])
    ]
    # Both depend on the seed alone, but for the time that a move took.
    assert found[0].partition(", latest")[0] == found[1].partition(", latest")[0]
    assert "6/6" in found[0]


def test_the_same_door_gives_any_caller_an_executor(cluster: Cluster) -> None:
    with executor(1, cluster.address) as pool:
        assert [future.result(60) for future in [pool.submit(pow, 2, n) for n in range(4)]] == [1, 2, 4, 8]
    with executor(2) as pool:
        assert [future.result(60) for future in [pool.submit(pow, 3, n) for n in range(3)]] == [1, 3, 9]
