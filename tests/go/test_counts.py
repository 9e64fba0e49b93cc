"""Published numbers: the count of legal positions, and the results of random games."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

import gtp_capture as gc
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import BLACK, EMPTY, WHITE, point_at

pytestmark = pytest.mark.slow


def legal_positions(width: int, height: int) -> int:
    """The number of ways to leave each point empty or to put a stone on it such that every chain has a liberty."""
    count, points = 0, [point_at(x, y, width) for y in range(height) for x in range(width)]
    for colors in product((EMPTY, BLACK, WHITE), repeat=len(points)):
        board = bd.new(width, height)
        stones = [(p, color) for p, color in zip(points, colors, strict=True) if color != EMPTY]
        for p, color in stones:
            bd.place(board, p, color)
        count += all(board.libs[board.root[p]] for p, _ in stones)
    return count


@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(2, 2, 57), (3, 3, 12_675), (2, 3, 489), (3, 2, 489), (2, 4, 4_125)],
)
def test_the_number_of_legal_positions(width: int, height: int, count: int) -> None:
    assert legal_positions(width, height) == count


class Published(NamedTuple):
    """Random games from the empty board: plays on average and the share that Black wins; both rounded."""

    plays: float
    black: float


PUBLISHED_GAMES = 400_000
PUBLISHED = {7: Published(31.40, 0.5106), 9: Published(48.03, 0.5063)}
GAMES = 200_000


@pytest.mark.parametrize("side", PUBLISHED)
def test_random_games_have_the_published_length_and_winners(side: int) -> None:
    counted = gc.playouts(gc.Game("first-capture", side), GAMES, seed=side)
    lengths, games = (np.array(list(values)) for values in (counted.lengths.keys(), counted.lengths.values()))
    plays = float(lengths @ games) / GAMES
    black = counted.winners[gc.BLACK] / GAMES
    # The error of both samples and of the rounding.
    variance = float((lengths - plays) ** 2 @ games) / GAMES
    published = PUBLISHED[side]
    share = published.black * (1 - published.black)
    plays_error = math.sqrt(variance * (1 / GAMES + 1 / PUBLISHED_GAMES) + 0.01**2 / 12)
    black_error = math.sqrt(share * (1 / GAMES + 1 / PUBLISHED_GAMES) + 0.0001**2 / 12)
    assert plays_error < 0.1  # small enough to tell a wrong rule from a right one
    assert abs(plays - published.plays) < 3 * plays_error
    assert abs(black - published.black) < 3 * black_error
