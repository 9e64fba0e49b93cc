"""Boards in the terminal: numbers of moves stay apart from each other, and marks do not hide each other."""

from __future__ import annotations

import re

import pytest
from rich.color import Color, ColorSystem
from rich.style import Style

from gtp_capture import Game
from gtp_capture.cli import drawing
from gtp_capture.go.vertex import BLACK, WHITE, point_at

from ..support.diagrams import played


@pytest.mark.parametrize(
    ("side", "columns", "numbered"), [(5, 80, 12), (9, 80, 30), (19, 80, 99), (19, 60, 30), (5, 80, 9)]
)
def test_numbers_of_moves_stay_apart(side: int, columns: int, numbered: int) -> None:
    game = Game("first-capture", side)
    numbers = {point_at(n % side, n // side, side): (n + 1, (BLACK, WHITE)[n % 2]) for n in range(numbered)}
    lines = drawing.board(game, numbers=numbers, columns=columns).plain.split("\n")
    assert max(map(len, lines)) <= columns
    shown = re.findall(r"\d+|[a-z]", " ".join(line.strip().split(" ", 1)[1].rsplit(" ", 1)[0] for line in lines[1:-1]))
    assert len(shown) == numbered
    assert lines[0] == lines[-1]
    letters = [lines[0].index(letter) for letter in "ABCDE"]
    for line in lines[1:-1]:
        assert all(line[column] != " " for column in letters)  # the last digit of a number, or a point


@pytest.mark.parametrize(
    ("moves", "row"),
    [("D3 D4 A1 E3 B1 C3", "3 · ·(○)● ○ 3"), ("A2 D4 E5 A1", "1(○)· · · · 1"), ("D3 D4 A1 C3 B1 E3", "3 · · ○!●(○)3")],
    ids=["a stone beside the last one", "the last stone", "a stone before the last one"],
)
def test_the_mark_of_an_atari_leaves_the_brackets_of_the_last_stone(moves: str, row: str) -> None:
    assert row in drawing.board(played(5, *moves.split())).plain


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])
def test_stones_and_marks_differ_from_the_board_in_every_colour_system(system: ColorSystem) -> None:
    def shown(style: str) -> Color | None:
        parsed = Style.parse(style)
        color = parsed.bgcolor or parsed.color
        return color and color.downgrade(system)

    grounds = [shown(style) for style in (drawing.WOOD, drawing.LAST, drawing.ATARI)]
    assert len(set(grounds)) == 3
    for color in (BLACK, WHITE):
        assert shown(drawing.STYLES[int(color)]) not in grounds


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("D4の石はアタリです。", ["D4の石はア", "タリです。"]),
        ("「次の一手」で取る。", ["「次の一", "手」で取", "る。"]),
        ("A1、B2のどちら。", ["A1、B2のど", "ちら。"]),
        ("  help  入れる言葉:", ["  help  入", "れる言葉:"]),
        ("ください言葉: A1", ["ください言", "葉: A1"]),
        ("黑棋 Black 吃子。\n\n白棋", ["黑棋 Black", "吃子。", "", "白棋"]),
    ],
)  # fmt: skip
def test_a_line_of_wide_characters_ends_between_them_and_no_mark_begins_one(text: str, lines: list[str]) -> None:
    assert drawing.broken(text, 10).split("\n") == lines


def test_a_line_of_narrow_characters_is_left_to_rich() -> None:
    assert drawing.broken("Weiß nimmt zwei Steine ● und gewinnt.", 10) == "Weiß nimmt zwei Steine ● und gewinnt."
