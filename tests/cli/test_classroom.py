"""`gtp-capture class`: one line says why it cannot begin. The class itself is tested in `classroom/` and `web/`."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_capture.classroom.folder import MARK, VERSION

from ..support.forks import refusal, run
from ..support.paths import ROOT
from ..support.process import HANG, wait_until


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--size", "9x7"], "--size: a class plays on square boards, from 2 to 13"),
        (["--size", "19"], "--size: a class plays on square boards, from 2 to 13"),
        (["--level", "god"], "--level: 'god' is not a level"),
        (["--rules", "chess"], "--rules: "),
        (["--port", "70000"], "--port: 70000 is not in the range"),
        (["--port", "6000"], "port 6000 cannot be used (browsers refuse it): give another one with --port"),
        (["--names", "none"], "none: No such file or directory"),
        (["--names", "latin"], "latin: it is not text in UTF-8"),
        (["--names", "long"], "long: a line is no name of at most 20 letters"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"M\xfcller\n")
    (tmp_path / "long").write_text("Mia\n" + "x" * 50)
    assert said in refusal(run("class", "--no-browser", *options, folder=tmp_path))


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("class", "--no-browser", "--port", str(port))
    reason = "Address already in use"
    assert refusal(done) == f"gtp-capture: port {port} cannot be used ({reason}): give another one with --port"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is not a class of gtp-capture"),
        (json.dumps({"gtp-capture class": 99}), "it is a class of another version of gtp-capture"),
        (json.dumps({MARK: VERSION}), "count is missing"),
        (json.dumps({MARK: VERSION, "count": 1, "word": "FOX", "day": "2026-11-28"}), "language is missing"),
    ],
)
def test_a_damaged_folder_is_left_as_it_is(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "class.json").write_text(content, encoding="utf-8")
    line = refusal(run("class", "--no-browser", "--port", "0", "--save", str(tmp_path)))
    assert line.endswith(f"folder {tmp_path}: class.json cannot be used: {said}")
    assert (tmp_path / "class.json").read_text(encoding="utf-8") == content


def test_doctor_says_where_a_class_would_be() -> None:
    assert "\nclass: " in run("doctor").stdout


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize(
    ("program", "environment", "is_opened"),
    [
        ("www-browser", {}, False),
        ("lynx", {}, False),
        ("w3m", {"DISPLAY": ":0"}, False),
        ("links", {"BROWSER": "links"}, False),
        ("w3m", {"BROWSER": "w3m %s", "DISPLAY": ":0"}, False),
        ("xdg-open", {"BROWSER": "xdg-open"}, False),
        ("sensible-browser", {"BROWSER": "sensible-browser"}, False),
        ("xdg-open", {"DISPLAY": ":0"}, True),
        ("xdg-open", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("firefox", {"DISPLAY": ":0"}, True),
        ("own", {"BROWSER": "own"}, True),
    ],
)
def test_a_browser_for_text_is_not_opened(
    program: str, environment: dict[str, str], is_opened: bool, tmp_path: Path
) -> None:
    (tmp_path / program).write_text(f'#!/bin/sh\necho "$1" >"{tmp_path}/opened"\n', encoding="utf-8")
    (tmp_path / program).chmod(0o755)
    code = "from gtp_capture.cli.classroom import open_window; open_window('http://127.0.0.1:1')"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PATH": str(tmp_path), **environment}, cwd=ROOT, timeout=HANG, check=False
    )
    assert done.returncode == 0
    if is_opened:
        wait_until((tmp_path / "opened").exists)
    assert (tmp_path / "opened").exists() is is_opened
