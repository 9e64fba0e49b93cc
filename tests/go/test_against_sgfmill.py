"""Random games compared move by move with sgfmill's board, an independent implementation.

sgfmill implements stones, captures, the simple ko point and area. Suicide, prisoners and superko are derived here from
its boards alone, from the text of the rules.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from sgfmill.boards import Board

from gtp_capture import Game
from gtp_capture.go import scoring
from gtp_capture.go.board import colors, points
from gtp_capture.go.vertex import BLACK, EMPTY, PASS, WHITE, column_row, point_at
from gtp_capture.playout.endings import area_lead

from ..support.random_games import random_play

PASSES = 0.04
TWICE = 0.06
"""Probability that a colour moves twice running, as after a pass that was not recorded, and in handicap games."""
LOOKED_AT = 2.0
"""Comparisons of every point, for both colours, per game of as many moves as the board has points."""
LETTER = {BLACK: "b", WHITE: "w"}
Stones = frozenset[tuple[int, int, str]]
"""Row, column and colour of each."""


def shown(board: Any) -> Stones:
    return frozenset((row, column, color) for color, (row, column) in board.list_occupied_points())


@dataclass
class Twin:
    """A game on sgfmill's board, with the history that the ko rules need."""

    side: int
    board: Any = field(init=False)
    prisoners: dict[int, int] = field(default_factory=lambda: {BLACK: 0, WHITE: 0})
    ko: tuple[int, int] | None = None
    ko_for: int = EMPTY
    positions: list[tuple[Stones, int]] = field(default_factory=list)
    """Each position, and the colour whose play led to it."""

    def __post_init__(self) -> None:
        self.board = Board(self.side)
        self.positions.append((frozenset(), EMPTY))

    def play(self, color: int, row: int, column: int) -> None:
        before = shown(self.board)
        self.ko, self.ko_for = self.board.play(row, column, LETTER[color]), 3 - color
        after = shown(self.board)
        lost = (before | {(row, column, LETTER[color])}) - after
        for owner in (BLACK, WHITE):
            self.prisoners[3 - owner] += sum(1 for stone in lost if stone[2] == LETTER[owner])
        self.positions.append((after, color))

    def forget_ko(self) -> None:
        """A pass."""
        self.ko, self.ko_for = None, EMPTY

    def is_legal(self, rules: str, color: int, row: int, column: int) -> bool:
        if self.board.get(row, column) is not None:
            return False
        tried = self.board.copy()
        tried.play(row, column, LETTER[color])
        if tried.get(row, column) is None and rules != "tromp-taylor":
            return False
        if rules == "japanese":
            return not (self.ko == (row, column) and self.ko_for == color)
        after = shown(tried)
        if rules in ("tromp-taylor", "chinese"):
            return all(after != position for position, _ in self.positions)
        if rules == "aga":
            return (after, color) not in self.positions
        return True


def stones_of(game: Game) -> Stones:
    position = colors(game.board)
    placed = ((column_row(p, game.width), position[p]) for p in points(game.board) if position[p] != EMPTY)
    return frozenset((row, column, LETTER[color]) for (column, row), color in placed)


def check_every_point(game: Game, twin: Twin, rules: str) -> None:
    for color in (BLACK, WHITE):
        for row in range(twin.side):
            for column in range(twin.side):
                ours = game.is_legal_point(point_at(column, row, twin.side), color)
                vertex = game.vertex(point_at(column, row, twin.side))
                assert ours == twin.is_legal(rules, color, row, column), f"{rules}: {color} {vertex} in {game.moves}"


def compare_game(rules: str, side: int, chance: random.Random) -> None:
    game, twin = Game(rules, side), Twin(side)
    pass_costs = {"aga": 1}.get(rules, 0)
    color = BLACK
    for _ in range(3 * side * side // 2 + 10):
        may_pass = not rules.startswith("capture") or game.outcome is not None
        point = PASS if may_pass and chance.random() < PASSES else random_play(game, color, chance)
        if point == PASS:
            if not may_pass:
                break
            game.play_point(PASS, color)
            twin.forget_ko()
            twin.prisoners[3 - color] += pass_costs
        else:
            game.play_point(point, color)
            column, row = column_row(point, side)
            twin.play(color, row, column)
            ko = int(game.board.ko)
            assert twin.ko == (column_row(ko, side)[::-1] if ko else None), game.moves
        assert stones_of(game) == twin.positions[-1][0], game.moves
        assert {c: game.prisoners(c) for c in (BLACK, WHITE)} == twin.prisoners, game.moves
        if chance.random() < LOOKED_AT / side**2:
            check_every_point(game, twin, rules)
        color = color if chance.random() < TWICE else 3 - color
    check_every_point(game, twin, rules)
    area = twin.board.area_score()
    assert scoring.area(game.board).lead == area
    if side <= 9:  # uncompiled, its sums have eight bits
        assert area_lead(game.board.copy()) == area  # the search's count, which changes the board
    if rules == "tromp-taylor":
        assert game.score() == area - 7.5


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor", "aga", "capture-20"])
@pytest.mark.parametrize(("side", "games"), [(2, 10), (3, 20), (4, 15), (5, 12), (7, 6), (9, 3), (13, 1)], ids=str)
def test_random_games_agree_with_sgfmill(rules: str, side: int, games: int) -> None:
    """335 games in all."""
    chance = random.Random(f"{rules} {side}")
    for _ in range(games):
        compare_game(rules, side, chance)
