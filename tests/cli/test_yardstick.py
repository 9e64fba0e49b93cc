"""The command gtp-capture yardstick: the list of tasks, a report, a data set, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gtp_capture.yardstick import TASKS

from ..support.forks import run


def test_without_an_agent_the_tasks_are_listed() -> None:
    lines = run("yardstick").stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [*TASKS]
    assert all(line.endswith(f"hash {task.digest}") for line, task in zip(lines, TASKS.values(), strict=True))


@pytest.mark.slow
def test_a_report_as_text_and_as_json(tmp_path: Path) -> None:
    (tmp_path / "corner.py").write_text(
        "class Corner:\n    def choose(self, game, limit):\n        return game.legal_moves()[0]\n"
    )
    options = ("--task", "capture-go-4x4", "--openings", "10", "--games", "2", "--levels", "1,2")
    report = json.loads(run("yardstick", "corner:Corner", *options, "--json", folder=tmp_path).stdout)
    assert (report["agent"], report["task"], report["held"][1], report["faults"]) == ("corner", "capture-go-4x4", 10, 0)
    assert {level: cases for level, (_, cases) in report["won"].items()} == {"1": 2, "2": 2}
    lines = run("yardstick", "corner:Corner", *options, folder=tmp_path).stdout.splitlines()
    thrown, cases = report["thrown"]
    assert lines[:2] == [
        "corner in capture-go-4x4",
        f"won positions thrown away by a move: {lines[1].split(': ')[1]}",
    ]
    assert lines[1].split(": ")[1].startswith(f"{thrown} of {cases}")
    assert lines[-1].startswith("games won against level 2: ")


def test_a_data_set_is_written_with_its_card(tmp_path: Path) -> None:
    done = run("yardstick", "--task", "capture-2-3x3", "--write", "a.npz", "--positions", "5", folder=tmp_path)
    assert done.stdout.startswith("capture-2-3x3: 5 positions of capture-2 on 3x3")
    assert (tmp_path / "a.npz").read_bytes()[:2] == b"PK"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random"], "give --task: capture-go-4x4"),
        (["random", "--task", "go"], "--task"),
        (["random", "--task", "capture-2-3x3", "--openings", "101"], "capture-2-3x3 has 100 openings, not 101"),
        (["random", "--task", "capture-2-3x3", "--levels", "0,11"], "--levels: '0,11' is no list of levels"),
        (["nothing:here", "--task", "capture-2-3x3"], "nothing:here cannot be loaded"),
        (["random", "--task", "capture-2-3x3", "--write", "a.npz"], "--write has no agent"),
        (["--task", "capture-go-9x9", "--write", "a.npz"], "capture-go-9x9 has games alone, and no values"),
        (["--task", "capture-2-3x3", "--write", "a.npz", "--games", "2"], "--games would have no effect with --write"),
        (["--task", "capture-2-3x3", "--write", "a.npz", "--positions", "99999"], "has no 99999 positions"),
        (["--task", "capture-2-3x3", "--write", "none/a.npz", "--positions", "5"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = run("yardstick", *arguments, folder=tmp_path)
    assert done.returncode in (1, 2)
    assert done.stdout == ""
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [*tmp_path.iterdir()] == []
