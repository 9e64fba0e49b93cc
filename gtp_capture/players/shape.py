"""The player `shape`: chooses at sight, in plain Python, also while the search is being compiled.

It runs the source of the functions that the search compiles: captures, saves, ladders, safe plays, learned priors.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..go.game import Game
from ..go.vertex import opponent
from ..util.limit import Limit
from .endgame import area_komi
from .player import Decision, Player, PlayerSettings, last_play, sensible_plays, without_play
from .simple import GreedyPlayer

ATTACKS: Final = 30
"""Attacking plays that a ladder search may read, for either side."""


class ShapePlayer(Player):
    """Plays the move of the highest prior after tactical tests; plays greedily if no time is left for them."""

    def __init__(self, settings: PlayerSettings) -> None:
        self.greedy = GreedyPlayer(settings)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        plays = [p for p in sensible_plays(game, color) if limit.permits(p)]
        if not plays:
            return Decision(without_play(game, color))
        if limit.expired():
            return self.greedy.choose(game, color, limit)
        from ..playout.static import is_sharp
        from ..playout.uniform import rules_record
        from ..search.priors import shares

        rules = rules_record(game.rules, area_komi(game))
        if is_sharp(game.board, rules):
            plays = _kept(game, color, plays)
        else:
            greedy = self.greedy.choose(game, color, limit)
            if _urgent(game, color, greedy.move):
                return Decision(greedy.move, "by shape")
        values = shares(game.board, rules, plays, color, last_play(game))
        return Decision(max(plays, key=lambda p: values[p]), "by shape")


def _kept(game: Game, color: int, plays: list[int]) -> list[int]:
    """The plays that the tactical tests leave where the next capture wins; as `expand` in `search` does it."""
    from ..playout.ladder import first_attack, forced_win, gives_atari, mark_zone, new_boards, new_candidates
    from ..playout.static import LOST, QUIET, capture_somewhere, forced_anywhere, is_safe

    board = game.board
    winning = capture_somewhere(board, color, 1)
    forced = forced_anywhere(board, color)
    if winning > 0 or forced not in (LOST, QUIET):
        only = winning if winning > 0 else forced
        return [only] if only in plays else plays
    if forced == LOST:
        return plays
    boards, candidates = new_boards(), new_candidates()
    if forced_win(board, color, boards, candidates, ATTACKS) > 0 and first_attack(candidates) in plays:
        return [first_attack(candidates)]
    zone: Any = np.ones(len(board.color), np.int8)
    threat = forced_win(board, opponent(color), boards, candidates, ATTACKS)
    if threat > 0:
        mark_zone(boards, candidates, threat, zone)
    safe = [p for p in plays if is_safe(board, p, color)]
    return [p for p in safe if zone[p] or gives_atari(board, p, color)] or safe or plays


def _urgent(game: Game, color: int, move: int) -> bool:
    """Whether a move captures stones or saves a chain in atari."""
    from ..go.board import captures_at, last_liberty

    board = game.board
    saves = any(last_liberty(board, p) == move for p in game.atari(color))
    return move > 0 and (saves or captures_at(board, move, color) > 0)
