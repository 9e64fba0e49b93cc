"""The solver's files on a full disk, and after the process was killed."""

from __future__ import annotations

import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from ..support.process import ENGINE, file_size_limit

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("ready")]


@pytest.fixture(scope="module")
def ready(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile all kernels of the command: on a full disk they could not be cached."""
    folder = tmp_path_factory.mktemp("ready")
    done = solve("--size", "2", "--proof", str(folder / "proof"), "--checkpoint", str(folder / "checkpoint"))
    assert done.returncode == 0


def solve(*args: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command; `room`: the size of files at which the disk is full."""
    with nullcontext() if room is None else file_size_limit(room):
        return subprocess.run([*ENGINE, "solve", *args], capture_output=True, text=True, timeout=600, check=False)


def failed(result: subprocess.CompletedProcess[str], said: str) -> None:
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


@pytest.mark.slow
def test_on_a_full_disk_the_proof_fails_and_the_result_and_an_older_file_remain(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_text("older")
    result = solve("--size", "4", "--json", "--proof", str(path), room=100)
    failed(result, "the proof cannot be written: File too large")
    assert "white" in result.stdout.splitlines()[0]
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("proof", "older")]


@pytest.mark.slow
def test_on_a_full_disk_the_log_fails_and_the_result_and_an_older_log_remain(tmp_path: Path) -> None:
    path = tmp_path / "log"
    options = ["--size", "5", "--checkpoint", str(path)]
    assert solve(*options, "--time", "0.001").returncode == 0
    older = path.read_bytes()
    result = solve(*options, room=1000)
    failed(result, "the checkpoint cannot be written: File too large")
    assert result.stdout.startswith("black wins")
    assert path.read_bytes() == older
    assert solve(*options).stdout.startswith("black wins")
