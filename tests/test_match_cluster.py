"""Games on a Dask cluster: a scheduler and two workers on loopback, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from gtp_capture.executor import executor
from tests.benchmarks.kills import rows
from tests.cluster import ROOT, Cluster
from tests.process import ENGINE

RANDOM = f"{sys.executable} -m gtp_capture --player random"


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
