"""The command gtp-capture play with problems, in a pseudo-terminal."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..support.forks import run
from ..support.person import Person
from ..support.process import ENGINE

pytestmark = [pytest.mark.posix, pytest.mark.usefixtures("compiled")]

# Two plain captures, the same on 19x19, a line of two plays there, and a solution that loses.
SET = """(;SZ[5]RU[first-capture]AB[cc][cb]AW[bb][dc]PL[B]C[Black to play and win.](;B[ba]C[RIGHT]))
(;SZ[5]AB[ab][bc][cb]AW[bb]PL[B](;B[ba]C[RIGHT]))
(;SZ[19]AB[ab][bc][cb]AW[bb]PL[B](;B[ba]C[RIGHT])(;B[aa]))
(;SZ[19]AB[ab][bc]AW[bb]PL[B](;B[cb];W[ba];B[ca]C[RIGHT]))
(;SZ[4]AB[aa]AW[ab]PL[B](;B[cc]C[RIGHT]))
"""
LADDER = "(;SZ[5]AB[ca][bb][bc]AW[cb]PL[B](;B[db];W[cc];B[cd];W[dc];B[ec];W[dd];B[de];W[ed];B[ee]C[RIGHT]))"


@pytest.fixture
def pupil() -> Iterator[Callable[..., Person]]:
    """Start a process for a person; it is ended after the test."""
    with ExitStack() as stack:
        yield lambda *options, **environment: stack.enter_context(Person(*options, seed=None, environment=environment))


@pytest.fixture
def ladder(tmp_path: Path) -> str:
    path = tmp_path / "ladder.sgf"
    path.write_text(LADDER)
    return str(path)


@pytest.fixture
def problems(tmp_path: Path) -> str:
    path = tmp_path / "set.sgf"
    path.write_text(SET)
    return str(path)


@pytest.mark.slow
def test_a_ladder_is_played_to_the_capture(pupil: Callable[..., Person], ladder: str) -> None:
    person = pupil(ladder)
    assert "Problem 1 of 1. Black to play and win." in person.seen
    assert "You play Black" in person.seen
    for play, reply in (("d4", "C3"), ("c2", "D3"), ("e3", "D2")):
        assert f"Right. White answers {reply}." in person.type(play)
    assert "Right. White answers E2." in person.type("d1")
    seen = person.type("e1")
    assert "Right! White" not in seen
    assert "Right! Black takes 5 stones and wins. The problem is solved." in seen
    assert "Type next" not in seen  # it was the last problem
    assert "solved" in person.type("A1")
    assert "That was the last problem." in person.type("next")
    person.terminal.sendline("quit")
    assert person.end() == 0


@pytest.mark.slow
def test_next_goes_past_problems_that_cannot_be_judged(pupil: Callable[..., Person], tmp_path: Path) -> None:
    path = tmp_path / "mixed.sgf"
    _, small, *_, refuted = SET.splitlines()
    path.write_text("\n".join([small, refuted, small, refuted]))
    person = pupil(str(path))
    seen = person.type("next")
    assert "Problem 2 cannot be judged: the solution C2 does not win." in seen
    assert "Problem 3 of 4." in seen
    seen = person.type("next")
    assert "Problem 4 cannot be judged" in seen
    assert "That was the last problem." in seen
    assert "Problem 3 of 4." in person.type("again")


@pytest.mark.slow
def test_other_input_gets_a_line_and_the_problem_goes_on(pupil: Callable[..., Person], problems: str) -> None:
    person = pupil(problems, "--problem", "2")
    assert "Problem 2 of 5." in person.seen
    assert "There is no move of yours to take back." in person.type("undo")
    assert "There is a stone on A4 already." in person.type("a4")
    assert "I do not understand 'pass'." in person.type("pass")
    assert "One move at a time" in person.type("A1 B2")
    assert "no column I" in person.type("i3")
    seen = person.type("nonsense")
    assert "I do not understand 'nonsense'" in seen
    assert "Right! Black takes a stone and wins." in person.type("B 5")
    assert "You play Black" in person.type("undo")


@pytest.mark.slow
def test_hints_lead_to_the_answer_and_the_solution_is_shown(pupil: Callable[..., Person], ladder: str) -> None:
    person = pupil(ladder)
    hints = [person.type("hint") for _ in range(4)]
    assert "C4" in hints[0]
    assert "column D" in hints[1]
    assert "row 4" in hints[2]
    assert "no more hints" in hints[3]
    assert "The solution: B D4 W C3 B C2 W D3 B E3 W D2 B D1 W E2 B E1" in person.type("solution")
    assert "Right. White answers C3." in person.type("D4")
    assert "column C" in person.type("hint") + person.type("hint")
    assert "Problem 1 of 1" in person.type("again")
    assert "column D" in person.type("hint") + person.type("hint")


@pytest.mark.slow
def test_a_second_play_on_a_point_is_named_below_the_board(pupil: Callable[..., Person]) -> None:
    assert re.search(r"The solution: B D4 W D3 B D4.*\n3 at 1\.", pupil("--problem", "96").type("solution"), re.DOTALL)


@pytest.mark.slow
def test_the_collection_is_there_without_a_file(pupil: Callable[..., Person]) -> None:
    person = pupil("--problem", "1")
    assert "Problem 1 of 96. Black to play and win." in person.seen
    assert "Problem 2 of" in person.type("next")
    assert "Problem 20 of" in person.type("problem 20")
    assert "There is no problem 999" in person.type("problem 999")
    assert "Type problem and a number: the problems are 1 to" in person.type("problem x")
    person.terminal.sendintr()
    assert person.end() == 0


@pytest.mark.slow
def test_a_problem_without_stdin_ends() -> None:
    command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *ENGINE, "play", "--problem", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Problem 1 of 96. Black to play and win." in done.stdout


@pytest.mark.slow
def test_a_wrong_answer_shows_the_punishment(pupil: Callable[..., Person]) -> None:
    person = pupil("--problem", "17")
    (color,) = re.findall(r"You play (Black|White)", person.seen)
    answer = re.search(r"The solution: [BW] (\S+)", person.type("solution"))
    assert answer is not None
    wrong = 0
    for vertex in (f"{letter}{row}" for row in range(1, 5) for letter in "ABCD"):
        if vertex == answer[1]:
            continue
        seen = person.type(vertex)
        if "Wrong: " in seen:
            wrong += 1
            assert re.search(
                r"Wrong: ([BW] [A-H]\d ?)+\. (Black|White) (takes|cannot play anywhere|wins by force)", seen
            )
            assert "Your move is taken back. Try again." in seen
            assert f"You play {color}" in seen
        else:
            assert "There is a stone on" in seen or "no liberty" in seen
    assert wrong > 2


@pytest.mark.slow
def test_a_large_board_is_judged_by_the_capture_alone(pupil: Callable[..., Person], problems: str) -> None:
    person = pupil(problems, "--problem", "3")
    assert "K10 does not win at once. Try again." in person.type("k10")
    assert "Right! Black takes a stone and wins." in person.type("B19")


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1", "TERM": "dumb"}, {"PYTHONIOENCODING": "ascii"}])
def test_a_plain_terminal_shows_everything(
    pupil: Callable[..., Person], ladder: str, environment: dict[str, str]
) -> None:
    person = pupil(ladder, **environment)
    assert "Right. White answers C3." in person.type("D4")
    if "PYTHONIOENCODING" in environment:
        assert "You play Black (X)." in person.seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["nowhere.sgf"], "nowhere.sgf: No such file"),
        (["empty.sgf"], "no problem"),
        (["game.sgf"], "no problem"),
        (["set.sgf", "--problem", "6"], "there is no problem 6: the problems are 1 to 5"),
        (["set.sgf", "--problem", "4"], "problem 4 cannot be judged: the solver takes boards of up to 128 points"),
        (["set.sgf", "--problem", "5"], "problem 5 cannot be judged: the solution C2 does not win"),
        (["set.sgf", "--problem", "1000000"], "there is no problem"),
        (["."], "no problem"),
        (["set.sgf", "--level", "5"], "--level would have no effect with problems"),
        (["set.sgf", "--size", "9"], "--size would have no effect with problems"),
        (["--problem", "1", "--seed", "1", "--rules", "capture-2"], "--rules and --seed would have no effect"),
        (["--problem", "1", "--two"], "--two would have no effect with problems"),
        (["--two", "--level", "3"], "--level would have no effect with --two"),
        (["--two", "--color", "white"], "--color would have no effect with --two"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(options: list[str], reason: str, problems: str) -> None:
    folder = Path(problems).parent
    (folder / "empty.sgf").write_text("")
    (folder / "game.sgf").write_text("(;SZ[5];B[aa];W[bb])")
    if options == ["."]:
        folder = folder / "empty"
        folder.mkdir()
    result = run("play", *options, folder=folder)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert reason in line


@pytest.mark.slow
def test_a_bad_file_of_a_folder_is_named_and_the_others_are_set(problems: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.sgf").write_text("(;SZ[99])")
    (folder / "2.sgf").write_text(Path(problems).read_text())
    command = [*ENGINE, "play", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, input="quit\n", timeout=60, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"gtp-capture: {folder / '1.sgf'}: ")
    assert "Black to play and win." in done.stdout
