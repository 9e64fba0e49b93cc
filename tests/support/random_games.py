"""Random games for property tests: any rules and board, with passes and moves out of turn."""

from __future__ import annotations

import random
from typing import NamedTuple

from hypothesis import strategies as st

from gtp_capture import PRESETS, Game, Ko, Rules
from gtp_capture.go import board as bd
from gtp_capture.go.vertex import PASS
from gtp_capture.solver.solver import Solver

RULES = {
    **PRESETS,
    "capture-3 with suicide": PRESETS["capture-3"].override(suicide=True),
    "capture-20 with suicide and simple ko": PRESETS["capture-20"].override(suicide=True, ko=Ko.SIMPLE),
    "first to two, passes cost stones": PRESETS["first-capture"].override(captures=2),
}
TRIES = 8
"""Points tried for a move before it becomes a pass."""


class Plan(NamedTuple):
    """A random game: a number for each move, which is mapped to a legal move of the position."""

    rules: str
    width: int
    height: int
    numbers: list[int]

    def game(self) -> Game:
        return Game(RULES[self.rules], (self.width, self.height))

    def after(self) -> Game:
        """The game after all moves."""
        game = self.game()
        for number in self.numbers:
            advance(game, number)
        return game


def plans(most: int = 60, sides: tuple[int, int] = (2, 6), rules: list[str] | None = None) -> st.SearchStrategy[Plan]:
    """Games of 1 to `most` moves, from a seed and a length: lists drawn element by element would be short."""

    def build(name: str, width: int, height: int, length: int, seed: int) -> Plan:
        return Plan(name, width, height, random.Random(seed).choices(range(2**20), k=length))

    side = st.integers(*sides)
    return st.builds(
        build, st.sampled_from(rules or list(RULES)), side, side, st.integers(1, most), st.integers(0, 2**32)
    )


def choose(game: Game, number: int) -> tuple[int, int]:
    """Map a number to a legal move; sometimes a pass, or a move out of turn, which GTP allows."""
    number, odd = divmod(number, 11)
    color = int(game.to_move.opponent if odd == 0 else game.to_move)
    if odd != 1:
        points = bd.points(game.board)
        for step in range(TRIES):
            point = points[(number + step * 7) % len(points)]
            if game.is_legal_point(point, color):
                return color, point
    return color, PASS if game.is_legal_point(PASS, color) else -1


def advance(game: Game, number: int) -> bool:
    """Play a chosen move, if there is one."""
    color, point = choose(game, number)
    if point < 0:
        return False
    game.play_point(point, color)
    return True


def unfinished_game(rules: Rules | str, size: tuple[int, int], plays: range, chance: random.Random) -> Game:
    """Return a game of random plays that is not over; their number is drawn from a range, anew for each game tried."""
    while True:
        game = Game(rules, size)
        for _ in range(chance.choice(plays)):
            if not game.is_over:
                game.play_point(chance.choice(game.legal_plays()))
        if not game.is_over:
            return game


def random_play(game: Game, color: int, chance: random.Random) -> int:
    """Any legal play, or PASS if there is none."""
    free = [int(p) for p in game.board.empty[: game.board.empties]]
    chance.shuffle(free)
    return next((p for p in free if game.is_legal_point(p, color)), PASS)


def safe_plays(game: Game, solver: Solver) -> list[int]:
    """Return the plays that do not lose at once; none if there is a capture."""
    return [play.point for play in solver.safe_plays(solver.node(game.board, int(game.to_move)))]
