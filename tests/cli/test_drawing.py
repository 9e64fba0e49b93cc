"""Boards in the terminal: numbers of moves stay apart from each other."""

from __future__ import annotations

import re

import pytest

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.cli import drawing
from gtp_capture.go.vertex import point_at


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
