"""The command gtp-capture course."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from gtp_capture.cli.app import cli
from gtp_capture.cli.course import command_of
from gtp_capture.go import sgf
from gtp_capture.teach.course import lessons

from ..support.forks import run
from ..support.person import Person


def test_without_a_number_the_lessons_are_listed(tmp_path: Path) -> None:
    done = run("course")
    assert done.stdout.splitlines()[0] == "1  Liberties and capture"
    assert len(done.stdout.splitlines()) == len(lessons.numbers()) + 1
    (tmp_path / "profile").write_text('{"gtp-capture profile": 1, "lessons": [1]}')
    assert run("course", "--profile", "profile", folder=tmp_path).stdout.startswith("1  Liberties and capture (done)\n")


def test_a_lesson_goes_from_its_pages_to_its_game(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    with Person("1", "--profile", str(profile), seed=None, command="course") as person:
        assert "Lesson 1: Liberties and capture" in person.seen
        assert "Page 1 of" in person.seen
        assert "Page 2 of" in person.type("")
        assert "Press Enter to go on." in person.type("C3")
        assert "Page 1 of" in person.type("back")
        assert "A chain with one liberty left is in atari" in person.type("help atari")
        seen = person.type("help")
        assert "back        the page or problem before" in seen
        assert "liberties, chain, atari" in seen
        seen = person.type("problem 1")
        assert "How many liberties does the black stone have?" in seen
        assert "Type a number" in seen
        assert "Type your answer" in person.type("")
        assert "Type a number" in person.type("c3")
        assert "Not yet" in person.type("3")
        seen = person.type("4")
        assert "Right!" in seen
        assert "The answer is 4." in seen
        assert "Problem 2 of" in person.type("")
        seen = person.type("solution")
        assert "The answer is 3." in seen
        assert "Type next" in seen
        assert "Take the white stone" in person.type("problem 6")
        seen = person.type("a1")
        assert "Wrong: B A1 W D3. The stones get away." in seen
        assert "Your move is taken back." in seen
        assert "Right! Black takes a stone." in person.type("d3")
        last = len(lessons.lesson(1).exercises)
        assert "the problems are 1 to" in person.type("problem 99")
        assert "Type a point" in person.type(f"problem {last}")
        assert "Not yet" in person.type("c3")
        assert not profile.exists()
        assert "Right!" in person.type("a5")
        assert profile.exists()  # at once: the user may leave now
        person.terminal.sendline("")
        assert person.end() == 0
        assert "Well done! This was lesson 1." in person.rest
        assert "Now type gtp-capture play --size 5 --level 1" in person.rest
    assert json.loads(profile.read_text()) == {"gtp-capture profile": 1, "lessons": [1]}


def test_a_lesson_can_be_read_aloud() -> None:
    with Person("1", "--spoken", seed=None, command="course") as person:
        assert "Columns A to E." in person.seen
        assert "Row 3: empty, black, white in atari, empty a, empty." in person.type("help atari")
        assert "A B C D E" not in person.type("problem 6")
        assert "Row 5: all empty." in person.type("solution")


@pytest.mark.parametrize("spoken", [(), ("--spoken",)])
def test_the_board_of_a_question_does_not_answer_it(spoken: tuple[str, ...]) -> None:
    with Person("2", *spoken, seed=None, command="course") as person:
        _, question, board = person.type("problem 1").partition("Which black stone is in atari?")
        assert question
        assert "!" not in board
        assert "in atari" not in board
        assert "Right!" in person.type("c3")


def test_a_lesson_that_is_left_out_is_not_done(tmp_path: Path) -> None:
    done = run("course", "1", "--profile", "profile", data="next\n" * 30, folder=tmp_path)
    assert done.returncode == 0
    assert "Now type gtp-capture play" in done.stdout
    assert "Well done" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_each_lesson_is_a_file_and_a_folder_of_files(tmp_path: Path) -> None:
    assert run("course", "-o", "new", folder=tmp_path).stdout == "8 lessons written to new\n"
    for number in lessons.numbers():
        data = (tmp_path / "new" / f"lesson-{number}.sgf").read_bytes()
        assert data == lessons.source(number)
        parts = sorted((tmp_path / "new" / f"lesson-{number}").iterdir())
        assert [path.read_bytes() for path in parts] == list(sgf.split(data))


@pytest.mark.parametrize("number", lessons.numbers())
def test_the_game_of_a_lesson_can_be_played(number: int) -> None:
    args = command_of(lessons.lesson(number).goal).split()[1:]
    name, command, rest = cli.resolve_command(click.Context(cli), args)
    assert name == "play"
    assert command is not None
    assert command.make_context("play", rest).params["size"][0] == lessons.lesson(number).goal.size


def test_the_booklet_and_the_advice_of_one_lesson(tmp_path: Path) -> None:
    done = run("course", "1", "--sheet", "booklet.html", "--advice", folder=tmp_path)
    written, _, advice = done.stdout.partition("\n")
    assert written == "1 lesson written to booklet.html"
    assert advice.startswith("Lesson 1: Liberties and capture\n\nTime: ")
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
    done = run("course", *options.split(), folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert reason in line
