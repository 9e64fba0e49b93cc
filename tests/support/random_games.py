"""Random games for property tests: any rules, any board, passes and the wrong colour's plays among the moves."""

from __future__ import annotations

import random
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gtp_capture import PASS, PRESETS, Game, Ko
from gtp_capture.go import board as bd

RULES = {
    **PRESETS,
    "capture-3 with suicide": PRESETS["capture-3"].override(suicide=True),
    "capture-20 with suicide and simple ko": PRESETS["capture-20"].override(suicide=True, ko=Ko.SIMPLE),
    "first to two, passes cost stones": PRESETS["first-capture"].override(captures=2),
}
TRIES = 8
"""Points that are tried for a move before it becomes a pass."""

# Shared machines stall at times: no example fails for being slow.
COMMON = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


class Plan(NamedTuple):
    """How a random game goes: a number for each move, which the position turns into a legal one."""

    rules: str
    width: int
    height: int
    numbers: list[int]

    def game(self) -> Game:
        return Game(RULES[self.rules], self.width, self.height)

    def after(self) -> Game:
        """The game with everything played."""
        game = self.game()
        for number in self.numbers:
            advance(game, number)
        return game


def plans(most: int = 60, sides: tuple[int, int] = (2, 6), rules: list[str] | None = None) -> st.SearchStrategy[Plan]:
    """Games of 1 to `most` moves; a seed and a length, because lists drawn one by one come out short."""

    def build(name: str, width: int, height: int, length: int, seed: int) -> Plan:
        return Plan(name, width, height, random.Random(seed).choices(range(2**20), k=length))

    side = st.integers(*sides)
    return st.builds(
        build, st.sampled_from(rules or list(RULES)), side, side, st.integers(1, most), st.integers(0, 2**32)
    )


def choose(game: Game, number: int) -> tuple[int, int]:
    """A legal move; now and then a pass, or the wrong colour's (which GTP allows)."""
    number, odd = divmod(number, 11)
    color = 3 - game.to_move if odd == 0 else game.to_move
    if odd != 1:
        points = bd.points(game.board)
        for step in range(TRIES):
            point = points[(number + step * 7) % len(points)]
            if game.is_legal(point, color):
                return color, point
    return color, PASS if game.is_legal(PASS, color) else -1


def advance(game: Game, number: int) -> bool:
    """Play a chosen move, if there is one."""
    color, point = choose(game, number)
    if point < 0:
        return False
    game.play(point, color)
    return True
