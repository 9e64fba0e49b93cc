"""A class as values: names, activities, pairs, what the teacher allows, help, results, and going on next week."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.classroom import child, results, teacher, view
from gtp_capture.classroom.activity import Activity
from gtp_capture.classroom.folder import Folder, FolderError
from gtp_capture.classroom.room import Classroom
from gtp_capture.classroom.seat import LONGEST, PATIENCE, Seat, free_name, name_of
from gtp_capture.go import sgf
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.reply import Refused

from ..support.classroom import collection, do, gone_on, joined, new_room, said, stones, teach, work
from ..teach.test_words import FOREIGN, escaped_sentences, foreign, template  # noqa: F401 - fixtures

CAPTURE: Final = ("C3", "C4", "A1", "B3", "A2", "D3", "B1", "C2")
"""Moves of a pair on 5x5: White takes the stone at C3."""


def refusal(act: Any, *args: Any, **fields: Any) -> str:
    """Return the key of the sentence with which something is refused."""
    with pytest.raises(Refused) as found:
        act(*args, **fields)
    return found.value.key


def game_of(seat: Seat) -> GameSession:
    assert seat.table is not None
    assert isinstance(seat.table.session, GameSession)
    return seat.table.session


def pair_of(room: Classroom, *names: str) -> tuple[Seat, Seat]:
    """Let two children play with each other; the first one has Black."""
    first, second = joined(room, *names)
    teach(room, pair=[[first.number, second.number]])
    return first, second


def play_out(room: Classroom, black: Seat, white: Seat) -> None:
    for n, move in enumerate(CAPTURE):
        do(room, (black, white)[n % 2], point=move)


# --- Seats ---


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_names_are_one_short_line_and_each_is_there_once(text: str, others: list[str]) -> None:
    try:
        name = name_of(text)
    except Refused:
        return
    found = free_name(name, [*others, name])
    assert 0 < len(found) <= LONGEST
    assert found.isprintable()
    assert found.casefold() not in {other.casefold() for other in [*others, name]}
    assert name_of(name) == name


def test_a_second_child_with_the_same_name_gets_a_number() -> None:
    room = new_room()
    assert [seat.name for seat in joined(room, "Mia", "mia", "Mia", "M" * LONGEST, "M" * LONGEST)] == [
        "Mia",
        "mia 2",
        "Mia 3",
        "M" * LONGEST,
        "M" * (LONGEST - 2) + " 2",
    ]


def test_a_lost_answer_to_coming_in_gives_no_second_seat() -> None:
    room = new_room()
    first, again = room.join(room.word, "Mia", "one"), room.join(room.word, "Mia", "one")
    assert first is again
    assert [*room.seats] == [1]


def test_a_child_with_another_device_gets_its_seat_back_after_a_minute() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    key = mia.key
    room.present(mia, False)
    assert room.join(room.word, "Mia", "soon").name == "Mia 2"
    room.tick(61)
    assert room.join(room.word, "Mia", "later") is mia
    assert room.seat_of(key) is None
    assert room.seat_of(mia.key) is mia


@pytest.mark.parametrize(
    ("word", "typed"), [("TIGER", " tiger "), ("BÄR", "ｂäｒ"), ("うさぎ", "ウサギ"), ("ウサギ", "うさぎ")]
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
    assert game_of(mia).seats.names == ("Ole 2", "Ole")
    do(room, mia, point="C3")
    teach(room, remove=mia.number)
    assert [*room.seats] == [ole.number]
    assert game_of(ole).seats.people == {BLACK}, "Ole plays against the computer"
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
    count = sum(problem.theme == "ladder" for problem in collection())
    assert [view.child(room, seat)["title"] for seat in (mia, ole, ida)] == [f"Problem 1 of {count}"] * 3
    home = do(room, ida, home=True)
    assert [choice["do"] for choice in home["choices"]] == [{"choose": "continue"}]
    assert do(room, ida, choose="continue")["screen"] == "session"


def test_a_lesson_can_begin_with_a_problem() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 8})
    assert view.child(room, mia)["title"] == "Lesson 1, problem 2 of 12"


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
    problem = next(iter(room.material.problems("").values()))
    assert (problem.theme, len(problem.line)) == ("capture", 1)
    shown = do(room, mia, point=problem.start.game().vertex(problem.line[0]))
    assert any("solved" in text for text in said(shown))
    do(room, mia, home=True)
    assert do(room, mia, choose="problems")["title"].startswith("Problem 2 ")


def test_a_hint_is_marked_on_the_board_until_the_next_move_and_for_one_child_alone() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    before = do(room, mia, point="C3")["boards"][-1]
    do(room, ole, word="hint")
    marked = [point["label"] for point in view.child(room, ole)["boards"][-1]["points"] if "hint" in point["label"]]
    assert len(marked) == 1
    assert marked[0].endswith(": empty, the hint")
    board = next(
        board for board in view.child(room, ole)["boards"] if board["points"][12]["label"].startswith("C3: black")
    )
    assert board["points"][12]["label"] == "C3: black, the last move"
    assert view.child(room, mia)["boards"][-1] == before
    shown = do(room, ole, point="A1")
    assert not any("hint" in point["label"] for point in shown["boards"][-1]["points"])
    do(room, mia, home=True)
    do(room, mia, choose="problems")
    do(room, mia, word="hint")
    shown = do(room, mia, word="hint")
    (marked,) = [point["label"] for point in shown["boards"][-1]["points"] if "hint" in point["label"]]
    assert said(shown) == [f"Look at the stone at {marked[:2]}."]


# --- Languages ---


def texts(shown: Any) -> Iterator[str]:
    """Yield all that is written in a view, but names."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, dict):
        left_out = ("do", "svg", "vertex", "stone", "icon", "tone", "screen", "language", "languages", "name", "class")
        yield from (text for key, value in shown.items() if key not in left_out for text in texts(value))
    elif isinstance(shown, list):
        yield from (text for value in shown for text in texts(value))


def in_english(shown: dict[str, Any]) -> set[str]:
    return set().union(*map(escaped_sentences, texts(shown))) - {"Mia", "Ole"}


@pytest.mark.usefixtures("foreign")
def test_what_the_teacher_has_set_goes_on_next_week() -> None:
    room = new_room()
    joined(room, "Mia")
    for action in ({"allow": {"undo": False}}, {"language": FOREIGN.language}):
        teach(room, **action)
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 2})
    later = gone_on(room)
    assert later.allowed == {"hints": True, "undo": False}
    assert (later.language, later.activity) == (FOREIGN.language, Activity("lesson", lesson=2))


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
def test_each_seat_has_a_language_which_it_changes_at_home() -> None:
    room, there = new_room(), FOREIGN.language
    mia, ole = (room.join(room.word, name, name, language) for name, language in (("Mia", there), ("Ole", "")))
    for seat in (mia, ole):
        room.present(seat, True)
    assert [found["key"] for found in view.child(room, mia)["languages"]] == ["en", there]
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
    assert len(shown["boards"]) == 1
    do(room, ole, home=True)
    do(room, ole, language="en")
    assert do(room, ole, choose="continue")["title"] == "Lesson 1, page 2 of 6"
    assert gone_on(room).seats[mia.number].language == there


@pytest.mark.usefixtures("foreign")
def test_the_teacher_reads_the_language_of_the_class_and_a_pair_too_unless_both_have_another() -> None:
    room, there = new_room(), FOREIGN.language
    mia, ole = (room.join(room.word, name, name, there) for name in ("Mia", "Ole"))
    teach(room, pair=[[1, 2]])
    assert in_english(view.child(room, mia)) == set()
    assert view.of_seat(room, mia)["doing"] == "A game on 5x5 with Ole"
    do(room, ole, home=True)
    do(room, ole, language="en")
    teach(room, pair=[[1, 2]])
    assert "Tap a point to put a stone there." in said(view.child(room, mia))
    teach(room, language=there)
    assert in_english({"columns": results.table(room)["columns"], "doing": view.of_seat(room, mia)["doing"]}) == set()
    with pytest.raises(ValueError, match="xx"):
        teach(room, language="xx")


# --- Pairs ---


def test_the_odd_child_of_random_pairs_plays_against_the_computer() -> None:
    room = new_room()
    seats = joined(room, *"abcde")
    teach(room, pair={"by": "random", "seats": "all"})
    tables = [seat.table for seat in seats]
    assert sorted(len(table.seats) for table in room.tables) == [1, 2, 2]
    assert None not in tables
    absent = joined(room, "f")[0]
    room.present(absent, False)
    teach(room, pair={"by": "level", "seats": "all"})
    assert absent.table is None


def test_pairs_by_level_are_of_children_with_near_levels() -> None:
    room = new_room()
    seats = joined(room, *"abcdef")
    for seat, level in zip(seats, (1, 6, 3, 5, 2, 4), strict=True):
        seat.progress.level = level
    teach(room, pair={"by": "level", "seats": "all"})
    levels = sorted(sorted(room.seats[n].progress.level for n in table.seats) for table in room.tables)
    assert levels == [[1, 2], [3, 4], [5, 6]]


def test_a_game_of_two_takes_moves_of_the_side_to_move_only_and_the_loser_takes_black_next() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    assert refusal(do, room, ole, point="C3") == "class.not_your_turn"
    do(room, mia, point="C3")
    assert stones(view.child(room, ole)) == stones(view.child(room, mia)) == {"C3": "black"}
    assert refusal(do, room, mia, point="D3") == "class.not_your_turn"
    assert refusal(do, room, ole, word="undo") == "class.not_now"
    do(room, mia, word="undo")
    assert not stones(view.child(room, ole))
    play_out(room, mia, ole)
    assert (ole.progress.won, mia.progress.won, mia.progress.played) == (1, 0, 1)
    do(room, ole, word="new")
    assert (game_of(mia).seats.names[BLACK - 1], game_of(mia).seats.turns) == ("Mia", 1), "with one extra turn"
    play_out_white = [*zip((mia, mia), ("A1", "A2"), strict=True)]
    for seat, move in play_out_white:
        do(room, seat, point=move)
    assert game_of(mia).game.to_move == WHITE


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
    assert {"choose": "with-2"} not in [choice["do"] for choice in view.child(room, ida)["choices"]]
    room.present(ole, True)
    assert do(room, mia, choose="with-2")["screen"] == "waiting"
    assert view.child(room, ole)["question"]["text"].startswith("Mia wants")
    do(room, ole, answer=False)
    assert view.child(room, mia)["screen"] == "home"
    do(room, ida, choose="with-1")
    do(room, mia, answer=True)
    assert game_of(ida) is game_of(mia)
    assert refusal(do, room, ole, choose="with-1") == "class.not_now", "Mia plays already"


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
    assert stones({"boards": [view.wall(room, "", "")["board"]]}) == stones({"boards": view.child(room, mia)["boards"]})
    teach(room, pause=False)
    assert not stones(do(room, mia, word="undo"))


def test_help_is_needed_after_three_wrong_answers_two_minutes_or_a_raised_hand() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 7})
    for _ in range(3):
        assert view.of_seat(room, mia)["help"] == ""
        do(room, mia, number=9)
    assert view.of_seat(room, mia)["help"] == "three wrong answers"
    do(room, mia, number=4)
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


def test_results_name_what_each_child_did_and_no_name_is_a_formula() -> None:
    room = new_room()
    mia, ole = pair_of(room, "=SUM(A1)", "Ole")
    play_out(room, mia, ole)
    rows = [*csv.reader(io.StringIO(results.csv_of(room)))]
    assert [row[0] for row in rows] == ["Name", "'=SUM(A1)", "Ole"]
    assert [row[-2:] for row in rows[1:]] == [["1", "0"], ["1", "1"]]
    assert room.records.to_write() == {number: record.sgf for number, record in room.records.games.items()}
    assert not room.records.to_write()
    (record,) = room.records.games.values()
    game = sgf.load(record.sgf)
    assert [game.vertex(move.point) for move in game.moves] == [*CAPTURE]
    assert b"PW[Ole]" in record.sgf


def test_a_game_that_was_left_is_written_too() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    do(room, mia, choose="play")
    do(room, mia, point="C3")
    assert not room.records.to_write(), "it goes on"
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1})
    (left,) = room.records.to_write().values()
    assert b"PB[Mia]" in left


# --- What is offered ---


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_all_that_a_view_offers_can_be_done_and_nothing_else(seed: int) -> None:
    dice, room = random.Random(seed), new_room(seed=seed)
    seats = joined(room, "Mia", "Ole")
    for _ in range(12):
        seat = dice.choice(seats)
        shown = view.child(room, seat)
        offered = [button["do"] for button in shown["buttons"] if not button["disabled"]]
        offered += [choice["do"] for choice in shown["choices"]] + [{"home": True}]
        offered += [answer["do"] for answer in (shown["question"] or {"answers": []})["answers"]]
        offered += [{"point": p["vertex"]} for board in shown["boards"] if board["live"] for p in board["points"]]
        offered += [{"number": dice.randrange(13)}] * bool(shown["number"])
        refused = [button["do"] for button in shown["buttons"] if button["disabled"]]
        refused += [{"word": "quit"}, {"word": "size", "rest": "25"}, {"point": "Z99"}, {"choose": "lesson-99"}]
        before = room.state()
        for action in dice.sample(refused, min(3, len(refused))):
            with pytest.raises((Refused, ValueError)):
                child.do(room, seat, action, room.count, f"bad {room.count}")
        assert room.state() == before
        do(room, seat, **dice.choice(offered))


def test_a_solution_names_the_button_that_goes_on() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 7})
    shown = do(room, mia, word="solution")
    assert said(shown)[-1] == "Tap Leave out for another problem."
    assert "Leave out" in [button["label"] for button in shown["buttons"]]


def test_a_page_shows_the_board_that_it_speaks_of_large_and_has_nothing_before_the_first() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 5})
    after, before = view.child(room, mia)["boards"]
    white = [[p["stone"] for p in board["points"]].count("white") for board in (before, after)]
    assert white[0] > white[1]
    assert not disabled(view.child(room, mia), "Back")
    teach(room, activity={"seats": "all", "kind": "lesson", "lesson": 1, "page": 1})
    assert disabled(view.child(room, mia), "Back")


def disabled(shown: dict[str, Any], label: str) -> bool:
    (found,) = (button["disabled"] for button in shown["buttons"] if button["label"] == label)
    return bool(found)


def test_after_a_game_the_position_that_is_spoken_of_is_shown_large() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    play_out(room, mia, ole)
    shown = do(room, mia, word="review")
    assert len(shown["boards"]) == 2  # the game turned at a move
    assert stones(shown) != stones({"boards": shown["boards"][:1]})
    assert stones({"boards": shown["boards"][:1]}) == stones(view.child(room, ole))


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
    table = mia.table
    for by in ("random", "level"):
        teach(room, pair={"by": by, "seats": [ida.number, kim.number]})
        assert mia.table is table
        assert ida.table is kim.table is not None
        assert len(room.tables) == 2
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
    assert mia.table is None


def test_a_new_child_does_not_follow_a_removed_one() -> None:
    room = new_room()
    mia, emil = joined(room, "Mia", "Emil")
    do(room, mia, choose=f"with-{emil.number}")
    teach(room, remove=emil.number)
    (fritz,) = joined(room, "Fritz")
    assert fritz.number > emil.number
    assert view.child(room, fritz)["question"] is None
    assert view.child(room, mia)["screen"] == "home"
    teach(room, remove=fritz.number)
    assert joined(gone_on(room), "Ida")[0].number > fritz.number


def test_a_child_is_told_where_the_other_one_of_its_pair_is() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    assert view.child(room, ole)["waits"] == "The other child is thinking ..."
    before = view.child(room, ole)["n"]
    room.present(mia, False)
    assert view.child(room, ole)["waits"] == "Mia is not here now. Wait, or tap Home."
    assert view.child(room, ole)["n"] > before
    do(room, mia, home=True)
    do(room, mia, choose="problems")
    assert said(view.child(room, ole))[0] == "Mia has gone. Now you play against me."


def test_what_is_said_to_a_child_is_not_said_to_all() -> None:
    room = new_room()
    mia, ole = joined(room, "Mia", "Ole")
    do(room, mia, choose="play")
    assert do(room, mia, word="hint")["said"]
    teach(room, show=mia.number)
    teach(room, pause=True)
    for shown in (view.child(room, ole), view.wall(room, "", "")):
        assert said(shown) == ["This is the board of Mia."]


def test_only_the_child_that_asks_sees_that_its_answer_is_searched() -> None:
    room = new_room()
    mia, ole = pair_of(room, "Mia", "Ole")
    child.do(room, mia, {"word": "hint"}, view.child(room, mia)["n"], "hint")
    assert view.child(room, mia)["busy"]
    assert not view.child(room, ole)["busy"]


def test_the_level_of_a_card_is_that_of_the_game() -> None:
    room = new_room()
    (mia,) = joined(room, "Mia")
    teach(room, activity={"seats": "all", "kind": "game", "level": "8"})
    assert view.of_seat(room, mia)["level"] == "8"
    do(room, mia, home=True)
    assert view.of_seat(room, mia)["level"] == "1"


# --- Next week ---


def test_a_class_goes_on_as_it_was(tmp_path: Any) -> None:
    room, folder = new_room(), Folder(tmp_path / "class")
    assert folder.read() is None
    mia, ole, ida, kim = joined(room, "Mia", "Ole", "Ida", "Kim")
    teach(room, pair=[[mia.number, ole.number]])
    play_out(room, mia, ole)
    do(room, mia, word="new")
    do(room, mia, point="A1")
    do(room, ida, choose="lesson-2")
    do(room, ida, **{"continue": True})
    do(room, kim, choose="problems")
    folder.write(room.state(), room.records.to_write(), results.csv_of(room))
    kept = folder.read()
    assert kept is not None
    later = new_room()
    later.restore(*kept)
    work(later)
    for number, seat in room.seats.items():
        other = later.seats[number]
        before, after = view.child(room, seat), view.child(later, other)
        assert (before["title"], before["boards"]) == (after["title"], after["boards"])
        assert results.table(room) == results.table(later)
        assert later.seat_of(seat.key) is other
    assert {*later.records.games} == {1, 2}
    assert (tmp_path / "class" / "games" / "1.sgf").read_bytes() == room.records.games[1].sgf
    assert b"Mia" in (tmp_path / "class" / "results.csv").read_bytes()
    teach(room, activity={"seats": "all", "kind": "game", "rules": "capture-3", "size": 7})
    assert gone_on(room).game == room.game
    assert later.join(later.word, "Mia", "next week").number == mia.number


def test_a_folder_that_is_not_a_class_is_refused(tmp_path: Any) -> None:
    (tmp_path / "class.json").write_text("[]")
    with pytest.raises(FolderError, match=r"class\.json is not a class"):
        Folder(tmp_path).read()
    with pytest.raises(FolderError):
        Folder(tmp_path / "class.json")


def test_two_classes_do_not_use_one_folder(tmp_path: Any) -> None:
    folder = Folder(tmp_path)
    with pytest.raises(FolderError, match="another class is using it"):
        Folder(tmp_path)
    folder.close()
    Folder(tmp_path).close()


def test_an_activity_is_the_same_after_writing_and_reading() -> None:
    room = new_room()
    teach(room, activity={"seats": "all", "kind": "game", "rules": "capture-3", "size": "7", "level": "adapt"})
    (mia,) = joined(room, "Mia")
    assert gone_on(room).seats[mia.number].activity == Activity("game", rules="capture-3", size=7)
