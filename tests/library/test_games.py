"""Games as values: stones, chains and moves by vertex, colours as text, short text, pickles and copies."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import gtp_capture as gc
from gtp_capture.players import life

from ..support.diagrams import set_up
from ..support.random_games import Plan, plans

ATARI = "..... ..O.. .OX.. ..O.. ....."  # D3 captures


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
    game = gc.Game("japanese", (7, 5))
    for move in ("g5", "pass", "A1", "resign"):
        game.play(move)
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


def test_a_colour_is_a_word_in_text_and_a_number_in_arrays() -> None:
    assert (str(gc.BLACK), f"{gc.WHITE}", f"{gc.WHITE:>6}") == ("black", "white", " white")
    assert (gc.BLACK.opponent, gc.BLACK + 0) == (gc.WHITE, 1)
    for text, number in (("black", 1), ("B", 1), ("white", 2), ("blue", 3), ("", None)):
        equal = [color for color in gc.Color if color == text]
        assert (
            equal == [color for color in gc.Color if text == color] == [color for color in gc.Color if color == number]
        )
        assert [color for color in gc.Color if color != text] == [color for color in gc.Color if color not in equal]
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
    resigned = set_up(ATARI, "first-capture", gc.WHITE)
    resigned.resign()
    assert by_pickle(resigned).outcome == gc.Outcome(gc.BLACK, gc.Termination.RESIGNATION)


@pytest.mark.parametrize("make", [gc.Game.copy, copy.copy, copy.deepcopy, by_pickle])
def test_a_copy_of_any_kind_is_equal_and_independent(make: Callable[[gc.Game], gc.Game]) -> None:
    game = gc.Game("japanese", 5)
    game.play("C3")
    other = make(game)
    assert other == game
    other.play("A1")
    assert [move.color for move in game.moves] == [gc.BLACK]
    other.undo()
    assert other == game
