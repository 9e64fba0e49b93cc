"""The network: its sums against matrices in double precision, its symmetry, and what it knows of solved positions."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from importlib import resources
from typing import Any

import numpy as np
import pytest

import gtp_capture.network
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.records import rules_record
from gtp_capture.network.network import CAPTURE_FILE, ORDINARY_FILE, begin_policy, logit, need_class, shipped, win_rate
from gtp_capture.solver.result import UNKNOWN, WIN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE
from tests.support.random_games import safe_plays

from .test_codes import codes_of, positions, scratch


def positive(values: Any) -> Any:
    return np.maximum(values, 0)


def rules(game: Game) -> Any:
    return rules_record(game.rules, game.komi)


def some_games(count: int) -> Iterator[tuple[Game, int, int]]:
    """Positions of first capture and capture-25, and the prisoners that Black and White still need.

    Then positions of ordinary Go with the komi 7.5, and the classes of the needs of Black and White.
    """
    chance = random.Random(3)
    for number, position in enumerate(positions(count)):
        captures = (1, 25, 0)[number % 3]
        rules = f"capture-{captures}" if captures else "chinese"
        game = Game.from_array(position.board_array(), rules)
        if captures == 0:
            yield game, 5 + 4 + 1, 5 - 4 + 1
            continue
        held = chance.randint(0, captures - 1), chance.randint(0, captures - 1)
        game.board.prisoners[BLACK], game.board.prisoners[WHITE] = held
        yield game, captures - held[0], captures - held[1]


def network_of(game: Game) -> Any:
    return shipped(ordinary=game.rules.captures is None)


def hidden_layer(game: Game, color: int, own: int, other: int) -> tuple[Any, Any]:
    """The mixed vectors of all points, and the first hidden layer, by matrices in double precision.

    `own`, `other`: prisoners that are needed; in ordinary Go classes of the komi, counted from 1.
    """
    network = network_of(game)
    prisoners = (10, 10) if game.rules.captures is None else (own, other)
    codes = codes_of(game, color, *prisoners)
    tables = (network.squares, network.crosses, network.spots, network.stakes)
    points = positive(sum(table[numbers].astype(int) for table, numbers in zip(tables, codes, strict=True)))
    mixed = mix(points.reshape(game.height, game.width, -1), network.mix[:, 0].astype(int)).reshape(points.shape)
    hidden = mixed.sum(axis=0) @ network.first.astype(np.float64) + network.first_bias
    return mixed, hidden + network.own_needs[min(own, 10) - 1] + network.other_needs[min(other, 10) - 1]


def mix(vectors: Any, weights: Any) -> Any:
    """Return the vectors [row, column, element] mixed with those around them, in whole numbers."""
    height, width, _ = vectors.shape
    padded = np.pad(vectors, ((1, 1), (1, 1), (0, 0)))
    mixed = weights[3]
    for part, (distance, factor) in enumerate(((0, 32), (1, 16), (2, 16))):
        total = sum(
            padded[1 + y : 1 + y + height, 1 + x : 1 + x + width]
            for y, x in itertools.product((-1, 0, 1), repeat=2)
            if abs(x) + abs(y) == distance
        )
        mixed = mixed + (total * factor * weights[part] >> 16)
    return np.clip(mixed, 0, 4 * 127)


@pytest.mark.slow
def test_a_win_rate_is_that_of_the_matrices() -> None:
    for game, black, white in some_games(20):
        network = network_of(game)
        for color, own, other in ((BLACK, black, white), (WHITE, white, black)):
            _, first = hidden_layer(game, color, own, other)
            second = positive(positive(first) @ network.second.astype(np.float64) + network.second_bias)
            expected = 1 / (1 + math.exp(-(second @ network.value.astype(np.float64) + network.value_bias)))
            assert win_rate(game.board, rules(game), color, network, scratch()) == pytest.approx(expected, abs=1e-4)


def test_the_logits_are_those_of_the_matrices() -> None:
    work = scratch()
    for game, black, white in some_games(6):
        network = network_of(game)
        color, last = BLACK, game.board.empties and int(game.board.empty[0])
        points, hidden = hidden_layer(game, color, black, white)
        shift = positive(hidden) @ network.shift.astype(np.float64) + network.shift_bias
        begin_policy(game.board, rules(game), color, network, work)
        np.testing.assert_allclose(work.shift, shift, rtol=1e-5, atol=0.501)
        for p in game.board.empty[: game.board.empties]:
            column, row = int(p) % game.board.stride - 1, int(p) // game.board.stride - 1
            across = abs(column - (last % game.board.stride - 1))
            along = abs(row - (last // game.board.stride - 1))
            near = max(0, min(11, across + along + max(across, along) - 1))
            whole = positive(points[row * game.width + column] + work.shift) @ network.policy.astype(np.float64)
            expected = whole * network.policy_unit + network.distances[near]
            assert logit(game.board, int(p), last, network, work) == pytest.approx(expected, abs=1e-3)


def turned(game: Game, quarter: int, flipped: bool, colors: bool) -> Game:
    """A position turned by quarters, perhaps flipped and with the colours exchanged."""
    grid = game.board_array()
    if colors:
        grid = np.where(grid > 0, 3 - grid, grid)
    grid = np.rot90(np.fliplr(grid) if flipped else grid, quarter)
    other = Game.from_array(grid, game.rules, komi=-game.komi if colors else game.komi)
    for color in (BLACK, WHITE):
        other.board.prisoners[color] = game.board.prisoners[opponent(color) if colors else color]
    return other


@pytest.mark.slow
def test_the_win_rate_is_the_same_under_symmetries_and_with_the_colors_exchanged() -> None:
    for game, _, _ in some_games(3):
        network = network_of(game)
        expected = win_rate(game.board, rules(game), BLACK, network, scratch())
        for quarter in range(4):
            for flipped in (False, True):
                for colors in (False, True):
                    other = turned(game, quarter, flipped, colors)
                    color = WHITE if colors else BLACK
                    rate = win_rate(other.board, rules(other), color, network, scratch())
                    assert rate == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("file", [CAPTURE_FILE, ORDINARY_FILE])
def test_a_file_has_at_most_two_megabytes(file: str) -> None:
    assert len((resources.files(gtp_capture.network) / file).read_bytes()) <= 2e6


@pytest.mark.parametrize(
    ("komi", "black"), [(0.0, 5), (0.5, 5), (1.0, 6), (3.5, 7), (7.5, 9), (99.5, 9), (-7.5, 1), (-8.9, 1), (-99.5, 0)]
)
def test_in_ordinary_go_a_colour_needs_the_komi(komi: float, black: int) -> None:
    game = Game("chinese", 9, komi=komi)
    assert need_class(game.board, rules(game), BLACK) == black
    mirrored = Game("chinese", 9, komi=-komi)
    assert need_class(mirrored.board, rules(mirrored), WHITE) == black


def test_with_more_komi_white_wins_more_often() -> None:
    rates = [
        win_rate(game.board, rules(game), BLACK, shipped(ordinary=True), scratch())
        for game in (Game("chinese", 9, komi=komi) for komi in (-9.5, 0.5, 9.5))
    ]
    assert rates[0] > rates[1] + 0.05 > rates[2] + 0.1


def test_it_matters_whose_turn_it_is() -> None:
    rates = [
        [win_rate(game.board, rules(game), color, shipped(), scratch()) for color in (BLACK, WHITE)]
        for game in positions(7)
    ]
    assert sum(abs(black - white) > 1e-3 for black, white in rates) > 3


def solved_positions(count: int) -> list[tuple[Game, bool]]:
    """Return random positions of 7x7, and whether the colour to move wins by the exact solver."""
    chance, solver, solved = random.Random(2), Solver(7, 7, 16 * MEBIBYTE), list[tuple[Game, bool]]()
    while len(solved) < count:
        game = Game("first-capture", 7)
        for _ in range(18):
            plays = safe_plays(game, solver)
            if not plays:
                break
            game.play_point(chance.choice(plays))
        result = solver.value(game.board, int(game.to_move), Limit(nodes=500_000).begin())
        if result != UNKNOWN:
            solved.append((game, result == WIN))
    return solved


@pytest.mark.slow
def test_it_agrees_with_the_solver_more_often_than_chance() -> None:
    agreed = sum(
        (win_rate(game.board, rules(game), int(game.to_move), shipped(), scratch()) > 0.5) == wins
        for game, wins in solved_positions(400)
    )
    assert agreed >= 236  # by chance once in some 5,000 times


@pytest.mark.parametrize("komi", [1e300, -1e39])
def test_a_komi_beyond_every_board_is_as_one_just_beyond(komi: float) -> None:
    rules = Game("chinese", 5, komi=komi).rules
    assert rules_record(rules, komi) == rules_record(rules, 1e5 if komi > 0 else -1e5)
