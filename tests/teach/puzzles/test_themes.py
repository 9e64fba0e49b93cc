"""The themes, each on a position made for it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from gtp_capture.go.vertex import BLACK, Color, opponent
from gtp_capture.teach.puzzles.problem import Start
from gtp_capture.teach.puzzles.theme import THEMES, theme_of

from ...support.diagrams import moves, set_up


class Case(NamedTuple):
    theme: str
    diagram: str
    to_move: int
    line: str
    rules: str = "first-capture"


CASES = [
    Case("capture", ".X... XOX.. ..... ..... .....", BLACK, "B B3"),
    Case("save", "..... ..O.. .OXO. ..... .X...", BLACK, "B C2 W A1 B A2"),
    Case("double atari", "..... .XO.. ..XOX ..... .....", BLACK, "B D4 W C5 B D2"),
    Case("ladder", "..X.. .XO.. .X... ..... .....", BLACK, "B D4 W C3 B C2 W D3 B E3 W D2 B D1 W E2 B E1"),
    Case("race of safe moves", ".O.OX OOOOX XOXXX XXXX. .OOO.", BLACK, "B E2 W A1 B E1"),
    Case("squeeze", "..... ..... ..... ..... .XOO.", BLACK, "B C2 W A5 B D2 W A4 B E1"),
    Case("squeeze", "..... ..... XX... OOX.. ..OO.", BLACK, "B B1 W A1 B B1", "capture-2"),
    Case("net", "..XX. .XO.. .X... ..... .....", BLACK, "B D3 W D4 B E4 W C3 B C2"),
    Case("cut", "..... ...X. .O.O. ...X. .....", BLACK, "B C3 W A1 B E3"),
    Case("", ".XO.. .XOO. OOXO. .XXX. .....", BLACK, "B A2 W A4 B A5"),
]


def start_and_line(case: Case) -> tuple[Start, tuple[int, ...]]:
    game = set_up(case.diagram, case.rules, case.to_move)
    return Start.of(game.board, case.to_move, game.rules), tuple(game.point(v) for _, v in moves(case.line))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.theme}: {case.line}")
def test_each_theme_is_found_in_a_position_made_for_it(case: Case) -> None:
    start, line = start_and_line(case)
    game = start.game()
    for move in line:
        assert game.outcome is None
        game.play_point(move)
    assert game.outcome is not None
    assert game.outcome.winner == Color(case.to_move)
    assert theme_of(start, line) == case.theme


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.theme}: {case.line}")
def test_the_theme_does_not_depend_on_the_colour(case: Case) -> None:
    start, line = start_and_line(case)
    other = replace(start, black=start.white, white=start.black, to_move=opponent(start.to_move))
    assert theme_of(other, line) == case.theme


def test_the_ladder_needs_a_reply_that_extends() -> None:
    ladder = next(case for case in CASES if case.theme == "ladder")
    start, line = start_and_line(ladder)
    elsewhere = start.game().point("A1")
    assert theme_of(start, (*line[:7], elsewhere, start.game().point("E2"))) != "ladder"


def test_every_theme_has_a_case() -> None:
    assert {case.theme for case in CASES} == {*THEMES, ""}
