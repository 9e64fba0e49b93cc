"""Symmetry: legal plays, prisoners and winners on turned boards and with exchanged colours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from gtp_capture import BLACK, WHITE, Game
from gtp_capture.go.scoring import all_proven
from gtp_capture.go.vertex import column_row, point_at

from ..support.random_games import RULES, Plan, choose, plans

# Four symmetries keep a rectangle, eight a square (a transposed rectangle is one of the other size).

Turn = Callable[[int, int, int, int], tuple[int, int]]
KEEPING: dict[str, Turn] = {
    "left and right": lambda x, y, w, h: (w - 1 - x, y),
    "up and down": lambda x, y, w, h: (x, h - 1 - y),
    "half a turn": lambda x, y, w, h: (w - 1 - x, h - 1 - y),
}
EXCHANGING: dict[str, Turn] = {
    "diagonal": lambda x, y, w, h: (y, x),
    "other diagonal": lambda x, y, w, h: (h - 1 - y, w - 1 - x),
    "quarter turn": lambda x, y, w, h: (y, w - 1 - x),
    "three quarters": lambda x, y, w, h: (h - 1 - y, x),
}


@pytest.mark.slow
@pytest.mark.parametrize("turn", [*KEEPING, *EXCHANGING])
@given(plans(most=40))
@settings(max_examples=20)
def test_a_turned_game_has_the_turned_legal_plays(turn: str, plan: Plan) -> None:
    transform = {**KEEPING, **EXCHANGING}[turn]
    width, height = (plan.height, plan.width) if turn in EXCHANGING else (plan.width, plan.height)
    game, turned = plan.game(), Game(RULES[plan.rules], (width, height))
    game.find_statuses = turned.find_statuses = all_proven  # an estimate by playouts may differ

    def image(p: int) -> int:
        if p <= 0:
            return p
        return point_at(*transform(*column_row(p, plan.width), plan.width, plan.height), width)

    for number in plan.numbers:
        color, point = choose(game, number)
        if point < 0:
            continue
        game.play_point(point, color)
        turned.play_point(image(point), color)
        assert turned.outcome == game.outcome
    for color in (BLACK, WHITE):
        assert set(turned.legal_plays(color)) == {image(p) for p in game.legal_plays(color)}
        assert turned.prisoners(color) == game.prisoners(color)
        assert len(turned.atari(color)) == len(game.atari(color))
    assert turned.score() == game.score()


@pytest.mark.slow
@given(plans(rules=["capture-20", "japanese", "aga"]))
def test_exchanged_colours_have_the_exchanged_legal_plays(plan: Plan) -> None:
    game, exchanged = plan.game(), plan.game()
    exchanged.setup([], [], WHITE)
    for number in plan.numbers:
        color, point = choose(game, number)
        if point >= 0:
            game.play_point(point, color)
            exchanged.play_point(point, 3 - color)
    for color in (BLACK, WHITE):
        assert exchanged.legal_plays(3 - color) == game.legal_plays(color)
        assert exchanged.prisoners(3 - color) == game.prisoners(color)
