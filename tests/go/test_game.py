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
    assert game.to_move == 3 - color


CAPTURES = {
    "a stone in the corner": Play("... X.. O..", "B B1", "... X.. .X.", 1, 0),
    "on the smallest board": Play("OX .X", "B A1", ".X XX", 1, 0),
    "a stone in the middle, by White": Play(".O. OX. .O.", "W C2", ".O. O.O .O.", 0, 1),
    "a chain of four": Play(".XX. XOOX XOOX .X..", "B C1", ".XX. X..X X..X .XX.", 4, 0),
    "two chains": Play(".XXX. XO.OX .XXX.", "B C2", ".XXX. X.X.X .XXX.", 2, 0),
    "three chains of 1, 2, 3 stones": Play("..X... XXOXXX OO.OOO XXXXXX", "B C2", "..X... XX.XXX ..X... XXXXXX", 6, 0),
    "four chains": Play("..X.. .XOX. XO.OX .XOX. ..X..", "B C3", "..X.. .X.X. X.X.X .X.X. ..X..", 4, 0),
    "a chain that touches the point twice": Play("XXXX XOOX XO.X XXX.", "B C2", "XXXX X..X X.XX XXX.", 3, 0),
    "on a board that is not square": Play("XO. .X.", "B C2", "X.X .X.", 1, 0),
    "nothing while a liberty is left": Play("..X. .XO. ..X.", "B A1", "..X. .XO. X.X.", 0, 0),
    "a ko stone, with a stone that has no liberty": Play(".XO. XO.O .XO.", "B C2", ".XO. X.XO .XO.", 1, 0),
    "by filling one's own last liberty": Play("XXO XXO O.O", "W B1", "..O ..O OOO", 0, 4),
    "by filling one's own last liberty, Black": Play("XXO XXO O.O", "B B1", "XX. XX. .X.", 4, 0),
    "every stone of the board": Play("XXX XXX X.X", "W B1", "... ... .O.", 0, 8),
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
    "one stone": Play(".O. O.O .O.", "B B2", ".O. O.O .O.", 0, 1),
    "one stone in the corner": Play(".X. X.. ...", "W A3", ".X. X.. ...", 1, 0),
    "two stones": Play("XO. .O. O..", "B A2", ".O. .O. O..", 0, 2),
    "two chains and the stone that joins them": Play("OOO. X.XO", "B B1", "OOO. ...O", 0, 3),
    "a full board": Play("XXX XXX X.X", "B B1", "... ... ...", 0, 9),
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
    before = pickle.dumps(game.board), list(game.positions)
    assert game.why_illegal(vertex, color) == "suicide"
    with pytest.raises(IllegalMoveError, match=f"{vertex}: suicide"):
        game.play(vertex, color)
    assert (pickle.dumps(game.board), game.positions) == before


def test_the_basic_rules_allow_the_four_stones_and_forbid_the_single_one_as_a_repetition() -> None:
    check(FOUR_STONES, "tromp-taylor")
    game = set_up(SINGLE_STONE.before, "tromp-taylor")
    assert "superko" in str(game.why_illegal("A1", BLACK))
    # Other superko rules allow it: it repeats a position, but none that Black's own play had made ...
    game = set_up(SINGLE_STONE.before, PRESETS["tromp-taylor"].override(ko=Ko.SITUATIONAL))
    play(game, "B A1 W pass")
    # ... until it has.
    assert "superko" in str(game.why_illegal("A1", BLACK))
    assert game.prisoners(WHITE) == 1


@pytest.mark.parametrize("rules", FORBID_SUICIDE)
def test_a_stone_that_gets_a_liberty_is_legal(rules: str) -> None:
    game = set_up("OOO. X.X.", rules)  # B1 joins a chain with the liberty D1
    assert game.is_legal("B1", BLACK)
    game = set_up(".O. O.O .O.", rules)  # White may fill the own eye
    game.go_on()  # Black, to move, has no legal play
    assert game.is_legal("B2", WHITE)
    assert not game.is_legal("B2", BLACK)


@pytest.mark.parametrize("vertex", ["A1", "B2"])
def test_an_occupied_point_is_refused(vertex: str) -> None:
    game = set_up("... .O. X..", "japanese")
    for color in (BLACK, WHITE):
        with pytest.raises(IllegalMoveError, match="not empty"):
            game.play(vertex, color)
    assert len(game.positions) == 1


@pytest.mark.parametrize("vertex", ["A4", "D1", "I1", "", "A0"])
def test_a_vertex_off_the_board_is_an_error_and_changes_nothing(vertex: str) -> None:
    game = Game("japanese", 3)
    with pytest.raises(ValueError, match="not"):
        game.play(vertex, BLACK)
    assert len(game.positions) == 1


@pytest.mark.parametrize(
    ("rules", "stones"), [("aga", 1), ("japanese", 0), ("chinese", 0), ("tromp-taylor", 0), ("first-capture", 1)]
)
def test_a_pass_hands_over_a_stone_where_the_rules_say_so(rules: str, stones: int) -> None:
    game = play(Game(rules, 5), "B C3 W pass")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (stones, 0)
    game = play(Game(rules, 5), "B pass W B2 B pass W D2")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (0, 2 * stones)


def test_prisoners_add_up_over_a_game() -> None:
    game = play(set_up("..... .XXX. XO.OX .XXX.", "aga"), "B C2 W pass B pass W A4")
    assert (game.prisoners(BLACK), game.prisoners(WHITE)) == (3, 1)


@pytest.mark.parametrize("size", [5.0, "9x7", (5, 7.5), (None, 5), (5,), (5, 7, 9), None])
def test_a_size_is_one_or_two_whole_numbers(size: Any) -> None:
    with pytest.raises(TypeError, match="a size is a number of points a side"):
        Game("first-capture", size)


@pytest.mark.parametrize("size", [1, 26, (5, 0), [30, 5]])
def test_a_side_has_2_to_25_points(size: Any) -> None:
    with pytest.raises(GameError, match="a board has 2 to 25 points a side, not"):
        Game("first-capture", size)
