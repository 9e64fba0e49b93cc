"""The verdict on a position: the proven winner, or Black's win rate in the search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ...go import board as bd
from ...go.game import Game
from ...go.vertex import BLACK
from ...players.analysis import MoveAnalysis, move_analyses, study
from ...players.endgame import closing_move
from ...players.player import Analyst, sensible_plays
from ...solver.result import unsupported
from ...util.limit import Limit
from ..explain import settle

LONGEST: Final = 6
"""Moves of a line that is not proven: the search knows little about what comes later."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about a position with one colour to move."""

    winner: int | None = None
    """The proven winner, BLACK or WHITE; None if nothing is proven."""
    black: float | None = None
    """Black's win rate, 0 to 1; exactly 0 or 1 if proven; None if there was no time to judge the position."""
    line: tuple[int, ...] = ()
    """The best moves found, that of the colour to move first. If proven: as in `Solution.line`."""

    def rate(self, color: int) -> float | None:
        """Return the win rate of a colour, 0 to 1; None if the position was not judged."""
        return self.black if self.black is None or color == BLACK else 1.0 - self.black


def won_by(winner: int, line: tuple[int, ...] = ()) -> Verdict:
    """Return the verdict that a colour is proven to win."""
    return Verdict(winner, float(winner == BLACK), line)


def judge_position(analyst: Analyst, game: Game, color: int, limit: Limit) -> Verdict:
    """Judge a position that is not decided, with a colour to move: by book, solver and search within the limit."""
    found = settle(analyst, game, color, limit)
    if found.winner is not None:
        return won_by(found.winner, found.line)
    analyses = move_analyses(analyst, game, color, least=1) or _playing_on(analyst, game, color, limit)
    if not analyses:
        return Verdict()
    rate = analyses[0].winrate
    return Verdict(None, rate if color == BLACK else 1.0 - rate, analyses[0].line[:LONGEST])


def _playing_on(analyst: Analyst, game: Game, color: int, limit: Limit) -> list[MoveAnalysis]:
    """Return the analysed moves of a scored game that is settled, where a player passes without a search."""
    if not game.rules.is_scored or limit.expired():
        return []
    closing = closing_move(game, color)
    plays = frozenset(sensible_plays(game, color)) - ({closing.move} if closing is not None else set())
    if not plays:
        return []
    study(analyst, game, color, replace(limit, only=plays))
    return move_analyses(analyst, game, color, plays, least=1)


def is_only_winning(analyst: Analyst, game: Game, color: int, move: int, limit: Limit) -> bool:
    """Whether a winning play is proven to be the only one: every other legal play is proven to lose.

    False if that is not found within the limit, if the solver does not support the position, or if there is no other
    play. A pass never wins in the games that the solver supports.
    """
    if limit.expired() or unsupported(game.rules, game.board) is not None:
        return False
    # The solver has no suicide; it gives prisoners away, so it loses.
    others = {p for p in game.legal_plays(color) if p != move and bd.is_legal(game.board, p, color, False)}
    if not others:
        return False
    only = Limit(limit.left(), limit.playouts, limit.stop, only=frozenset(others))
    for play, wins in analyst.perfect_play.moves(game, color, only):
        if wins:
            return False
        others.discard(play)
    return not others
