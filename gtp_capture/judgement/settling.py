"""A test of the end by search: whether a colour can still change the result that `closing_move` expects.

Playouts avoid self-atari, so they overlook throw-ins and captures after them. A small search does not.
"""

from __future__ import annotations

from typing import Final

from ..go.game import Game
from ..go.vertex import BLACK, PASS, opponent
from ..util.limit import Deadline, Limit
from .endgame import GameEnd, sensible_plays

LEVEL: Final = 8
"""The lowest level that tests the end."""
PLAYOUTS: Final = 1600
"""Maximum number of playouts of each search."""
PART: Final = 1 / 6
"""Maximum part of the time left for each of at most three searches."""
LEAST: Final = 400
"""Minimum number of playouts of a search whose result counts."""
GAIN: Final = 1.5
"""Least gain in points of area. A point that changes hands counts two; one may depend on the colour that plays last."""


def unsettled_play(game: Game, color: int, end: GameEnd, deadline: Deadline, seed: int) -> int | None:
    """Return a play that gains points for a colour, or else one that prevents a gain of its opponent.

    None if the searches find no such play; then the game can end. Also None beside a seki, which playouts misjudge.
    """
    if end.has_seki:
        return None
    sign, expected = (1 if color == BLACK else -1), end.lead
    plays = [p for p in sensible_plays(game, color) if deadline.limit.permits(p)]
    gain = _winning_move(game, color, plays, expected + sign * GAIN, deadline, seed)
    if gain is not None:
        return gain
    kept = expected - sign * GAIN
    after, other = game.after_point(PASS, color), opponent(color)
    if _winning_move(after, other, sensible_plays(after, other), kept, deadline, seed) is None:
        return None
    keeping = _winning_move(game, color, [*plays, PASS], kept, deadline, seed)
    return None if keeping == PASS else keeping


def _winning_move(game: Game, color: int, moves: list[int], komi: float, deadline: Deadline, seed: int) -> int | None:
    """Return the best of these moves in a small search if its win rate with this komi is above 1/2."""
    from ..search.mcts import ROOT, Tree, turn_of

    seconds = None if deadline.limit.seconds is None else PART * deadline.left()
    tree = Tree(0, 1, seed)
    turn = turn_of(game.board, game.rules, komi, color)
    if (
        tree.search(ROOT, turn, moves, Limit(seconds, playouts=PLAYOUTS).begin(deadline.stop)) < LEAST
        and tree.proven(ROOT) is None
    ):
        return None
    best = next((c for c in tree.candidates(ROOT) if c.move in moves), None)
    return best.move if best is not None and best.winrate > 1 / 2 else None
