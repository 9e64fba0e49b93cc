"""What a person types: every line is a point, a command, or gets one sentence as an answer."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.cli.orders import (
    NUMBER_WORDS,
    Command,
    Play,
    UnclearError,
    example,
    number,
    quoted,
    read,
    read_number,
)
from gtp_capture.cli.table import ACTIONS
from gtp_capture.go.vertex import COLUMNS, point_at

SIDES = st.integers(2, 25)
WORDS = st.sampled_from(
    [*ACTIONS, "i3", "c3", "C 3", "d4", "9", "z9", "play", "black", "yes", "Undo 2", "5d", "e", "—"]
)
LINES = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=3).map(" ".join))


def answer(line: str, width: int = 9, height: int = 9) -> str:
    with pytest.raises(UnclearError) as refused:
        read(line, ACTIONS, width, height)
    return str(refused.value)


@given(SIDES, SIDES, st.data())
def test_every_point_is_read_in_every_form(width: int, height: int, data: st.DataObject) -> None:
    column, row = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    letter, number = COLUMNS[column], str(row + 1)
    for form in (
        "{0}{1}",
        "{0} {1}",
        "{1}{0}",
        "{1} {0}",
        " {0}{1} ",
        "{0}{1}.",
        "play {0}{1}",
        "PLAY {0} {1}",
        "{0}  {1}!",
        "at {0}{1}",
        "play at {0}{1}",
    ):
        for text in (form.format(letter, number), form.format(letter.lower(), number)):
            assert read(text, ACTIONS, width, height) == Play(point_at(column, row, width))
    for text in (f"{column + 1},{number}", f"{column + 1} , {number}"):
        assert read(text, ACTIONS, width, height) == Play(point_at(column, row, width))


@given(LINES, SIDES, SIDES)
def test_any_line_is_a_point_of_the_board_or_a_command_or_gets_one_sentence(line: str, width: int, height: int) -> None:
    try:
        found = read(line, ACTIONS, width, height)
    except UnclearError as error:
        text = str(error)
        assert text.isprintable()
        assert len(text) < 200
        assert text[-1] in ".?"
        return
    if isinstance(found, Command):
        assert found.name in ACTIONS
        return
    # Nothing but a letter or a number, a number, the words `play` and `at`, spaces and marks at the ends is a point.
    letters = re.sub(r"(?i)^\s*((play|at)\s+)*", "", line)
    form = r"[A-Za-z]\s*[0-9]{1,2}|[0-9]{1,2}\s*[A-Za-z]|[0-9]{1,2}\s*,\s*[0-9]{1,2}"
    assert re.fullmatch(rf"[\s.,;!]*({form})[\s.,;!]*", letters)
    assert 0 < found.point < (width + 1) * (height + 1)


@pytest.mark.parametrize("name", ACTIONS)
def test_a_command_is_read_in_any_case_and_from_its_beginning(name: str) -> None:
    assert read(name.upper(), ACTIONS, 9, 9) == Command(name, "")
    assert read(f"{name} Some thing ", ACTIONS, 9, 9) == Command(name, "Some thing")
    beginning = next(n for n in range(2, 9) if [c for c in ACTIONS if c.startswith(name[:n])] == [name])
    assert read(name[:beginning].title(), ACTIONS, 9, 9) == Command(name, "")


def test_other_words_for_commands() -> None:
    assert read("exit", ACTIONS, 9, 9) == read("Q", ACTIONS, 9, 9) == Command("quit", "")
    assert read("?", ACTIONS, 9, 9) == Command("help", "")
    assert "Which row?" in answer("q", 19, 19)  # there it may be the beginning of a point
    assert isinstance(read("q 4", ACTIONS, 19, 19), Play)


def test_an_ambiguous_beginning_is_asked_about() -> None:
    commands = ["undo", "under", "unlock"]
    with pytest.raises(UnclearError, match=r"Do you mean undo, under or unlock\?"):
        read("un", commands, 9, 9)


ANSWERS = {
    "": "I do not understand ''",
    "c3 d4": "One move at a time, please: C3 or D4?",
    "C3, 4D": "One move at a time, please: C3 or D4?",
    "c3d4": "I do not understand 'c3d4'",
    "3 c 4": "I do not understand",
    "i3": "There is no column I, because it looks like a 1. Do you mean H3 or J3?",
    "4 I": "Do you mean H4 or J4?",
    "i10": "The columns are A B C D E F G H J.",
    "k1": "K1 is not on this board. The columns go from A to J, and the rows from 1 to 9. Type for example D3.",
    "a0": "A0 is not on this board.",
    "d": "Which row? Type a letter and a number, for example D3.",
    "7": "Which column? Type a letter and a number, for example D3.",
    "white d 4": "Please type the point alone, for example D 4.",
    "0,3": "I do not understand '0,3'.",
    "3,12": "C12 is not on this board.",
    "play": "I do not understand 'play'.",
    "undoo": "Do you mean undo?",
    "\x1b[2J": "I do not understand '\\x1b[2J'",
    "x" * 500: "I do not understand 'xxxxxxxxxxxxxxxxxxxxxxxxxxx...'",
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), ANSWERS.items(), ids=range(len(ANSWERS)))
def test_an_unclear_line_gets_an_answer_that_helps(line: str, expected: str) -> None:
    assert expected in answer(line)


def test_no_column_j_is_proposed_on_a_board_without_it() -> None:
    assert answer("i3", 8, 8) == "There is no column I, because it looks like a 1. The columns are A B C D E F G H."


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 25), (5, 5), (25, 2), (9, 9)])
def test_the_example_is_a_point_of_the_board(width: int, height: int) -> None:
    assert isinstance(read(example(width, height), ACTIONS, width, height), Play)


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 25), (5, 5), (25, 2), (9, 9)])
def test_the_example_of_a_problem_is_not_its_answer(width: int, height: int) -> None:
    answer = read(example(width, height), ACTIONS, width, height)
    assert isinstance(answer, Play)
    other = example(width, height, [answer.point])
    assert read(other, ACTIONS, width, height) not in (answer, Play(0))


@given(st.integers(0, 999_999), st.text(".,;:!?()[]\"'*=# ", max_size=4), st.text(".,;:!?()[]\"'*=# ", max_size=4))
def test_a_number_in_digits_is_read_with_punctuation_around_it(value: int, before: str, after: str) -> None:
    assert number(f"{before}{value}{after}") == value


def test_every_number_word_is_read() -> None:
    said = {number(text): text for text in NUMBER_WORDS}
    assert [*sorted(found for found in said if found is not None)] == [*range(100)]
    for text, value in {"Four!": 4, "twenty one.": 21, "It is seven.": 7, "4 liberties": 4, "NINE": 9}.items():
        assert number(text) == value


@pytest.mark.parametrize(
    "line", ["", "D4", "4 d", "d 4", "-4", "4.5", "4 or 5", "four, five", "12345678901", "fourth", "someone", "x", "²"]
)
def test_what_is_not_one_number_is_none(line: str) -> None:
    assert number(line) is None


@given(LINES)
def test_where_a_number_is_wanted_any_line_is_one_or_a_command_or_gets_one_sentence(line: str) -> None:
    try:
        found = read_number(line, ACTIONS, "Type a number.")
    except UnclearError as error:
        text = str(error)
        assert text.isprintable()
        assert text.endswith(("Type a number.", "Please type a bit more of the word."))
        return
    assert isinstance(found, Command) or 0 <= found < 10**6


def test_parts_of_sentences() -> None:
    assert quoted("a\nb") == r"'a\nb'"
