"""solve --checkpoint: a winner after a resume is verified by its proof, or has a remark that it was not."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.cli.solve import solve
from gtp_capture.go.vertex import opponent
from gtp_capture.solver import checkpoint
from gtp_capture.solver.confirm import confirm
from gtp_capture.solver.proofs.format import ProofError, ProofMemoryError
from gtp_capture.solver.proofs.writer import StoppedError
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.table import INFINITE, NUMBER_BITS
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.process import ENGINE
from ..support.solved_boards import EMPTY

BOARDS = {"3": "black", "4x3": "black", "4": "white", "5": "black", "5x4": "black"}
HEAD = checkpoint.MAGIC + b"%s\n"


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


def forge(path: Path, change: Callable[[Any], Any]) -> None:
    """Change the numbers of entries; the keys stay valid."""
    content = path.read_bytes()
    start = content.index(b"\n", len(checkpoint.MAGIC)) + 1
    records = np.frombuffer(content[start:], np.uint64).reshape(-1, checkpoint.RECORD_WORDS).copy()
    keys = records[:, 1] ^ records[:, 2]
    records[:, 2] = change(records[:, 2])
    records[:, 1] = keys ^ records[:, 2]
    path.write_bytes(content[:start] + records.tobytes())


def swapped(values: Any) -> Any:
    """Return values with pn and dn swapped: every win is a loss."""
    mask, bits = np.uint64(INFINITE), np.uint64(NUMBER_BITS)
    twice = np.uint64(2 * NUMBER_BITS)
    effort = values >> twice << twice
    return effort | (values & mask) << bits | values >> bits & mask


def tossed(rng: random.Random) -> Callable[[Any], Any]:
    """Return a change to random results, all of the same effort."""

    def changed(values: Any) -> Any:
        heads = np.array([rng.random() < 0.5 for _ in values], bool)
        result = np.where(heads, np.uint64(INFINITE), np.uint64(INFINITE << NUMBER_BITS))
        return result | np.uint64(9 << 2 * NUMBER_BITS)

    return changed


def some(rng: random.Random, share: float, change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the same change for a random share of the entries."""

    def changed(values: Any) -> Any:
        chosen = np.array([rng.random() < share for _ in values], bool)
        return np.where(chosen, change(values), values)

    return changed


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
    path.write_bytes(HEAD % b"[4, 4, 1000]")
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
    forge(path, swapped)
    done = run("--size", size, "--checkpoint", str(path), *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert str(path) in line
    assert "is wrong, delete it and solve again" in line


@pytest.mark.slow
@given(st.sampled_from(["3", "4x3", "4", "5x4"]), st.floats(0, 1), st.integers(0, 2**32), st.booleans())
@settings(max_examples=60)
def test_a_checkpoint_forged_in_part_prints_no_wrong_winner(
    tmp_path_factory: pytest.TempPathFactory, size: str, share: float, seed: int, length: bool
) -> None:
    kept = tmp_path_factory.getbasetemp() / f"whole-{size}"
    if not kept.exists():
        saved(size, kept, "--length")
    path = tmp_path_factory.getbasetemp() / "forged"
    path.write_bytes(kept.read_bytes())
    rng = random.Random(seed)
    forge(path, some(rng, share, rng.choice([swapped, tossed(rng)])))
    check_answer(run("--size", size, "--checkpoint", str(path), *(["--length"] if length else [])), BOARDS[size])


@pytest.mark.slow
@given(st.binary(max_size=2_000), st.integers(0, 2**32))
def test_any_bytes_are_read_as_a_checkpoint_or_give_one_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, seed: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    rng = random.Random(seed)
    buckets = rng.choice([1, 9, 2**18, 2**32 - 1, 2**32, rng.getrandbits(70), -1])
    head = HEAD % json.dumps([4, 3, buckets]).encode()
    for content in (data, HEAD % data[:90], head + data, head + rng.randbytes(rng.randrange(2_000))):
        path.write_bytes(content)
        done = run("--size", "4x3", "--checkpoint", str(path))
        assert done.exit_code in (0, 2)
        if done.exit_code == 0:
            assert done.stdout.startswith("black wins")
        else:
            assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_not_regular_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        done = run("--size", "3", "--checkpoint", str(path))
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


def test_a_check_that_is_stopped_prints_a_remark(tmp_path: Path) -> None:
    path = saved("5", tmp_path / "checkpoint")
    forge(path, swapped)
    done = run("--size", "5", "--checkpoint", str(path), "--time", "1e-6")
    check_answer(done, "black")
    found = run("--size", "5", "--checkpoint", str(path), "--time", "1e-6", "--json")
    assert found.exit_code == 2 or not json.loads(found.stdout).get("winner_checked")


@pytest.mark.slow
def test_a_proof_too_large_for_the_memory_has_an_error_of_its_own() -> None:
    game = Game("first-capture", 6, 5)
    solver = Solver(6, 5, 64 * MEBIBYTE)
    winner = solver.solve(game.board, BLACK).winner
    assert winner is not None
    with pytest.raises(ProofMemoryError):
        list(confirm(solver, game.board, BLACK, winner, 2**20, Limit()))
    limit = Limit()
    limit.stop.set()
    with pytest.raises(StoppedError):
        list(confirm(solver, game.board, BLACK, winner, 2**30, limit))
    assert list(confirm(solver, game.board, BLACK, winner, 2**30, Limit()))[-1] > 100_000


def test_only_the_true_winner_is_confirmed() -> None:
    for (width, height), (first, _plies) in EMPTY.items():
        if width * height > 20:
            continue
        game = Game("first-capture", width, height)
        solver = Solver(width, height, 16 * MEBIBYTE)
        winner = BLACK if first else WHITE
        # With an empty table, the writer solves the positions itself.
        assert list(confirm(solver, game.board, BLACK, winner, 2**26, Limit()))
        with pytest.raises(ProofError):
            list(confirm(solver, game.board, BLACK, opponent(winner), 2**26, Limit()))


def test_a_forged_checkpoint_writes_no_proof(tmp_path: Path) -> None:
    path = saved("4", tmp_path / "checkpoint")
    forge(path, swapped)
    done = run("--size", "4", "--checkpoint", str(path), "--proof", str(tmp_path / "proof"))
    assert done.exit_code == 2
    assert not (tmp_path / "proof").exists()


@pytest.mark.slow
def test_after_an_interrupt_no_winner_is_printed_without_a_remark(compiled: None, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    options = ["solve", "--size", "6x5", "--checkpoint", str(path), "--memory", "64"]
    assert subprocess.run([*ENGINE, *options], capture_output=True, timeout=120, check=False).returncode == 0
    for wait in (0.0, 0.2, 0.5, 1.0):
        before, deadline = path.stat().st_mtime_ns, time.monotonic() + 60
        process = subprocess.Popen([*ENGINE, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # The checkpoint is written once before the search begins.
        while path.stat().st_mtime_ns == before and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        assert "Traceback" not in errors
        # A signal that arrives while the interpreter shuts down, all printed, ends the process itself.
        assert process.returncode in (0, 130, -signal.SIGINT)
        if "wins" in output:
            assert "checked" in output
