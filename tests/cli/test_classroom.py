"""`gtp-capture class`: one line says why it cannot begin. The class itself is tested in `classroom/` and `web/`."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from ..support.forks import run


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--size", "9x7"], "--size: a class plays on square boards, from 2 to 13"),
        (["--size", "19"], "--size: a class plays on square boards, from 2 to 13"),
        (["--level", "god"], "--level: 'god' is not a level"),
        (["--rules", "chess"], "--rules: "),
        (["--port", "70000"], "--port: 70000 is not in the range"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: list[str], said: str) -> None:
    done = run("class", "--no-browser", *options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("class", "--no-browser", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == f"gtp-capture: port {port} cannot be used (Address already in use): give another one with --port\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "class.json is not a class of gtp-capture"),
        ("[]", "class.json is not a class of gtp-capture"),
        (json.dumps({"gtp-capture class": 2}), "class.json is not a class of gtp-capture"),
        (json.dumps({"gtp-capture class": 1}), "class.json is damaged"),
        (json.dumps({"gtp-capture class": 1, "word": "FOX", "count": 1, "seats": [{}], "tables": []}), "is damaged"),
    ],
)
def test_a_damaged_folder_is_left_as_it_is(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "class.json").write_text(content, encoding="utf-8")
    done = run("class", "--no-browser", "--port", "0", "--save", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "class.json").read_text(encoding="utf-8") == content


def test_doctor_says_where_a_class_would_be() -> None:
    assert "\nclass: " in run("doctor").stdout
