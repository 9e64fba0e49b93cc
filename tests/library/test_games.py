"""Games as values: stones, chains and moves by vertex, colours as text, short text, pickles and copies."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gtp_capture as gc
from gtp_capture.judgement import life

from ..support.diagrams import ATARI, played, set_up
from ..support.random_games import Plan, plans


def by_pickle(game: gc.Game) -> gc.Game:
    """The game after the way through a pickle."""
    back = pickle.loads(pickle.dumps(game))
    assert isinstance(back, gc.Game)
    return back


# --- Vertices ---


def test_a_game_is_read_by_vertex() -> None:
    game = set_up(ATARI, "first-capture")
    assert (game["C3"], game["c4"], game["A1"]) == (gc.BLACK, gc.WHITE, None)
    assert (game.stones("black"), game.stones(gc.WHITE)) == (["C3"], ["C2", "B3", "C4"])
    assert (game.chain("C3"), game.liberties("C3")) == (["C3"], ["D3"])
    game.play("D3")
    assert (game.chain("d3"), game.liberties("C3")) == (["C3", "D3"], ["D2", "E3", "D4"])


@given(plans(20))
def test_chains_and_stones_agree(plan: Plan) -> None:
    game = plan.after()
    for color in gc.Color:
        assert all(game[vertex] is color for vertex in game.stones(color))
        assert {v for vertex in game.stones(color) for v in game.chain(vertex)} == set(game.stones(color))
        assert all(game[free] is None for vertex in game.stones(color) for free in game.liberties(vertex))


@pytest.mark.parametrize(
    ("use", "error", "words"),
    [
        (lambda game: game["F1"], ValueError, "F1 is not on the 5x5 board"),
        (lambda game: game["pass"], ValueError, "not a point of the board: 'pass'"),
        (lambda game: game["black"], ValueError, "not a vertex: 'black'"),
        (lambda game: game[7], TypeError, "a vertex such as 'C3' is needed, not 7"),
        (lambda game: game.chain("A1"), gc.GameError, "there is no stone on A1"),
        (lambda game: game.liberties("A1"), gc.GameError, "there is no stone on A1"),
        (lambda game: game.stones("C3"), ValueError, "not a colour: 'C3'"),
    ],
)
def test_a_question_without_an_answer_is_an_error(
    use: Callable[[Any], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        use(gc.Game("first-capture", 5))


def test_moves_are_vertices_of_a_colour() -> None:
    game = played((7, 5), "g5", "pass", "A1", "resign", rules="japanese")
    assert [(move.color, move.vertex) for move in game.moves] == [
        (gc.BLACK, "G5"),
        (gc.WHITE, "pass"),
        (gc.BLACK, "A1"),
        (gc.WHITE, "resign"),
    ]
    assert (str(game.moves[0]), repr(game.moves[1])) == ("B G5", "<Move W pass>")


# --- Arrays ---


@given(plans())
def test_the_array_of_a_board_is_what_is_printed_and_makes_the_same_board(plan: Plan) -> None:
    game = plan.after()
    array = game.board_array()
    assert (str(array.dtype), array.shape) == ("int8", (game.height, game.width))
    printed = [line[3 : 3 + 2 * game.width] for line in str(game).splitlines()[1 : 1 + game.height]]
    assert [[".XO".index(point) for point in re.findall("[.XO]", row)] for row in printed] == array.tolist()
    for given_as in (array, array.tolist(), array.astype(np.uint64)):
        back = gc.Game.from_array(given_as, game.rules, to_move=game.to_move, komi=3)
        assert (str(back.rules), back.to_move, back.komi, back.moves) == (str(game.rules), game.to_move, 3, [])
        assert (back.board_array() == array).all()
    array[:] = 0
    assert (game.board_array() == back.board_array()).all()


@given(plans())
def test_the_arrays_of_all_positions_are_those_of_the_game_after_each_move(plan: Plan) -> None:
    game = plan.after()
    arrays = game.board_arrays()
    assert (str(arrays.dtype), arrays.shape) == ("int8", (len(game.moves) + 1, game.height, game.width))
    for n, array in enumerate(arrays):
        assert (array == game.copy(n).board_array()).all()
        assert (array == game.positions[n].board_array()).all()
    arrays[:] = 0
    assert (game.positions[-1].board_array() == game.board_array()).all()


@given(plans(), st.sampled_from([None, "black", "white"]))
def test_the_mask_has_the_legal_moves_row_by_row_from_the_top_and_then_the_pass(plan: Plan, color: str | None) -> None:
    game = plan.after()
    mask = game.legal_mask(color)
    rows = [[f"{column}{row}" for column in "ABCDEF"[: game.width]] for row in range(game.height, 0, -1)]
    vertices = [*(vertex for row in rows for vertex in row), "pass"]
    assert (str(mask.dtype), mask.shape) == ("bool", (len(vertices),))
    assert {vertex for vertex, legal in zip(vertices, mask, strict=True) if legal} == set(game.legal_moves(color))


def test_the_first_row_of_an_array_is_the_top() -> None:
    game = gc.Game.from_array([[0, 0, 2], [1, 0, 0]])
    assert (game.stones("black"), game.stones("white"), game.size) == (["A1"], ["C2"], (3, 2))


@pytest.mark.parametrize(
    ("array", "error", "words"),
    [
        ([[0, 1], [0]], TypeError, "whole numbers with rows and columns of the same length"),
        ([0, 1], TypeError, r"rows and columns, not one of int\d+ with shape \(2,\)"),
        ("..", TypeError, "a board is an array of whole numbers"),
        (np.zeros((5, 5)), TypeError, r"not one of float64 with shape \(5, 5\)"),
        (np.zeros((5, 5), bool), TypeError, "not one of bool"),
        (np.zeros((5, 5, 2), np.int8), TypeError, r"shape \(5, 5, 2\)"),
        ([[0, 3], [0, 0]], ValueError, r"is 0 \(empty\), 1 \(black\) or 2 \(white\), not 3"),
        ([[-1, 0], [0, 0]], ValueError, "not -1"),
        (np.zeros((1, 5), np.int8), gc.GameError, "a board has 2 to 25 points a side, not 5x1"),
        (np.zeros((26, 5), np.int8), gc.GameError, "not 5x26"),
        ([[1, 2], [2, 0]], gc.GameError, "a chain without liberties cannot stand on the board"),
    ],
)
def test_an_array_that_is_no_board_is_an_error(array: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gc.Game.from_array(array)


# --- Text ---


def test_a_colour_is_its_text_and_its_number_only_when_it_is_asked_for() -> None:
    for color, text, number in ((gc.BLACK, "black", 1), (gc.WHITE, "white", 2)):
        assert color == text
        assert dict[str, int]({text: 0})[color] == dict[str, int]({color: 0})[text] == 0
        assert f"{color}|{color!s}|{color:>6}|{json.dumps([color])}" == f'{text}|{text}|{text:>6}|["{text}"]'
        assert ",".join([color]) == text
        assert (np.array([color, "other"]) == text).tolist() == [True, False]
        assert int(color) == number
        assert [value for value in (text.upper(), text[0], number, None, color.opponent) if color == value] == []
        read: list[Any] = [number, np.int8(number), text.upper(), text[0]]
        assert [gc.Color(value) for value in read] == [color] * 4
        assert gc.Game.from_array([[0, number], [0, 0]])["B2"] is color
    assert sorted(gc.Color) == ["black", "white"]
    assert str(gc.Outcome(gc.WHITE, gc.Termination.CAPTURE)) == "white won: capture"
    assert str(gc.Outcome(None, gc.Termination.TWO_PASSES)) == "game over: two passes"


# --- Pickles and copies ---


@given(plans())
def test_a_pickle_is_the_same_game_with_its_history(plan: Plan) -> None:
    game = plan.after()
    back = by_pickle(game)
    while game.moves:
        assert back == game
        assert (back.outcome, back.legal_moves()) == (game.outcome, game.legal_moves())
        for each in (game, back):
            each.undo()
    assert back == game


def test_a_pickle_keeps_what_is_not_a_move() -> None:
    game = gc.Game("japanese", 9, komi=0.5)
    game.place_handicap(["C3", "G7"])
    game.play("E5")
    game.set_to_move("white")
    game.find_statuses = life.statuses
    back = by_pickle(game)
    assert back == game
    assert (back.handicap, back.komi, back.to_move, back.find_statuses) == (2, 0.5, gc.WHITE, life.statuses)
    assert by_pickle(gc.Game()).find_statuses is gc.Game.default_statuses
    resigned = set_up(ATARI, "first-capture", int(gc.WHITE))
    resigned.resign()
    assert by_pickle(resigned).outcome == gc.Outcome(gc.BLACK, gc.Termination.RESIGNATION)


@pytest.mark.parametrize("make", [gc.Game.copy, copy.copy, copy.deepcopy, by_pickle])
def test_a_copy_of_any_kind_is_equal_and_independent(make: Callable[[gc.Game], gc.Game]) -> None:
    game = played(5, "C3", rules="japanese")
    other = make(game)
    assert other == game
    other.play("A1")
    assert [move.color for move in game.moves] == [gc.BLACK]
    other.undo()
    assert other == game


class Named(gc.Game):
    """A game of a program, with facts of its own and another way to make it."""

    def __init__(self, event: str, notes: list[str]) -> None:
        super().__init__("first-capture", 5)
        self.event, self.notes = event, notes


@pytest.mark.parametrize("make", [gc.Game.copy, copy.copy, copy.deepcopy, by_pickle])
def test_a_copy_of_a_subclass_is_of_the_subclass(make: Callable[[gc.Game], gc.Game]) -> None:
    game = Named("cup", ["first"])
    game.play("C3")
    other = make(game)
    assert isinstance(other, Named)
    assert (other, other.event, other.notes) == (game, "cup", ["first"])
    assert (other.notes is game.notes) == (make in (gc.Game.copy, copy.copy))


# --- Positions as values ---


@given(plans(40))
def test_a_position_in_one_line_comes_back_and_its_images_share_a_key(plan: Plan) -> None:
    game = plan.after()
    while game.is_over and game.moves:
        game.undo()
    text = game.position_text()
    again = gc.Game.parse(text)
    assert (again.position_text(), again.key()) == (text, game.key())
    assert gc.Game.parse(game.key(), game.rules).key() == game.key()
    assert [again.prisoners(color) for color in ("b", "w")] == [game.prisoners(color) for color in ("b", "w")]
    if not game.rules.ko.is_superko:  # which knows earlier positions
        assert again.legal_moves() == game.legal_moves()
    images = game.images()
    assert images[0] == game
    assert len(images) == (8 if plan.width == plan.height else 4)
    assert {image.key(symmetric=True) for image in images} == {min(image.key() for image in images)}
    for number, image in enumerate(images):
        assert [move.vertex for move in image.moves] == [game.vertex_images(move.vertex)[number] for move in game.moves]
        assert sorted(image.legal_moves()) == sorted(game.vertex_images(v)[number] for v in game.legal_moves())


def test_a_key_has_what_counts() -> None:
    for rules, held in (("capture-5", "1-0"), ("japanese", "1-0"), ("chinese", "-"), ("tromp-taylor", "-")):
        game = played(5, "B1", "A1", "A2", rules=rules)
        assert game.key() == f"...../...../...../X..../.X... w {held} -"
    ko = played(5, "B2", "C2", "A3", "D3", "B4", "C4", "C3", "B3", rules="japanese")
    assert ko.position_text() == "...../.XO../XO.O./.XO../..... b 0-1 C3 japanese"
    again = gc.Game.parse(ko.position_text())
    assert again.why_illegal("C3") is gc.Illegal.KO
    again.undo()
    assert again.is_legal("C2") is False
    for rules in ("chinese", "japanese"):  # without prisoners and with them
        ban = gc.Game.parse(ko.key().replace("0-1", "-") if rules == "chinese" else ko.key(), rules)
        assert (ban.is_legal("C3"), ban.is_legal("E5")) == (False, True)
    ko.play("E5")
    ko.play("E1")
    assert ko.key().endswith("b 0-1 -")  # the ban is over
    capture = gc.Game.parse("..X/.O./... w 2-0 - capture-3")
    with pytest.raises(gc.GameError, match="SGF has no place for prisoners"):
        gc.dump_sgf(capture)
    for wrong in (
        "..X/.O./... w 0-0 A1 japanese",
        "..X/.O/... w 0-0 -",
        "..X/.O./... w 0-0 - checkers",
        "",
        "XO/OX b 0-0 -",
    ):
        with pytest.raises((gc.GameError, gc.RulesError)):
            gc.Game.parse(wrong)
    with pytest.raises(gc.GameError, match="in one line is as `position_text` writes it: ") as refused:
        gc.Game.parse("..X/.O./... w")
    example = str(refused.value).split("'")[1]
    assert gc.Game.parse(example).position_text() == example


@given(plans(30))
def test_a_printed_game_is_read_again(plan: Plan) -> None:
    game = plan.after()
    if game.is_over:
        with pytest.raises(gc.GameError, match="the game is over"):
            gc.Game.parse(str(game))
        return
    again = gc.Game.parse(str(game))
    assert str(again).replace("(", " ").replace(")", " ").split() != []
    assert again.position_text().split()[:3] == game.position_text().split()[:3]
    assert again.rules == game.rules


def test_a_move_of_a_game_is_played_in_another_and_a_refusal_has_its_reason() -> None:
    game, other = gc.Game("japanese", 5), gc.Game("japanese", 5)
    for color, move in (("b", "C3"), ("b", "C4"), ("w", "pass")):
        game.play(move, color)
    for made in game.moves:
        assert other.is_legal(made)
        other.play(made)
    assert other.moves == game.moves
    with pytest.raises(gc.IllegalMoveError) as caught:
        other.play(game.moves[0])
    assert caught.value.reason is gc.Illegal.OCCUPIED
    assert pickle.loads(pickle.dumps(caught.value)).reason is gc.Illegal.OCCUPIED
    other.resign()
    with pytest.raises(gc.IllegalMoveError) as caught:
        other.play("A1")
    assert caught.value.reason is gc.Illegal.OVER


def test_a_game_is_no_list_and_hands_out_no_list_of_its_own() -> None:
    game = gc.Game("first-capture", 5)
    for use in (list, sorted, lambda game: "C3" in game, lambda game: gc.Game().setup(game, [], "black")):
        with pytest.raises(TypeError, match=r"a game is no list: .*game"):
            use(game)
    before = game.positions
    game.play("C3")
    assert (len(before), len(game.positions), type(before)) == (1, 2, tuple)
    moves = game.moves
    moves.clear()
    assert len(game.moves) == 1
