"""Style, types on three systems, and dependencies that are declared and used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .support.paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["deptry", "gtp_capture"],
        ["mypy"],
        ["mypy", "--platform", "win32", "gtp_capture"],
        ["mypy", "--platform", "darwin", "gtp_capture"],
    ],
    ids=" ".join,
)
def test_style(command: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
