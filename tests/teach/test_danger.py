"""Warnings before a move: true by brute force and by the exact solver, and none where no move is better."""

from __future__ import annotations

import random
from itertools import cycle

import pytest
from hypothesis import given, settings

from gtp_capture import Color, Game
from gtp_capture.go.vertex import opponent
from gtp_capture.teach.danger import punishment
from gtp_capture.teach.explain import Hint
from gtp_capture.teach.reasons import Reason

from ..support.diagrams import set_up
from ..support.random_games import Plan, plans, unfinished_game
from ..support.truth import truth


def most_captured(game: Game, point: int, color: int) -> float:
    """The most stones that a legal answer captures, less those that the play captures; by the rules alone."""
    after = game.copy()
    after.play_point(point, color)
    if after.outcome is not None:
        return float("-inf") if after.outcome.winner == Color(color) else float("inf")
    gained, held = after.prisoners(color) - game.prisoners(color), after.prisoners(opponent(color))
    lost = 0.0
    for answer in after.legal_plays(opponent(color)):
        answered = after.copy()
        answered.play_point(answer, opponent(color))
        won = answered.positions[-1].decided
        taken = answered.prisoners(opponent(color)) - held
        captured_all = won is not None and won.winner != Color(color) and won.termination == "capture"
        lost = max(lost, float("inf") if captured_all else taken)
    return lost - gained


@settings(max_examples=25)
@given(plans(most=20, sides=(2, 4), rules=["first-capture", "capture-3", "capture-5", "japanese", "tromp-taylor"]))
def test_a_capture_is_announced_exactly_if_another_move_loses_less(plan: Plan) -> None:
    game = plan.after()
    if game.outcome is not None:
        return
    color = game.to_move
    losses = {point: most_captured(game, point, int(color)) for point in game.legal_plays(color)}
    for point, loss in losses.items():
        threat = punishment(game, point, int(color), ladders=False)
        if threat is None:
            # Ko may forbid what the warning ignores when it compares with other moves.
            assert loss <= 0 or loss <= min(losses.values()) or str(game.rules.ko) != "none"
            continue
        assert loss > 0
        after = game.copy()
        after.play_point(point, color)
        before = after.prisoners(opponent(int(color)))
        after.play(threat.line[0], opponent(int(color)))
        assert after.prisoners(opponent(int(color))) - before == threat.captured > 0
        assert bool(threat.wins) == (after.outcome is not None)
        if str(game.rules.ko) == "none":
            assert loss > min(losses.values())


@pytest.mark.slow
@pytest.mark.parametrize("side", [4, 5])
def test_a_ladder_that_is_announced_is_a_proven_loss(side: int) -> None:
    rng = random.Random(side)
    seen = 0
    for _ in range(30):
        game = unfinished_game("first-capture", (side, side), range(4, side * side // 2), rng)
        color = game.to_move
        for point in game.legal_plays(color):
            threat = punishment(game, point, int(color), ladders=True)
            if threat is None or threat.captured:
                continue
            seen += 1
            after = game.copy()
            after.play_point(point, color)
            assert truth(after, opponent(int(color))).winner == opponent(int(color))
            for move, mover in zip(threat.line, cycle((color.opponent, color)), strict=False):
                after.play(move, mover)
            assert after.atari(color)  # the last attack has no answer
            assert truth(after, int(color)).winner == opponent(int(color))
    assert seen > 3


def test_a_winning_capture_is_never_warned_of() -> None:
    game = set_up(".X. XOX ...", "first-capture")
    assert punishment(game, game.point("B1"), int(game.to_move), ladders=True) is None


def test_an_ignored_atari_is_warned_of() -> None:
    game = set_up("..... ..O.. .OX.. ..... .....", "capture-3", to_move=1)
    assert punishment(game, game.point("A1"), 1, ladders=False) is None
    game = set_up("..... ..O.. .OX.. ..O.. .....", "capture-3", to_move=1)
    assert punishment(game, game.point("A1"), 1, ladders=False) == Hint(
        move="D3", color=Color.WHITE, reason=Reason.CAPTURE, line=("D3",), captured=1
    )


def test_nothing_is_said_if_every_move_loses_as_much() -> None:
    game = set_up("....X ....O ..... O.... X....", "first-capture", to_move=1)
    assert len(game.atari(1)) == 2
    for point in game.legal_plays(1):
        assert punishment(game, point, 1, ladders=True) is None
