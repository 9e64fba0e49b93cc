"""The problem suite: hard positions of first capture in which one or two plays win and all others lose."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from gtp_capture.go.game import Game
from gtp_capture.solver.result import LOSS, UNKNOWN
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from .paths import TESTS

FILE: Final = TESTS / "data" / "hard_positions.txt"
MOST_WINNING: Final = 2
BUDGETS: Final = (20_000, 200_000, 1_000_000)
"""Nodes for each play in the first rounds: most plays need few, and they fill the table for the others."""


class Problem(NamedTuple):
    """A position of the suite."""

    side: int
    number: int
    """Number of the try that found it."""
    plays: tuple[str, ...]
    winning: tuple[str, ...]
    """All winning plays."""
    nodes: int
    """Nodes that proved all legal plays, with a table that was empty before."""

    @property
    def key(self) -> int:
        """The problem's name in results, a checksum: a try with more nodes may find another problem."""
        return zlib.crc32(f"{self.side} {' '.join(self.plays)}".encode())

    def game(self) -> Game:
        """The game up to the position."""
        game = Game("first-capture", self.side)
        for play in self.plays:
            game.play(play)
        return game


def problems() -> Iterator[Problem]:
    """Yield the problems of the suite."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        head, plays, winning, nodes = line.split("|")
        side, number = map(int, head.split())
        yield Problem(side, number, tuple(plays.split()), tuple(winning.split()), int(nodes))


def play_wins(game: Game, point: int, solver: Solver, nodes: int) -> bool | None:
    """Return whether a play of the colour to move wins; None if these nodes do not decide it."""
    color = game.to_move
    game.play_point(point)
    try:
        if game.outcome is not None:
            return game.outcome.winner == color
        result = solver.value(game.board, int(game.to_move), Limit(nodes=nodes).begin())
        return None if result == UNKNOWN else result == LOSS
    finally:
        game.undo()


def winning_plays(game: Game, solver: Solver, nodes: int, most: int) -> tuple[str, ...] | None:
    """Solve every legal play; return those that win. None if one is not decided, or if more than `most` win."""
    open_plays, winning = game.legal_plays(), list[str]()
    for budget in (*(b for b in BUDGETS if b < nodes), nodes):
        undecided = []
        for point in open_plays:
            wins = play_wins(game, point, solver, budget)
            winning += [game.vertex(point)] if wins else []
            undecided += [point] if wins is None else []
            if len(winning) > most or (undecided and budget == nodes):
                return None
        open_plays = undecided
    return tuple(winning)
