"""The command gtp-capture course."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import click
import pytest
from rich.console import Console

from gtp_capture.cli.app import cli
from gtp_capture.cli.course import PlayCard, ReadCard, command_of
from gtp_capture.go import sgf
from gtp_capture.go.rules import Rules
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.lessons import Question

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
        assert "Wrong: B A1 W D3. Now the stones have 3 liberties." in seen
        assert "Your move is taken back." in seen
        assert "Right! Black takes a stone and wins." in person.type("d3")
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


def test_a_number_may_be_a_word_and_help_and_hints_are_about_a_number() -> None:
    with Person("1", seed=None, command="course") as person:
        assert "Page 1 of" in person.seen
        assert "I do not understand 'foo'. Press Enter to go on." in person.type("foo")
        assert "Press Enter to go on. Or type one of these:" in person.type("help")
        assert "How many liberties" in person.type("problem one")
        assert "Type a number to answer. Or one of these:" in person.type("help")
        assert "I do not understand 'C3'. Type a number, or hint" in person.type("C3")
        assert "Do you mean hint? Type a number" in person.type("hnt")
        assert "One of them is at D2." in person.type("hint")
        assert "The answer is 4 or 5." in person.type("hint")
        assert "There are no more hints." in person.type("hint")
        assert "Not yet. Look again." in person.type("Five!")
        for answer in ("four", "4!", "Four.", "4 liberties"):
            assert "Right!" in person.type(answer)
        assert "On which free point may Black not play?" in person.type("problem 12")
        assert "The answer is in column A." in person.type("hint")
        assert "The answer is in row 5." in person.type("hint")
        assert "Which column? Type a letter and a number" in person.type("4")


@pytest.mark.parametrize("number", lessons.numbers())
def test_no_board_has_a_mark_at_a_stone_and_no_sentence_before_an_answer_names_it(number: int) -> None:
    """A mark at a stone in atari would be an answer, and is not explained here; the last stone is named in words."""
    lesson = lessons.lesson(number)
    cards = [
        *(ReadCard(page, page.text, recorder()) for page in lesson.pages),
        *(
            ReadCard(task, text, recorder()) if isinstance(task, Question) else PlayCard(text, task, recorder())
            for text, task in lesson.exercises
        ),
    ]
    for card in cards:
        card.introduce()
        seen = card.console.export_text(clear=False)
        if isinstance(card, PlayCard):
            answers = {card.game.vertex(line[0]) for line in card.tutor.problem.answers}
            assert not answers & {*re.findall(r"for example ([A-T]\d+)", seen)}
            card.answer(next(iter(card.tutor.problem.variations[-1].moves)))
            card.answer(card.tutor.solution()[0])
        boards = [line for line in card.console.export_text().splitlines() if re.match(r"\s*\d+[ (!]", line)]
        assert len(boards) >= card.game.height
        assert not [row for row in boards if "!" in row or "(" in row]


def recorder() -> Console:
    return Console(file=io.StringIO(), record=True, width=100, color_system=None)


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
    args = shlex.split(command_of(lessons.lesson(number).goal))[1:]
    name, command, rest = cli.resolve_command(click.Context(cli), args)
    assert name == "play"
    assert command is not None
    chosen = command.make_context("play", rest).params
    assert chosen["size"][0] == lessons.lesson(number).goal.size
    assert (chosen["rules"] or Rules.parse("first-capture")) == lessons.lesson(number).goal.rules


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
