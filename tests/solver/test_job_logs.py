"""solve --jobs --checkpoint: kills, interrupts, lost schedulers, and logs that cannot be used."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ..support.cluster import Cluster
from ..support.job_kills import records, run
from ..support.process import ENGINE, output, started

pytestmark = pytest.mark.slow

SOLVE = [*ENGINE, "solve", "--memory", "64"]


def until_there_are(count: int, path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a log has so many jobs."""
    end = time.monotonic() + 100
    while len(records(path)) < count:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)


def test_20_kills_lose_nothing_and_count_nothing_twice(tmp_path: Path, compiled: None) -> None:
    outcome = run(tmp_path, 20)
    assert (outcome.found["winner"], outcome.lost, outcome.doubled) == ("black", 0, 0)
    assert outcome.found["nodes"] == outcome.nodes
    assert f"{outcome.nodes} nodes in {outcome.jobs} jobs, {outcome.jobs} of them from" in outcome.text
    assert outcome.middle >= 10


def test_an_interrupt_keeps_the_jobs_and_says_how_to_go_on(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "log"
    command = [*SOLVE, "--size", "6", "--jobs", "2", "--checkpoint", str(path)]
    with started(command) as process:
        until_there_are(10, path, process)
        process.send_signal(signal.SIGINT)
        out, err = output(process, 60)
    count = len(records(path))
    assert process.returncode == 130
    assert out.startswith("not solved yet\n")
    assert f"{path} has {count} jobs: the same command goes on from there" in err
    assert "Traceback" not in err
    again = subprocess.run([*command, "--time", "3"], capture_output=True, text=True, timeout=60, check=True)
    assert f", {count} of them from {path}, " in again.stdout
    assert len(records(path)) >= count


def test_a_search_goes_on_after_its_scheduler_was_lost(tmp_path: Path, cluster: Cluster, compiled: None) -> None:
    path = tmp_path / "log"
    command = [*SOLVE, "--size", "5x6", "--json", "--checkpoint", str(path)]
    lost = [*command, "--scheduler", cluster.address]
    with started(lost) as process:
        until_there_are(10, path, process)
        cluster.scheduler.kill()
        out, err = output(process, 90)
    assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
    before = records(path)
    done = subprocess.run([*command, "--jobs", "2"], capture_output=True, text=True, timeout=200, check=True)
    after = records(path)
    assert after[: len(before)] == before
    assert json.loads(done.stdout)["winner"] == "black"
    assert json.loads(done.stdout)["nodes"] == sum(record["nodes"] for record in after)


def test_a_log_of_first_moves_and_one_of_the_winner_are_the_same(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "log"
    command = [*SOLVE, "--size", "4", "--json", "--jobs", "2", "--checkpoint", str(path)]
    first = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    second = subprocess.run([*command, "--first-moves"], capture_output=True, text=True, timeout=100, check=True)
    third = subprocess.run([*command, "--first-moves"], capture_output=True, text=True, timeout=100, check=True)
    assert json.loads(first.stdout)["winner"] == json.loads(second.stdout)["winner"] == "white"
    assert set(json.loads(second.stdout)["first_moves"].values()) == {"white"}
    assert json.loads(third.stdout)["nodes"] == json.loads(second.stdout)["nodes"]
    assert ["winner_checked" in json.loads(done.stdout) for done in (first, second, third)] == [False, True, True]


def test_a_winner_from_an_earlier_log_is_called_unchecked(tmp_path: Path, compiled: None) -> None:
    command = [*SOLVE, "--size", "4", "--jobs", "2", "--checkpoint", str(tmp_path / "log")]
    first = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=100, check=True)
    found = json.loads(first.stdout)
    assert found["nodes_per_second"] == pytest.approx(found["nodes"] / max(found["seconds"], 1e-3), rel=0.05)
    again = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert "white wins\nnot checked, the verdict rests on the checkpoint: a proof" in again.stdout


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        (b"\0\1\2", (), "is not a log of solve with --jobs or --scheduler"),
        (None, ("--size", "3x4"), "is the log of another position: height is 3, not 4"),
        (None, ("--size", "3", "--to-move", "white"), "is the log of another position: to_move is black, not white"),
        (b"damage", ("--size", "3"), "is damaged: line 2 is not what was written"),
    ],
)
def test_a_wrong_log_gives_one_line_and_stays_as_it_is(
    content: bytes | None, options: tuple[str, ...], said: str, tmp_path: Path, compiled: None
) -> None:
    path = tmp_path / "log"
    command = [*SOLVE, "--jobs", "2", "--checkpoint", str(path)]
    if content is None or content == b"damage":
        subprocess.run([*command, "--size", "3"], check=True, capture_output=True, timeout=100)
        if content is not None:
            path.write_bytes(path.read_bytes().replace(b'"nodes":', b'"nodes":1', 1))
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    done = subprocess.run(
        [*command, *(options or ("--size", "3"))], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert (len(done.stderr.splitlines()), said in done.stderr) == (1, True), done.stderr
    assert path.read_bytes() == before


def test_two_runs_do_not_share_a_log(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "log"
    command = [*SOLVE, "--size", "6", "--jobs", "2", "--checkpoint", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until_there_are(1, path, process)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        process.kill()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{path} is in use by another run\n")
