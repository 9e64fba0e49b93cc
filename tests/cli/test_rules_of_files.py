"""One precedence of rules for all commands that read files: --rules, then the file, then first-capture."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gtp_capture.go.rules import Rules
from gtp_capture.teach.puzzles import files

from ..support import forks

pytestmark = pytest.mark.slow

PROBLEM = "(;SZ[5]{}AB[cc][cb]AW[bb][dc]PL[B](;B[ba]C[RIGHT]))"
COMMANDS = {
    "solve": ["solve", "x.sgf"],
    "show": ["show", "x.sgf"],
    "review": ["review", "x.sgf", "-o", "y.sgf", "--seconds-per-move", "0.1"],
    "puzzles": ["puzzles", "--from", "x.sgf", "-o", "y.sgf"],
    "play": ["play", "x.sgf"],
}


def run(folder: Path, rules_of_file: str, *command: str) -> subprocess.CompletedProcess[str]:
    (folder / "x.sgf").write_text(PROBLEM.format(rules_of_file))
    return forks.run(*command, folder=folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_given_rules_win_over_the_file_and_one_line_says_so(command: str, tmp_path: Path) -> None:
    done = run(tmp_path, "RU[Japanese]", *COMMANDS[command], "--rules", "first-capture")
    assert done.stderr == "x.sgf: --rules first-capture is used, not japanese as the file says\n"
    assert done.returncode == 0
    if command == "solve":
        assert done.stdout.startswith("black wins")
    elif command == "review":
        assert done.stdout.startswith("x.sgf: Rules: Whoever takes a stone first wins. ")
    elif command == "puzzles":
        assert [str(p.start.rules) for p in files.read(tmp_path / "y.sgf")] == ["first-capture"]


@pytest.mark.parametrize("command", COMMANDS)
def test_without_other_rules_nothing_is_said(command: str, tmp_path: Path) -> None:
    for named, given in (("RU[first-capture]", ("--rules", "first-capture")), ("", ()), ("RU[first-capture]", ())):
        done = run(tmp_path, named, *COMMANDS[command], *given)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_rules_that_are_not_known_are_told_in_one_line(command: str, tmp_path: Path) -> None:
    done = run(tmp_path, "RU[Unheard of]", *COMMANDS[command])
    assert done.returncode == 0
    told = "first-capture is used; others: --rules capture-5, or --rules japanese for Go"
    assert done.stderr == f"x.sgf: RU[Unheard of] is not known: {told}\n"
    assert run(tmp_path, "RU[Unheard of]", *COMMANDS[command], "--rules", "first-capture").stderr == ""


def test_rules_of_go_are_used_for_games_and_refused_for_what_needs_captures(tmp_path: Path) -> None:
    done = {name: run(tmp_path, "RU[Japanese]", *command) for name, command in COMMANDS.items()}
    assert done["review"].stdout.startswith("x.sgf: Rules: Go, Japanese rules. ")
    assert done["play"].stdout.startswith("Board 5x5, level 1 (misses most captures). Rules: Go, Japanese rules.")
    assert {name for name, result in done.items() if result.returncode == 0} == {"review", "show", "play"}
    for name in ("solve", "puzzles"):
        assert len(done[name].stderr.splitlines()) == 1
    assert "give --rules first-capture" in done["solve"].stderr
    assert "no problem: a problem has rules where captures win" in done["puzzles"].stderr


def test_rules_select_among_the_problems_of_the_program(tmp_path: Path) -> None:
    done = run(tmp_path, "", "puzzles", "--from", "shipped", "--rules", "capture-3", "-o", "y.sgf")
    assert (done.returncode, done.stderr) == (0, "")
    assert {p.start.rules for p in files.read(tmp_path / "y.sgf")} == {Rules.parse("capture-3")}
