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


def ours(*args: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run our program; `room`: the size of files at which the disk is full."""
    with nullcontext() if room is None else file_size_limit(room):
        return subprocess.run([*ENGINE, *args], capture_output=True, text=True, timeout=600, check=False)


def solve(*args: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    return ours("solve", *args, room=room)


def failed(result: subprocess.CompletedProcess[str], said: str) -> None:
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "winner", "left"),
    [
        (["--size", "4", "--json"], "white", [("proof", "older")]),
        (["--size", "4x5", "--part-choices", "1000"], "black", []),  # a manifest without its parts would be worse
    ],
)
def test_on_a_full_disk_the_proof_fails_and_the_result_and_an_older_file_remain(
    options: list[str], winner: str, left: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "proof"
    path.write_text("older")
    result = solve(*options, "--proof", str(path), room=100)
    failed(result, "the proof cannot be written: File too large")
    assert winner in result.stdout.splitlines()[0]
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == left


@pytest.mark.slow
def test_on_a_full_disk_the_new_book_fails_and_the_older_one_remains(tmp_path: Path) -> None:
    path, proof = tmp_path / "folder" / "book", tmp_path / "proof"
    path.parent.mkdir()
    path.write_text("older")
    assert solve("--size", "3", "--proof", str(proof)).returncode == 0
    failed(
        ours("check-proof", str(proof), "--write-book", str(path), room=10),
        "the book cannot be written: File too large",
    )
    assert [(file.name, file.read_text()) for file in path.parent.iterdir()] == [("book", "older")]


@pytest.mark.slow
def test_on_a_full_disk_the_checkpoint_fails_and_the_result_and_its_whole_records_remain(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    result = solve("--size", "5", "--checkpoint", str(path), room=1000)
    failed(result, "the checkpoint cannot be written: ")
    assert "File too large" in result.stderr
    assert result.stdout.startswith("black wins")
    assert 0 < path.stat().st_size <= 1000
    assert path.read_bytes().endswith(b"\n")
    assert solve("--size", "5", "--checkpoint", str(path)).stdout.startswith("black wins")
