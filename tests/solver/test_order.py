"""The learned order of plays: its patterns against the board read point by point, and its weights."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, format_vertex, opponent, vertices
from gtp_capture.jit.kernel import COMPILED
from gtp_capture.solver import bitboard
from gtp_capture.solver.order import (
    BITS,
    FACTORS,
    INITIAL_FACTORS,
    MOST,
    MOST_LIBERTIES,
    ONCE,
    PATTERNS,
    UNIT,
    column_and_row,
    enter_position,
    factor,
    least_with,
    new_surroundings,
    patterns_at,
    times,
    weights,
)
from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

from ..support.random_games import unfinished_game


@numba.njit  # type: ignore[untyped-decorator]
def places(around: Any, own: Any, opp: Any, g: Any, x: int, y: int) -> Any:
    enter_position(around, own, opp, g)
    return patterns_at(x, y, around)


def around(game: Game, index: int) -> tuple[Any, ...]:
    """Return what each pattern of a point depends on, read from the board."""
    board, width, height = game.board, game.width, game.height
    column, row = index % width, index // width
    points = list(vertices(width, height))

    def seen(dx: int, dy: int, liberties: bool) -> str:
        x, y = column + dx, row + dy
        if not (0 <= x < width and 0 <= y < height):
            return "edge"
        point = points[y * width + x]
        color = int(board.color[point])
        if color not in (BLACK, opponent(BLACK)):
            return "empty"
        side = "own" if color == int(game.to_move) else "other"
        return side + (str(min(MOST_LIBERTIES, len(game.liberties(format_vertex(point, width))))) if liberties else "")

    def within(side: int, distance: int) -> list[tuple[int, int]]:
        reach = range(-side, side + 1)
        return [(dx, dy) for dy in reach for dx in reach if abs(dx) + abs(dy) <= distance]

    def stones(points: list[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(seen(dx, dy, False) for dx, dy in points)

    def classes(points: list[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(seen(dx, dy, True) for dx, dy in points)

    cross = classes(within(1, 1))
    return (
        stones(within(2, 3)),
        stones(within(3, 4)),
        cross,
        classes(within(1, 2)),
        classes(within(2, 2)),
        (stones(within(2, 2)), cross),
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [(7, 7), (8, 6), (5, 12)], ids=str)
def test_plays_have_the_same_patterns_if_they_look_the_same(size: tuple[int, int]) -> None:
    chance, solver = random.Random(5), Solver(*size, MEBIBYTE)
    g, surroundings = bitboard.kernel_geometry(solver.geometry), new_surroundings()
    number: Any = np.uint64 if COMPILED else int
    looks: list[dict[Any, int]] = [{} for _ in range(PATTERNS)]
    for _ in range(15):
        game = unfinished_game("first-capture", size, range(4, 25), chance)
        own, opp = map(number, solver.node(game.board, int(game.to_move))[:2])
        for index, point in enumerate(vertices(*size)):
            if game.board.color[point] == 0:
                indices = places(surroundings, own, opp, g, index % size[0], index // size[0])
                for look, place, seen in zip(looks, indices, around(game, index), strict=True):
                    assert look.setdefault(seen, int(place)) == int(place)
    for look in looks:
        assert len(set(look.values())) >= 0.98 * len(look)  # few others share a place


@pytest.mark.parametrize("width", range(1, 26))
def test_column_and_row(width: int) -> None:
    assert [column_and_row(point, width) for point in range(128)] == [(p % width, p // width) for p in range(128)]


def test_the_weights_are_bytes_that_tell_plays_apart() -> None:
    tables = weights()
    assert tables.shape == (PATTERNS, 1 << BITS)
    assert tables.dtype == np.int8
    assert all(np.std(table[table != 0]) > 1 for table in tables)


@pytest.mark.parametrize("table", [INITIAL_FACTORS, FACTORS])
def test_the_factor_grows_with_the_distance_to_the_best_score(table: Any) -> None:
    factors = [factor(table, 10 * UNIT - lower, 10 * UNIT) for lower in range(0, 100 * UNIT, UNIT)]
    assert factors[0] == ONCE
    assert factors == sorted(factors)
    assert factors[-1] == MOST * ONCE


def test_the_least_number_that_reaches_a_product() -> None:
    chance = random.Random(1)
    for _ in range(1000):
        product, table = chance.randrange(1, 2**28), chance.choice([INITIAL_FACTORS, FACTORS])
        by = int(chance.choice(table))
        least = least_with(product, by)
        assert times(least - 1, by) < product <= times(least, by)
