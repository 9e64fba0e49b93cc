"""Plays as diagrams, the three 5x5 examples of the basic rules, and the prisoners of each colour."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import pytest

from gtp_capture import BLACK, PRESETS, WHITE, Game, GameError, IllegalMoveError, Ko, Rules

from ..support.diagrams import moves, play, rows, set_up, show

SUICIDE_LEGAL = PRESETS["tromp-taylor"].override(ko=Ko.NONE)
FORBID_SUICIDE = [name for name in PRESETS if name != "tromp-taylor"]


class Play(NamedTuple):
    """A play, the board after it, and the prisoners that Black and White hold."""

    before: str
    move: str
    after: str
    black: int
    white: int


def check(case: Play, rules: Rules | str) -> None:
    color, vertex = next(moves(case.move))
    game = set_up(case.before, rules, color)
    assert game.why_illegal(vertex, color) is None
    game.play(vertex, color)
    assert show(game) == rows(case.after)
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (case.black, case.white)
    assert int(game.to_move) == 3 - color


CAPTURES = {
    "three chains of 1, 2, 3 stones": Play("..X... XXOXXX OO.OOO XXXXXX", "B C2", "..X... XX.XXX ..X... XXXXXX", 6, 0),
    "a ko stone, with a stone that has no liberty": Play(".XO. XO.O .XO.", "B C2", ".XO. X.XO .XO.", 1, 0),
    "by filling one's own last liberty": Play("XXO XXO O.O", "W B1", "..O ..O OOO", 0, 4),
    "before self-capture (the basic rules' first example)": Play(
        "..... ..... XXXXX XOOOO XO.XX", "B C1", "..... ..... XXXXX X.... X.XXX", 5, 0
    ),
}


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("name", CAPTURES)
def test_captures_come_first_and_are_the_same_under_all_rules(name: str, rules: str) -> None:
    check(CAPTURES[name], rules)


SINGLE_STONE = Play("..... ..X.. X.X.. OO... .O...", "B A1", "..... ..X.. X.X.. OO... .O...", 0, 1)
FOUR_STONES = Play("..O.. ..X.. .XOOO .OX.O X.OXX", "B D2", "..O.. ..X.. .XOOO .O..O X.O..", 0, 4)

SUICIDES = {
    "two chains and the stone that joins them": Play("OOO. X.XO", "B B1", "OOO. ...O", 0, 3),
    "one stone (the basic rules' second example)": SINGLE_STONE,
    "four stones (the basic rules' third example)": FOUR_STONES,
}


@pytest.mark.parametrize("name", SUICIDES)
def test_self_captured_stones_become_the_opponents_prisoners_where_suicide_is_legal(name: str) -> None:
    check(SUICIDES[name], SUICIDE_LEGAL)


@pytest.mark.parametrize("rules", FORBID_SUICIDE)
@pytest.mark.parametrize("name", SUICIDES)
def test_suicide_is_refused_everywhere_else_and_changes_nothing(name: str, rules: str) -> None:
    case = SUICIDES[name]
    color, vertex = next(moves(case.move))
    game = set_up(case.before, rules, color)
    before = pickle.dumps(game.board), game.positions
    assert game.why_illegal(vertex, color) == "suicide"
    with pytest.raises(IllegalMoveError, match=f"{vertex}: suicide"):
        game.play(vertex, color)
    assert (pickle.dumps(game.board), game.positions) == before


def test_the_basic_rules_allow_the_four_stones_and_forbid_the_single_one_as_a_repetition() -> None:
    check(FOUR_STONES, "tromp-taylor")
    game = set_up(SINGLE_STONE.before, "tromp-taylor")
    assert "superko" in str(game.why_illegal("A1", BLACK))


@pytest.mark.parametrize(
    ("rules", "stones"), [("aga", 1), ("japanese", 0), ("chinese", 0), ("tromp-taylor", 0), ("first-capture", 1)]
)
def test_a_pass_hands_over_a_stone_where_the_rules_say_so(rules: str, stones: int) -> None:
    game = play(Game(rules, 5), "B C3 W pass")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (stones, 0)
    game = play(Game(rules, 5), "B pass W B2 B pass W D2")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (0, 2 * stones)


@pytest.mark.parametrize("size", [5.0, "9x7", (5, 7.5), (None, 5), (5,), (5, 7, 9), None])
def test_a_size_is_one_or_two_whole_numbers(size: Any) -> None:
    with pytest.raises(TypeError, match="a size is a number of points a side"):
        Game("first-capture", size)


@pytest.mark.parametrize("size", [1, 26, (5, 0), [30, 5]])
def test_a_side_has_2_to_25_points(size: Any) -> None:
    with pytest.raises(GameError, match="a board has 2 to 25 points a side, not"):
        Game("first-capture", size)
