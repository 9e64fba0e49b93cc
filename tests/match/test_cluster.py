"""Games on a Dask cluster: a scheduler and two workers on loopback, one of which is killed during a match."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.files import RequestError
from tests.support.cluster import Cluster
from tests.support.kills import rows
from tests.support.process import ENGINE, HANG, KILL, output, started, wait_until

pytestmark = pytest.mark.slow
STOP = getattr(signal, "SIGSTOP", signal.SIGTERM)

RANDOM = f"{sys.executable} -m gtp_capture --player random"


def test_losing_a_worker_loses_and_duplicates_no_game(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    games = 30
    command = [*ENGINE, "match", "--black", RANDOM, "--white", RANDOM, "--size", "7", "--games", str(games)]
    command += ["--scheduler", cluster.address, "--results", str(path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: path.exists() and len(rows(path)) >= 2)
    os.kill(cluster.workers[0].pid, KILL)
    assert len(rows(path)) < games
    out, err = process.communicate(timeout=HANG)
    assert process.returncode == 0, err
    result = json.loads(out)
    assert result["games"] == games
    assert sorted(row.number for row in rows(path)) == list(range(games))
    assert result["faults"] == []


def die() -> None:
    os._exit(1)


def test_a_job_that_ends_every_worker_raises_an_error(cluster: Cluster) -> None:
    cluster.add(2)  # by default the fourth loss is the last one
    with pytest.raises(RequestError, match=r"^workers are lost repeatedly at tcp://"):
        list(run_jobs(partial(executor, 1, cluster.address), call, [die]))


def call(job: Callable[[], None]) -> None:
    job()


@pytest.mark.posix
@pytest.mark.parametrize("end", [KILL, STOP])
def test_a_lost_scheduler_is_one_line_and_a_stopped_one_delays_no_control_c(
    end: signal.Signals, cluster: Cluster, tmp_path: Path
) -> None:
    path = tmp_path / "a.dat"
    command = [*ENGINE, "match", "--black", RANDOM, "--white", RANDOM, "--size", "7", "--games", "1000"]
    with started([*command, "--scheduler", cluster.address, "--results", str(path)]) as process:
        wait_until(lambda: path.exists() and rows(path))
        cluster.scheduler.send_signal(end)
        if end == STOP:
            process.send_signal(signal.SIGINT)
        _, said = output(process, HANG)
    if end == STOP:
        assert process.returncode == 130
    else:
        assert (process.returncode, said) == (2, f"gtp-capture: the scheduler at {cluster.address} is gone\n")


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path, workers=0)


@contextmanager
def waiting(cluster: Cluster, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A command that has reported that it waits for workers."""
    with started([*ENGINE, *command, "--scheduler", cluster.address]) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line == f"gtp-capture: {cluster.address}: waiting for workers: dask worker {cluster.address}\n"
        yield process


GAMES = ("match", "--black", RANDOM, "--white", RANDOM, "--size", "5", "--games", "2", "--json")
MOVES = ("solve", "--size", "3", "--first-moves", "--json")


@pytest.mark.parametrize("command", [GAMES, MOVES], ids=lambda command: command[0])
def test_without_workers_a_command_prints_that_it_waits_and_starts_with_the_first(
    command: tuple[str, ...], idle: Cluster, compiled: None
) -> None:
    with waiting(idle, *command) as process:
        idle.add(1)
        out, err = process.communicate(timeout=HANG)
    assert process.returncode == 0
    assert err in ("", f"gtp-capture: {idle.address}: workers: 1\n")  # nothing if all was done before the next poll
    values = [json.loads(line) for line in out.splitlines()]
    assert values[0]["games"] == 2 if command is GAMES else None not in [position["winner"] for position in values]


@pytest.mark.posix
def test_control_c_ends_the_wait_for_workers(idle: Cluster) -> None:
    with waiting(idle, *GAMES) as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 1
