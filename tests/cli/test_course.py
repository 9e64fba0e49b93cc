"""The command gtp-capture course."""

from __future__ import annotations

from pathlib import Path

import pytest

from gtp_capture.go import sgf
from gtp_capture.teach.course import lessons

from ..support.forks import refusal, run
from ..support.person import Person


@pytest.mark.parametrize("spoken", [(), ("--spoken",)])
def test_the_board_of_a_question_does_not_answer_it(spoken: tuple[str, ...]) -> None:
    with Person("2", *spoken, seed=None, command="course") as person:
        _, question, board = person.type("problem 1").partition("Which black stone is in atari?")
        assert question
        assert "!" not in board
        assert "in atari" not in board
        assert "Right!" in person.type("c3")


def test_each_lesson_is_a_file_and_a_folder_of_files(tmp_path: Path) -> None:
    assert run("course", "-o", "new", folder=tmp_path).stdout == "8 lessons written to new\n"
    for number in lessons.numbers():
        data = (tmp_path / "new" / f"lesson-{number}.sgf").read_bytes()
        assert data == lessons.source(number)
        parts = sorted((tmp_path / "new" / f"lesson-{number}").iterdir())
        assert [path.read_bytes() for path in parts] == list(sgf.split(data))


def test_the_booklet_and_the_advice_of_one_lesson(tmp_path: Path) -> None:
    done = run("course", "1", "--sheet", "booklet.html", "--advice", folder=tmp_path)
    written, _, advice = done.stdout.partition("\n")
    assert written == "1 lesson written to booklet.html"
    assert advice.startswith("Lesson 1: Liberties and capture\n\n8 minutes: On the projector: Lesson 1, pages 1 to 5\n")
    assert "\n3 minutes: Closing page\n\nBefore you begin: " in advice
    text = (tmp_path / "booklet.html").read_text()
    assert text.count("<h1>") == 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("99", "there is no lesson 99: the lessons are 1 to"),
        ("1 --advice --spoken", "--spoken would have no effect"),
        ("1 --advice --profile p", "--profile would have no effect"),
        ("-o file", "file"),
        ("-o .", "there are SGF files in this folder already"),
        ("--sheet no/where.html", "no/where.html cannot be written: there is no folder no"),
        ("1 --profile file", "profile file: not a profile of gtp-capture"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(options: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "a.sgf").write_text("")
    assert reason in refusal(run("course", *options.split(), folder=tmp_path))
