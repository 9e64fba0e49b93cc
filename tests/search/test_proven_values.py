"""Proven values of the tree search in first capture against a search by definition."""

from __future__ import annotations

import random

import pytest

from gtp_capture.go.game import Game
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.search import mcts
from gtp_capture.util.limit import Limit

from ..support.truth import ByDefinition, wins_with


def random_position(rng: random.Random, width: int, height: int, stones: int) -> Game | None:
    game = Game("first-capture", (width, height))
    for _ in range(stones):
        plays = game.legal_plays()
        if not plays:
            return None
        game.play_point(rng.choice(plays))
        if game.outcome is not None:
            return None
    return game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "stones", "count"),
    [
        (3, 3, 0, 1),
        (3, 3, 4, 40),
        (4, 3, 4, 60),
        (4, 4, 6, 40),
        (5, 4, 8, 40),
    ],
)
def test_a_proven_result_is_the_true_one(width: int, height: int, stones: int, count: int) -> None:
    rng = random.Random(width * 100 + height * 10 + stones)
    oracle = ByDefinition(1_000_000)
    tree = mcts.Tree(32 * 2**20, 1, 1)
    checked, proven = 0, 0
    while checked < count:
        game = random_position(rng, width, height, stones)
        if game is None:
            continue
        rules = rules_record(game.rules, 0.0)
        color = game.to_move
        moves = game.legal_plays()
        tree.clear()
        tree.search(mcts.ROOT, Turn(game.board, rules, color), moves, Limit(playouts=3000).begin())
        truth = oracle.wins(game, color, color)
        for candidate in tree.candidates(mcts.ROOT):
            if candidate.proven:
                won = wins_with(game, color, game.vertex(candidate.move), oracle)
                assert (candidate.proven > 0) == won, (game, color, candidate)
        checked += 1
        verdict = tree.proven(mcts.ROOT)
        if verdict is not None:
            assert verdict == truth, (game, color)
            proven += 1
    assert proven > count // 3
