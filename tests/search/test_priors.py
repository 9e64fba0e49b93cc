"""Learned priors: equal for symmetric positions and exchanged colours, and higher for winning plays."""

from __future__ import annotations

import random
from statistics import mean

import numpy as np
import pytest
from hypothesis import assume, given, settings

from gtp_capture import BLACK, Game
from gtp_capture.go.vertex import column_row, opponent, point_at
from gtp_capture.jit.records import rules_record
from gtp_capture.search import priors
from gtp_capture.solver.solver import Solver

from ..go.test_symmetry import EXCHANGING, KEEPING
from ..support.random_games import Plan, choose, plans

pytestmark = pytest.mark.slow


def seen(game: Game) -> dict[int, float]:
    """Return the priors' shares of the plays of the colour to move."""
    last = game.last_move
    near = last.point if last is not None and last.point > 0 else 0
    rules = rules_record(game.rules, 0.0)
    return priors.shares(game.board, rules, game.legal_plays(), game.to_move, near)


@pytest.mark.parametrize("turn", [*KEEPING, *EXCHANGING])
@given(plans(most=20, rules=["first-capture"]))
@settings(max_examples=20)
def test_symmetric_positions_and_exchanged_colours_have_equal_shares(turn: str, plan: Plan) -> None:
    transform = {**KEEPING, **EXCHANGING}[turn]
    width, height = (plan.height, plan.width) if turn in EXCHANGING else (plan.width, plan.height)
    game = plan.game()

    def image(p: int) -> int:
        return point_at(*transform(*column_row(p, plan.width), plan.width, plan.height), width)

    turned, other = Game("first-capture", width, height), Game("first-capture", plan.width, plan.height)
    for number in plan.numbers:
        color, point = choose(game, number)
        if point > 0:
            game.play(point, color)
            turned.play(image(point), color)
            other.play(point, opponent(color))
    assume(game.outcome is None and game.legal_plays())
    shares = seen(game)
    assert sum(shares.values()) == pytest.approx(1)
    assert {p: seen(turned)[image(p)] for p in shares} == pytest.approx(shares)
    assert seen(other) == pytest.approx(shares)


def test_features_come_in_the_order_of_their_groups() -> None:
    chance = random.Random(3)
    starts = [priors.TWO_AHEAD, priors.KNIGHTS, priors.ATTACK, priors.SUPPORT]
    starts += [priors.LIBERTIES, priors.DISTANCE, priors.LINE, priors.RELIEF, priors.COUNT]
    groups = [0] + [1, 2, 2] * 4 + [3, 4, 5, 6, 7, 8]
    found = np.zeros(priors.MOST_FEATURES, np.int32)
    assert len(priors.weights()) == priors.COUNT
    for size in (2, 5, 9):
        game = Game("first-capture", size)
        last = 0
        while game.outcome is None:
            for p in game.legal_plays():
                number = priors.features(game.board, p, game.to_move, last, found)
                assert [int(np.searchsorted(starts, feature, "right")) for feature in found[:number]] == groups
            last = chance.choice(game.legal_plays())
            game.play(last)


def test_winning_plays_have_higher_shares_than_others() -> None:
    chance, solver = random.Random(5), Solver(5, 5)
    ratios: list[float] = []
    while len(ratios) < 60:
        game = Game("first-capture", 5)
        for _ in range(chance.randint(4, 8)):
            if game.outcome is None:
                game.play(chance.choice(game.legal_plays()))
        if game.outcome is not None or game.atari(BLACK) or game.atari(opponent(BLACK)):
            continue
        winning = {p for p, verdict in solver.first_moves(game.board, game.to_move) if verdict.winner == game.to_move}
        shares = seen(game)
        if 0 < len(winning) < len(shares):
            ratios.append(sum(shares[p] for p in winning) / (len(winning) / len(shares)))
    assert mean(ratios) > 1.5
