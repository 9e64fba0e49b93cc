"""solve --checkpoint: a winner after a resume is verified by its proof, or has a remark that it was not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.cli.solve import solve
from gtp_capture.go.vertex import opponent
from gtp_capture.solver import checkpoint
from gtp_capture.solver.collection import about
from gtp_capture.solver.log import Log
from gtp_capture.solver.proofs.format import ProofError, ProofMemoryError
from gtp_capture.solver.proofs.writer import StoppedError, confirm
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.table import INFINITE
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.solved_boards import EMPTY

BOARDS = {"3": "black", "4x3": "black", "4": "white", "5": "black", "5x4": "black"}
Row = dict[str, Any]


@pytest.fixture(autouse=True)
def fine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small searches have results to keep too."""
    monkeypatch.setattr(checkpoint, "LEAST_NODES", 1)
    monkeypatch.setattr("gtp_capture.solver.solver.FIRST_BUDGET", 20)


def run(*args: str) -> Result:
    try:
        runner = CliRunner(mix_stderr=False)  # type: ignore[call-arg] # before click 8.2
    except TypeError:
        runner = CliRunner()
    done = runner.invoke(solve, [*args, "--memory", "16"])
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    return done


def saved(size: str, path: Path, *options: str) -> Path:
    """Return the checkpoint of a complete run."""
    path.unlink(missing_ok=True)
    assert run("--size", size, "--checkpoint", str(path), *options).exit_code == 0
    return path


def forge(size: str, path: Path, change: Callable[[Row], Row]) -> None:
    """Change the results in a log; the keys and the checksums are valid."""
    width, _, height = size.partition("x")
    header = about(Game("first-capture", (int(width), int(height or width))))
    with closing(Log(path, header)) as log:
        found = list(log.records())
    path.unlink()
    with closing(Log(path, header)) as log:
        log.begin()
        for record in found:
            log.append(record | {"rows": [change(row) for row in record["rows"]]})


def swapped(row: Row) -> Row:
    """Return a result with pn and dn swapped: every win is a loss."""
    return row | {"pn": row["dn"], "dn": row["pn"]}


def tossed(rng: random.Random) -> Callable[[Row], Row]:
    """Return a change to random results, all of the same nodes."""

    def changed(row: Row) -> Row:
        pn, dn = rng.choice([(0, INFINITE), (INFINITE, 0)])
        return row | {"pn": pn, "dn": dn, "nodes": 500}

    return changed


def some(rng: random.Random, share: float, change: Callable[[Row], Row]) -> Callable[[Row], Row]:
    """Return the same change for a random share of the results."""
    return lambda row: change(row) if rng.random() < share else row


def check_answer(done: Result, winner: str) -> None:
    """Assert a right winner that was verified, or a remark, or exit code 2 with one line and no winner."""
    lines = done.stdout.splitlines()
    if done.exit_code == 2:
        assert not any(" wins" in line for line in lines)
        assert len(done.stderr.splitlines()) == 1
        assert "is wrong" in done.stderr or "is damaged" in done.stderr
        return
    assert done.exit_code == 0
    if not any("not checked, the verdict rests on the checkpoint" in line for line in lines):
        assert lines[0].startswith(f"{winner} wins")
        assert any(line.startswith(f"checked by the rules alone: {winner} wins (") for line in lines)


@pytest.mark.parametrize("size", BOARDS)
def test_a_winner_from_a_correct_checkpoint_is_verified(size: str, tmp_path: Path) -> None:
    path = saved(size, tmp_path / "checkpoint")
    done = run("--size", size, "--checkpoint", str(path))
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith(f"{BOARDS[size]} wins")
    assert done.stdout.splitlines()[1].startswith(f"checked by the rules alone: {BOARDS[size]} wins (")
    found = json.loads(run("--size", size, "--checkpoint", str(path), "--json").stdout)
    assert (found["winner"], found["winner_checked"]) == (BOARDS[size], True)


def test_a_run_without_entries_from_a_checkpoint_prints_no_remark(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    for options in ((), ("--checkpoint", str(path))):
        done = run("--size", "4", *options)
        assert "checked" not in done.stdout
    path.unlink()
    done = run("--size", "4", "--checkpoint", str(path), "--json")
    assert "winner_checked" not in json.loads(done.stdout)


@pytest.mark.parametrize("options", [(), ("--length",), ("--first-moves",), ("--json",), ("--threads", "2")], ids=str)
@pytest.mark.parametrize("size", ["3", "4", "5"])
def test_a_checkpoint_with_pn_and_dn_swapped_prints_no_wrong_winner(
    size: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    path = saved(size, tmp_path / "checkpoint")
    forge(size, path, swapped)
    done = run("--size", size, "--checkpoint", str(path), *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert str(path) in line
    assert "is wrong, delete it and solve again" in line


@pytest.mark.slow
@given(st.sampled_from(["3", "4x3", "4", "5x4"]), st.floats(0, 1), st.integers(0, 2**32), st.booleans())
@settings(max_examples=25)
def test_a_checkpoint_forged_in_part_prints_no_wrong_winner(
    tmp_path_factory: pytest.TempPathFactory, size: str, share: float, seed: int, length: bool
) -> None:
    kept = tmp_path_factory.getbasetemp() / f"whole-{size}"
    if not kept.exists():
        saved(size, kept, "--length")
    path = tmp_path_factory.getbasetemp() / "forged"
    path.write_bytes(kept.read_bytes())
    rng = random.Random(seed)
    forge(size, path, some(rng, share, rng.choice([swapped, tossed(rng)])))
    check_answer(run("--size", size, "--checkpoint", str(path), *(["--length"] if length else [])), BOARDS[size])


def test_a_check_that_is_stopped_prints_a_remark(tmp_path: Path) -> None:
    size = "5"
    path = saved("5", tmp_path / "checkpoint")
    forge(size, path, swapped)
    done = run("--size", "5", "--checkpoint", str(path), "--time", "1e-6")
    check_answer(done, "black")
    found = run("--size", "5", "--checkpoint", str(path), "--time", "1e-6", "--json")
    assert found.exit_code == 2 or not json.loads(found.stdout).get("winner_checked")


@pytest.mark.slow
def test_a_proof_too_large_for_the_memory_has_an_error_of_its_own() -> None:
    game = Game("first-capture", (6, 5))
    solver = Solver(6, 5, 64 * MEBIBYTE)
    winner = solver.solve(game.board, BLACK).winner
    assert winner is not None
    with pytest.raises(ProofMemoryError):
        list(confirm(solver, game.board, BLACK, winner, 2**20, Limit().begin()))
    deadline = Limit().begin()
    deadline.stop.set()
    with pytest.raises(StoppedError):
        list(confirm(solver, game.board, BLACK, winner, 2**30, deadline))
    assert list(confirm(solver, game.board, BLACK, winner, 2**30, Limit().begin()))[-1] > 100_000


def test_only_the_true_winner_is_confirmed() -> None:
    for (width, height), (first, _plies) in EMPTY.items():
        if width * height > 20:
            continue
        game = Game("first-capture", (width, height))
        solver = Solver(width, height, 16 * MEBIBYTE)
        winner = BLACK if first else WHITE
        # With an empty table, the writer solves the positions itself.
        assert list(confirm(solver, game.board, BLACK, winner, 2**26, Limit().begin()))
        with pytest.raises(ProofError):
            list(confirm(solver, game.board, BLACK, opponent(winner), 2**26, Limit().begin()))


def test_a_forged_checkpoint_writes_no_proof(tmp_path: Path) -> None:
    size = "4"
    path = saved("4", tmp_path / "checkpoint")
    forge(size, path, swapped)
    done = run("--size", "4", "--checkpoint", str(path), "--proof", str(tmp_path / "proof"))
    assert done.exit_code == 2
    assert not (tmp_path / "proof").exists()
