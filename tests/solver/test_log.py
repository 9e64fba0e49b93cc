"""solve --checkpoint: a search that goes on, damaged logs, logs of other runs, and an interrupt."""

from __future__ import annotations

import gzip
import json
import subprocess
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

from gtp_capture import Game
from gtp_capture.solver import log as module
from gtp_capture.solver.log import Log
from gtp_capture.solver.result import UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.files import RequestError
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support import forks
from ..support.forks import HANG
from ..support.process import ENGINE

ABOUT = {"width": 4, "height": 5, "memory": 1}


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save after each slice of a search."""
    monkeypatch.setattr(module, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(module, "SHARE", 1e9)


def searched(path: Path | None, nodes: int | None, threads: int = 1) -> tuple[int, int]:
    """Search 4x5 with an empty table and a log; return the result and the nodes of this run."""
    game, solver = Game("first-capture", (4, 5)), Solver(4, 5, MEBIBYTE, threads)
    if path is None:
        return solver.value(game.board, int(game.to_move), Limit(nodes=nodes).begin()), solver.nodes
    log = Log(path, ABOUT, solver.table)
    solver.watch = log.update
    result = solver.value(game.board, int(game.to_move), Limit(nodes=nodes).begin())
    log.close(solver.nodes)
    return result, solver.nodes


def parts(path: Path) -> tuple[bytes, bytes]:
    """Return the header and the entries of a log."""
    header, _, entries = gzip.decompress(path.read_bytes()).partition(b"\n")
    return header, entries


def test_a_log_changes_no_node_of_a_search(tmp_path: Path) -> None:
    assert searched(tmp_path / "log", None) == searched(None, None)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stopped_search_goes_on(threads: int, tmp_path: Path) -> None:
    _, whole = searched(None, None)
    first, before = searched(tmp_path / "log", whole * 4 // 5)
    result, nodes = searched(tmp_path / "log", None, threads)
    assert (first, result) == (UNKNOWN, WIN)
    assert nodes < whole // 2
    assert json.loads(parts(tmp_path / "log")[0])["nodes"] == before + nodes
    assert searched(tmp_path / "log", None) == (WIN, 0)  # the winner is in the log


def test_of_a_large_table_the_entries_that_cost_most_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = searched(None, None)
    monkeypatch.setattr(module, "ENTRIES", 50)
    searched(tmp_path / "log", whole * 4 // 5)
    assert 0 < len(parts(tmp_path / "log")[1]) <= 50 * 24
    assert searched(tmp_path / "log", None)[1] < whole


def packed(header: object, entries: bytes = b"") -> bytes:
    return gzip.compress(json.dumps(header).encode() + b"\n" + entries)


HEADER = {"format": module.FORMAT, **ABOUT, "nodes": 1, "seconds": 0.5, "results": []}
FORGED = {
    "empty": b"",
    "text": b"no log",
    "another format": packed({**HEADER, "format": "gtp-capture solve log 0"}),
    "a list": packed([]),
    "no nodes": packed({name: value for name, value in HEADER.items() if name != "nodes"}),
    "nodes as text": packed({**HEADER, "nodes": "many"}),
    "results that are none": packed({**HEADER, "results": 3}),
    "half an entry": packed(HEADER, bytes(23)),
    "an entry outside of the table": packed(HEADER, b"\xff" * 24),
    "an entry between two": packed(HEADER, b"\1" + bytes(23)),
    "nested": gzip.compress(b"[" * 90_000),
}


@pytest.mark.parametrize("content", FORGED.values(), ids=FORGED.keys())
def test_a_forged_log_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(RequestError, match=r"is damaged: delete it, and solve again|is not a log of solve"):
        Log(path, ABOUT, Solver(4, 5, MEBIBYTE).table)
    assert path.read_bytes() == content


def test_logs_of_other_runs_and_logs_in_use_are_named(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with closing(Log(path, ABOUT)), pytest.raises(RequestError, match="is in use by another run"):
        Log(path, ABOUT)
    with pytest.raises(RequestError, match="is the log of another run: width is 4, not 5"):
        Log(path, ABOUT | {"width": 5})
    with pytest.raises(RequestError, match="No such file"):
        Log(tmp_path / "missing" / "log", ABOUT)


@pytest.mark.slow
def test_a_winner_of_a_log_rests_on_it_until_a_proof_is_checked(tmp_path: Path) -> None:
    solve = ["solve", "--size", "3", "--checkpoint", str(tmp_path / "log")]
    remark = "this rests on the log: --proof FILE writes a proof, and check-proof FILE checks it"
    assert remark not in forks.run(*solve).stdout
    assert remark in forks.run(*solve, "--proof", str(tmp_path / "proof")).stdout.splitlines()
    assert json.loads(forks.run(*solve, "--json").stdout)["resumed"] is True
    assert "the proof holds" in forks.run("check-proof", str(tmp_path / "proof")).stdout


@pytest.mark.posix
@pytest.mark.slow
def test_an_interrupt_keeps_the_results_and_says_how_to_go_on(tmp_path: Path, compiled: None) -> None:
    path, proof = tmp_path / "log", tmp_path / "proof"
    options = ["solve", "--size", "6", "--memory", "64", "--checkpoint", str(path)]
    program, *start = ENGINE
    child = pexpect.spawn(program, [*start, *options, "--proof", str(proof)], encoding="utf-8", timeout=HANG)
    child.expect(" nodes")
    child.sendintr()
    child.expect("not solved yet")
    child.expect("is saved: the same command goes on from there")
    child.expect("was not written: interrupted")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert not proof.exists()
    done = subprocess.run([*ENGINE, *options, "--time", "1"], capture_output=True, text=True, timeout=HANG, check=True)
    assert f" nodes of earlier runs in {path}" in done.stdout
