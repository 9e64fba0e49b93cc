"""The computer's side of a game: its moves, the level that follows results, and the custom between games.

Sessions of GTP and games of a person use the same functions, so that a game is the same in both.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from ..go.game import Game
from ..go.position import Outcome
from ..go.vertex import Color
from ..judgement import life
from ..util.limit import Deadline
from .levels import FULL
from .player import Decision, Player

MOST_TURNS: Final = 3
"""Maximum number of extra turns that Black gets by the custom."""


def prepare(game: Game) -> Game:
    """Return a game in which playouts estimate the status of chains that are not proven alive or dead."""
    game.find_statuses = life.statuses
    return game


def opening(player: Player, game: Game, color: int, deadline: Deadline) -> Decision | None:
    """Return a move of the opening book that the limit permits; None if the book has none."""
    decision = player.opening(game, color)
    return decision if decision is not None and deadline.limit.permits(decision.move) else None


def choose(player: Player, game: Game, color: int, deadline: Deadline) -> Decision:
    """Return a player's move in a game that is not decided. RuntimeError: it is illegal, which is a bug of the player.

    BotError: see `BotPlayer`.
    """
    decision = player.choose(game, color, deadline)
    if (reason := game.why_illegal_point(decision.move, color)) is not None:
        raise RuntimeError(f"the player chose {game.vertex(decision.move)}: {reason}")
    return decision


def reply(player: Player, game: Game, color: int, deadline: Deadline) -> Decision:
    """Return a move of the opening book, or else the player's, as `choose` does."""
    return opening(player, game, color, deadline) or choose(player, game, color, deadline)


def level_after(level: int, outcome: Outcome | None, computer: Collection[int]) -> int | None:
    """Return the level after a game of the computer, which had the colours `computer`; None if the game counts not.

    One higher if the person has won, else one lower, from 1 to FULL. A game without a winner, or in which the computer
    did not play exactly one colour, does not count.
    """
    if outcome is None or outcome.winner is None or len(computer) != 1:
        return None
    return max(1, level - 1) if int(outcome.winner) in computer else min(FULL, level + 1)


class Custom(NamedTuple):
    """The custom between games: the loser takes Black, with one more extra turn after a loss with Black."""

    turns: int
    """Black's extra turns in the game that has ended."""
    most: int
    """The most that Black may get."""
    adapts: bool
    """Whether the level follows results where the extra turns cannot change."""

    def changes_level(self, *, person_won: bool) -> bool:
        """Whether the result changes the level instead of the extra turns."""
        return self.adapts and (self.turns == 0 if person_won else self.turns >= self.most)

    def changes_sides(self, winner: Color) -> bool:
        """Whether the loser had White and takes Black. Black keeps its side after a win with extra turns."""
        return winner is Color.BLACK and not self.turns

    def next_turns(self, winner: Color, *, person_won: bool) -> int:
        """Return Black's extra turns in the next game: one less after a win of Black, else one more if possible."""
        if winner is Color.BLACK:
            return max(0, self.turns - 1)
        more = self.turns < self.most and not self.changes_level(person_won=person_won)
        return self.turns + more


def most_turns(game: Game) -> int:
    """Return the extra turns that Black may have on a board."""
    return min(MOST_TURNS, game.width * game.height // 2 - 1)
