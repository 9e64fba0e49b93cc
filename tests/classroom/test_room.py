"""A class as values: names, activities, pairs, what the teacher allows, help, results, and going on next week."""

from __future__ import annotations

import codecs
import csv
import errno
import io
import random
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.classroom import child, plan, teacher
from gtp_capture.classroom.activity import Activity
from gtp_capture.classroom.done import COUNTS, best_level, counts, hardest, open_problems
from gtp_capture.classroom.folder import Folder, FolderError
from gtp_capture.classroom.kept import MOST_SEATS
from gtp_capture.classroom.room import BOARD, DIGITS, SHARED, Classroom
from gtp_capture.classroom.seat import (
    A_SECOND,
    AT_ONCE,
    JOINERS,
    LONGEST,
    LONGEST_WAIT,
    PATIENCE,
    PlayedGame,
    Seat,
    free_name,
    name_of,
    same_name,
)
from gtp_capture.classroom.teacher import pairs_of_round
from gtp_capture.go import sgf
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.teach.course import lessons
from gtp_capture.teach.event import RefusedError
from gtp_capture.teach.sentences import languages
from gtp_capture.teach.words import class_words
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.leitner import How
from gtp_capture.util.fields import FieldError
from gtp_capture.web import results, view

from ..support.classroom import (
    GAME,
    answers,
    collection,
    do,
    gone_on,
    joined,
    nearly_win,
    new_room,
    offers,
    said,
    stones,
    teach,
    whole,
    work,
)
from ..teach.test_languages import compiled, sources  # noqa: F401 - fixtures
from ..teach.test_words import FOREIGN, escaped_sentences, foreign, template  # noqa: F401 - fixtures

CAPTURE: Final = ("C3", "C4", "A1", "B3", "A2", "D3", "B1", "C2")
"""Moves of a pair on 5x5: White takes the stone at C3."""


def refusal(act: Any, *args: Any, **fields: Any) -> str:
    """Return the key of the sentence with which something is refused."""
    with pytest.raises(RefusedError) as error:
        act(*args, **fields)
    return error.value.refused.reason


def game_of(seat: Seat) -> GameSession:
    assert seat.desk is not None
    assert isinstance(seat.desk.session, GameSession)
    return seat.desk.session


def pair_of(room: Classroom, *names: str) -> tuple[Seat, Seat]:
    """Let two children play with each other; the first one has Black."""
    first, second = joined(room, *names)
    teach(room, pair=[[first.number, second.number]])
    return first, second


DOOR: Final = view.Door("http://127.0.0.1:8765", (), "", is_lan=True)


def play_out(room: Classroom, black: Seat, white: Seat) -> None:
    for n, move in enumerate(CAPTURE):
        do(room, (black, white)[n % 2], point=move)


# --- Seats ---


HARD: Final = (
    "aéÄ1 -'\n\t\u0301\u064b\u094d\u0dca\u200b\u200c\u200d\u200e\u202e\u2066"
    "\ufeff\u00ad\ufe0f\u180eعلഅश👩🏽🔥❤ᠠ名\ud800\ue000"
)
"""Characters whose neighbours matter."""


@given(st.text(max_size=40) | st.text(HARD, max_size=25), st.lists(st.text(max_size=40), max_size=5))
def test_names_are_one_short_line_and_each_is_there_once(text: str, others: list[str]) -> None:
    try:
        name = name_of(text)
    except RefusedError:
        return
    variant = free_name(name, [*others, name])
    assert 0 < len(variant) <= LONGEST
    assert variant.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()
    assert same_name(variant) not in {same_name(other) for other in [*others, name]}
    assert name_of(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "علی\u200cرضا",
        "ශ්\u200dරී",
        "നൂര്\u200d",
        "ക്\u200cഷ",
        "अक्\u200dशय",
        "र\u200d्यास",
        "র\u200d্যাম",
        "ক্\u200cষ",
        "ارسلان\u200cبیگ",
        "ᠠᠷᠢᠭᠤᠨ\u180eᠠ",
        "ប៊\u200cី",
        "👩🏽\u200d🚒",
        "❤\ufe0f\u200d🔥",
        "Zoë",
        "O'Neil-Ünal",
        "葛\U000e0100城",
        "Mia ☺\ufe0f",
        "3\ufe0f\u20e3 Mia",
        "ᠰ\u180bᠢ",
        "山田 太郎",
        "דָּוִד",
    ],
)
def test_a_name_keeps_what_its_script_needs(name: str) -> None:
    assert name_of(name) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("\u202eaiM\u202c", "aiM"),
        ("Mi\u200ba", "Mia"),
        ("Mi\u00ada", "Mia"),
        ("M\u200di\u200ca", "Mia"),
        ("\u200fعلی\u200c", "علی"),
        ("علی\u200c\u200c\u200cرضا", "علی\u200cرضا"),
        ("علی\u2067رضا", "علیرضا"),
        ("名\u200d前", "名前"),
        ("e\u200b\u0301", "é"),
        ("Mia\U000e0041\ufeff", "Mia"),
        ("Mi\u034fa\u3164", "Mia"),
        ("Mia\t\u2028Ole", "Mia Ole"),
        ("👩\u200d", "👩"),
        *(
            (f"Le{mark}na{mark}", "Lena")
            for mark in "\u034f\u3164\u2800\ufe0f\uffa0\ufe00\U000e0100\u180b\u2d7f\U00013441"
        ),
        ("☺\ufe0f\ufe0f", "☺\ufe0f"),
    ],
)
def test_what_hides_or_reverses_text_is_no_part_of_a_name(text: str, name: str) -> None:
    assert name_of(text) == name


@pytest.mark.parametrize(
    "text",
    ["\u3164", "\u2800\u2800", "\uffa0", "\u200d", "\ufe0f", "\u034f", "\u0301", "\u2060 \u00a0", "\u115f\u1160"],
)
def test_a_name_without_ink_is_none(text: str) -> None:
    with pytest.raises(RefusedError):
        name_of(text)


def test_two_names_that_differ_in_a_joiner_alone_look_the_same_and_are_the_same() -> None:
    room = new_room()
    first, second = joined(room, "علی\u200cرضا", "علیرضا")
    assert second.name == "علیرضا 2"
    assert second.claims == first.number
    assert [seat.name for seat in joined(room, "Lena", "Lena\ufe0f", "☺", "☺\ufe0f")] == [
        "Lena",
        "Lena 2",
        "☺",
        "☺\ufe0f 2",
    ]


def test_a_second_child_with_the_same_name_gets_a_number() -> None:
    room = new_room()
    assert [seat.name for seat in joined(room, "Mia", "mia", "Mia", "M" * LONGEST, "M" * LONGEST)] == [
        "Mia",
        "mia 2",
        "Mia 3",
        "M" * LONGEST,
        "M" * (LONGEST - 2) + " 2",
    ]


def test_a_device_has_one_seat() -> None:
    room = new_room()
    first, again = room.join(room.word, "Mia", "one"), room.join("wrong", "Eve", "one")
    assert first is again
    assert [*room.seats] == [1]


def test_a_name_that_is_taken_is_asked_about_and_the_teacher_gives_the_seat_back() -> None:
    room = new_room()
    old, mia = "old device", room.join(room.word, "Mia", "old device")
    room.present(mia, True)
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    moves = view.child(room, mia)["board"]
    second = room.join(room.word, "mia", "another device")
    room.present(mia, False)
    room.present(second, True)
    shown = view.child(room, second)
    assert (second.name, shown["choices"], shown["board"]) == ("mia 2", [], None)
    assert shown["question"] is not None
    assert shown["question"]["text"] == "There is Mia in this class already. Are you Mia?"
    assert (
        refusal(do, room, second, choose="play") == refusal(teach, room, claim=[second.number, True]) == "class.not_now"
    )
    assert view.teacher(room, DOOR)["claims"] == []
    shown = do(room, second, answer=True)
    assert (shown["screen"], room.seat_of(old)) == ("waiting", mia)
    asked = view.teacher(room, DOOR)["claims"]
    assert asked == [{"seat": second.number, "text": "A child at a new device says: I am Mia. Is that so?"}]
    teach(room, claim=[second.number, True])
    assert (room.seat_of("another device"), room.seat_of(old), [*room.seats]) == (mia, None, [mia.number])
    assert view.child(room, mia)["board"] == moves


@pytest.mark.parametrize("says_no", ["the child", "the teacher", "home", "a removed seat"])
def test_a_child_that_is_another_one_keeps_its_new_seat(says_no: str) -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "problems", "theme": ""})
    second = room.join(room.word, "Mia", "another device")
    if says_no in ("the teacher", "home"):
        assert do(room, second, answer=True)["screen"] == "waiting"
    if says_no == "the teacher":
        teach(room, claim=[second.number, False])
    elif says_no == "a removed seat":
        teach(room, remove=[mia.number])
    else:
        do(room, second, **({"home": True} if says_no == "home" else {"answer": False}))
    work(room)
    assert (second.name, second.claims, room.seat_of("another device")) == ("Mia 2", None, second)
    assert view.child(room, second)["title"].startswith("Problem "), "what is set for all begins"


def test_several_children_share_a_tablet() -> None:
    room = new_room()
    mia = room.join(room.word, "Mia", "tablet")
    assert do(room, mia, choose="leave")["screen"] == "home"
    assert room.seat_of("tablet") is None
    ole = room.join(room.word, "Ole", "tablet")
    assert room.seat_of("tablet") is ole
    do(room, ole, choose="leave")
    last = room.join(room.word, "mia", "tablet")
    assert last is room.seat_of("tablet") is mia, "her own device asks nobody"
    for n in range(2, SHARED):
        do(room, last, choose="leave")
        last = room.join(room.word, f"child {n}", "tablet")
    do(room, last, choose="leave")
    assert refusal(room.join, room.word, "one more", "tablet") == "class.full"


def test_seats_that_nobody_uses_make_room_for_a_child() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    do(room, ole, hand=True)
    room.present(ole, False)
    for n in range(MOST_SEATS - 2):
        room.join(room.word, "x", f"made up {n}")
    ida = room.join(room.word, "Ida", "tablet")
    assert (len(room.seats), room.seat_of("tablet")) == (MOST_SEATS, ida)
    assert {mia.number, ole.number} <= {*room.seats}


def test_no_empty_key_has_a_seat() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    mia.key_hash = ""
    assert room.seat_of("") is None


def test_a_class_has_more_than_100000_words_in_each_language_and_a_new_one_each_day() -> None:
    for language in languages():
        assert len({*class_words(language)}) * 10**DIGITS >= 100_000
    room = new_room()
    words = set()
    for day in ("2026-11-28", "2026-11-29", "2026-11-30"):
        room.choose_word(day)
        before = room.word
        room = gone_on(room)
        room.dice.seed(day)
        room.choose_word(day)
        assert room.word == before, "the class goes on after a crash"
        words.add(before)
    assert len(words) == 3


def test_a_hand_is_as_fast_as_it_likes_and_2100_actions_at_once_are_refused() -> None:
    seat = Seat(1, "Mia")
    assert [seat.reserve(now / 8, 1) for now in range(2100)] == [0.0] * 2100
    fast, waits, refused = Seat(2, "Eve"), list[float](), 0
    for n in range(2100):
        try:
            waits.append(fast.reserve(n * 6 / 2100, 1))
        except RefusedError:
            refused += 1
    assert len(waits) <= (6 + AT_ONCE + LONGEST_WAIT) * A_SECOND + 1
    assert len(waits) + refused == 2100
    assert fast.reserve(600.0, 1) == 0.0, "later the child goes on"
    games = Seat(4, "Eve")
    assert [games.reserve(0.0, child.cost({"word": "new"})) > 0 for _ in range(5)] == [False] * 4 + [True]


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("TIGER 4711", " tiger 4711 "),
        ("TIGER 0711", "tiger0711"),
        ("TIGER 0711", "T I G E R 07 11"),
        ("BÄR 4711", "ｂäｒ \uff14\uff17\uff11\uff11"),
        ("うさぎ 4711", "ウサギ\u3000\uff14\uff17\uff11\uff11"),
        ("ウサギ 4711", "うさぎ4711"),
        ("TIGER 4711", "tiger \u0664\u0667\u0661\u0661"),
    ],
)
def test_the_word_of_a_class_may_be_typed_in_another_case_or_script(word: str, typed: str) -> None:
    room = new_room()
    room.word = word
    assert room.join(typed, "Mia", "a").name == "Mia"


def test_a_class_refuses_a_wrong_word_a_bad_name_and_all_when_it_is_closed() -> None:
    room = new_room()
    assert refusal(room.join, "WRONG", "Mia", "a") == "class.wrong_word"
    assert refusal(room.join, room.word, " \u202e\x07 ", "b") == "class.name"
    teach(room, open=False)
    assert refusal(room.join, room.word, "Mia", "c") == "class.closed"
    teach(room, open=True)
    (mia,) = joined(room, "Mia")
    teach(room, end=True)
    assert refusal(room.join, room.word, "Ole", "d") == "class.closed"
    assert refusal(do, room, mia, home=True) == "class.ended"
    assert view.child(room, mia)["screen"] == "closed"


def test_the_teacher_renames_and_removes_seats() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    teach(room, rename=[mia.number, "Ole"])
    assert mia.name == "Ole 2"
    assert game_of(mia).setup.names == ("Ole 2", "Ole")
    do(room, mia, point="C3")
    teach(room, remove=[mia.number])
    assert [*room.seats] == [ole.number]
    assert (ole.desk, ole.at_home, ole.left) == (None, True, "Ole 2")
    assert refusal(teach, room, rename=[9, "Mia"]) == "class.no_seat"


# --- Activities ---


def test_an_activity_begins_for_those_chosen_and_for_those_who_come_later() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    teach(room, activity={"seats": [mia.number], "kind": "lesson", "lesson": 3, "page": 2})
    assert view.child(room, mia)["title"] == "Lesson 3, page 2 of 5"
    assert view.child(room, ole)["screen"] == "home"
    teach(room, activity={"seats": "all", "kind": "problems", "theme": "ladder"})
    (ida,) = joined(room, "Ida")
    work(room)
    ladders = [number for number, problem in enumerate(collection(), 1) if problem.theme == "ladder"]
    title = f"Problem {ladders[0]} (1 of {len(ladders)})"
    assert [view.child(room, seat)["title"] for seat in (mia, ole, ida)] == [title] * 3
    home = do(room, ida, home=True)
    assert [choice["do"] for choice in home["choices"]] == [{"choose": "continue"}, {"choose": "leave"}]
    assert do(room, ida, choose="continue")["screen"] == "session"


@pytest.mark.parametrize("game", [GAME, Activity("game", rules="capture-4", size=4, level="3")])
def test_the_teacher_may_set_the_games_that_the_class_began_with(game: Activity) -> None:
    shown = view.teacher(new_room(game), DOOR)
    offered = shown["activities"]
    assert shown["set"]["size"] in offered["sizes"]
    assert shown["set"]["rules"] in [rule["key"] for rule in offered["rules"]]
    assert shown["set"]["level"] in [level["key"] for level in offered["levels"]]


def test_a_lesson_can_begin_with_a_problem() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 8})
    assert view.child(room, mia)["title"] == "Lesson 1, problem 2 of 13"


@pytest.mark.parametrize(
    "action",
    [
        {},
        {"activity": {}},
        {"activity": {"seats": "all", "kind": "war"}},
        {"activity": {"seats": "all", "kind": "lesson", "lesson": 99}},
        {"activity": {"seats": "all", "kind": "lesson", "lesson": "x"}},
        {"activity": {"seats": "all", "kind": "game", "size": 99}},
        {"activity": {"seats": "all", "kind": "game", "rules": "chess"}},
        {"activity": {"seats": "all", "kind": "game", "level": "god"}},
        {"activity": {"seats": ["1"], "kind": "free"}},
        {"pair": [[1]]},
        {"pair": 7},
        {"allow": {"cheating": True}},
        {"show": 1.5},
        {"rename": 1},
        {"remove": "1"},
        {"pause": True, "end": True},
        {"eval": "1"},
    ],
)
def test_actions_of_the_teacher_that_make_no_sense_change_nothing(action: dict[str, Any]) -> None:
    room = new_room()
    joined(room, "Mia")
    before = room.state()
    with pytest.raises((ValueError, TypeError, KeyError)):
        teacher.teach(room, action, "bad")
    assert room.state() == before


def test_problems_begin_with_one_move_that_takes_and_go_on_with_the_first_that_is_not_solved() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="problems")
    problem = next(iter(room.sessions.problems("").values()))
    assert (problem.theme, len(problem.line)) == ("capture", 1)
    shown = do(room, mia, point=problem.start.game().vertex(problem.line[0]))
    assert any("solved" in text for text in said(shown))
    do(room, mia, home=True)
    assert do(room, mia, choose="problems")["title"].endswith(" (2 of 96)")


def test_a_lesson_comes_back_to_the_open_problem_and_what_was_solved_stays_solved() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    quizzes = lessons.lesson(1).exercises
    do(room, mia, choose="lesson-1")
    do(room, mia, **{"continue": True})
    (point,) = quizzes[0].task.points  # type: ignore[union-attr]
    assert mia.desk is not None
    do(room, mia, point=mia.desk.session.game.vertex(point))
    do(room, mia, **{"continue": True})
    do(room, mia, **{"continue": True})
    shown = do(room, mia, number=9)
    assert shown["said"] == [{"text": "Not yet. Look again.", "tone": "wrong"}]
    again = do(room, mia, number=9)
    assert (again["said"], again["told"] > shown["told"]) == (shown["said"], True)
    do(room, mia, home=True)
    do(room, mia, choose="problems")
    (step, *_) = do(room, mia, home=True)["path"]
    shown = do(room, mia, **step["do"])  # the first round of the path
    assert shown["title"] == "Lesson 1, problem 2 of 13"
    do(room, mia, number=3)
    for _ in range(2):
        shown = do(room, mia, word="hint")
    assert said(shown)[0] == "The answer is 4 or 5."
    do(room, mia, number=5)
    do(room, mia, word="back")
    shown = do(room, mia, word="back")
    assert (shown["title"], said(shown)) == ("Lesson 1, problem 1 of 13", ["This problem is solved. Tap Next."])
    assert not shown["board"]["live"]
    assert "Leave out" not in [button["label"] for button in shown["buttons"]]
    do(room, mia, **{"continue": True})
    shown = do(room, mia, **{"continue": True})
    assert shown["title"] == "Lesson 1, problem 2 of 13"
    assert mia.progress.boxes.cards["1.1"].box == 0, "it was not left out"


def test_a_hint_is_marked_on_the_board_until_the_next_move_and_for_one_child_alone() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    before = do(room, mia, point="C3")["board"]
    do(room, ole, word="hint")
    seen: Any = view.child(room, ole)
    marked = [point["label"] for point in seen["board"]["points"] if "hint" in point["label"]]
    assert len(marked) == 1
    assert marked[0].endswith(": empty, the hint")
    assert seen["board"]["points"][12]["label"] == "C3: black, the last move"
    assert view.child(room, mia)["board"] == before
    shown = do(room, ole, point="A1")
    assert not any("hint" in point["label"] for point in shown["board"]["points"])
    do(room, mia, home=True)
    do(room, mia, choose="problems")
    do(room, mia, word="hint")
    shown = do(room, mia, word="hint")
    (marked,) = [point["label"] for point in shown["board"]["points"] if "hint" in point["label"]]
    clues = [f"Look at the stone at {marked[:2]}.", "A chain of Black is in atari. Find its last liberty."]
    assert said(shown) == clues, "the earlier hint stays below"
    for _ in range(5):
        shown = do(room, mia, word="hint")
    assert said(shown)[0] == "There are no more hints. You can look at the solution."
    assert said(shown)[-2:] == clues
    assert len({*said(shown)}) == len(said(shown))


# --- Languages ---


def texts(shown: Any) -> Iterator[str]:
    """Yield all that is written in a view, but names."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, dict):
        left_out = {"do", "svg", "lines", "vertex", "stone", "icon", "tone", "screen", "state", "class"}
        left_out |= {"language", "languages", "name"}
        yield from (text for key, value in shown.items() if key not in left_out for text in texts(value))
    elif isinstance(shown, list):
        yield from (text for value in shown for text in texts(value))


def in_english(shown: Any) -> set[str]:
    return set().union(*map(escaped_sentences, texts(shown))) - {"Mia", "Ole"}


@pytest.mark.usefixtures("foreign")
def test_what_the_teacher_has_set_goes_on_next_week() -> None:
    room = new_room()
    joined(room, "Mia")
    for action in ({"allow": {"undo": False}}, {"language": FOREIGN.language}):
        teach(room, **action)
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 2})
    later = gone_on(room)
    assert later.allowed == {"hints": True, "undo": False, "sound": False}
    assert (later.language, later.activity) == (FOREIGN.language, Activity("lesson", lesson=2))


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
def test_each_seat_has_a_language_which_it_changes_at_home() -> None:
    room, there = new_room(), FOREIGN.language
    mia, ole = (room.join(room.word, name, name, language) for name, language in (("Mia", there), ("Ole", "")))
    for seat in (mia, ole):
        room.present(seat, True)
    assert [option["key"] for option in view.child(room, mia)["languages"]] == ["en", there]
    for choice in [choice["do"] for choice in view.child(room, mia)["choices"] if choice["do"]["choose"] != "with-2"]:
        assert in_english(do(room, mia, **choice)) == set(), choice
        assert in_english(do(room, mia, home=True)) == set()
    english = do(room, ole, choose="lesson-1")
    do(room, ole, **{"continue": True})
    assert refusal(do, room, ole, language=there) == "class.not_now", "only at home"
    do(room, ole, home=True)
    do(room, ole, language=there)
    shown = do(room, ole, choose="continue")
    assert in_english(shown) == set()
    assert shown["title"] != english["title"]
    assert shown["board"] is not None
    do(room, ole, home=True)
    do(room, ole, language="en")
    assert do(room, ole, choose="continue")["title"] == "Lesson 1, problem 1 of 13"
    assert gone_on(room).seats[mia.number].language == there


@pytest.mark.usefixtures("foreign")
def test_each_child_of_a_pair_reads_its_own_language_and_the_teacher_that_of_the_class() -> None:
    room, there = new_room(), FOREIGN.language
    mia, ole = (room.join(room.word, name, name, there) for name in ("Mia", "Ole"))
    teach(room, pair=[[1, 2]])
    assert in_english(view.child(room, mia)) == set()
    assert view.of_seat(room, mia)["doing"] == "5x5, Ole"
    do(room, ole, home=True)
    do(room, ole, language="en")
    teach(room, pair=[[1, 2]])
    do(room, mia, point="C3")
    assert "White has played C3." not in said(view.child(room, ole))
    assert "Black has played C3." in said(view.child(room, ole))
    assert in_english(view.child(room, mia)) == set()
    teach(room, language=there)
    assert in_english({"columns": results.table(room)["columns"], "doing": view.of_seat(room, mia)["doing"]}) == set()
    with pytest.raises(ValueError, match="xx"):
        teach(room, language="xx")


@pytest.mark.usefixtures("compiled")
def test_a_side_that_stands_alone_beside_the_board_has_a_capital() -> None:
    room = new_room()
    teach(room, language="es")
    teach(room, demo={"point": "C3"})
    assert view.child(room, room.teacher)["turn"] == {"stone": "white", "text": "Blancas"}


# --- Pairs ---


def test_the_odd_child_of_random_pairs_plays_against_the_computer() -> None:
    room = new_room()
    seats = joined(room, *"abcde")
    teach(room, pair={"by": "random", "seats": "all"})
    desks = [seat.desk for seat in seats]
    assert sorted(len(desk.seats) for desk in room.desks) == [1, 2, 2]
    assert None not in desks
    absent = joined(room, "f")[0]
    room.present(absent, False)
    teach(room, pair={"by": "level", "seats": "all"})
    assert sorted(len(desk.seats) for desk in room.desks) == [
        1,
        1,
        2,
        2,
    ]  # who comes later begins with what is set for all
    assert view.status(room)["now"] == "Now: Pairs on 5x5 · Whoever takes a stone first wins (5 of 5)"


def test_pairs_by_level_are_of_children_with_near_levels() -> None:
    room = new_room()
    seats = joined(room, *"abcdef")
    for seat, level in zip(seats, (1, 6, 3, 5, 2, 4), strict=True):
        seat.progress.level = level
    teach(room, pair={"by": "level", "seats": "all"})
    levels = sorted(sorted(room.seats[n].progress.level for n in desk.seats) for desk in room.desks)
    assert levels == [[1, 2], [3, 4], [5, 6]]


def test_a_game_of_two_takes_moves_of_the_side_to_move_only_and_the_loser_takes_black_next() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    prompt = "Tap a point to put a stone there."
    assert (prompt in said(view.child(room, mia)), prompt in said(view.child(room, ole))) == (True, False)
    assert refusal(do, room, ole, point="C3") == "class.not_your_turn"
    do(room, mia, point="C3")
    assert stones(view.child(room, ole)) == stones(view.child(room, mia)) == {"C3": "black"}
    assert refusal(do, room, mia, point="D3") == "class.not_your_turn"
    assert refusal(do, room, ole, word="undo") == "lesson.no_undo"
    for agrees in (False, True):
        shown = do(room, mia, word="undo")
        assert shown["waits"] == "I have asked Ole. Wait for the answer."
        assert refusal(do, room, mia, answer=True) == "class.not_now"
        question = view.child(room, ole)["question"]
        assert question is not None
        assert question["text"] == "Mia wants to take the last move back. Is that all right?"
        do(room, ole, answer=agrees)
        assert view.child(room, ole)["question"] is None
        assert stones(view.child(room, ole)) == ({} if agrees else {"C3": "black"})
        told = "You have taken your last move back." if agrees else "Ole does not want that."
        assert said(view.child(room, mia))[0] == told
        assert ("Mia has taken the last move back." in said(view.child(room, ole))) == agrees
    assert view.large(room, mia)["can_ask"]
    play_out(room, mia, ole)
    assert not view.large(room, mia)["can_ask"]
    assert "Game over: you win! You have taken 1 stone." in said(view.child(room, ole))
    assert "Game over: White wins! White has taken 1 stone." in said(view.child(room, mia))
    assert "Your stone at C3 was taken off the board." in said(view.child(room, mia))
    assert (ole.progress.won, mia.progress.won, mia.progress.played) == (1, 0, 1)
    labels = {seat.name: [button["label"] for button in view.child(room, seat)["buttons"]] for seat in (mia, ole)}
    assert {"The same again", "You take Black and put 2 stones first"} <= {*labels["Mia"]}
    assert {"The same again", "Mia takes Black and puts 2 stones first"} <= {*labels["Ole"]}
    do(room, ole, word="new changed")
    assert (game_of(mia).setup.names[BLACK - 1], game_of(mia).setup.turns) == ("Mia", 1), "with one extra turn"
    assert "You have Black now." in said(view.child(room, mia))
    assert "The one who lost has Black now." in said(view.child(room, ole))
    for move, more in (("A1", True), ("A2", False)):
        do(room, mia, point=move)
        assert ("Now put one more black stone." in said(view.child(room, mia))) == more
        assert "Now put one more black stone." not in said(view.child(room, ole))
    assert int(game_of(mia).game.to_move) == WHITE


def test_a_child_that_is_not_in_turn_is_not_asked_for_a_move() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    wish = "Tap a point to put a stone there."
    assert [wish in said(view.child(room, seat)) for seat in (mia, ole)] == [True, False]


def test_of_a_question_that_costs_a_game_the_safe_answer_alone_is_large() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    shown: Any = do(room, mia, word="new")
    assert [answer["main"] for answer in shown["question"]["answers"]] == [False, True]
    shown = do(room, mia, answer=False)
    before = shown["told"]
    shown = do(room, mia, word="undo")
    assert said(shown)[0] == "You have taken your last move back."
    assert shown["told"] > before, "a page shows it as new"


def test_a_hint_in_a_game_of_two_is_for_the_child_that_asks() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    before = said(view.child(room, ole))
    shown = do(room, mia, word="hint")
    assert said(shown) != before
    assert said(view.child(room, ole)) == before


def test_children_ask_each_other_to_play() -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    seen = ida.changed
    room.present(ole, False)
    assert ida.changed > seen, "the list of Ida is out of date"
    assert {"choose": "with-2"} not in choices_of(room, ida)
    room.present(ole, True)
    assert do(room, mia, choose="with-2")["screen"] == "waiting"
    question = view.child(room, ole)["question"]
    assert question is not None
    assert question["text"].startswith("Mia wants")
    do(room, ole, answer=False)
    assert view.child(room, mia)["screen"] == "home"
    assert said(view.child(room, mia)) == ["Ole does not play with you now. Choose something else."]
    assert {"choose": "with-1"} in choices_of(room, ida)
    do(room, ida, choose="with-1")
    do(room, mia, answer=True)
    do(room, mia, home=True)
    assert said(view.child(room, mia)) == [], "it is said once"
    do(room, mia, choose="continue")
    assert game_of(ida) is game_of(mia)
    assert refusal(do, room, ole, choose="with-1") == "class.not_now", "Mia plays already"


def choices_of(room: Classroom, seat: Seat) -> list[dict[str, Any]]:
    return [dict(choice["do"]) for choice in view.child(room, seat)["choices"]]


@pytest.mark.parametrize(
    "ends",
    [
        lambda room, ole, ida: do(room, ole, answer=False),
        lambda room, ole, ida: do(room, ole, choose="play"),
        lambda room, ole, ida: do(room, ole, choose="continue"),
        lambda room, ole, ida: do(room, ole, choose=f"with-{ida.number}") and do(room, ida, answer=True),
        lambda room, ole, ida: teach(room, activity={"seats": [ole.number], "kind": "lesson"}),
        lambda room, ole, ida: teach(room, pair=[[ole.number, ida.number]]),
        lambda room, ole, ida: teach(room, remove=[ole.number]),
        lambda room, ole, ida: teach(room, forget=[ole.number]),
    ],
)
def test_a_child_that_waits_for_another_is_told_when_that_one_does_something_else(ends: Any) -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    do(room, ole, choose="problems")
    do(room, ole, home=True)
    do(room, mia, choose=f"with-{ole.number}")
    room.present(ole, False)
    assert said(view.child(room, mia)) == ["Ole is not here now. Wait, or tap Home."]
    seen = mia.changed
    room.present(ole, True)
    assert mia.changed > seen
    assert said(view.child(room, mia)) == []
    ends(room, ole, ida)
    shown = view.child(room, mia)
    assert (shown["screen"], said(shown)) == ("home", ["Ole does not play with you now. Choose something else."])
    assert shown["n"] > seen


# --- What the teacher allows and sees ---


def test_what_is_withheld_is_refused_and_a_pause_stops_all() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    teach(room, allow={"hints": False, "undo": False})
    assert {refusal(do, room, mia, word=word) for word in ("hint", "undo", "explain")} == {"class.withheld"}
    teach(room, allow={"hints": True, "undo": True})
    teach(room, show="board")
    teach(room, demo={"point": "D4"})
    teach(room, pause=True)
    assert refusal(do, room, mia, word="undo") == "class.paused"
    shown = view.child(room, mia)
    assert shown["screen"] == "paused"
    assert stones(shown) == {"D4": "black"}, "the board of the teacher"
    teach(room, show=mia.number)
    assert stones(view.wall(room, DOOR)) == stones(view.child(room, mia))
    teach(room, pause=False)
    assert not stones(do(room, mia, word="undo"))


def test_help_is_needed_after_three_wrong_answers_two_minutes_or_a_raised_hand() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 10})
    for _ in range(3):
        assert view.of_seat(room, mia)["help"] == ""
        do(room, mia, number=9)
    assert view.of_seat(room, mia)["help"] == "three wrong answers"
    do(room, mia, number=7)
    assert view.of_seat(room, mia)["help"] == ""
    do(room, mia, **{"continue": True})
    room.tick(PATIENCE)
    assert mia.mark == ""
    room.tick(PATIENCE + 1)
    assert view.of_seat(room, mia)["help"] == "no move for two minutes"
    do(room, mia, hand=True)
    assert view.of_seat(room, mia)["help"] == "raised a hand"
    do(room, mia, hand=False)
    assert mia.mark == ""
    for _ in range(3):
        do(room, mia, number=99)
    assert mia.mark == "wrong"
    teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
    teach(room, step=1)  # a round
    assert mia.mark == ""
    do(room, mia, hand=True)
    teach(room, closing=True)
    assert view.of_seat(room, mia)["help"] == ""


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "name",
    ["=1+1", "\uff1d1+1", "\ufe621", "\uff0d1", "\uff20x", "\u22121", "a;=cmd", "a,=cmd", '";=cmd', '",=cmd', "';=1"],
)
def test_no_program_reads_a_formula_whatever_separator_it_expects(name: str, language: str, separator: str) -> None:
    room = new_room(language=language)
    joined(room, name)
    for row in csv.reader(io.StringIO(results.csv_of(room)), delimiter=separator):
        for cell in row:
            assert not unicodedata.normalize("NFKC", cell).startswith(("=", "+", "-", "@", "\u2212"))


def test_results_name_what_each_child_did_and_no_name_is_a_formula() -> None:
    room = new_room()
    mia, ole = pair_of(room, "=SUM(A1)", "Ole")
    play_out(room, mia, ole)
    rows = [*csv.reader(io.StringIO(results.csv_of(room)))]
    assert [row[0] for row in rows] == ["Name", "'=SUM(A1)", "Ole"]
    assert [row[8:10] for row in rows[1:]] == [["1", "0"], ["1", "1"]]
    games = room.records.unwritten()
    assert games == {number: record.sgf for number, record in room.records.games.items()}
    room.records.mark_written(games)
    assert not room.records.unwritten()
    (record,) = room.records.games.values()
    game = sgf.load(record.sgf)
    assert [game.vertex(move.point) for move in game.moves] == [*CAPTURE]
    assert b"PW[Ole]" in record.sgf


@pytest.mark.parametrize("language", languages())
def test_results_are_in_the_columns_of_a_spreadsheet_in_each_language(language: str, tmp_path: Any) -> None:
    room = new_room(language=language)
    joined(room, 'Mia; "M", x')
    folder = Folder(tmp_path)
    folder.write(room.state(), results.csv_of(room))
    folder.close()
    written = (tmp_path / "results.csv").read_bytes()
    decimal = Locale.parse(language).number_symbols["latn"]["decimal"]
    rows = [*csv.reader(io.StringIO(written.decode("utf-8-sig")), delimiter={",": ";", ".": ","}[decimal])]
    shown = results.table(room)
    assert rows[0][: len(shown["columns"])] == shown["columns"]
    assert rows[1][0] == shown["rows"][0][0]
    assert {len(row) for row in rows} == {len(shown["columns"]) + len(COUNTS)}
    assert written.startswith(codecs.BOM_UTF8)


def test_a_game_that_was_left_is_written_too() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    assert not room.records.unwritten(), "it goes on"
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1})
    (left,) = room.records.unwritten().values()
    assert b"PB[Mia]" in left


def test_the_results_of_a_removed_child_are_kept_unless_the_teacher_deletes_them() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    play_out(room, mia, ole)
    teach(room, remove=[mia.number])
    teach(room, forget=[ole.number])
    (again,) = joined(room, "Mia")
    assert again is not mia
    for classroom in (room, gone_on(room)):
        rows = [*csv.reader(io.StringIO(results.csv_of(classroom)))][1:]
        assert [(row[0], row[8]) for row in rows] == [("Mia", "0"), ("Mia (removed)", "1")]
        assert [*classroom.seats] == [again.number]
        assert mia.key_hash not in [seat.key_hash for seat in classroom.seats.values()]


# --- What is offered ---


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_all_that_a_view_offers_can_be_done_and_nothing_else(seed: int) -> None:
    dice, room = random.Random(seed), new_room(seed=seed)
    seats = joined(room, "Mia", "Ole")
    for _ in range(12):
        seat = dice.choice(seats)
        shown = view.child(room, seat)
        refused = [button["do"] for button in shown["buttons"] if button["disabled"]]
        refused += [{"word": "quit"}, {"word": "size", "rest": "25"}, {"point": "Z99"}, {"choose": "lesson-99"}]
        before = room.state()
        for action in dice.sample(refused, min(3, len(refused))):
            with pytest.raises((RefusedError, ValueError)):
                child.act(room, seat, action, room.count, f"bad {room.count}")
        assert room.state() == before
        do(room, seat, **dice.choice(offers(shown, dice)))
    assert [*gone_on(room).seats] == [*room.seats], "each state that a class can have is read again"


def test_after_a_solution_the_answer_can_be_given() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 7})
    shown = do(room, mia, word="solution")
    assert said(shown)[-1] == "Tap the right point."
    assert shown["board"]["live"]


def count(drawing: str, color: str) -> int:
    """Return the number of stones of a colour in a drawing."""
    return drawing.count(f'fill="url(#{color}-stone)')


def test_a_page_shows_the_numbers_of_its_moves_and_plays_them_and_has_nothing_before_the_first() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 5})
    shown: Any = view.child(room, mia)
    board, replay = shown["board"], shown["replay"]
    before, *_, after = (whole(frame["lines"], board) for frame in replay["frames"])
    numbers = whole(replay["numbers"]["lines"], board)
    assert count(before, "white") == count(numbers, "white") > count(after, "white")
    assert count(board["svg"], "white") == count(after, "white"), "the page rests after its moves"
    assert ">1</text>" in board["svg"]
    assert len(replay["frames"][-1]["taken"]) == count(before, "white") - count(after, "white")
    assert not disabled(view.child(room, mia), "Back")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 1})
    assert disabled(view.child(room, mia), "Back")


def disabled(shown: Any, label: str) -> bool:
    (flag,) = (button["disabled"] for button in shown["buttons"] if button["label"] == label)
    return bool(flag)


def test_after_a_game_the_position_that_is_spoken_of_is_shown_large() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    play_out(room, mia, ole)
    shown = do(room, mia, word="review")
    assert shown["replay"] is not None  # the moment that the sentence is about
    assert whole(shown["replay"]["numbers"]["lines"], shown["board"]) == shown["board"]["svg"]
    assert shown["replay"]["labels"] == {}
    assert stones(shown) != stones(view.child(room, ole))


def test_a_game_of_go_is_counted_once() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "game", "rules": "japanese", "size": 5, "level": "1"})

    def pass_out() -> None:
        while game_of(mia).game.outcome is None:
            do(room, mia, word="pass")

    pass_out()
    do(room, mia, word="undo")
    pass_out()
    do(room, mia, home=True)
    for language in ("de", "en"):
        do(room, mia, language=language)
    room = gone_on(room)
    work(room)
    room = gone_on(room)
    work(room)
    assert len(room.records.games) == 1
    assert room.seats[1].progress.played == 1


# --- Whom an action of the teacher concerns ---


def test_pairs_of_chosen_children_leave_the_others_alone() -> None:
    room = new_room()
    mia, _ = pair_of(room, "Mia", "Ole")
    ida, kim, _ = joined(room, "Ida", "Kim", "Ben")
    desk = mia.desk
    for by in ("random", "level"):
        teach(room, pair={"by": by, "seats": [ida.number, kim.number]})
        assert mia.desk is desk
        assert ida.desk is kim.desk is not None
        assert len(room.desks) == 2
    with pytest.raises(ValueError, match="name"):
        teach(room, pair={"by": "name", "seats": "all"})


def test_a_game_for_some_children_is_theirs_alone() -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    teach(room, activity={"seats": [mia.number, ole.number], "kind": "game", "rules": "capture-3", "size": 7})
    do(room, ida, choose="play")
    assert game_of(ida).game.size == (5, 5)
    teach(room, pair=[[mia.number, ole.number]])
    assert (game_of(mia).game.size, str(game_of(mia).game.rules)) == ((7, 7), "capture-3")
    teach(room, pair=[[mia.number, ida.number]])
    assert game_of(ida).game.size == (5, 5)


def test_after_the_end_nothing_begins() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, end=True)
    assert refusal(teach, room, activity={"seats": "all", "kind": "game"}) == "class.ended"
    assert refusal(teach, room, pair={"by": "random", "seats": "all"}) == "class.ended"
    assert mia.desk is None


def test_a_new_child_does_not_follow_a_removed_one() -> None:
    room = new_room()
    mia, emil = joined(room, "Mia", "Emil")
    do(room, mia, choose=f"with-{emil.number}")
    teach(room, remove=[emil.number])
    (fritz,) = joined(room, "Fritz")
    assert fritz.number > emil.number
    assert view.child(room, fritz)["question"] is None
    assert view.child(room, mia)["screen"] == "home"
    teach(room, remove=[fritz.number])
    assert joined(gone_on(room), "Ida")[0].number > fritz.number


def test_a_child_is_told_where_the_other_one_of_its_pair_is() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    assert view.child(room, ole)["waits"] == "Mia is thinking ..."
    before = view.child(room, ole)["n"]
    room.present(mia, False)
    assert view.child(room, ole)["waits"] == "Mia is not here now. Wait, or tap Home."
    assert view.child(room, ole)["n"] > before
    do(room, mia, home=True)
    room.present(mia, True)
    before = view.child(room, ole)["n"]
    assert view.child(room, ole)["waits"] == "Mia has left the board. Wait, or tap Home."
    do(room, mia, choose="continue")
    assert view.child(room, ole)["waits"] == "Mia is thinking ..."
    assert view.child(room, mia)["waits"] == ""
    do(room, ole, home=True)
    assert view.child(room, mia)["waits"] == "Ole has left the board. Wait, or tap Home."
    assert answers(view.child(room, mia))
    do(room, ole, choose="continue")
    do(room, mia, home=True)
    assert view.child(room, ole)["waits"] == "Mia has left the board. Wait, or tap Home."
    assert view.child(room, ole)["n"] > before
    do(room, mia, choose="problems")
    assert said(view.child(room, ole))[0] == "Mia has gone. What do you want to do now?"
    assert view.child(room, ole)["screen"] == "home"
    do(room, ole, choose="play")
    assert not any("has gone" in text for text in said(do(room, ole, home=True)))


@pytest.mark.parametrize("mode", ["home", "away"])
def test_a_child_whose_partner_has_left_the_board_can_begin_what_the_teacher_has_set(mode: str) -> None:
    room = new_room()
    teach(room, activity={"seats": "all", "kind": "game", "size": 7})
    mia, ole = pair_of(room, "Mia", "Ole")
    do(room, ole, home=True)
    leave = {"choose": "leave"}
    assert choices_of(room, ole) == [{"choose": "continue"}, leave], "Mia waits at the board"
    if mode == "home":
        do(room, mia, home=True)
    else:
        room.present(mia, False)
    assert choices_of(room, ole) == [{"choose": "continue"}, {"choose": "start"}, leave]
    do(room, ole, choose="start")
    assert game_of(ole).setup.people == {BLACK}
    assert mia.at_home, "nothing begins for a child that is asked"
    assert choices_of(room, mia) == [{"choose": "start"}, leave]


def test_what_is_said_to_a_child_is_not_said_to_all() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    do(room, mia, choose="play")
    assert do(room, mia, word="hint")["said"]
    teach(room, show=mia.number)
    teach(room, pause=True)
    for shown in (view.child(room, ole), view.wall(room, DOOR)):
        assert said(shown) == ["This is the board of Mia."]
        assert not any("the hint" in point["label"] for point in points_of(shown))


def test_only_the_child_that_asks_sees_that_its_answer_is_searched() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    child.act(room, mia, {"word": "hint"}, view.child(room, mia)["n"], "hint")
    assert view.child(room, mia)["busy"]
    assert not view.child(room, ole)["busy"]


def test_the_level_of_the_large_view_is_that_of_the_game() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "game", "level": "8"})
    assert view.large(room, mia)["level"] == "8"
    do(room, mia, home=True)
    assert view.large(room, mia)["level"] == "1"


# --- What the teacher sees and does ---


def points_of(shown: Any) -> list[dict[str, Any]]:
    """Return the points of the board of a view."""
    points: list[dict[str, Any]] = shown["board"]["points"]
    return points


def test_what_is_set_is_said_and_who_does_something_beside_it() -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    assert view.status(room)["now"] == "Now: Free choice"
    assert not any(view.of_seat(room, seat)["beside"] for seat in (mia, ole, ida))
    for fields, now in (
        (
            {"kind": "game", "size": 7, "rules": "capture-3", "level": "3"},
            "Game on 7x7 · Whoever takes 3 stones first wins · Level 3: ",
        ),
        ({"kind": "lesson", "lesson": 2, "page": 3}, "Lesson 2, page 3"),
        ({"kind": "lesson", "lesson": 2, "page": 8}, "Lesson 2, problem 2"),
        ({"kind": "problems", "theme": "ladder"}, "Problems · "),
    ):
        teach(room, activity={"seats": "all", **fields})
        teach(room, activity={"seats": [ida.number], "kind": "game", "size": 9})
        do(room, ole, home=True)
        status = view.status(room)["now"]
        assert status.startswith(f"Now: {now}")
        assert status.endswith(" (1 of 3)")
        assert [view.of_seat(room, seat)["beside"] for seat in (mia, ole, ida)] == [False, True, True]
    assert view.teacher(room, DOOR)["set"]["theme"] == "ladder"


def test_pairs_have_rules_and_a_size() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    teach(room, pair={"by": "level", "seats": "all", "rules": "capture-3", "size": 7})
    assert (game_of(mia).game.size, str(game_of(mia).game.rules)) == ((7, 7), "capture-3")
    teach(room, pair={"by": [[ole.number, mia.number]], "seats": [], "rules": "capture-2", "size": 6})
    assert (game_of(mia).game.size, str(game_of(mia).game.rules)) == ((6, 6), "capture-2")
    assert view.of_seat(room, mia)["beside"]
    for wrong in ({"by": "level", "seats": "all", "size": 99}, {"by": "level", "seats": "all", "rules": "x"}):
        with pytest.raises(ValueError, match=r".+"):
            teach(room, pair=wrong)


def test_a_mark_is_lowered() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    do(room, mia, hand=True)
    do(room, ole, choose="problems")
    ole.wrong = 3
    assert view.status(room)["help"] == "2 need help"
    teach(room, lower=mia.number)
    assert view.status(room)["help"] == "1 needs help"
    assert not view.child(room, mia)["hand"]
    room.tick(0.0)
    room.tick(200.0)
    teach(room, lower=ole.number)
    room.tick(300.0)
    assert view.status(room)["help"] == ""
    room.tick(321.0)
    assert view.of_seat(room, ole)["help"] == "no move for two minutes"


def test_the_large_view_has_what_the_child_reads_and_its_last_answers() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="lesson-1")
    shown = do(room, mia, home=True)
    assert view.large(room, mia)["board"] is None
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 2, "page": 7})
    free = [point["vertex"] for point in points_of(view.child(room, mia)) if not point["stone"]]
    for vertex in (free[0], free[-1]):
        shown = do(room, mia, point=vertex)
    large = view.large(room, mia)
    assert (large["task"], large["said"]) == (shown["task"], shown["said"])
    assert [given["text"] for given in large["answers"]] == [
        f"Lesson 2, problem 1: {at}, wrong" for at in (free[-1], free[0])
    ]
    teach(room, activity={"seats": "all", "kind": "game"})
    do(room, mia, point="C3")
    assert view.large(room, mia)["answers"][-1]["text"] == "Move 1: Black C3"


def test_a_ring_of_the_teacher_is_on_the_board_of_one_child_until_the_board_changes() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    teach(room, ring=[mia.number, "c3"])
    assert said(view.child(room, mia))[0] == "Your teacher shows you C3. Look there."
    assert "C3: empty, the hint" in [point["label"] for point in points_of(view.child(room, mia))]
    assert "C3" not in "".join(said(view.child(room, ole)))
    teach(room, ring=[mia.number, "C3"])
    assert "C3" not in "".join(said(view.child(room, mia)))
    teach(room, ring=[mia.number, "B2"])
    do(room, mia, point="C3")
    assert "B2" not in "".join(said(view.child(room, mia)))
    for wrong in ("pass", "J9", ""):
        with pytest.raises(ValueError, match=r".+"):
            teach(room, ring=[mia.number, wrong])
    do(room, mia, home=True)
    assert refusal(teach, room, ring=[mia.number, "B2"]) == "class.not_now"


def test_the_teacher_gives_a_hint_where_hints_are_off_too() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    assert refusal(teach, room, hint=mia.number) == "class.not_now"
    teach(room, allow={"hints": False})
    do(room, mia, choose="play")
    teach(room, hint=mia.number)
    assert any("the hint" in point["label"] for point in points_of(view.child(room, mia)))
    do(room, mia, home=True)
    assert refusal(teach, room, hint=mia.number) == "class.not_now"


def test_a_list_of_names_lets_in_these_children_and_others_if_the_teacher_allows_it() -> None:
    room = new_room()
    teach(room, names={"list": ["  Mia ", "", "Ole", "mia"], "free": False})
    assert room.names == ("Mia", "Ole", "mia 2")
    assert view.stranger(room, "en")["by_list"]
    assert refusal(room.join, room.word, "Ida", "a") == "class.name.list"
    assert room.join(room.word, "ole", "b").name == "ole"
    assert refusal(room.check_word, "wrong") == "class.wrong_word"
    assert refusal(teach, room, names={"list": ["x" * 21], "free": True}) == "class.name"
    assert refusal(teach, room, names={"list": [*map(str, range(61))], "free": True}) == "class.full"
    assert gone_on(room).names == room.names
    teach(room, names={"list": ["Mia"], "free": True})
    assert room.join(room.word, "Ida", "a").name == "Ida"
    assert gone_on(room).free_names
    teach(room, names={"list": [], "free": False})
    assert room.join(room.word, "Ben", "c").name == "Ben"


def test_several_children_are_removed_at_once() -> None:
    room = new_room()
    mia, ole, ida, ben = joined(room, "Mia", "Ole", "Ida", "Ben")
    assert refusal(teach, room, remove=[mia.number, 99]) == "class.no_seat"
    teach(room, remove=[mia.number, ole.number])
    teach(room, forget=[ida.number])
    assert [*room.seats.values()] == [ben]
    assert room.removed == [mia, ole]


def test_a_round_pairs_children_of_near_levels_who_have_not_met_and_each_is_alone_in_turn() -> None:
    room = new_room()
    seats = joined(room, *"abcdefg")
    for level, seat in enumerate(seats, 1):
        seat.progress.level = level
    met, alone = set[tuple[int, ...]](), list[int]()
    for _ in range(5):
        teach(room, pair={"by": "round", "seats": "all", "rules": "capture-2", "size": 6})
        pairs = [pair for pair in room.round if pair[0] != pair[1]]
        alone += [first for first, second in room.round if first == second]
        assert len(pairs) == 3
        assert not met & {tuple(sorted(pair)) for pair in pairs}
        met |= {tuple(sorted(pair)) for pair in pairs}
        assert sorted(len(desk.seats) for desk in room.desks) == [1, 2, 2, 2]
    assert len({*alone}) == 5
    assert gone_on(room).met == room.met
    teach(room, activity={"seats": "all", "kind": "free"})
    assert view.wall(room, DOOR)["pairs"] == []
    room.choose_word("tomorrow")
    assert room.met == set()


def test_a_round_is_possible_where_all_have_met() -> None:
    levels = {1: 1, 2: 2, 3: 3, 4: 4}
    assert pairs_of_round(levels, {(1, 2)}) == ([(1, 3), (2, 4)], None)
    assert pairs_of_round(levels, {(1, 2), (1, 3)}) == ([(1, 4), (2, 3)], None)
    assert pairs_of_round(levels, {(1, 2), (1, 3), (1, 4)}) == ([(1, 2), (3, 4)], None)
    assert pairs_of_round({1: 1}, {(1, 1)}) == ([], 1)
    assert pairs_of_round({}, set()) == ([], None)
    many = dict.fromkeys(range(30), 1)
    assert len(pairs_of_round(many, {(a, b) for a in range(30) for b in range(a, 29)})[0]) == 15


def test_the_wall_shows_who_plays_whom_and_then_stars() -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    teach(room, pair={"by": "round", "seats": "all"})
    shown = view.wall(room, DOOR)["pairs"]
    assert sorted(len(pair["children"]) for pair in shown) == [1, 2]
    assert [pair["alone"] for pair in shown if len(pair["children"]) == 1] == ["plays against the computer"]
    first, second = (room.seats[number] for number in room.round[0])
    black, white = (first, second) if view.child(room, first)["turn"] else (second, first)
    for n, vertex in enumerate(CAPTURE):
        do(room, (black, white)[n % 2], point=vertex)
    stars = {child["name"]: child["stars"] for pair in view.wall(room, DOOR)["pairs"] for child in pair["children"]}
    assert stars == {seat.name: int(seat is white) for seat in (mia, ole, ida)}
    assert room.taken == 1


def test_the_wall_shows_who_plays_whom_when_pairs_change_and_a_child_comes_back() -> None:
    room = new_room()
    seats = {seat.name: seat for seat in joined(room, *"abcdef")}
    for name in "cdef":
        room.present(seats[name], False)
    teach(room, activity={"seats": "all", "kind": "problems"})
    room.present(seats["c"], True)
    room.present(seats["d"], True)
    teach(room, pair={"by": "round", "seats": "all"})

    def shown() -> list[str]:
        pairs = view.wall(room, DOOR)["pairs"]
        return sorted("".join(sorted(child["name"] for child in pair["children"])) for pair in pairs)

    (first, second), (third, fourth) = ((room.seats[n].name for n in pair) for pair in room.round)
    both = sorted("".join(sorted(pair)) for pair in (first + second, third + fourth))
    assert shown() == both
    room.present(seats["e"], True)
    room.present(seats["f"], True)
    assert shown() == sorted([*both, "e", "f"])
    assert all(map(room.follows, (seats["e"], seats["f"])))
    teach(room, pair={"by": [[seats["e"].number, seats["f"].number]], "seats": []})
    assert shown() == sorted([*both, "ef"])
    teach(room, activity={"seats": [seats[first].number], "kind": "lesson", "lesson": 1})
    assert shown() == sorted(["".join(sorted(third + fourth)), "ef"])
    do(room, seats[second], choose="start")
    assert second in shown()


def test_a_question_to_all_counts_one_point_of_each_child_and_changes_no_board() -> None:
    room = new_room()
    mia, ole, ida = joined(room, "Mia", "Ole", "Ida")
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    before, stale = view.child(room, mia)["board"], room.count
    for nothing in ("board", ole.number):
        assert refusal(teach, room, ask=nothing) == "class.not_now"
    assert refusal(teach, room, reveal=True) == "class.not_now"
    teach(room, ask=mia.number)
    child.act(room, ole, {"point": "A1"}, stale, "a tap on the board before")
    assert room.question is not None
    assert room.question.answers == {}
    assert refusal(do, room, ole, point="C3") == "illegal.occupied"
    for other in ({"home": True}, {"choose": "play"}, {"word": "undo"}):
        assert refusal(do, room, mia, **other) == "class.paused"
    for seat, vertex in ((mia, "A1"), (ole, "A1"), (mia, "B1"), (ida, "B1")):
        shown = do(room, seat, point=vertex)
        assert (shown["screen"], said(shown)) == (
            "question",
            [f"You say {vertex}. You can still tap another point."],
        )
    assert view.status(room)["now"] == "Now: 3 of 3 have answered"
    assert said(view.wall(room, DOOR)) == ["3 of 3 have answered"]
    teach(room, forget=[ida.number])
    teach(room, reveal=True)
    assert refusal(do, room, ole, point="E5") == "class.not_now"
    for shown in (view.wall(room, DOOR), view.child(room, ole)):
        assert said(shown) == ["1 of 2 would play A1.", "1 of 2 would play B1."]
    teach(room, ask=None)
    assert view.child(room, mia)["board"] == before
    assert view.child(room, ole)["screen"] == "home"


def test_a_question_of_a_lesson_may_want_a_point_and_no_move() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    number, place = next(
        (lesson, n)
        for lesson in lessons.numbers()
        for n, exercise in enumerate(lessons.lesson(lesson).exercises, 1)
        if isinstance(exercise.task, lessons.Quiz) and exercise.task.count is None
    )
    page = len(lessons.lesson(number).pages) + place
    teach(room, activity={"kind": "lesson", "lesson": number, "page": page, "seats": "all"})
    teach(room, ask=mia.number)
    occupied = next(iter(stones(view.child(room, mia)) or {"A1": ""}))
    assert do(room, mia, point=occupied)["title"] == "A question to all"
    teach(room, reveal=True)
    assert said(view.wall(room, DOOR)) == [f"1 of 1 says {occupied}."]


def test_the_teacher_goes_through_a_solution_until_her_board_changes() -> None:
    room = new_room()
    teach(room, demo={"choose": "problems"})
    teach(room, show="board")
    teach(room, demo={"word": "solution"})
    for frame, at in ((1, 1), (0, 0), (99, -1), (None, None)):
        teach(room, frame=frame)
        for shown in (view.wall(room, DOOR), view.child(room, room.teacher)):
            replay = shown["replay"]
            assert replay is not None
            assert replay["at"] == (len(replay["frames"]) - 1 if at == -1 else at)
    teach(room, frame=1)
    teach(room, demo={"word": "next"})
    assert room.frame is None


def test_each_step_of_each_plan_of_the_course_sets_what_it_says() -> None:
    room = new_room()
    children = joined(room, "Mia", "Ole", "Ida")
    for number in lessons.numbers():
        for part, steps in enumerate(plan.of_course(number), 1):
            teach(room, plan={"steps": [], "at": None, "course": [number, part]})
            assert room.plan.steps == steps
            for at, step in enumerate(steps):
                teach(room, step=at)
                status, screens = view.status(room), {view.child(room, seat)["screen"] for seat in children}
                wanted = {"explain": "paused", "look": "question", "closing": "waiting"}.get(step.kind, "session")
                assert screens == {wanted}, (number, part, step)
                assert status["step"] == f"Step {at + 1} of {len(steps)} \u00b7 {step.minutes} minutes"
                assert (status["next"] == "") == (at + 1 == len(steps))
                assert len(room.round) == (2 if step.kind == "round" else len(room.round))
                if step.on_board:
                    assert view.wall(room, DOOR)["board"] is not None
                elif step.kind != "closing":
                    assert all(map(room.follows, children)), (number, part, step)


def test_a_plan_of_ones_own_is_kept_with_its_place() -> None:
    room = new_room()
    joined(room, "Mia")
    teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
    steps = [step.state() for step in room.plan.steps]
    game = {"kind": "game", "rules": "capture-3", "size": "7", "level": "2"}
    teach(room, plan={"steps": [{**steps[1], "minutes": 20}], "at": None, "add": game})
    teach(room, plan={"steps": view_steps(room), "at": 0, "add": {**game, "kind": "round"}})
    shown = view.teacher(room, DOOR)["plan"]["steps"]
    assert [step["minutes"] for step in shown] == [20, 10, 10]
    for step, start in zip(shown, ("A round: Pairs on 5x5", "Game on 7x7", "A round: Pairs on 7x7"), strict=True):
        assert step["text"].startswith(start)
    teach(room, step=1)
    later = gone_on(room)
    assert later.plan == room.plan
    assert view.status(later)["step"] == "Step 2 of 3 \u00b7 10 minutes"


def view_steps(room: Classroom) -> list[Any]:
    """Return the steps of the plan as the page sends them."""
    return [step["do"] for step in view.teacher(room, DOOR)["plan"]["steps"]]


@pytest.mark.parametrize(
    "broken",
    [
        {"kind": "lunch"},
        {"minutes": 0},
        {"minutes": "8"},
        {"activity": Activity("lesson", lesson=1, page=1).state() | {"last": -1}},
        {"activity": Activity("lesson", lesson=1, page=1).state() | {"last": 99}},
        {"activity": {}},
        {"kind": "round"},
        {"kind": "look"},
        {"activity": {**Activity("game").state(), "size": 7}},
    ],
)
def test_a_step_that_is_none_is_refused_and_changes_nothing(broken: dict[str, Any]) -> None:
    room = new_room()
    teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
    before, steps = room.plan, view_steps(room)
    with pytest.raises(FieldError):
        teach(room, plan={"steps": [{**steps[0], **broken}], "at": None})
    for at in (-1, 1, True, "0"):
        with pytest.raises(FieldError):
            teach(room, plan={"steps": steps[:1], "at": at})
    assert refusal(teach, room, step=len(steps)) == "class.not_now"
    assert room.plan == before


def test_the_closing_page_says_what_the_class_has_done_today() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    for n, vertex in enumerate(CAPTURE):
        do(room, (mia, ole)[n % 2], point=vertex)
    teach(room, closing=True)
    shown = view.child(room, ole)
    assert shown["title"] == "We solved 0 problems and took 1 stone."
    assert said(shown) == ["You have 1 star today. Well done!"]
    assert refusal(do, room, ole, home=True) == "class.paused"
    mia.hand = True
    assert view.status(room)["help"] == view.of_seat(room, mia)["help"] == ""
    wall = view.wall(room, DOOR)
    assert wall["title"] == shown["title"]
    assert [child for pair in wall["pairs"] for child in pair["children"]] == [
        {"name": "Mia", "stars": 0},
        {"name": "Ole", "stars": 1},
    ]
    assert gone_on(room).taken == 1
    teach(room, closing=False)
    assert view.child(room, ole)["screen"] == "session"


@pytest.mark.slow
def test_a_step_with_problems_ends_at_its_last_one() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    teach(room, plan={"steps": [], "at": None, "course": [2, 1]})
    (at,) = (n for n, step in enumerate(room.plan.steps) if step.activity.is_at_problems and step.kind == "set")
    step = room.plan.steps[at].activity
    teach(room, step=at)
    assert view.status(room)["now"] == f"Now: Lesson 2, problems 1 to {step.last} (2 of 2)"
    points: list[dict[str, Any]] = [{"point": f"{column}{row}"} for column in "ABCDE" for row in range(1, 6)]
    tries = [*({"number": n} for n in range(13)), *points, *points, {"continue": True}]
    for answer in tries * 30:
        if not mia.at_end:
            with suppress(RefusedError, ValueError):  # a point may not be on this board
                do(room, mia, **answer)
    assert mia.at_end
    assert {*mia.progress.boxes.cards} == {*step.problems} < {*lessons.lesson(2).names}
    do(room, mia, **{"continue": True})
    home = view.child(room, mia)
    assert home["title"] == "What do you want to do?"
    assert [choice["do"]["choose"] for choice in home["choices"]] == ["play", "start", "leave"]
    assert view.of_seat(room, mia)["doing"] == "done"
    assert room.follows(mia)
    assert open_problems(room, [mia]) == []
    assert open_problems(room, [ole]) == sorted(f"2.{n}" for n in range(1, step.last + 1))
    later = gone_on(room)
    do(later, later.seats[mia.number], choose="start")
    assert view.child(later, later.seats[mia.number])["title"].startswith("Lesson 2, problem 1 of")
    do(room, mia, choose="play")
    assert view.of_seat(room, mia)["beside"]
    for _ in range(4 * step.last):  # what was left out comes back
        if not ole.at_home:
            do(room, ole, word="next")
    assert ole.at_home
    assert {*ole.progress.boxes.cards} == {*step.problems}
    assert [choice["do"]["choose"] for choice in view.child(room, ole)["choices"]] == ["start", "leave"]
    teach(room, step=len(room.plan.steps) - 1)
    assert open_problems(room, [ole]) == open_problems(gone_on(room), [ole]) != []


def test_after_a_new_start_the_step_on_the_screens_can_begin_again() -> None:
    room = new_room()
    joined(room, "Mia")
    teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
    last = len(room.plan.steps) - 1
    for at, before in ((0, None), (1, 1), (last, last - 1)):
        teach(room, step=at)
        later = gone_on(room)
        assert later.plan.at == before
    assert view.status(later)["next"] == "Closing page"
    teach(room, closing=False)
    assert view.status(room)["next"] == "Closing page"


def test_a_question_of_a_plan_ends_like_another_one() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    teach(room, plan={"steps": [], "at": None, "course": [1, 1]})
    teach(room, step=next(n for n, step in enumerate(room.plan.steps) if step.kind == "look"))
    assert view.child(room, mia)["screen"] == "question"
    teach(room, ask=None)
    assert view.child(room, mia)["screen"] == "session"
    assert room.shown == BOARD


def test_only_children_who_are_here_are_counted() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    teach(room, activity={"seats": "all", "kind": "game"})
    ole.hand = True
    assert view.status(room)["help"] == "1 needs help"
    room.present(ole, False)
    assert view.status(room)["help"] == view.of_seat(room, ole)["help"] == ""
    assert view.status(room)["now"].endswith("(1 of 1)")
    teach(room, show=mia.number)
    assert view.status(room)["now"] == "Now: On the projector: Mia"


def test_results_say_how_each_problem_was_done_today_and_in_all() -> None:
    room = new_room()
    room.choose_word("today")
    mia, ole = joined(room, "Mia", "Ole")
    boxes = mia.progress.boxes
    for name, how in (("1.1", How.AT_ONCE), ("1.2", How.TRIES), ("17", How.HINT), ("18", How.SHOWN)):
        boxes.lower(name, how)
        boxes.finish(name)
    boxes.lower("19", How.TRIES)  # the lesson went on before the child was done
    mia.progress.results.append(PlayedGame(lesson=1, level=3, won=True, helped=False))
    mia.progress.results.append(PlayedGame(lesson=1, level=5, won=True, helped=True))
    room.tick(1.0)
    room.tick(181.0)
    wanted = {"stars": 3, **dict.fromkeys(("at_once", "tries", "hint", "shown", "left"), 1)}
    wanted |= {"played": 2, "won": 2, "helped": 1}
    assert counts(mia, today=True) == counts(mia, today=False) == {**wanted, "minutes": 3}
    assert best_level(mia) == 3
    assert hardest([mia, ole]) == [("17", 1, 1), ("18", 1, 1), ("19", 1, 1)]
    assert results.table(room)["hardest"][0] == "Problem 17: 1 of 1 children did not solve it alone"
    room.choose_word("tomorrow")
    boxes.lower("20", How.AT_ONCE)
    boxes.finish("20")
    later = gone_on(room).seats[mia.number]
    assert counts(later, today=True) == {**dict.fromkeys(wanted, 0), "stars": 1, "at_once": 1, "minutes": 0}
    assert counts(later, today=False) == {**wanted, "stars": 4, "at_once": 2, "minutes": 3}
    assert hardest([later]) == []
    assert results.table(room)["rows"][0][2] == "1 (4)"


def test_a_page_for_parents_is_in_the_language_of_the_child() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    mia.language = "de"
    mia.progress.done.update((1, 2))
    ole.progress.done.update(range(1, 9))
    shown = results.report(room, mia)
    assert shown["lessons"] == [lessons.title(1, "de"), lessons.title(2, "de")]
    assert lessons.title(3, "de") in shown["next"]
    mia.progress.boxes.finish("5.1")
    assert lessons.title(6, "de") in results.report(room, mia)["next"]
    assert results.report(room, ole)["next"].startswith("All lessons are done.")


# --- Next week ---


def test_a_class_goes_on_as_it_was(tmp_path: Any) -> None:
    room, folder = new_room(), Folder(tmp_path / "class")
    assert folder.open(lambda kept: kept) is None
    mia = room.join(room.word, "Mia", "tablet")
    room.present(mia, True)
    ole, ida, kim = joined(room, "Ole", "Ida", "Kim")
    teach(room, pair=[[mia.number, ole.number]])
    play_out(room, mia, ole)
    do(room, mia, word="new changed")
    do(room, mia, point="A1")
    do(room, ida, choose="lesson-2")
    do(room, ida, **{"continue": True})
    do(room, kim, choose="problems")
    folder.write(room.state(), results.csv_of(room))
    later = folder.open(lambda kept: new_room(kept=kept))
    work(later)
    for number, seat in room.seats.items():
        other = later.seats[number]
        before, after = view.child(room, seat), view.child(later, other)
        assert (before["title"], before["board"]) == (after["title"], after["board"])
        assert results.table(room) == results.table(later)
        assert other.key_hash == seat.key_hash
    assert {*later.records.games} == {1, 2}
    assert (tmp_path / "class" / "games" / "1.sgf").read_bytes() == room.records.games[1].sgf
    assert b"Mia" in (tmp_path / "class" / "results.csv").read_bytes()
    teach(room, activity={"seats": "all", "kind": "game", "rules": "capture-3", "size": 7})
    assert gone_on(room).game == room.game
    assert later.join("", "", "tablet").number == mia.number, "its device has the seat"


def test_a_folder_that_is_not_a_class_is_refused(tmp_path: Any) -> None:
    (tmp_path / "class.json").write_text("[]")
    with pytest.raises(FolderError, match=r"class\.json cannot be used: it is not a class of gtp-capture"):
        Folder(tmp_path).open(lambda kept: kept)
    with pytest.raises(FolderError):
        Folder(tmp_path / "class.json")


def test_two_classes_do_not_use_one_folder(tmp_path: Any) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(FolderError, match="another class is using it"):
        Folder(tmp_path)
    folder.close()
    Folder(tmp_path).close()


@pytest.mark.posix
@pytest.mark.parametrize("reason", ["ENOLCK", "ENOTSUP", "EINVAL", "EIO", "ENOSYS"])
def test_a_folder_on_a_file_system_without_locks_is_used_and_says_so(
    reason: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(file: int, operation: int) -> None:
        raise OSError(getattr(errno, reason), "no locks here")

    monkeypatch.setattr("fcntl.flock", flock)
    for _ in range(2):  # the second time with the files of the first
        room, folder = new_room(), Folder(tmp_path)
        assert not folder.is_locked
        folder.write(room.state(), "")
        assert folder.open(lambda kept: kept) is not None
        folder.close()
    monkeypatch.undo()
    assert Folder(tmp_path).is_locked


def test_an_activity_is_the_same_after_writing_and_reading() -> None:
    room = new_room()
    teach(room, activity={"seats": "all", "kind": "game", "rules": "capture-3", "size": "7", "level": "adapt"})
    (mia,) = joined(room, "Mia")
    assert gone_on(room).seats[mia.number].activity == Activity("game", rules="capture-3", size=7)


def test_the_next_game_is_the_same_or_the_one_that_its_button_says() -> None:
    room = new_room(Activity("game", size=5, level="adapt"))
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    seen = []
    for _ in range(5):  # Mia has Black, and always loses
        session, first = game_of(mia), game_of(mia).setup.turns
        for move in ("A5", "A4", "A3")[:first]:
            do(room, mia, point=move)
        while len(session.game.moves) > first:
            session.game.undo()
        for n, move in enumerate(("C3", "C4", "E1", "B3", "E3", "D3")):
            session.game.play_point(session.game.point(move), BLACK + n % 2)
        session.game.set_to_move(WHITE)
        session.game.play_point(session.game.point("C2"), WHITE)
        shown = do(room, mia, word="explain")
        labels = [button["label"] for button in shown["buttons"] if button["do"].get("word", "").startswith("new")]
        seen.append((labels, first))
        do(room, mia, word="new same" if len(labels) == 1 else "new changed")
    assert seen == [
        (["The same again", "You take Black and put 2 stones first"], 0),
        (["The same again", "You take Black and put 3 stones first"], 1),
        (["The same again", "You take Black and put 4 stones first"], 2),
        (["The same again"], 3),
        (["The same again"], 3),
    ]
    assert refusal(do, room, mia, word="new changed") == "class.not_now"


def test_the_record_says_how_each_problem_was_solved_and_who_had_help_in_a_game() -> None:
    room = new_room()
    room.choose_word("one day")
    mia, ole = joined(room, "Mia", "Ole")
    teach(room, activity={"kind": "lesson", "lesson": 1, "page": len(lessons.lesson(1).pages) + 2, "seats": [1]})
    do(room, mia, number=9)
    shown = do(room, mia, number=4)
    assert "A star for you!" in said(shown)
    assert (mia.progress.boxes.cards["1.2"].how, mia.progress.stars) == (How.TRIES, 1)
    teach(room, pair=[[mia.number, ole.number]])
    do(room, mia, word="hint")
    play_out(room, mia, ole)
    games = [*mia.progress.results, *ole.progress.results]
    assert [(game.level, game.won, game.helped) for game in games] == [(0, False, True), (0, True, False)]
    assert (mia.progress.stars, ole.progress.stars) == (1, 1)
    assert "A star for you!" in said(view.child(room, ole))
    assert "A star for you!" not in said(view.child(room, mia))
    after = gone_on(room)
    after.choose_word("another day")
    assert [seat.progress.boxes.lesson for seat in after.seats.values()] == [2, 2]
    assert [seat.progress.stars for seat in after.seats.values()] == [1, 1]
    assert [seat.progress.results for seat in after.seats.values()] == [mia.progress.results, ole.progress.results]


@pytest.mark.parametrize("helped", ["hint", "undo", "explain"])
def test_a_win_with_help_raises_no_level_and_is_no_star(helped: str) -> None:
    room = new_room(Activity("game", size=5, level="adapt"))
    (mia,) = joined(room, "Mia")
    for help_given, level, stars in ((True, 1, 0), (False, 2, 1)):
        do(room, mia, choose="play")
        session = game_of(mia)
        for asks in (help_given, False):
            while session.game.moves:
                session.game.undo()
            nearly_win(session.game)
            if asks:
                do(room, mia, word=helped)
        do(room, mia, point="B1")
        assert session.game.outcome is not None
        assert (mia.progress.level, mia.progress.stars) == (level, stars)
        shown = view.child(room, mia)
        missed = "You get a star if you win without help and without taking a move back."
        assert (shown["won"] > 0, missed in said(shown)) == (True, help_given)
        assert (mia.progress.results[-1].level, mia.progress.results[-1].helped) == (1, help_given)
        do(room, mia, home=True)
