"""`gtp-capture doctor`: what it finds, and what it removes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_capture.frontends import sabaki


def doctor(home: Path, *options: str) -> tuple[int, str]:
    """Run the command for a user with this home; return its exit code and what it prints."""
    variables = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "NUMBA_CACHE_DIR": str(home / "cache")}
    command = [sys.executable, "-m", "gtp_capture", "doctor", *options]
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_an_entry_of_sabaki_whose_program_is_gone_is_found(tmp_path: Path) -> None:
    (tmp_path / "Sabaki").mkdir()
    settings = sabaki.installed({}, str(tmp_path / "gtp-capture"))
    (tmp_path / "Sabaki/settings.json").write_text(json.dumps(settings), encoding="utf-8")
    code, said = doctor(tmp_path)
    assert code == 1
    assert f"there is no program {tmp_path / 'gtp-capture'}: gtp-capture sabaki install mends that" in said


@pytest.mark.slow
def test_files_of_other_versions_are_removed_on_request_only(tmp_path: Path) -> None:
    folder = tmp_path / "cache/gtp-capture"
    folder.mkdir(parents=True, mode=0o700)
    other = folder / "mcts._search-0123456789abcdef.py311.nbi"
    other.write_bytes(bytes(2**20))
    assert f"cache folder: {folder} (1.0 MiB)" in doctor(tmp_path)[1]
    code, said = doctor(tmp_path, "--clean")
    assert code == 0
    assert "removed from the cache: 1.0 MiB" in said
    assert not other.exists()


@pytest.mark.slow
@pytest.mark.posix
def test_a_cache_folder_that_others_may_write_to_is_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "cache/gtp-capture"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    code, said = doctor(tmp_path)
    assert code == 1
    assert f"no cache in {folder}: others may write there" in said
