"""The moment of a game that a child looks at again, compared with what is on the board of random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import Color
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.teach.review.moment import Kind, Moment, moment
from gtp_capture.teach.review.reviewed import Review
from gtp_capture.teach.words import looked_at, page_voice
from gtp_capture.tutor.searches import Searches
from gtp_capture.util.limit import Limit

GAMES = [(seed, rules, size) for seed in range(6) for rules, size in (("first-capture", 4), ("capture-3", 5))]


@cache
def reviewed(seed: int, rules: str, size: int) -> Review:
    """Return the review of a random game."""
    dice, game = random.Random(seed), Game(rules, size)
    while game.outcome is None and len(game.moves) < 60 and (plays := game.legal_plays()):
        game.play_point(dice.choice(plays))
    with Searches(PlayerSettings(seed=1, memory=2**24)).analyst() as analyst:
        return review_game(analyst, game, Budget(Limit(playouts=50, nodes=20_000).begin()))


def moments(review: Review) -> Iterator[tuple[Color, Moment]]:
    for color in Color:
        if (seen := moment(review, color)) is not None:
            yield color, seen


@pytest.mark.slow
@pytest.mark.parametrize("given", GAMES)
def test_what_is_said_of_a_moment_is_on_the_board(given: tuple[int, str, int]) -> None:
    review = reviewed(*given)
    for color, seen in moments(review):
        game = seen.game
        before = len(game.moves)
        played = game.vertex(review.game.moves[before].point)
        assert [move.point for move in review.game.moves[:before]] == [move.point for move in game.moves]
        after = game.copy()
        after.play_point(after.point(seen.move), int(seen.color))
        colors = game.positions[-1].colors, after.positions[-1].colors
        taken = sum(bool(stone) and not left for stone, left in zip(*colors, strict=True))
        assert (seen.color == color) == (seen.kind is not Kind.TAKEN)
        if seen.kind in (Kind.SAVE, Kind.FREE, Kind.TAKEN):
            point = game.point(seen.stone)
            assert int(game.board.color[point]) == int(color)
            assert len(bd.liberties(game.board, point)) == 1
            assert seen.count == len(bd.stones(game.board, point))
        if seen.kind in (Kind.SAVE, Kind.FREE):
            assert len(bd.liberties(after.board, game.point(seen.stone))) > 1
        if seen.kind in (Kind.CAPTURE, Kind.TOOK):
            assert taken == seen.count > 0
        if seen.kind is Kind.TAKEN:
            assert after.board.color[game.point(seen.stone)] == 0
        assert (seen.move == played) == (seen.kind in (Kind.TAKEN, Kind.ONLY, Kind.TOOK))
        assert review.outcome is None or review.outcome.winner != color or seen.kind in (Kind.ONLY, Kind.TOOK)


@pytest.mark.slow
def test_after_each_game_there_is_something_of_the_childs_own_to_see() -> None:
    kinds = set()
    for given in GAMES:
        review = reviewed(*given)
        for color in Color:
            seen = moment(review, color)
            assert seen is not None
            kinds.add(seen.kind)
            text = looked_at(seen, page_voice("en", {int(color)}))
            assert text.startswith("Here ") or text.startswith("Well played: ")
            assert "lost from the start" not in text
    assert len(kinds) >= 4
