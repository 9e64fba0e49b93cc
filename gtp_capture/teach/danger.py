"""Moves that the opponent can punish at once: by a capture, or by a ladder.

A capture counts only if another play loses fewer stones, and a ladder only if another play avoids both, so that a
warning is useful.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import Color, opponent
from ..players.lines import ladder
from .explain import Evidence, Hint
from .reasons import Reason

TRIED: Final = 60
"""Maximum number of other plays that are tried against a ladder."""


def punishment(game: Game, point: int, color: int, *, ladders: bool) -> Hint | None:
    """Return how the opponent can punish a legal play at once; None if it cannot, or if every play loses as much.

    The move of the hint is a capture, or the first atari of a ladder, of which the line has all plays. It `wins` if it
    ends the game at once. `ladders`: also read ladders, which loads the compiled search; without compiled code this
    would take too long.
    """
    loss = _loss(game, point, color)
    if loss == -math.inf:  # the play wins
        return None
    others = [p for p in game.legal_plays(color) if p != point]
    after = game.after_point(point, color)
    if after.outcome is not None:
        return None
    if loss > 0:
        best = _capture(after, opponent(color))
        return best if best is not None and any(_loss(game, p, color) < loss for p in others) else None
    chase = _ladder(after, opponent(color)) if ladders else []
    others.sort(key=lambda p: p not in chase)  # the points of the ladder most often prevent it
    if not chase or not any(_is_safe(game, p, color) for p in others[:TRIED]):
        return None
    line = tuple(after.vertex(p) for p in chase)
    return Hint(move=line[0], color=Color(opponent(color)), reason=Reason.LADDER, line=line)


def _ladder(game: Game, color: int) -> list[int]:
    """Return a win by continuous atari; [] if there is none, or the search is not compiled."""
    from ..jit.kernel import COMPILED

    return ladder(game, color) if COMPILED else []


def _is_safe(game: Game, point: int, color: int) -> bool:
    """Whether the opponent has neither a capture that pays nor a ladder after a play."""
    if _loss(game, point, color) > 0:
        return False
    after = game.after_point(point, color)
    return after.outcome is not None or not _ladder(after, opponent(color))


def _loss(game: Game, point: int, color: int) -> float:
    """Return the most stones that the opponent can capture after a play, less the stones that the play captures.

    Infinite if that capture wins the game; minus infinity if the play itself wins it. Ko is not considered.
    """
    board, rules = game.board.copy(), game.rules
    gained = bd.play(board, point, color)
    if rules.won_by(int(board.prisoners[color])):
        return -math.inf
    lost = max((bd.captures_at(board, p, opponent(color)) for p in _last_liberties(board, color)), default=0)
    return math.inf if rules.won_by(int(board.prisoners[opponent(color)]) + lost) else lost - gained


def _capture(game: Game, color: int) -> Hint | None:
    """Return the legal play of a colour that captures most; None if there is none."""
    board = game.board
    plays = [p for p in _last_liberties(board, opponent(color)) if game.is_legal_point(p, color)]
    if not plays:
        return None
    best = max(plays, key=lambda p: bd.captures_at(board, p, color))
    after = game.after_point(best, color)
    wins = after.outcome is not None and after.outcome.winner == Color(color)
    capture = Hint(move=game.vertex(best), color=Color(color), reason=Reason.CAPTURE, line=(game.vertex(best),))
    known = Evidence.RULES if wins else Evidence.UNKNOWN
    return replace(capture, captured=bd.captures_at(board, best, color), wins=wins or None, known=known)


def _last_liberties(board: Board, color: int) -> list[int]:
    """Return the last liberties of the chains of a colour in atari, in order of their points."""
    return sorted({bd.last_liberty(board, p) for p in bd.chains_in_atari(board, color)})
