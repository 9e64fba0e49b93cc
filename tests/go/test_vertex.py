"""Colours and vertices as text, and the geometry under them."""

from __future__ import annotations

import pytest

from gtp_capture.go.vertex import BLACK, PASS, column_row, format_vertex, numbered, parse_vertex, point_at, repeated

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SIDES = range(2, 26)


@pytest.mark.parametrize("width", SIDES)
def test_every_vertex_names_one_point_and_back_on_every_board(width: int) -> None:
    for height in SIDES:
        seen = set()
        for row in range(height):
            for column in range(width):
                text = f"{LETTERS[column]}{row + 1}"
                point = parse_vertex(text, width, height)
                assert parse_vertex(text.lower(), width, height) == point
                assert format_vertex(point, width) == text
                assert point == point_at(column, row, width)
                assert column_row(point, width) == (column, row)
                seen.add(point)
        assert len(seen) == width * height
        assert min(seen) > PASS  # a point can be mistaken neither for a pass nor for a resignation


@pytest.mark.parametrize("width", SIDES)
def test_just_beyond_the_edge_is_refused_on_every_board(width: int) -> None:
    for height in SIDES:
        beyond = [f"A{height + 1}", "A0", f"{LETTERS[width - 1]}{height + 1}"]
        if width < 25:
            beyond += [f"{LETTERS[width]}1", f"{LETTERS[width]}{height}"]
        for text in beyond:
            with pytest.raises(ValueError, match=text):
                parse_vertex(text, width, height)


@pytest.mark.parametrize("text", [
    "", "I1", "i5", "A", "5", "A-1", "A+1", "AA1", "A1B", "A 1", "A1 ", " A1", "A1.0", "A100", "1A", "@1", "resign",
    # Upper case of the long s is a plain S, and int() reads Arabic digits.
    "A\u0661", "A\u00b2", "\u017f1", "pa\u017fs", "\uff211",
])  # fmt: skip
def test_text_that_is_not_a_vertex_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a vertex|not on the"):
        parse_vertex(text, 25, 25)


@pytest.mark.parametrize(
    ("points", "pairs"),
    [((), []), ((7, 8, 9), []), ((7, 8, 7), [(3, 1)]), ((7, PASS, 7, PASS, 8, 7), [(3, 1), (6, 1)])],
)
def test_the_plays_that_are_not_drawn_are_found(points: tuple[int, ...], pairs: list[tuple[int, int]]) -> None:
    assert repeated(points) == pairs
    drawn = {number for point, (number, _) in numbered(BLACK, points).items() if point != PASS}
    missing = {number for number, point in enumerate(points, 1) if point != PASS and number not in drawn}
    assert missing == {number for number, _ in pairs}
