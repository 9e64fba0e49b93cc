"""solve --checkpoint: kills, interrupts, logs of earlier versions, and logs that cannot be used."""

from __future__ import annotations

import json
import lzma
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gtp_capture import Game
from gtp_capture.solver import checkpoint as module
from gtp_capture.solver.checkpoint import Checkpoint, OldLog
from gtp_capture.solver.log import OLD_FORMAT, LogError
from gtp_capture.solver.result import LOSS, UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.paths import ROOT
from ..support.process import ENGINE, output, started
from ..support.solve_kills import records, run

SOLVE = [*ENGINE, "solve", "--memory", "64"]
OLD_LOG = ROOT / "tests/data/solve_log_1.log.xz"
"""The first 150 jobs of `solve --size 5x6 --jobs 2 --checkpoint FILE`, version 0.1: 615,385 of 2,640,412 nodes."""
CROSSCUT = ROOT / "tests/benchmarks/logs/crosscut-9.log.xz"


@pytest.fixture(autouse=True)
def fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small searches have results to keep too."""
    monkeypatch.setattr(module, "LEAST_NODES", 100)


def opened(path: Path, solver: Solver, game: Game) -> Checkpoint:
    root = solver.stones(game.board), game.to_move
    return Checkpoint(solver, path, {"width": game.width, "height": game.height}, root)


def searched(path: Path, game: Game, nodes: int | None, memory: int = MEBIBYTE, threads: int = 1) -> tuple[int, int]:
    """Search with a checkpoint and an empty table; return the result and the nodes of this run."""
    solver = Solver(game.width, game.height, memory, threads)
    with closing(opened(path, solver, game)):
        return solver.value(game.board, game.to_move, Limit(nodes=nodes).begin()), solver.nodes


def test_a_checkpoint_changes_no_node_of_a_search(tmp_path: Path) -> None:
    game = Game("first-capture", 5)
    alone = Solver(5, 5, MEBIBYTE)
    result = alone.value(game.board, game.to_move, Limit().begin())
    assert searched(tmp_path / "log", game, None) == (result, alone.nodes)


@pytest.mark.parametrize(("memory", "threads"), [(1, 1), (1, 2), (3, 1)])
def test_a_search_goes_on_with_other_memory_and_threads(memory: int, threads: int, tmp_path: Path) -> None:
    game = Game("first-capture", (4, 5))
    _, whole = searched(tmp_path / "whole", game, None)
    first, before = searched(tmp_path / "log", game, whole * 4 // 5)
    assert first == UNKNOWN
    result, nodes = searched(tmp_path / "log", game, None, memory * MEBIBYTE, threads)
    assert result == WIN
    totals = [record["nodes"] for record in records(tmp_path / "log")]
    assert totals == sorted(totals)
    assert totals[-1] == before + nodes
    assert searched(tmp_path / "log", game, None)[1] == 0  # the winner is in the log


def old_log(path: Path, *, lines: int = 151) -> Path:
    path.write_bytes(b"".join(lzma.decompress(OLD_LOG.read_bytes()).splitlines(keepends=True)[:lines]))
    return path


@pytest.mark.slow
def test_a_log_of_the_search_in_jobs_is_read_and_continued(tmp_path: Path, compiled: None) -> None:
    path = old_log(tmp_path / "log")
    before = path.read_bytes()
    command = [*SOLVE, "--size", "5x6", "--checkpoint", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    assert done.stdout.startswith("black wins: ")
    assert f"; 615385 nodes of earlier runs in {path}" in done.stdout
    assert path.read_bytes().startswith(before)
    assert len(path.read_bytes()) > len(before)
    again = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=200, check=True)
    assert json.loads(again.stdout)["winner"] == "black"


def test_the_winners_of_jobs_are_found_without_a_search(tmp_path: Path) -> None:
    path, game, solver = old_log(tmp_path / "log"), Game("first-capture", (5, 6)), Solver(5, 6, 4 * MEBIBYTE)
    about = json.loads(lzma.decompress(OLD_LOG.read_bytes()).splitlines()[0][9:])
    assert about.pop("format") == OLD_FORMAT
    decided = [record for record in records(path) if 0 in (record["pn"], record["dn"])]

    def found() -> list[bool]:
        results = []
        for record in decided:
            stones = int(record["black"], 16), int(record["white"], 16)
            color = 1 + (stones[0] | stones[1]).bit_count() % 2
            result = solver.result(stones, color, Limit(nodes=0).begin())
            results.append(result == (WIN if record["pn"] == 0 else LOSS))
        return results

    assert sum(found()) < len(decided) // 2
    with closing(Checkpoint(solver, path, about, (solver.stones(game.board), game.to_move))):
        assert all(found())
    assert len(decided) == 10


def test_the_numbers_of_positions_that_jobs_expanded_follow_from_their_children() -> None:
    solver = Solver(2, 2, MEBIBYTE)
    old = OldLog(solver, (0, 0), 1)
    numbers = {"pn": 3, "dn": 5, "nodes": 7, "seconds": 0.1}
    found = old.add({"job": 1, "black": "0", "white": "0", "expand": True, "children": [[0, 2, 9]], **numbers})
    assert found == 7
    old.add({"job": 2, "black": "1", "white": "0", "expand": False, "children": [[1, 2, 3]], **numbers, "pn": 4})
    root, child, grandchild = old.rows()
    assert [(row.pn, row.dn) for row in (root, child, grandchild)] == [(5, 4), (4, 5), (2, 3)]
    assert len({row.key for row in (root, child, grandchild)}) == 3


@pytest.mark.slow
def test_the_log_of_the_9x9_crosscut_is_read(tmp_path: Path, compiled: None) -> None:
    path = tmp_path / "log"
    path.write_bytes(lzma.decompress(CROSSCUT.read_bytes()))
    command = [*SOLVE, str(ROOT / "sabaki-config/crosscut-9.sgf"), "--checkpoint", str(path), "--time", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert "not solved yet" in done.stdout
    assert " nodes of earlier runs in " in done.stdout


JOB: dict[str, Any] = {
    "job": 1, "black": "0", "white": "0", "pn": 3, "dn": 5, "nodes": 10, "seconds": 0.5, "expand": True,
    "children": [[0, 2, 3], [1, 2, 4], [4, 1, 9]],
}  # fmt: skip
ROW: dict[str, Any] = {"key": "0" * 32, "pn": 3, "dn": 5, "nodes": 9}


def rows(**changes: Any) -> dict[str, Any]:
    return {"nodes": 9, "seconds": 0.1, "pn": 1, "dn": 1, "rows": [ROW | changes]}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([JOB, JOB], "job 1 is there twice"),
        ([JOB | {"black": "1ffff"}], "job 1 has no position of this board"),
        ([JOB | {"black": "1"}], "job 1 has no position of this board"),
        ([JOB | {"pn": -1}], "something else than a number"),
        ([JOB | {"pn": "3"}], "something else than a number"),
        ([JOB | {"pn": 0}], "numbers that no search produces"),
        ([JOB | {"expand": 1}], "job 1 has no position of this board"),
        ([JOB | {"children": [[1, 2]]}], "not one of a search"),
        ([JOB | {"children": 3}], "not one of a search"),
        ([{"job": 1}], "not one of a search"),
        ([{}], "not one of a search"),
        ([rows(key="0")], "a result has no key"),
        ([rows(key="g" * 32)], "invalid literal"),
        ([rows(pn=0)], "numbers that no search produces"),
        ([rows(pn=2**28)], "numbers that no search produces"),
        ([rows(nodes=2**60)], "too many nodes"),
        ([rows(nodes=True)], "something else than a number"),
        ([rows(other=1)], "not one of a search"),
        ([rows() | {"nodes": 0.5}], "something else than a number"),
    ],
)
def test_whole_records_that_no_run_writes_are_damage(tmp_path: Path, found: list[dict[str, Any]], said: str) -> None:
    path, game = tmp_path / "log", Game("first-capture", 3)
    with closing(opened(path, Solver(3, 3, MEBIBYTE), game)) as made:
        for record in found:
            made._log.append(record)
    content = path.read_bytes()
    with pytest.raises(LogError) as error:
        opened(path, Solver(3, 3, MEBIBYTE), game)
    assert str(error.value).startswith(f"{path} is damaged: ")
    assert said in str(error.value)
    assert path.read_bytes() == content


def until_there_are(count: int, path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a log has so many records."""
    end = time.monotonic() + 100
    while len(records(path)) < count:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("kills", [4, pytest.param(20, marks=pytest.mark.long)])
def test_kills_lose_nothing(kills: int, tmp_path: Path, compiled: None) -> None:
    outcome = run(tmp_path, kills)
    assert (outcome.found["winner"], outcome.lost) == ("black", 0)
    assert outcome.middle >= kills // 2


@pytest.mark.posix
@pytest.mark.slow
def test_an_interrupt_keeps_the_results_and_says_how_to_go_on(tmp_path: Path, compiled: None) -> None:
    path, proof = tmp_path / "log", tmp_path / "proof"
    command = [*SOLVE, "--size", "6", "--threads", "2", "--checkpoint", str(path)]
    with started([*command, "--proof", str(proof)]) as process:
        until_there_are(10, path, process)
        process.send_signal(signal.SIGINT)
        out, err = output(process, 60)
    count = len(records(path))
    assert process.returncode == 130
    assert out.startswith("not solved yet\n")
    assert f"{path} is saved: the same command goes on from there" in err
    assert f"{proof} was not written: interrupted" in err
    assert "Traceback" not in err
    assert not proof.exists()
    again = subprocess.run([*command, "--time", "3"], capture_output=True, text=True, timeout=60, check=True)
    assert f" nodes of earlier runs in {path}" in again.stdout
    assert len(records(path)) >= count


def other_size(path: Path) -> None:
    with closing(opened(path, Solver(3, 4, MEBIBYTE), Game("first-capture", (3, 4)))):
        pass


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda path: path.write_bytes(b"\0\1\2"), "is not a log of solve"),
        (
            lambda path: path.write_bytes(b"gtp-capture solver table 2\n[3, 3, 16]\n"),
            "is a table of an earlier version",
        ),
        (other_size, "is the log of another position: height is 4, not 3"),
        (
            lambda path: path.write_bytes(old_log(path).read_bytes().replace(b'"pn":', b'"pn":1', 1)),
            "is damaged: line 2",
        ),
    ],
)
def test_a_wrong_log_is_named_and_stays_as_it_is(write: Callable[[Path], object], said: str, tmp_path: Path) -> None:
    path, size = tmp_path / "log", (5, 6) if "damaged" in said else (3, 3)
    write(path)
    before = path.read_bytes()
    with pytest.raises(LogError, match=said):
        opened(path, Solver(*size, MEBIBYTE), Game("first-capture", size))
    assert path.read_bytes() == before
