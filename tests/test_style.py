"""ruff and mypy are part of the run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .support.paths import ROOT


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy"],
    ],
    ids=" ".join,
)
def test_style(command: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
