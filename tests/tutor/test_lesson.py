"""The course: pages, questions and problems, the game at the end of a lesson, and what is remembered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gtp_capture.go.vertex import RESIGN
from gtp_capture.players.adapt import Profile
from gtp_capture.teach.course import lessons
from gtp_capture.teach.event import ContentsOffered, LessonWon
from gtp_capture.tutor.lesson import ContentsSession, LessonGame, LessonSession
from gtp_capture.tutor.problem import PlayTask

from ..support.held import Held, lesson_lines, resources, wide


def lesson(number: int = 1, profile: Profile | None = None) -> Held:
    return Held(LessonSession(number, resources(profile=profile)))


def test_pages_and_questions_are_gone_through_in_any_order() -> None:
    held = lesson()
    assert held.text.startswith("Lesson 1: Liberties and capture\nPage 1 of")
    for line, answer in (
        ("", "Problem 1 of"),
        ("", "Type your answer, or next to leave this one out."),
        ("next", "Page 2 of"),
        ("C3", "I do not understand 'C3'. Press Enter to go on."),
        ("hint", "Press Enter to go on."),
        ("solution", "Press Enter to go on."),
        ("back", "On which point is the white stone?"),
        ("back", "Page 1 of"),
        ("back", "Page 1 of"),
        ("help", "Press Enter to go on. Or type one of these:\nhint"),
        ("help back", "back: the page or problem before."),
        ("problem two", "How many liberties does the black stone have?\nType a number"),
        ("", "Type your answer, or next to leave this one out."),
        ("c3", "I do not understand 'c3'. Type a number, or hint"),
        ("hnt", "Do you mean hint? Type a number"),
        ("help", "Type a number to answer. Or one of these:"),
        ("hint", "One of them is at D2."),
        ("hint", "The answer is 4 or 5."),
        ("hint", "There are no more hints."),
        ("Five!", "Not yet. Look again."),
        (wide("4 liberties"), "Right!\nThe answer is 4.\nPress Enter to go on."),
        ("", "Page 3 of"),
        ("next", "Problem 3 of"),
        ("solution", "The answer is 3.\nType a number, or hint, solution, next, help."),
        ("problem 7", "Take the white stone"),
        ("a1", "Wrong: B A1 W D3. Now the stones have 3 liberties."),
        ("d3", "Right! Black takes a stone and wins. The problem is solved.\nPress Enter to go on."),
        ("problem 99", "Type problem and a number: the problems are 1 to 13."),
        ("problem 13", "On which free point may Black not play?"),
        ("c2", "There is a stone on C2 already. Choose a free point."),
        ("hint", "The answer is in column A."),
        ("hint", "The answer is in row 5."),
        ("4", "Which column? Type a letter and a number"),
        ("c3", "Not yet."),
    ):
        assert answer in held.type(line), line


def test_on_the_way_back_and_forward_a_solved_problem_is_solved() -> None:
    held = lesson()
    held.type("problem 7", "d3", "back")
    assert isinstance(held.session, LessonSession)
    held.type("next")
    assert (held.session.at, held.session.finished) == (held.session.lesson.order[-1] - 6, True)
    assert held.text.endswith("This problem is solved. Type next, or again.")
    assert "Take the white stone" in held.type("again")
    assert not held.session.finished
    held.type("problem 7")
    assert not held.session.finished, "by its number it is set anew"


@pytest.mark.parametrize(
    ("refused", "clue"), [((), "4 or 5"), ((5,), "4 or 6"), ((3, 5, 6), "4 or 7"), ((3,), "4 or 5")]
)
def test_a_clue_names_no_number_that_was_refused(refused: tuple[int, ...], clue: str) -> None:
    held = lesson()
    held.type("problem 2", *map(str, refused), "hint")
    assert held.type("hint") == f"The answer is {clue}."


def test_a_lesson_goes_on_to_its_game_and_back_to_the_list_and_both_are_remembered(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "anna")
    held = lesson(profile=profile)
    lines = [*lesson_lines(1)]
    for line, answer in lines[:-1]:
        assert answer in held.type(line)
    assert profile.lessons() == []
    held.type(lines[-1][0])
    assert profile.lessons() == [1]  # at once: the person may leave now
    assert held.session.state()["solved"] == [*range(1, 14)]
    text = held.type("")
    assert "Well done! This was lesson 1." in text
    assert "Win once against level 1." in text
    assert isinstance(held.session, LessonGame)
    assert "Board 5x5, level 1 (misses most captures). Rules: Whoever takes a stone first wins." in text
    held.type("help lessons")
    assert held.text == "lessons: the list of the lessons."
    held.type("C3")
    assert "Do you want to end it?" in held.type("lessons")
    held.type("no")
    held.session.typed(next(iter(held.session.game.legal_moves())))
    reply = held.session.finish_work(RESIGN)  # in place of the engine's move
    assert reply.events[-2:] == (LessonWon(1), ContentsOffered())
    assert profile.games() == [1]
    assert "1  Liberties and capture (done, game won)\n2  Atari, and how to save stones\n" in held.type("")
    assert "lessons are 1 to 8." in held.type("99")
    assert "Lesson 2: Atari" in held.type("two")
    assert "Type the number of a lesson." in held.type("lessons")
    held.type("quit")
    assert held.reply.over


def test_what_is_left_out_is_not_done(tmp_path: Path) -> None:
    profile = Profile(tmp_path / "anna")
    held = lesson(profile=profile)
    while not isinstance(held.session, LessonGame):
        text = held.type("next")
    assert "Well done" not in text
    assert "Press Enter to see the lessons." in held.type("resign")
    assert not list(tmp_path.iterdir())
    assert "(done" not in Held(ContentsSession(resources(profile=profile))).text


@pytest.mark.parametrize("number", lessons.numbers())
def test_no_board_marks_an_answer_no_sentence_before_it_names_it_and_each_game_begins(number: int) -> None:
    """A mark at a stone in atari would be an answer, and is not explained here; the last stone is named in words."""
    held = lesson(number)
    assert isinstance(held.session, LessonSession)
    for _ in held.session.lesson.order:
        task = held.session.task
        assert not any(picture.marked for picture in held.pictures)
        if isinstance(task, PlayTask):
            answers = {task.game.vertex(line[0]) for line in task.examiner.problem.answers}
            assert not answers & {*re.findall(r"for example ([A-T]\d+)", held.text)}
            wrong = task.game.vertex(task.examiner.problem.variations[-1].moves[0])
            held.type(wrong, task.game.vertex(task.examiner.problem.line[0]))
            assert not any(picture.marked for picture in held.pictures)
        held.type("next")
    goal, session = lessons.lesson(number).goal, held.session
    assert isinstance(session, LessonGame)
    assert (session.game.width, session.game.rules, session.setup.level) == (goal.size, goal.rules, goal.level)
