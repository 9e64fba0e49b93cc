"""Typed lines: each is a point, a number or a word, or gets one sentence as an answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go.vertex import BLACK, COLUMNS, parse_vertex, point_at
from gtp_capture.teach import say, sentences, words
from gtp_capture.teach.event import Refusal, Refused, RefusedError, Want, Wanted
from gtp_capture.teach.say import WordList
from gtp_capture.teach.terms import TERMS
from gtp_capture.teach.words import SHORT, Voice
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.lesson import LessonGame, LessonSession
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.tutor.reading import (
    NUMBER_WORDS,
    Command,
    Number,
    Play,
    example,
    folded,
    forms,
    number,
    read,
    shortened,
)
from gtp_capture.tutor.session import Session

from ..support.held import Held, resources, seats, wide

WORDS = GameSession.COMMANDS
KANA = dict(zip("AEUO", "あえウオ", strict=True))
"""What a Japanese keyboard writes for the letters of some columns."""
SIDES = st.integers(2, 25)
LINES = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            [*WORDS, *["i3", "c3", "C-3", "d4", "9", "z9", "play", "black", "yes", "5d", "e", "—"], "C 3", "Undo 2"]
        ),
        max_size=3,
    ).map(" ".join),
)


def points(width: int = 9, height: int = 9) -> Wanted:
    return Wanted(Want.MOVE, width, height, example(width, height))


def answer(line: str, wanted: Wanted, known: Collection[str] = WORDS) -> str:
    with pytest.raises(RefusedError) as refused:
        read(line, known, wanted)
    return say.text(refused.value.refused, SHORT)


@given(SIDES, SIDES, st.data())
def test_every_point_is_read_in_every_form(width: int, height: int, data: st.DataObject) -> None:
    column, row = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    letter, number = COLUMNS[column], str(row + 1)
    forms = "{0}{1}|{0} {1}|{1}{0}|{1} {0}| {0}{1} |{0}{1}.|play {0}{1}|PLAY {0} {1}|{0}  {1}!|at {0}{1}|play at {0}{1}"
    texts = [form.format(letter, number) for form in f"{forms}|({{0}}{{1}})|{{0}}-{{1}}|{{0}} - {{1}}".split("|")]
    texts += [text.lower() for text in texts] + [f"{KANA.get(letter, letter)}{number}"]
    texts += [f"{column + 1}{between}{number}" for between in (",", " , ", "、", " ")]
    for text in [*texts, *map(wide, texts)]:
        assert read(text, WORDS, points(width, height)) == Play(point_at(column, row, width)), text


@given(LINES, SIDES, SIDES)
def test_any_line_is_a_point_of_the_board_or_a_word_or_gets_one_sentence(line: str, width: int, height: int) -> None:
    try:
        given = read(line, WORDS, points(width, height))
    except RefusedError:
        text = answer(line, points(width, height))
        assert text.isprintable()
        assert len(text) < 200
        assert text[-1] in ".?"
        return
    if isinstance(given, Command):
        assert given.name in WORDS
        return
    # Nothing but a letter and a number, two numbers, the words `play` and `at`, spaces and marks is a point.
    narrow = line.translate({code + 0xFEE0: code for code in range(0x21, 0x7F)})
    letters = re.sub(r"(?i)^\s*((play|at)\s+)*", "", narrow)
    form = r"[A-Za-z]\s*-?\s*[0-9]{1,2}|[0-9]{1,2}\s*-?\s*[A-Za-z]|[0-9]{1,2}(\s*[,、]\s*|\s+)[0-9]{1,2}"
    form += r"|[あいうえおアイウエオ\u3131-\u3163]\s*-?\s*[0-9]{1,2}"
    assert re.fullmatch(rf"[\s.,;!()]*({form})[\s.,;!()]*", letters)
    assert isinstance(given, Play)
    assert 0 < given.point < (width + 1) * (height + 1)


@pytest.mark.parametrize("name", WORDS)
def test_a_word_is_read_in_any_case_and_from_three_letters_on(name: str) -> None:
    assert read(name.upper(), WORDS, points()) == Command(name, "")
    assert read(f"{name} Some thing ", WORDS, points()) == Command(name, "Some thing")
    beginning = next(n for n in range(3, 9) if [word for word in WORDS if word.startswith(name[:n])] == [name])
    assert read(name[:beginning].title(), WORDS, points()) == Command(name, "")
    if len(name) > 2:
        assert answer(name[:2], points()).startswith(("I do not understand", "Hello!"))


@pytest.mark.parametrize(
    ("typed", "point"), [("え3", "E3"), ("オ 3", "O3"), ("ㅊ3", "C3"), ("3ㅁ", "A3"), ("ㅅ19", "T19"), ("ㄸ3", "E3")]
)
def test_a_column_is_read_from_a_keyboard_of_kana_or_hangul(typed: str, point: str) -> None:
    assert read(typed, WORDS, points(19, 19)) == read(point, WORDS, points(19, 19))


def test_other_words_and_file_names_stay_as_they_are() -> None:
    assert read("exit", WORDS, points()) == read("Q", WORDS, points()) == Command("quit", "")
    assert read("?", WORDS, points()) == Command("help", "")
    assert read("save Ｂü 3.sgf", WORDS, points()) == Command("save", "Ｂü 3.sgf")
    assert "Which row?" in answer("q", points(19, 19))  # there it may be the beginning of a point
    assert isinstance(read("q 4", WORDS, points(19, 19)), Play)
    with pytest.raises(RefusedError) as refused:
        read("und", ["undo", "under"], points())
    assert refused.value.refused == Refused(Refusal.SEVERAL, {"words": ["undo", "under"]})


ANSWERS = {
    "": "I do not understand ''",
    "hi": "Hello! Type a point such as D3, or help.",
    "Hello!": "Hello!",
    "c3 d4": "One move at a time, please: C3 or D4?",
    "C3, 4D": "One move at a time, please: C3 or D4?",
    "c3-d4": "One move at a time, please: C3 or D4?",
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
    "undoo": "Do you mean undo?",
    "\x1b[2J": "I do not understand '\\x1b[2J'",
    "[bold]:smile:": "I do not understand '[bold]:smile:'",
    "x" * 500: "I do not understand 'xxxxxxxxxxxxxxxxxxxxxxxxxxx...'",
}


@pytest.mark.parametrize(("line", "expected"), ANSWERS.items(), ids=range(len(ANSWERS)))
def test_an_unclear_line_gets_an_answer_that_helps(line: str, expected: str) -> None:
    assert expected in answer(line, points())


def test_no_column_j_is_proposed_on_a_board_without_it() -> None:
    assert answer("i3", points(8, 8)).endswith("The columns are A B C D E F G H.")


@pytest.mark.parametrize("size", [(2, 2), (3, 25), (5, 5), (25, 2), (9, 9)])
def test_the_example_is_a_point_of_the_board_and_not_an_answer(size: tuple[int, int]) -> None:
    point = parse_vertex(example(*size), *size)
    assert parse_vertex(example(*size, [point]), *size) not in (point, 0)


@given(st.integers(0, 999_999), st.text(".,;:!?()[]\"'*=# ", max_size=4), st.text(".,;:!?()[]\"'*=# ", max_size=4))
def test_a_number_in_digits_is_read_with_punctuation_around_it(value: int, before: str, after: str) -> None:
    assert number(f"{before}{value}{after}") == value


def test_a_number_may_be_a_word_and_nothing_else_is_one() -> None:
    assert [*map(number, NUMBER_WORDS)] == [*range(21)]
    for text, value in {"Four!": 4, "It is seven.": 7, "4 liberties": 4, "NINE": 9}.items():
        assert number(text) == value
    for text in ("", "D4", "4 d", "-4", "4.5", "4 or 5", "four, five", "12345678901", "fourth", "someone", "x", "²"):
        assert number(text) is None


@given(LINES)
def test_where_a_number_is_wanted_any_line_is_one_or_a_word_or_gets_one_sentence(line: str) -> None:
    wanted = Wanted(Want.NUMBER)
    try:
        given = read(line, WORDS, wanted)
    except RefusedError:
        assert answer(line, wanted).endswith(
            ("Type a number, or hint, solution, next, help.", "Please type a bit more of the word.")
        )
        return
    assert isinstance(given, Command) or (isinstance(given, Number) and 0 <= given.value < 10**6)


def test_a_repeated_text_has_no_control_characters() -> None:
    assert shortened("a\nb") == r"a\nb"


# --- Words of a language ---

LANGUAGES = sorted(path.parents[1].name for path in sentences.FOLDER.glob("*/*/*.po"))
IN_EACH = pytest.mark.parametrize("language", LANGUAGES)
SESSIONS = (GameSession, LessonSession, LessonGame, ProblemSession)


@IN_EACH
@pytest.mark.parametrize("session", SESSIONS)
def test_each_command_and_each_term_has_words_of_its_own(language: str, session: type[Session]) -> None:
    names: dict[str, str] = {}
    for name in (*session.COMMANDS, *TERMS):
        for word in forms(name, language):
            assert names.setdefault(word, name) == name, f"{word} is typed for {name} too"


@IN_EACH
@pytest.mark.parametrize("session", SESSIONS)
def test_a_command_is_typed_in_the_language_without_accents_from_its_beginning_and_in_english(
    language: str, session: type[Session]
) -> None:
    commands = session.COMMANDS
    for name in commands:
        shown = Voice(language=language).typed(name)
        bare = "".join(char for char in unicodedata.normalize("NFD", shown) if not 0x300 <= ord(char) < 0x370)
        for word in (name, shown, shown.upper(), unicodedata.normalize("NFC", bare), wide(name)):
            assert read(f"{word} 3", commands, Wanted(Want.NUMBER), language) == Command(name, "3"), word
        begins = [other for other in commands for form in forms(other, language) if form.startswith(folded(shown[:4]))]
        if len(shown) > 4 and {*begins} == {name}:
            assert read(shown[:4], commands, Wanted(Want.NUMBER), language) == Command(name)


@IN_EACH
def test_a_session_has_no_english_word_where_another_is_typed(language: str) -> None:
    voice = Voice(plain=True, people={BLACK}, language=language)
    held = Held(GameSession(seats(people=frozenset({BLACK})), resources(language=language)), voice)
    held.type(voice.typed("help"))
    listed = {usage.split()[0] for part in held.said if isinstance(part, WordList) for usage, _ in part.entries}
    assert listed == {voice.typed(name) for name in WORDS}
    for colour in ("black", "white"):
        for line in (f"C3 {voice.typed(colour)}", f"{voice.typed(colour)} C3"):
            assert held.type(line) == voice.text("unclear.colour", example="C3")
    assert voice.typed("hard") in held.type(f"{voice.typed('level')} x")
    assert words.level_name(6, voice) in held.type(f"{voice.typed('level')} {voice.typed('hard')}")
    for n, word in enumerate(sentences.catalogue(language).pgettext("typed.numbers", " ".join(NUMBER_WORDS)).split()):
        assert number(word, language) == n
    held.type(voice.typed("quit"))
    assert held.reply.over
