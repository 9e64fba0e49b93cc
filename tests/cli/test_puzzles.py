"""The command gtp-capture puzzles."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from gtp_capture.teach.puzzles import files
from gtp_capture.web import view

from ..support.classroom import joined, new_room, teach
from ..support.forks import refusal, run
from ..support.person import Terminal

pytestmark = pytest.mark.slow


def puzzles(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run("puzzles", *options, folder=folder)


def test_the_same_seed_writes_the_same_file(tmp_path: Path, compiled: None) -> None:
    options = ("--size", "4", "--depth", "2", "--count", "2", "--seed", "5")
    one = puzzles(tmp_path, *options, "-o", "one.sgf", "--jobs", "1")
    two = puzzles(tmp_path, *options, "-o", "two.sgf", "--jobs", "2", "--sheet", "two.html", "--per-page", "12")
    for result, written in ((one, "one.sgf"), (two, "two.sgf and two.html")):
        assert (result.returncode, result.stdout) == (0, f"2 problems written to {written}\n")
        assert not result.stderr
    assert (tmp_path / "one.sgf").read_bytes() == (tmp_path / "two.sgf").read_bytes()
    problems = files.read(tmp_path / "one.sgf")
    assert [(p.start.width, p.start.height, p.depth) for p in problems] == [(4, 4, 2)] * 2
    assert (tmp_path / "two.html").read_text().count("<svg") == 4


def test_too_few_problems_are_written_with_one_line_and_exit_code_1(tmp_path: Path, compiled: None) -> None:
    result = puzzles(tmp_path, "--size", "4", "--depth", "1", "--count", "50", "--games", "8", "-o", "few/")
    assert result.returncode == 1
    written = len(list((tmp_path / "few").iterdir()))
    assert 0 < written < 50
    assert result.stderr == f"gtp-capture: {written} of 50 problems found\n"


@pytest.mark.posix
def test_an_interrupt_keeps_what_is_found(tmp_path: Path, compiled: None) -> None:
    kept = tmp_path / "kept.sgf"
    terminal = Terminal(
        "puzzles", "--size", "4", "--depth", "1", "--count", "5000", "--games", "3000", "-o", str(kept), columns=500
    )
    terminal.expect(r"games +[1-9]\d* problems")
    os.kill(terminal.program.pid, signal.SIGTERM)
    terminal.expect(r"gtp-capture: stopped: (\d+) of 5000 problems found, written to \S+kept\.sgf")
    count = int(terminal.match[1])
    assert terminal.end() == 130
    assert len(files.read(kept)) == count > 0


def test_problems_of_the_collection_are_selected(tmp_path: Path) -> None:
    result = puzzles(
        tmp_path, "--from", "shipped", "--size", "5", "--depth", "3", "--count", "4", "-o", "x.sgf", "--sheet", "x.html"
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert [(p.start.width, p.depth) for p in files.read(tmp_path / "x.sgf")] == [(5, 3)] * 4
    again = puzzles(tmp_path, "--from", "x.sgf", "--theme", "capture", "-o", "none.sgf")
    assert (again.returncode, again.stderr) == (1, "gtp-capture: no such problem\n")
    assert not (tmp_path / "none.sgf").exists()


def test_the_positions_of_the_rule_texts_are_apart(tmp_path: Path) -> None:
    assert puzzles(tmp_path, "--from", "tutorial", "-o", "x.sgf").stdout == "13 problems written to x.sgf\n"
    apart = {problem.start for problem in files.read(tmp_path / "x.sgf")}
    assert puzzles(tmp_path, "--from", "shipped", "-o", "y.sgf").stdout == "96 problems written to y.sgf\n"
    assert not apart & {problem.start for problem in files.read(tmp_path / "y.sgf")}


def test_a_bad_file_of_a_folder_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = "(;SZ[5]AB[cc][cb]AW[bb][dc]PL[B](;B[ba]C[RIGHT]))"
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "1.sgf").write_text(good)
    (folder / "2.sgf").write_text("(;SZ[99])")
    (folder / "3.sgf").mkdir()
    (folder / "4.sgf").write_text(good)
    result = puzzles(tmp_path, "--from", "set", "-o", "x.sgf")
    assert result.returncode == 1
    assert [line.partition(": ")[2].partition(": ")[0] for line in result.stderr.splitlines()] == [
        "set/2.sgf", "set/3.sgf"
    ]  # fmt: skip
    assert len(files.read(tmp_path / "x.sgf")) == 2
    for name in ("1.sgf", "4.sgf"):
        (folder / name).unlink()
    result = puzzles(tmp_path, "--from", "set", "-o", "none.sgf")
    assert result.returncode == 2
    *named, last = result.stderr.splitlines()
    assert len(named) == 2
    assert last.startswith("gtp-capture: set: no problem")
    assert not (tmp_path / "none.sgf").exists()


def test_problems_are_graded_again(tmp_path: Path, compiled: None) -> None:
    assert puzzles(tmp_path, "--from", "shipped", "--size", "4", "--count", "4", "-o", "x.sgf").returncode == 0
    result = puzzles(tmp_path, "--from", "x.sgf", "--grade", "-o", "y.sgf")
    assert (result.returncode, result.stderr) == (0, "")
    before, after = files.read(tmp_path / "x.sgf"), files.read(tmp_path / "y.sgf")
    assert {p.start for p in before} == {p.start for p in after}
    assert [p.sort_key() for p in after] == sorted(p.sort_key() for p in after)
    assert {p.line for p in before} == {p.line for p in after}


def test_a_problem_that_fails_its_proof_is_left_out(tmp_path: Path, compiled: None) -> None:
    false = b"(;GM[1]SZ[5]PL[B]AB[cc]AW[cb][bc](;B[dc]C[RIGHT])(;B[cd];W[dc]))"
    true = next(problem for problem in files.shipped() if problem.start.width == 4)
    (tmp_path / "x.sgf").write_bytes(false + files.dump([true]))
    result = puzzles(tmp_path, "--from", "x.sgf", "--grade", "-o", "y.sgf", "--sheet", "y.html")
    left_out = "gtp-capture: x.sgf: problem 1 is left out: the solution D3 does not win\n"
    assert (result.returncode, result.stderr) == (1, left_out)
    assert [problem.start for problem in files.read(tmp_path / "y.sgf")] == [true.start]
    assert "D3" not in (tmp_path / "y.html").read_text()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "give -o FILE for SGF"),
        (["-o", "x.sgf", "--grade"], "--grade needs --from FILE"),
        (["-o", "x.sgf", "--size", "12"], "up to 128 points"),
        (["-o", "x.sgf", "--rules", "japanese"], "the solver needs rules where captures win"),
        (["-o", "x.sgf", "--rules", "capture-3", "--size", "6"], "6x6 is too large"),
        (["-o", "x.sgf", "--rules", "nonsense"], "unknown rules"),
        (["-o", "x.sgf", "--depth", "0"], "0 is not in the range"),
        (["-o", "x.sgf", "--theme", "luck"], "'luck' is not one of"),
        (["--sheet", "x.html", "--per-page", "5"], "'5' is not one of"),
        (["--from", "nowhere.sgf", "-o", "x.sgf"], "nowhere.sgf: No such file"),
        (["--from", "shipped", "-o", "x.html", "--sheet", "x.html"], "is there twice"),
        (["-o", "nowhere/x.sgf"], "there is no folder nowhere"),
        (["--from", "shipped", "--sheet", "nowhere/x.html"], "there is no folder nowhere"),
        (["--from", "shipped", "--sheet", "x\nx/x.html"], "there is no folder x\\nx"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(options: list[str], reason: str, tmp_path: Path) -> None:
    assert reason in refusal(puzzles(tmp_path, *options))
    assert list(tmp_path.iterdir()) == []


def test_answers_may_be_apart_or_left_out(tmp_path: Path) -> None:
    options = ("--from", "shipped", "--size", "5", "--open", "--count", "4", "--sheet", "x.html", "--per-page", "2")
    apart = puzzles(tmp_path, *options, "--title", "First steps", "--answers", "answers.html")
    assert (apart.returncode, apart.stdout) == (0, "4 problems written to x.html and answers.html\n")
    pages = (tmp_path / "x.html").read_text()
    assert (pages.count("<h1>First steps</h1>"), pages.count("<svg")) == (2, 4)
    assert (tmp_path / "answers.html").read_text().count("<svg") == 4
    assert puzzles(tmp_path, *options, "--answers", "none").returncode == 0
    assert "Answers" not in (tmp_path / "x.html").read_text()
    assert "is there twice" in refusal(puzzles(tmp_path, *options, "--answers", "x.html"))
    untitled = refusal(puzzles(tmp_path, "-o", "x.sgf", "--title", "x"))
    assert "--title would have no effect without --sheet" in untitled


def test_open_problems_leave_half_of_the_points_free(tmp_path: Path, compiled: None) -> None:
    options = ("--size", "4", "--depth", "2", "--count", "2", "--games", "200", "--open", "-o", "open.sgf")
    puzzles(tmp_path, *options)
    problems = files.read(tmp_path / "open.sgf")
    assert problems
    assert all(len(problem.start.black) + len(problem.start.white) <= 8 for problem in problems)
    shipped = puzzles(tmp_path, "--from", "shipped", "--open", "-o", "shipped.sgf")
    assert shipped.stdout == "41 problems written to shipped.sgf\n"


def test_a_problem_has_one_number_on_sheets_in_files_in_the_terminal_and_in_a_class(tmp_path: Path) -> None:
    boards = [problem.start.canonical() for problem in files.shipped()]
    ladders = [number for number, problem in enumerate(files.shipped(), 1) if problem.theme == "ladder"]
    files_written = ("-o", "one.sgf", "--sheet", "one.html", "--answers", "answers.html")
    puzzles(tmp_path, "--from", "shipped", "--theme", "ladder", *files_written)
    puzzles(tmp_path, "--from", "one.sgf", "--size", "5", "-o", "two/")  # a selection of the selection
    small = [number for number in ladders if files.shipped()[number - 1].start.width == 5]
    for name in ("one.html", "answers.html"):
        assert re.findall(r"<b>(\d+)\.</b>", (tmp_path / name).read_text()) == [*map(str, ladders)]
    assert [path.name for path in sorted((tmp_path / "two").iterdir())] == [f"{number:02}.sgf" for number in small]
    for name, numbers in (("one.sgf", ladders), ("two", small)):
        read = files.read(tmp_path / name)
        assert [boards.index(problem.start.canonical()) + 1 for problem in read] == numbers
        first, last = numbers[0], numbers[-1]
        typed = f"problem 1\nproblem {first}\n"
        said = run("play", name, "--problem", str(last), folder=tmp_path, data=typed).stdout
        assert f"Problem {last} ({len(numbers)} of {len(numbers)}). " in said
        assert f"Type problem and one of these numbers: {numbers[0]}" in said
        assert f"Problem {first} (1 of {len(numbers)}). " in said
        refused = refusal(run("play", name, "--problem", "1", folder=tmp_path))
        assert refused.endswith(f"there is no problem 1: the problems are {', '.join(map(str, numbers))}")
    room = new_room()
    (child,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "problems", "theme": "ladder"})
    task = child.desk.session.current if child.desk is not None else None
    assert task is not None
    assert task.problem is not None
    number = boards.index(task.problem.start.canonical()) + 1
    assert view.child(room, child)["title"] == f"Problem {number} (1 of {len(ladders)})"


def test_the_text_of_a_problem_in_sgf_does_not_name_its_theme(tmp_path: Path) -> None:
    assert puzzles(tmp_path, "--from", "shipped", "--theme", "ladder", "-o", "ladders.sgf").returncode == 0
    text = (tmp_path / "ladders.sgf").read_text()
    assert "GN[Problem 32, grade" in text
    assert "theme=ladder" in text
    assert "ladder" not in text.replace("theme=ladder", "")
