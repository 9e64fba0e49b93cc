"""Handicap points and the crosscut, on every size of board."""

from __future__ import annotations

import pytest

from gtp_capture import BLACK, WHITE, Game, GameError
from gtp_capture.go.opening import crosscut, fixed_handicap, max_fixed_handicap, spread
from gtp_capture.go.vertex import format_vertex

from ..support.diagrams import COLUMNS

SIDES = range(2, 26)
SIZES = [(width, height) for width in SIDES for height in SIDES]


def at(column: int, row: int) -> str:
    """The vertex of a column and a row counted from 1."""
    return f"{COLUMNS[column - 1]}{row}"


def table(side: int, stones: int) -> list[str]:
    """The points of the GTP draft for a square board, in its order, listed independently."""
    near = 3 if side < 13 else 4
    far, middle = side + 1 - near, (side + 1) // 2
    corners = [at(near, near), at(far, far), at(near, far), at(far, near)]
    left_right = [at(near, middle), at(far, middle)]
    low_high = [at(middle, near), at(middle, far)]
    center = [at(middle, middle)]
    return {
        2: corners[:2],
        3: corners[:3],
        4: corners,
        5: corners + center,
        6: corners + left_right,
        7: corners + left_right + center,
        8: corners + left_right + low_high,
        9: corners + left_right + low_high + center,
    }[stones]


def most(side: int) -> int:
    """The largest fixed handicap of the draft on a square board."""
    if side < 7:
        return 0
    return 4 if side == 7 or side % 2 == 0 else 9


def placed(width: int, points: list[int]) -> list[str]:
    return [format_vertex(p, width) for p in points]


def test_the_handicap_of_rectangular_boards_follows_each_side() -> None:
    for width, height in SIZES:
        limit = min(most(width), most(height))
        assert max_fixed_handicap(width, height) == limit
        for stones in range(2, limit + 1):
            # Column by the width's table, row by the height's.
            columns = [vertex[0] for vertex in table(width, stones)]
            lines = [vertex[1:] for vertex in table(height, stones)]
            expected = [column + line for column, line in zip(columns, lines, strict=True)]
            assert placed(width, fixed_handicap(width, height, stones)) == expected
        with pytest.raises(GameError, match=r"^invalid number of stones$"):
            fixed_handicap(width, height, limit + 1)


# --- Free handicap ---


@pytest.mark.slow
@pytest.mark.parametrize("width", SIDES)
def test_free_handicap_gives_that_many_points_of_the_board(width: int) -> None:
    for height in sorted({2, 3, 4, 7, 8, 13, 18, 25, width}):
        for stones in (2, 3, 4, 5, 6, 9, 10, 13):
            if stones < width * height:
                points = spread(width, height, stones)
                assert len(points) == len(set(points)) == stones
                game = Game("chinese", (width, height))
                # This raises if a point is off the board, doubled or without a liberty.
                game.place_handicap(map(game.vertex, points))
                assert (game.handicap, game.to_move) == (stones, WHITE)


@pytest.mark.parametrize("side", [7, 9, 13, 19])
def test_free_handicap_begins_with_the_fixed_points(side: int) -> None:
    for stones in range(2, most(side) + 1):
        assert spread(side, side, stones) == fixed_handicap(side, side, stones)


# --- Crosscut ---


@pytest.mark.slow
def test_the_crosscut_on_every_board_of_four_and_more() -> None:
    for width, height in SIZES:
        if min(width, height) < 4:
            with pytest.raises(GameError, match=f"{width}x{height}"):
                crosscut(width, height)
            continue
        black, white = crosscut(width, height)
        # The centre of an odd side is the lower left of the four points; an even side has two central lines.
        column, row = (width + 1) // 2, (height + 1) // 2
        assert sorted(placed(width, black)) == sorted([at(column, row), at(column + 1, row + 1)])
        assert sorted(placed(width, white)) == sorted([at(column + 1, row), at(column, row + 1)])
        game = Game("first-capture", (width, height))
        game.setup_points(black, white, BLACK)
        assert game.outcome is None
        assert game.atari(BLACK) == game.atari(WHITE) == []
