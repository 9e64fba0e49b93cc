"""Positions solved by several processes or by a Dask cluster: the same results as with one process, and a log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from ..support.cluster import Cluster
from ..support.process import ENGINE, output, started

pytestmark = pytest.mark.slow


def solve(*options: str, text: str = "", timeout: float = 120) -> subprocess.CompletedProcess[str]:
    command = [*ENGINE, "solve", "--first-moves", *options]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout, check=False)


def verdicts(*options: str, text: str = "") -> tuple[str, dict[str, str]]:
    done = solve("--json", *options, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found["winner"], found["first_moves"]


@pytest.mark.parametrize(
    ("options", "diagram"),
    [
        pytest.param(("--size", "5"), "", id="5x5"),
        pytest.param(("-", "--to-move", "white"), "...\n.X.\n...\n", id="white to move"),
        pytest.param(("--size", "2"), "", id="second player wins"),
        pytest.param(("-",), "....\n.OX.\n.XO.\n....\n", id="captures"),
    ],
)
def test_several_processes_give_the_same_winners_as_one(options: tuple[str, ...], diagram: str, compiled: None) -> None:
    assert verdicts(*options, "--jobs", "2", text=diagram) == verdicts(*options, text=diagram)


@pytest.mark.parametrize(
    ("options", "diagram"),
    [
        pytest.param(("--size", "5"), "", id="5x5"),
        pytest.param(("--size", "4"), "", id="second player wins"),
        pytest.param(("-", "--to-move", "white"), "....\n.XX.\n..O.\n....\n", id="white to move"),
    ],
)
def test_two_processes_find_the_winner_and_a_winning_play(
    options: tuple[str, ...], diagram: str, compiled: None
) -> None:
    command = [*ENGINE, "solve", "--json", *options]
    found = [
        json.loads(subprocess.run([*command, *more], input=diagram, capture_output=True, text=True, check=True).stdout)
        for more in ((), ("--jobs", "2"))
    ]
    assert found[0]["winner"] == found[1]["winner"]
    assert bool(found[0]["line"]) == bool(found[1]["line"])
    if found[1]["line"]:
        _, winners = verdicts(*options, text=diagram)
        assert winners[found[1]["line"][0]] == found[1]["winner"]


def test_the_line_and_the_proof_are_made_by_the_local_solver(tmp_path: Any, compiled: None) -> None:
    path = tmp_path / "proof"
    done = solve("--size", "3", "--jobs", "2", "--length", "--proof", str(path))
    assert done.stdout.startswith("black wins in 7 plies: ")
    assert subprocess.run([*ENGINE, "check-proof", str(path)], capture_output=True, timeout=60, check=True)


def test_at_the_time_limit_the_known_winners_are_printed(compiled: None) -> None:
    done = solve("--size", "6", "--jobs", "2", "--memory", "64", "--time", "2", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "not solved yet"
    assert len([line for line in lines if line.endswith(": not solved yet")]) >= 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--scheduler", "tcp://127.0.0.1:9"), "no Dask scheduler answers"),
        (("--jobs", "2", "--checkpoint", "/"), "is the name of a folder"),
        (("--jobs", "2", "--checkpoint", "/missing/folder/file"), "there is no folder"),
        (("--first-moves", "--jobs", "0"), "--jobs"),
        (("--proof", "file", "--checkpoint", "file"), "a file of its own"),
        (("--proof", "missing/file"), "there is no folder missing"),
        (("--proof", "file", "--part-choices", "9" * 20), "--part-choices"),
        (("--time", "nan"), "finite"),
    ],
    ids=str,
)
def test_wrong_options_give_one_line_and_exit_code_2(options: tuple[str, ...], said: str) -> None:
    command = [*ENGINE, "solve", "--size", "3", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def until(condition: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_ended(process: subprocess.Popen[str]) -> bool:
    return process.poll() is not None


def test_a_lost_worker_changes_no_winner(cluster: Cluster, compiled: None) -> None:
    from distributed import Client

    expected = verdicts("--size", "5")
    command = [*ENGINE, "solve", "--first-moves", "--json", "--size", "5", "--scheduler", cluster.address]
    with Client(cluster.address) as client:
        addresses = {pid: address for address, pid in client.run(os.getpid).items()}
        victim = cluster.workers[0].pid
        with started(command) as process:
            until(lambda: client.processing().get(addresses[victim]))
            os.kill(victim, signal.SIGKILL)
            assert process.poll() is None
            out, err = output(process, 120)
    assert (process.returncode, err) == (0, "")
    found = json.loads(out)
    assert (found["winner"], found["first_moves"]) == expected


def test_a_search_goes_on_with_a_new_worker_after_all_were_lost(
    cluster: Cluster, tmp_path: Path, compiled: None
) -> None:
    log = tmp_path / "log"
    options = ["--json", "--size", "5x6", "--scheduler", cluster.address, "--checkpoint", str(log)]
    with started([*ENGINE, "solve", *options]) as process:
        until(lambda: log.exists() and log.read_bytes().count(b"\n") > 5)
        for worker in cluster.workers:
            worker.kill()
        assert process.stderr is not None
        assert "waiting for workers" in process.stderr.readline()
        cluster.add(1)
        out, err = output(process, 120)
    assert (process.returncode, err.splitlines()) == (0, [f"gtp-capture: {cluster.address}: workers: 1"])
    assert json.loads(out)["winner"] == "black"


def test_after_an_interrupt_no_work_is_left_on_the_cluster(cluster: Cluster, compiled: None) -> None:
    from distributed import Client

    command = [*ENGINE, "solve", "--first-moves", "--size", "6", "--memory", "64", "--scheduler", cluster.address]
    with Client(cluster.address) as client:
        workers = list(client.run(os.getpid))
        with started(command) as process:
            until(lambda: all(client.processing().get(worker) for worker in workers))
            process.send_signal(signal.SIGINT)
            out, _ = output(process, 60)
        assert process.returncode == 130
        assert out.startswith("not solved yet")
        # Each worker has one thread, which a task that was not cancelled would occupy for hours.
        for worker in workers:
            assert client.submit(pow, 2, 5, workers=[worker]).result(timeout=60) == 32


def test_a_lost_scheduler_ends_the_run_with_one_line(cluster: Cluster, compiled: None) -> None:
    command = [*ENGINE, "solve", "--first-moves", "--size", "6", "--memory", "64", "--scheduler", cluster.address]
    with started(command) as process:
        from distributed import Client

        with Client(cluster.address) as client:
            until(lambda: any(client.processing().values()))
        cluster.scheduler.kill()
        out, err = output(process, 90)
    assert (process.returncode, out) == (2, "")
    assert len(err.splitlines()) == 1, err


@pytest.mark.parametrize("ended_by", ["time", "interrupt"])
def test_a_stopped_scheduler_delays_neither_the_time_limit_nor_an_interrupt(
    ended_by: str, cluster: Cluster, tmp_path: Path, compiled: None
) -> None:
    log = tmp_path / "log"
    verdicts("--size", "3", "--scheduler", cluster.address)  # loads the workers' code, which is not part of the time
    options = ["--size", "7", "--memory", "64", "--scheduler", cluster.address, "--checkpoint", str(log)]
    options += ["--time", "10"] if ended_by == "time" else []
    with started([*ENGINE, "solve", *options]) as process:
        until(lambda: is_ended(process) or (log.exists() and log.read_bytes().count(b"\n") > 5))
        assert not is_ended(process)
        cluster.scheduler.send_signal(signal.SIGSTOP)
        if ended_by == "interrupt":
            time.sleep(2)  # in the middle of the question for the workers
            process.send_signal(signal.SIGINT)
        out, err = output(process, 90)
    assert process.returncode == (0 if ended_by == "time" else 130)
    assert out.startswith("not solved yet")
    assert "the same command goes on from there" in err
