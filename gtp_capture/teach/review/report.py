"""The review of a game as lines for a console: `lines` judges the game and yields them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...go.game import Game
from ...players.player import Analyst
from ...util.limit import Limit
from .judge import Budget, review_game
from .text import remarks, summary

DEFAULT_SECONDS: Final = 5.0
"""For all moves of a game, if nothing else is given."""


def lines(analyst: Analyst, game: Game, limit: Limit) -> Iterator[str]:
    """Judge all moves of a game within a limit, and yield a line for each remark, then the summary.

    Setting `limit.stop` ends the work early; the summary says how many moves were judged.
    """
    review = review_game(analyst, game, Budget(limit))
    yield from remarks(review)
    yield from summary(review)
