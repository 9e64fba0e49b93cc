"""Random games for statistics."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from ..go.game import Game
from ..go.vertex import BLACK, WHITE, Color
from ..jit.warmup import loaded
from ..judgement.endgame import area_komi, count_passes
from ..players.mcts import searched_board
from ..util import arguments
from ..util.limit import Limit, run_in_slices
from .results import side_of

RANDOM_GAMES = "gtp_capture.playout.random_games"
"""The module with the compiled code, which is loaded at its first use."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of random games from one position, as `playouts` counts them."""

    winners: Mapping[Color | None, int]
    """The number of games that Black won, that White won, and (None) that had no winner."""
    lengths: Mapping[int, int]
    """The number of games of each length that occurred, shortest first. A length counts the moves of both sides from
    the position on, passes included."""


def playouts(game: Game, count: int, *, seed: int | None = None, stop: threading.Event | None = None) -> Playouts:
    """Play `count` random games from the position and count them by winner and by length.

    Each move is one of the legal plays with equal chance, a pass if there is none. Where points decide, a suicide and
    an own eye (a point between own stones that no diagonal makes false) are not played, or no game would end. The rules
    decide the end, and two passes are scored as in the playouts of the search: by area, with all stones alive; under
    territory rules komi is corrected for the stones spent before. Of the rules about repetition only simple ko is
    known. A game ends after 3 moves a point and 20 more: by area where points decide, else without a winner.
    The same `seed` gives the same counts (None: a new seed each time). `stop` ends the work with the games counted so
    far, and ^C without a result.
    GameError: the game is over. ValueError: fewer than one game, or a negative seed. TypeError: no game, or no whole
    number.
    """
    side, count = side_of(game, None), arguments.whole("count", count, 1)
    given = random.getrandbits(62) if seed is None else arguments.whole("seed", seed, 0)
    loaded((RANDOM_GAMES,))
    import numpy as np

    from ..jit.records import Turn, new_rng, record, rules_record
    from ..playout.endings import DRAW
    from ..playout.random_games import count_games
    from ..playout.uniform import longest

    board, rules = record(searched_board(game, side)), rules_record(game.rules, area_komi(game))
    rules.suicide = game.rules.suicide and not game.rules.is_scored
    turn, work, rng = Turn(board, rules, side, passes=count_passes(game)), record(game.board), new_rng(given)
    counts = np.zeros((DRAW + 1, longest(board) + 1), np.int64)

    def run(games: int) -> int:
        count_games(turn, work, rng, games, counts)
        return games

    run_in_slices(run, Limit(playouts=count).begin(stop))
    winners = {
        color: int(counts[row].sum()) for color, row in ((Color.BLACK, BLACK), (Color.WHITE, WHITE), (None, DRAW))
    }
    return Playouts(winners, {n: int(games) for n, games in enumerate(counts.sum(axis=0)) if games})
