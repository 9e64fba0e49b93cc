"""`gtp-capture doctor`: what it finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_capture.frontends import sabaki


def doctor(home: Path) -> tuple[int, str]:
    """Run the command for a user with this home; return its exit code and what it prints."""
    variables = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "NUMBA_CACHE_DIR": str(home / "cache")}
    command = [sys.executable, "-m", "gtp_capture", "doctor"]
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.slow
def test_an_entry_of_sabaki_whose_program_is_gone_is_found(tmp_path: Path) -> None:
    (tmp_path / "Sabaki").mkdir()
    settings = sabaki.installed({}, str(tmp_path / "gtp-capture"))
    (tmp_path / "Sabaki/settings.json").write_text(json.dumps(settings), encoding="utf-8")
    code, said = doctor(tmp_path)
    assert code == 1
    assert f"there is no program {tmp_path / 'gtp-capture'}: gtp-capture sabaki install mends that" in said


@pytest.mark.slow
@pytest.mark.posix
def test_a_cache_folder_that_others_may_write_to_is_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "cache/gtp-capture"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    code, said = doctor(tmp_path)
    assert code == 1
    assert f"no cache in {folder}: others may write there" in said
