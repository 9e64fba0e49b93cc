"""The codes of points against what is read off the position: neighbourhoods under all symmetries, chains, captures."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, EMPTY, WHITE, opponent
from gtp_capture.network.codes import CROSS, SPOT, SQUARE, STAKE, STAKES, cross_numbers, encode, square_numbers
from gtp_capture.network.network import CROSSES, SCRATCH, SQUARES

SIZES = [(5, 5), (9, 9), (7, 4), (2, 3), (2, 6), (11, 11), (13, 3)]
TURNS = [(a, 0, 0, b) for a in (1, -1) for b in (1, -1)] + [(0, a, b, 0) for a in (1, -1) for b in (1, -1)]
"""Matrices of the symmetries."""


def positions(count: int) -> Iterator[Game]:
    chance = random.Random(5)
    for number in range(count):
        width, height = SIZES[number % len(SIZES)]
        game = Game("tromp-taylor", (width, height))
        for _ in range(chance.randint(0, width * height)):
            plays = game.legal_plays()
            if plays:
                game.play_point(chance.choice(plays))
        yield game


def scratch() -> Any:
    return np.zeros(1, SCRATCH).view(np.recarray)[0]


def codes_of(game: Game, color: int, own: int = 1, other: int = 1) -> Any:
    work = scratch()
    count = encode(game.board, color, own, other, square_numbers(), cross_numbers(), work)
    assert count == game.width * game.height
    return work.codes[:, :count]


def color_at(game: Game, x: int, y: int) -> int:
    """The colour of a cell; 3 off the board."""
    inside = 0 <= x < game.width and 0 <= y < game.height
    return int(game.board.color[(y + 1) * game.board.stride + x + 1]) if inside else 3


def chain(game: Game, x: int, y: int) -> tuple[frozenset[Any], frozenset[Any]]:
    """The stones and the liberties of the chain at a cell, by a search through its stones."""
    color, seen, free, queue = color_at(game, x, y), {(x, y)}, set(), deque([(x, y)])
    while queue:
        i, j = queue.popleft()
        for cell in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            there = color_at(game, *cell)
            if there == EMPTY:
                free.add(cell)
            elif there == color and cell not in seen:
                seen.add(cell)
                queue.append(cell)
    return frozenset(seen), frozenset(free)


def seen(game: Game, color: int, x: int, y: int) -> Any:
    """What colour `color` sees in a cell: ".", "own", "other" or "off"."""
    return {EMPTY: ".", color: "own", opponent(color): "other", 3: "off"}[color_at(game, x, y)]


def state(game: Game, color: int, x: int, y: int) -> tuple[str, int]:
    what = seen(game, color, x, y)
    return what, min(4, len(chain(game, x, y)[1])) if what in ("own", "other") else 0


def least(cells: dict[tuple[int, int], Any]) -> Any:
    """One of the images of a neighbourhood under the symmetries, the same for all of them."""
    images = []
    for a, b, c, d in TURNS:
        images.append(tuple(sorted(((a * x + b * y, c * x + d * y), value) for (x, y), value in cells.items())))
    return min(images)


def oracle(game: Game, color: int, x: int, y: int) -> tuple[Any, Any, Any]:
    square = {(i, j): seen(game, color, x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
    cross = {(i, j): state(game, color, x + i, y + j) for i, j in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}
    lines = sorted(min(4, near) for near in (min(x, game.width - 1 - x), min(y, game.height - 1 - y)))
    return least(square), least(cross), tuple(lines)


def worth(stones: int, need: int) -> str:
    """What a capture of so many stones is worth to a colour that needs `need`."""
    if stones >= need:
        return "all"
    return {0: "nothing", 1: "1", 2: "2", 3: "3 or 4", 4: "3 or 4"}.get(stones, "many")


def taken(game: Game, color: int, x: int, y: int) -> int:
    """How many opposing stones a play takes: those of the chains beside it that have no other liberty."""
    beside = [at for at in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if color_at(game, *at) == opponent(color)]
    chains = {chain(game, *at) for at in beside}
    return sum(len(stones) for stones, free in chains if free == {(x, y)})


def at_stake(game: Game, color: int, x: int, y: int, own: int, other: int) -> Any:
    what = seen(game, color, x, y)
    if what == ".":
        gain, loss = taken(game, color, x, y), taken(game, opponent(color), x, y)
        return what, worth(gain, own) if gain else "-", worth(loss, other) if loss else "-"
    stones, free = chain(game, x, y)
    return what, min(len(free), 3), worth(len(stones), other if what == "own" else own)


@pytest.mark.slow
def test_stakes_are_the_same_if_and_only_if_as_much_can_be_taken() -> None:
    pairs: set[tuple[Any, int]] = set()
    chance = random.Random(1)
    for game in positions(70):
        own, other = chance.randint(1, 7), chance.randint(2, 7)
        for color in (BLACK, WHITE):
            codes = codes_of(game, color, own, other)[STAKE]
            for n in range(game.width * game.height):
                at = n % game.width, n // game.width
                pairs.add((at_stake(game, color, *at, own, other), int(codes[n])))
    assert len(pairs) == len({look for look, _ in pairs}) == len({number for _, number in pairs}) > 40
    assert {number for _, number in pairs} <= set(range(1, STAKES))


def test_nothing_is_at_stake_but_the_game_where_the_next_capture_wins() -> None:
    for game in positions(7):
        assert not codes_of(game, BLACK)[STAKE].any()


def test_points_have_the_same_number_if_and_only_if_they_look_the_same() -> None:
    looks: list[set[tuple[Any, int]]] = [set(), set(), set()]
    for game in positions(7):
        for color in (BLACK, WHITE):
            codes = codes_of(game, color)
            for n in range(game.width * game.height):
                kinds = oracle(game, color, n % game.width, n // game.width)
                for kind, number in ((SQUARE, 0), (CROSS, 1), (SPOT, 2)):
                    looks[number].add((kinds[number], int(codes[kind, n])))
    for pairs in looks:
        assert len(pairs) == len({look for look, _ in pairs}) == len({number for _, number in pairs})
    assert len(looks[0]) > 100
    assert len(looks[1]) > 100


@pytest.mark.parametrize(("numbers", "count"), [(square_numbers, SQUARES), (cross_numbers, CROSSES)])
def test_the_tables_have_a_row_for_each_number(numbers: Any, count: int) -> None:
    assert set(numbers().tolist()) == set(range(count))
