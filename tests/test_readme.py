"""The README: its length, its commands, its example in Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .support.examples import README, failures, fenced
from .support.forks import COMPILING_SECONDS
from .support.paths import ROOT

TEXT = README.read_text(encoding="utf-8")
WORDS = 900
"""Maximum number of words, tables and commands included: they are read in five minutes."""


def block(marker: str) -> list[str]:
    """The lines of the fenced block after a marker."""
    fence = re.search(rf"<!-- {marker} -->\n```\w*\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert fence is not None, marker
    return fence[1].splitlines()


def test_it_is_read_in_five_minutes() -> None:
    assert len(TEXT.splitlines()) <= 130
    assert len(TEXT.split()) <= WORDS


@pytest.mark.slow
def test_python_example(compiled: None) -> None:
    (source,) = fenced(TEXT, "python")
    assert failures(source) == 0


@pytest.mark.parametrize("marker", ["play command", "test command"])
def test_first_command_of_each_block_is_one_line(marker: str) -> None:
    assert len(block(marker)) == 1


@pytest.mark.posix
@pytest.mark.slow
def test_play_command_plays_a_whole_game_on_a_fresh_machine(tmp_path: Path) -> None:
    # The copy of the repository has an environment and empty caches of its own.
    ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "*.egg-info", "__pycache__", ".*_cache", "build")
    shutil.copytree(ROOT, tmp_path / "clone", ignore=ignored)
    # `python3` must be one that we run on: systems differ in what the bare name gives. Python compiles what it imports,
    # and pip not all of each library, which takes longer; for that option 0 means yes.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PATH": path, "PIP_NO_COMPILE": "0"}
    environment.pop("PYTHONPATH", None)
    # Every point is tried, twice, until the game is over; what is not possible gets an answer and changes nothing.
    game = "new 3\nhint\n" + 2 * "".join(f"{column}{row}\n" for row in (2, 1, 3) for column in "BAC") + "quit\n"
    (command,) = block("play command")
    result = subprocess.run(
        ["bash", "-euc", command],
        cwd=tmp_path / "clone",
        env=environment,
        input=game.encode(),
        capture_output=True,
        timeout=COMPILING_SECONDS,
        check=True,
    )
    said = result.stdout.decode()
    assert re.search(r"hint\n[ABC][123] wins, ", said)
    assert re.search(r"Game over: (you|I) win", said)
    assert said.count("I play") >= 2
    # The installation has made the machine code, so nothing is compiled and nothing written.
    assert "preparing" not in said
    assert not (tmp_path / "numba").exists()
