"""Problems: each answer is judged, and a problem that cannot be judged is left out with the reason."""

from __future__ import annotations

import json
import re

import pytest

from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.examiner import ProblemError
from gtp_capture.tutor.lesson import restored
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.util.fields import FieldError, Fields

from ..support.held import Held, resources

pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.slow]

# Two plain captures, the same on 19x19, a line of two plays there, and a solution that loses.
SET = b"""(;SZ[5]RU[first-capture]AB[cc][cb]AW[bb][dc]PL[B]C[Black to play and win.](;B[ba]C[RIGHT]))
(;SZ[5]AB[ab][bc][cb]AW[bb]PL[B](;B[ba]C[RIGHT]))
(;SZ[19]AB[ab][bc][cb]AW[bb]PL[B](;B[ba]C[RIGHT])(;B[aa]))
(;SZ[19]AB[ab][bc]AW[bb]PL[B](;B[cb];W[ba];B[ca]C[RIGHT]))
(;SZ[4]AB[aa]AW[ab]PL[B](;B[cc]C[RIGHT]))
"""
LADDER = b"(;SZ[5]AB[ca][bb][bc]AW[cb]PL[B](;B[db];W[cc];B[cd];W[dc];B[ec];W[dd];B[de];W[ed];B[ee]C[RIGHT]))"


def problems(data: bytes, number: int = 1) -> Held:
    return Held(ProblemSession([*files.parse(data)], number, resources()))


def test_a_ladder_is_played_to_the_capture() -> None:
    held = problems(LADDER)
    assert "Problem 1 of 1. Black to play and win.\nYou play Black (●)." in held.text
    for play, reply in (("d4", "C3"), ("c2", "D3"), ("e3", "D2"), ("d1", "E2")):
        assert f"Right. White answers {reply}." in held.type(play)
    text = held.type("e1")
    assert "Right! Black takes 5 stones and wins. The problem is solved." in text
    assert "Type next" not in text  # it was the last problem
    for line in ("A1", "hint", "solution"):
        assert held.type(line) == "This problem is solved. Type next, or again."
    assert held.type("next") == held.type("") == "That was the last problem."


def test_what_cannot_be_judged_is_named_and_left_out() -> None:
    _, small, _, large, refuted = SET.splitlines()
    held = problems(b"\n".join([small, refuted, small, refuted]))
    text = held.type("next")
    assert "Problem 2 cannot be judged: the solution C2 does not win." in text
    assert "Problem 3 of 4." in text
    text = held.type("next")
    assert "Problem 4 cannot be judged" in text
    assert "That was the last problem." in text
    assert "Problem 3 of 4." in held.type("again")
    with pytest.raises(ProblemError, match="Problem 1 cannot be judged: the solver takes boards of up to 128 points"):
        problems(large)


def test_other_input_gets_a_line_and_the_problem_goes_on() -> None:
    held = problems(SET, 2)
    for line, answer in (
        ("undo", "There is no move of yours to take back."),
        ("a4", "There is a stone on A4 already."),
        ("pass", "I do not understand 'pass'. Type a point such as"),
        ("A1 B2", "One move at a time"),
        ("problem x", "Type problem and a number: the problems are 1 to 5."),
        ("", "Type your answer, or next to leave this one out."),
    ):
        assert answer in held.type(line)
    assert "Right! Black takes a stone and wins." in held.type("B 5")
    assert "You play Black" in held.type("undo")


def test_hints_lead_to_the_answer_and_the_solution_is_shown() -> None:
    held = problems(LADDER)
    hints = [held.type("hint") for _ in range(4)]
    assert ["C4" in hints[0], "column D" in hints[1], "row 4" in hints[2], "no more hints" in hints[3]] == [True] * 4
    solution, then = held.type("solution").split("\n")
    assert solution == "The solution: B D4 W C3 B C2 W D3 B E3 W D2 B D1 W E2 B E1"
    assert then.startswith("Type your answer"), "it can be played now"
    assert "Right. White answers C3." in held.type("D4")
    assert "column C" in held.type("hint") + held.type("hint")
    held.type("again")
    assert "column D" in held.type("hint") + held.type("hint")
    shipped = Held(ProblemSession(files.shipped(), 96, resources()))
    solution = "The solution: B D4 W D3 B D4 W A1 B B4\nMove 3 is on the same point as move 1.\n"
    assert shipped.type("solution").startswith(solution)


def test_a_selection_goes_on_with_the_problem_that_was_saved_by_its_number() -> None:
    ladders = [problem for problem in files.shipped() if problem.theme == "ladder"]
    *_, before, last = (problem.number for problem in ladders)
    held = Held(ProblemSession(ladders, last, resources()))
    vertex = held.type("solution").split()[3]
    held.type(vertex)
    state = json.loads(json.dumps(held.session.state()))
    session = restored(Fields(state), resources(), ladders)
    again = Held(session)
    assert f"Problem {last} ({len(ladders)} of {len(ladders)})." in again.text
    assert session.game == held.session.game != ladders[-1].game()
    assert f"Problem {before} (" in again.type(f"problem {before}")
    for number in (1, last - 1 if last - 1 != before else last + 1, len(ladders)):
        with pytest.raises(FieldError, match="number"):
            restored(Fields({**state, "number": number}), resources(), ladders)


def test_a_wrong_answer_shows_the_punishment_and_is_taken_back() -> None:
    held = Held(ProblemSession(files.shipped(), 17, resources()))
    color = "Black" if "You play Black" in held.text else "White"
    answer = held.type("solution").split()[3]
    before, wrong = held.session.game.copy(), 0
    for vertex in (f"{letter}{row}" for row in range(1, 5) for letter in "ABCD"):
        text = held.type(vertex) if vertex != answer else "There is a stone on"
        if "Wrong: " in text:
            wrong += 1
            assert re.search(r"Wrong: ([BW] [A-H]\d ?)+\. (Black|White) (takes|cannot play anywhere|wins by)", text)
            assert text.endswith(f"Your move is taken back. Try again.\nYou play {color} ({'●○'[color == 'White']}).")
        else:
            assert "There is a stone on" in text or "no liberty" in text
        assert held.session.game == before
    assert wrong > 2


def test_a_large_board_is_judged_by_the_capture_alone() -> None:
    held = problems(SET, 3)
    assert held.type("k10") == "K10 does not win at once. Try again."
    assert "Right! Black takes a stone and wins." in held.type("B19")
