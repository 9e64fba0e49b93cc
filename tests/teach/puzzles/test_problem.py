"""Canonical positions and grades."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go.vertex import opponent
from gtp_capture.teach.puzzles.problem import Difficulty, Start

from ...support.diagrams import set_up


def start_of(rows: list[str], to_move: int) -> Start:
    game = set_up(" ".join(rows), "capture-5", to_move)
    return Start.of(game.board, to_move, game.rules)


@st.composite
def boards(draw: st.DrawFn) -> list[str]:
    """Rows with few stones, so that every chain has a liberty."""
    width, height = draw(st.tuples(st.integers(3, 6), st.integers(3, 6)))
    row = st.text("......XO", min_size=width, max_size=width)
    return draw(st.lists(row, min_size=height, max_size=height).filter(_whole))


def _whole(rows: list[str]) -> bool:
    try:
        start_of(rows, 1)
    except ValueError:
        return False
    return True


@pytest.mark.slow
@given(boards(), st.integers(1, 2))
def test_all_images_have_the_same_code(rows: list[str], to_move: int) -> None:
    code = start_of(rows, to_move).canonical()
    turned = ["".join(column) for column in zip(*rows, strict=True)]
    for image in (rows[::-1], [row[::-1] for row in rows], turned, turned[::-1]):
        assert start_of(image, to_move).canonical() == code
    start = start_of(rows, to_move)
    assert replace(start, black=start.white, white=start.black, to_move=opponent(to_move)).canonical() == code


@pytest.mark.slow
@given(boards())
def test_the_side_to_move_and_the_stones_are_part_of_the_code(rows: list[str]) -> None:
    codes = {start_of(rows, color).canonical() for color in (1, 2)}
    count = sum(row.count("X") for row in rows), sum(row.count("O") for row in rows)
    if count[0] != count[1]:
        assert len(codes) == 2


def test_grades_follow_the_share_of_missed_tries() -> None:
    expected = {0: 1, 28: 1, 29: 2, 33: 2, 34: 3, 39: 3, 40: 4, 44: 4, 45: 5, 56: 5}
    assert {missed: Difficulty(missed, 56).grade for missed in expected} == expected
    assert Difficulty(0, 0).grade == 0
