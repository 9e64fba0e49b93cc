"""Several positions of `solve`: the same results here and on a Dask cluster, and a log of them."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ..support import forks
from ..support.cluster import Cluster
from ..support.process import ENGINE, HANG, KILL, output, started, wait_until

DIAGRAMS = {"captures": "....\n.OX.\n.XO.\n....\n", "centre": "...\n.X.\n...\n", "corner": "X..\n...\n..O\n"}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Files with a position each."""
    for name, diagram in DIAGRAMS.items():
        (tmp_path / name).write_text(diagram)
    return [str(tmp_path / name) for name in DIAGRAMS]


def solved(*args: str) -> dict[str, dict[str, Any]]:
    """Return the results of positions by their names."""
    done = forks.run("solve", "--json", *args)
    assert (done.returncode, done.stderr) == (0, "")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return {each.pop("position"): each for each in results}


def results_in(log: Path) -> list[Any]:
    """Return the results of positions in a log."""
    return json.loads(gzip.decompress(log.read_bytes()).partition(b"\n")[0])["results"]  # type: ignore[no-any-return]


def test_several_positions_have_the_results_of_each_alone(files: list[str]) -> None:
    several = solved("--length", *files)
    assert all(each.pop("nodes") > 0 for each in several.values())
    for file in files:
        alone = json.loads(forks.run("solve", "--json", "--length", file).stdout)
        assert several[file] == {name: alone[name] for name in ("winner", "length", "line")}


def test_a_folder_stands_for_its_sgf_files(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.sgf").write_text("(;SZ[4]AB[cb][bc]AW[bb][cc]PL[B])")
    done = forks.run("solve", str(tmp_path))
    names = [str(tmp_path / f"{name}.sgf") for name in ("a", "b")]
    assert [line.partition(": black wins: ")[0] for line in done.stdout.splitlines()] == names


def test_results_are_not_searched_twice(files: list[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    first = solved("--checkpoint", str(log), files[0], files[1])
    second = solved("--checkpoint", str(log), *files)
    assert {name: second[name] for name in first} == first
    assert len(results_in(log)) == len(files)


def test_a_log_of_several_positions_is_not_one_of_a_search(files: list[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    solved("--checkpoint", str(log), *files)
    for args in (["--size", "3"], files):
        done = forks.run("solve", *args, "--checkpoint", str(log))
        assert (done.returncode == 2) == (args == ["--size", "3"])
    done = forks.run("solve", "--size", "3", "--checkpoint", str(log))
    assert "is the log of another run: width is None, not 3" in done.stderr


@pytest.mark.slow
def test_at_the_time_limit_the_known_results_are_printed(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "hard").write_text("........\n" * 8)
    log = tmp_path / "log"
    done = forks.run("solve", *files, str(tmp_path / "hard"), "--time", "1", "--checkpoint", str(log))
    assert done.returncode == 0
    assert f"{tmp_path / 'hard'}: not solved yet" in done.stdout.splitlines()
    assert done.stderr == f"{log} is saved: the same command goes on from there\n"


@pytest.mark.slow
def test_a_cluster_solves_every_first_move_and_a_lost_worker_changes_nothing(cluster: Cluster, compiled: None) -> None:
    from distributed import Client

    expected = json.loads(forks.run("solve", "--json", "--first-moves", "--size", "5").stdout)["first_moves"]
    command = [*ENGINE, "solve", "--first-moves", "--json", "--size", "5", "--scheduler", cluster.address]
    with Client(cluster.address) as client:
        addresses = {pid: address for address, pid in client.run(os.getpid).items()}
        victim = cluster.workers[0].pid
        with started(command) as process:
            wait_until(lambda: client.processing().get(addresses[victim]))
            os.kill(victim, KILL)
            out, err = output(process, HANG)
    assert (process.returncode, err) == (0, "")
    winners = {line["position"]: line["winner"] for line in map(json.loads, out.splitlines())}
    assert winners == {f"5x5 {vertex}": winner for vertex, winner in expected.items()}


@pytest.mark.slow
def test_results_of_a_lost_cluster_are_kept(cluster: Cluster, tmp_path: Path, compiled: None) -> None:
    log = tmp_path / "log"
    options = ["--first-moves", "--size", "5", "--memory", "64", "--checkpoint", str(log)]
    with started([*ENGINE, "solve", *options, "--scheduler", cluster.address]) as process:
        wait_until(lambda: log.exists() and results_in(log))
        cluster.scheduler.kill()
        _, err = output(process, HANG)
    kept = results_in(log)
    assert (process.returncode, len(err.splitlines())) == (2, 1) or len(kept) == 25, err
    with ExitStack() as stack:
        options += ["--scheduler", Cluster(stack, tmp_path).address]
        done = subprocess.run([*ENGINE, "solve", *options], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 25
    assert results_in(log)[: len(kept)] == kept


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("ended_by", [pytest.param("time", marks=pytest.mark.long), "interrupt"])
def test_a_stopped_scheduler_delays_neither_the_time_limit_nor_an_interrupt(
    ended_by: str, cluster: Cluster, tmp_path: Path, compiled: None
) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    from distributed import Client

    options = ["--first-moves", "--size", "8", "--memory", "64", "--scheduler", cluster.address]
    options += ["--time", "10"] if ended_by == "time" else []
    with Client(cluster.address) as client, started([*ENGINE, "solve", *options]) as process:
        wait_until(lambda: any(client.processing().values()))
        cluster.scheduler.send_signal(signal.SIGSTOP)
        if ended_by == "interrupt":
            process.send_signal(signal.SIGINT)
        out, _ = output(process, HANG)
        cluster.scheduler.send_signal(signal.SIGCONT)
    assert process.returncode == (0 if ended_by == "time" else 130)
    assert out.splitlines()[0] == "8x8 A1: not solved yet"
