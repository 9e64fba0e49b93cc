"""The solver's files on a full disk, and after the process was killed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gtp_capture.solver.checkpoint import MAGIC, RECORD_WORDS

from ..support.process import ENGINE

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.usefixtures("ready")

OFTEN = (
    "import importlib\nimportlib.import_module('gtp_capture.cli.solve').BETWEEN_CHECKPOINTS = 0.02\n"
    "from gtp_capture.cli import main\nmain()\n"
)
"""The command with a checkpoint every 0.02 s, so that a kill is likely while one is written."""


@pytest.fixture(scope="module")
def ready(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile all kernels of the command: on a full disk they could not be cached."""
    folder = tmp_path_factory.mktemp("ready")
    done = solve("--size", "2", "--proof", str(folder / "proof"), "--checkpoint", str(folder / "checkpoint"))
    assert done.returncode == 0


def full_after(size: int) -> Callable[[], None]:
    """Return a function that limits files to `size` bytes, as a full disk does."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def solve(*args: str, room: int | None = None) -> subprocess.CompletedProcess[str]:
    setup = None if room is None else full_after(room)
    command = [*ENGINE, "solve", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, preexec_fn=setup)


def failed(result: subprocess.CompletedProcess[str], said: str) -> None:
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True])
def test_on_a_full_disk_the_proof_fails_and_the_result_and_an_older_file_remain(tmp_path: Path, as_json: bool) -> None:
    path = tmp_path / "proof"
    path.write_text("older")
    result = solve("--size", "4", "--proof", str(path), *(["--json"] if as_json else []), room=100)
    failed(result, "the proof cannot be written: File too large")
    winner = json.loads(result.stdout)["winner"] if as_json else result.stdout.split()[0]
    assert winner == "white"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("proof", "older")]


@pytest.mark.slow
def test_on_a_full_disk_a_proof_of_workers_has_no_manifest(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    result = solve("--size", "4x5", "--jobs", "2", "--proof", str(path), "--part-choices", "1000", room=100)
    failed(result, "the proof cannot be written: File too large")
    assert result.stdout.startswith("black wins")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_proof_for_a_full_device_fails_in_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    result = solve("--size", "4", "--proof", "/dev/full")
    failed(result, "the proof cannot be written: No space left on device")
    assert result.stdout.startswith("white wins")
    assert not Path("/dev/full").is_file()


@pytest.mark.slow
def test_on_a_full_disk_the_new_checkpoint_fails_and_the_result_and_the_older_one_remain(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    result = solve("--size", "4", "--checkpoint", str(path), "--memory", "16", room=1000)
    failed(result, "the checkpoint cannot be written: File too large; an older one is as it was")
    assert result.stdout.startswith("white wins")
    assert path.read_bytes().startswith(MAGIC)
    solve("--size", "4", "--checkpoint", str(path), "--memory", "16")
    before = path.read_bytes()
    assert len(before) > 1000
    failed(solve("--size", "4", "--checkpoint", str(path), "--memory", "16", room=1000), "File too large")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
def test_on_a_full_disk_the_new_book_fails_and_the_older_one_remains(tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.write_text("older")
    failed(solve("--write-book", str(path), room=10), "the book cannot be written: File too large")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("book", "older")]


@pytest.mark.slow
def test_a_run_killed_while_it_writes_a_checkpoint_resumes_from_the_last_whole_one(tmp_path: Path) -> None:
    rng, path = random.Random(6), tmp_path / "checkpoint"
    args = ["solve", "--size", "6", "--checkpoint", str(path), "--memory", "64"]
    sizes, torn = [0], 0
    new = path.with_name("checkpoint.new")
    for attempt in range(6):
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-c", OFTEN, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        while not (path.exists() and path.stat().st_size > sizes[-1]) and time.monotonic() < began + 60:
            time.sleep(0.01)
        if attempt % 2 == 0:
            time.sleep(rng.random() / 2)
        while attempt % 2 == 1 and not new.exists() and time.monotonic() < began + 60:
            pass  # in the middle of one, which a random moment may miss
        process.kill()
        _, said = process.communicate()
        assert said == b""
        torn += new.exists()
        head, _, entries = path.read_bytes().removeprefix(MAGIC).partition(b"\n")
        assert json.loads(head)[:2] == [6, 6]
        assert len(entries) % (8 * RECORD_WORDS) == 0
        sizes.append(path.stat().st_size)
    assert torn
    result = solve(*args[1:], "--time", "0.1", "--json")
    winner = json.loads(result.stdout)["winner"]
    expected = "" if winner else f"{path} is saved: the same command goes on from there\n"
    assert (result.returncode, result.stderr) == (0, expected)
    assert path.stat().st_size > 0.9 * sizes[-1]
