"""Machine code of an installation: used if it fits the processor, never written to, and replaced if damaged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import gtp_capture

PACKAGE = Path(gtp_capture.__file__).parent
LINES = "boardsize 7\nplay w A1\nplay b A2\nplay w E5\ngenmove b\nquit\n"
"""A session in which B1 wins for Black."""
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return an environment that imports the package from a folder, with an empty cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return {**kept, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache"), **more}


def ship(folder: Path, more: Mapping[str, str], made: Path | None = None) -> Path:
    """Copy the package into a folder and compile machine code into it, as an installation does, if it is not `made`."""
    ignored = shutil.ignore_patterns("__pycache__", "machine_code")
    shutil.copytree(PACKAGE, folder / "gtp_capture", ignore=ignored)
    if made is not None:
        shutil.copytree(made, folder / "gtp_capture/machine_code")
        for path in folder.glob("gtp_capture/machine_code/nodes.copy_subtree-*"):
            path.unlink()
    command = [sys.executable, "-m", "gtp_capture.jit.compile", "--ship"]
    modules = ["gtp_capture.search.mcts", "gtp_capture.solver.solver", "gtp_capture.playout.ownership"]
    subprocess.run([*command, *modules], cwd=folder, env=environment(folder, **more), check=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, compiled: Path) -> Path:
    return ship(tmp_path_factory.mktemp("shipped"), {}, compiled)


def play(folder: Path, *options: str, **more: str) -> str:
    """Run the session, check that its move wins, and return its stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "gtp_capture", *options], input=LINES, cwd=folder, env=environment(folder, **more),
        capture_output=True, text=True, timeout=600, check=True,
    )  # fmt: skip
    assert "= B1" in done.stdout
    return done.stderr


@pytest.mark.linux
def test_machine_code_is_used_and_nothing_is_written(shipped: Path) -> None:
    before = sorted((path.name, path.stat().st_mtime_ns) for path in (shipped / "gtp_capture/machine_code").iterdir())
    assert before
    said = play(shipped, "--playouts", "100")
    assert "compiling" not in said
    assert "playouts" in said or "solved" in said
    assert not (shipped / "cache").exists()
    assert play(shipped, "--playouts", "100", NUMBA_CACHE_DIR="/proc/none") == said
    after = sorted((path.name, path.stat().st_mtime_ns) for path in (shipped / "gtp_capture/machine_code").iterdir())
    assert after == before


def test_machine_code_for_another_processor_is_not_used(shipped: Path) -> None:
    # The search is not ready; a process without its time for the first move chooses greedily.
    said = play(shipped, **GENERIC)
    assert re.search(r"(by shape|greedily), \d+ s left", said)
    assert re.search("the machine code of this installation is for processor .*, here generic; compiling", said)
    shutil.rmtree(shipped / "cache", ignore_errors=True)


def test_a_damaged_file_is_replaced_once_in_the_user_s_cache(shipped: Path, tmp_path: Path) -> None:
    shutil.copytree(shipped / "gtp_capture", tmp_path / "gtp_capture")
    damaged = next((tmp_path / "gtp_capture/machine_code").glob("nodes.copy_subtree-*.nbc"))
    damaged.write_bytes(damaged.read_bytes()[:100])
    assert "compiling" in play(tmp_path, "--playouts", "100")
    replaced = {path.name.partition("-")[0] for path in (tmp_path / "cache").rglob("*.nbc")}
    assert replaced == {"nodes.copy_subtree"}
    assert "compiling" not in play(tmp_path, "--playouts", "100")


@pytest.mark.long
def test_generic_machine_code_is_used(tmp_path: Path) -> None:
    ship(tmp_path, GENERIC)
    assert "compiling" not in play(tmp_path, "--playouts", "100")
    assert not (tmp_path / "cache").exists()
