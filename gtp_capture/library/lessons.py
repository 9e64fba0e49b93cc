"""The public functions for teaching: reviews of games, and problems."""

from __future__ import annotations

import threading

from ..go.game import Game, GameError, check_game
from ..go.rules import DEFAULT, Rules
from ..solver.result import why_unsupported
from ..teach.puzzles.find import GAMES_EACH, MOST_PLAYS, Request, Search
from ..teach.puzzles.problem import Problem
from ..teach.review.judge import Budget, review_game
from ..teach.review.reviewed import Review
from ..util import arguments
from ..util.limit import Deadline
from .engine import _analyst, _searching


def review(game: Game, *, seconds_per_move: float = 0.2, stop: threading.Event | None = None) -> Review:
    """Judge every move of a game, in up to `seconds_per_move` each, on small boards five times as long for mistakes.

    The game is not changed, and may be unfinished. `stop`: as for `analyse`; the last moves are judged first. Source:
    as for `solve` and `analyse`.
    GameError: no move has been made. ValueError: no time. TypeError: not a game, or not a time.
    """
    check_game(game)
    budget = arguments.seconds("seconds_per_move", seconds_per_move, above=True)
    if not game.moves:
        raise GameError("no moves to review")
    deadline = Deadline(stop=stop)
    with _searching(deadline, game) as player:
        return review_game(player, game, Budget(deadline, budget))


def puzzles(
    *,
    size: int | tuple[int, int] = 5,
    rules: Rules | str = DEFAULT,
    count: int = 3,
    depth: int = 2,
    seed: int = 1,
    stop: threading.Event | None = None,
) -> list[Problem]:
    """Find problems in games of the levels, the easiest first: at each turn exactly one play wins, which is proven.

    `depth`: plays of the winner, 1 to 9. The same `seed` finds the same problems. Fewer than `count` are returned if
    300 games for each are not enough, or if `stop` is set; 5x5 and `depth` 2 take some seconds.
    Source: the solver of `solve`.
    GameError: rules or a board that the solver does not take, or as for `Game`. RulesError: as for `Game`.
    ValueError: a number out of range. TypeError: no whole number.
    """
    start = Game(rules, size)
    count, seed = arguments.whole("count", count, 1), arguments.whole("seed", seed, 0)
    depth = arguments.whole("depth", depth, 1, MOST_PLAYS)
    if (reason := why_unsupported(start.rules, start.board)) is not None:
        raise GameError(reason)
    deadline = Deadline(stop=stop)
    with _analyst()._searching(deadline):  # the solvers of the search are shared too
        search = Search(Request(start.rules, *start.size, depth, seed), count, GAMES_EACH * count, 1, deadline.stop)
        search.run()
    return search.sorted()
