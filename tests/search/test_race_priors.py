"""Features of plays where several prisoners decide, against what the rules engine says of each play."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import opponent
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.search import priors, race_priors
from gtp_capture.search.race_priors import bucket

SURVEY = np.zeros(1, race_priors.SURVEY_DTYPE).view(np.recarray)[0]
STARTS = [race_priors.TAKES, race_priors.RESCUES, race_priors.LEAVES, race_priors.EXPOSES]
STARTS += [race_priors.ATTACKS, race_priors.SUPPORTS, race_priors.COUNT]


def stones_with(game: Game, p: int, color: int) -> int:
    """Return the stones in chains of a colour that have exactly two liberties, p and another."""
    chains = [q for q in bd.chains(game.board) if game.board.color[q] == color]
    liberties = {q: bd.liberties(game.board, q) for q in chains}
    return sum(len(bd.stones(game.board, q)) for q in chains if len(liberties[q]) == 2 and p in liberties[q])


def check(game: Game) -> None:
    """Compare the features of every legal play."""
    color, last = int(game.to_move), game.last_move
    turn = Turn(game.board, rules_record(game.rules, 0.0), color, last.point if last is not None else 0)
    assert game.rules.captures is not None
    mine = game.rules.captures - game.prisoners(color)
    theirs = game.rules.captures - game.prisoners(opponent(color))
    race_priors.take_survey(game.board, color, SURVEY)
    found = np.zeros(race_priors.MOST_FEATURES, np.int32)
    threatened = bd.chains_in_atari(game.board, color)
    for p in game.legal_plays():
        number = race_priors.race_features(turn, p, SURVEY, found)
        features = found[:number]
        values = [f - a for f, a in zip(features[-race_priors.GROUPS :], STARTS[:-1], strict=True)]
        after = bd.copy(game.board)
        taken = max(0, int(bd.play(after, p, color)))
        saved = sum(len(bd.stones(game.board, q)) for q in threatened if len(bd.liberties(after, q)) > 1)
        left = sum(len(bd.stones(game.board, q)) for q in threatened) - saved
        exposed = len(bd.stones(after, p)) if taken == 0 and len(bd.liberties(after, p)) == 1 else 0
        attacks, supports = stones_with(game, p, opponent(color)), stones_with(game, p, color)
        if taken == 0:
            assert values[1:3] == [bucket(saved, theirs), bucket(left, theirs)], (game, p)
        assert values[0] == bucket(taken, mine), (game, p)
        assert values[3:] == [bucket(exposed, theirs), bucket(attacks, mine), bucket(supports, theirs)], (game, p)


@pytest.mark.slow
def test_features_count_the_stones_of_each_play() -> None:
    chance = random.Random(11)
    for rules, size in (("capture-5", 5), ("capture-10", 7), ("capture-2", 4)) * 4:
        game = Game(rules, size)
        while game.outcome is None:
            check(game)
            game.play(chance.choice(game.legal_plays()))


def test_groups_of_features_follow_each_other() -> None:
    assert all(b - a == race_priors.SIZES for a, b in pairwise(STARTS))
    assert STARTS[0] == priors.COUNT
    assert len(race_priors.weights()) == race_priors.COUNT


def test_a_number_that_wins_has_a_class_of_its_own() -> None:
    assert [bucket(stones, 3) for stones in range(5)] == [0, 1, 2, 5, 5]
    assert [bucket(stones, 10) for stones in (4, 7, 9, 10)] == [4, 4, 4, 5]
