"""The learned order of plays: its patterns against the board read point by point, and its weights."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest

from gtp_capture import BLACK, Game
from gtp_capture.go.vertex import format_vertex, opponent
from gtp_capture.jit.kernel import COMPILED
from gtp_capture.solver import bitboard, order
from gtp_capture.solver.order import (
    BITS,
    FACTORS,
    FIRST_FACTORS,
    MOST,
    ONCE,
    UNIT,
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


@numba.njit  # type: ignore[untyped-decorator]
def places(around: Any, own: Any, opp: Any, g: Any, point: int) -> Any:
    return patterns_at(point, around, enter_position(around, own, opp, g), g.width)


def random_game(size: tuple[int, int], plays: int, chance: random.Random) -> Game:
    game = Game("first-capture", size)
    for _ in range(plays):
        if not game.outcome:
            game.play(chance.choice(game.legal_plays()))
    return game


def around(game: Game, index: int) -> tuple[Any, Any, Any]:
    """Return what the three patterns of a point depend on, read from the board."""
    board, width, height = game.board, game.width, game.height
    column, row = index % width, index // width
    points = bitboard.bit_points(width, height)

    def seen(dx: int, dy: int, liberties: bool) -> str:
        x, y = column + dx, row + dy
        if not (0 <= x < width and 0 <= y < height):
            return "edge" if liberties else "."
        point = points[y * width + x]
        color = int(board.color[point])
        if color not in (BLACK, opponent(BLACK)):
            return "."
        side = "own" if color == game.to_move else "other"
        return side + (str(min(4, max(2, len(game.liberties(format_vertex(point, width)))))) if liberties else "")

    square = [(dx, dy) for dy in range(-2, 3) for dx in range(-2, 3)]
    edges = (min(column, 2), min(width - 1 - column, 2), min(row, 2), min(height - 1 - row, 2))
    cross = tuple(seen(dx, dy, True) for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    box = tuple(seen(dx, dy, False) for dx, dy in square if abs(dx) + abs(dy) < 4)
    diamond = tuple(seen(dx, dy, False) for dx, dy in square if abs(dx) + abs(dy) < 3)
    return (box, edges), cross, (diamond, cross)


@pytest.mark.parametrize("size", [(7, 7), (8, 6), (5, 12)], ids=str)
def test_plays_have_the_same_patterns_if_they_look_the_same(size: tuple[int, int]) -> None:
    chance, solver = random.Random(5), Solver(*size, MEBIBYTE)
    g, surroundings = bitboard.kernel_geometry(solver.geometry), new_surroundings()
    number: Any = np.uint64 if COMPILED else int
    looks: list[dict[Any, int]] = [{}, {}, {}]
    for _ in range(40):
        game = random_game(size, chance.randrange(4, 25), chance)
        stones = solver.stones(game.board)
        own, opp = map(number, stones if game.to_move == BLACK else stones[::-1])
        for index, point in enumerate(bitboard.bit_points(*size)):
            if game.board.color[point] == 0:
                found = places(surroundings, own, opp, g, index)
                for look, place, seen in zip(looks, found, around(game, index), strict=True):
                    assert look.setdefault(seen, int(place)) == int(place)
    for look, least in zip(looks, (0.98, 1, 0.98), strict=True):
        assert len(set(look.values())) >= least * len(look)  # few others share a place


def test_the_weights_are_bytes_that_tell_plays_apart() -> None:
    found = weights()
    assert {name: found[name].shape for name in order.WEIGHTS.names or ()} == {
        "box": (1 << BITS,),
        "cross": (1 << 12,),
        "diamond": (1 << BITS,),
    }
    assert all(np.std(found[name]) > 1 for name in ("box", "cross", "diamond"))


@pytest.mark.parametrize("table", [FIRST_FACTORS, FACTORS])
def test_the_factor_grows_with_the_distance_to_the_best_score(table: Any) -> None:
    factors = [factor(table, 10 * UNIT - lower, 10 * UNIT) for lower in range(0, 100 * UNIT, UNIT)]
    assert factors[0] == ONCE
    assert factors == sorted(factors)
    assert factors[-1] == MOST * ONCE


def test_the_least_number_that_reaches_a_product() -> None:
    chance = random.Random(1)
    for _ in range(1000):
        product, table = chance.randrange(1, 2**28), chance.choice([FIRST_FACTORS, FACTORS])
        by = int(chance.choice(table))
        least = least_with(product, by)
        assert times(least - 1, by) < product <= times(least, by)
