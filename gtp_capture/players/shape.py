"""The player `shape`: chooses without search, in plain Python, also while the search is being compiled.

It runs the source of the functions that the search compiles: captures, saves, ladders, safe plays, and the network.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ..go.game import Game
from ..go.vertex import opponent
from ..judgement.endgame import area_komi, sensible_plays
from ..util.limit import Deadline
from .player import Decision, Player, PlayerSettings, last_play, without_play
from .simple import GreedyPlayer, captures_or_saves

ATTACKS: Final = 30
"""Attacking plays that a ladder search may read, for either side."""
POINT: Final = 1e-3
"""Seconds that the network takes for each point of the board, in plain Python."""


class ShapePlayer(Player):
    """Plays the move that the network prefers after tactical tests; plays greedily if there is no time for them."""

    def __init__(self, settings: PlayerSettings) -> None:
        self.greedy = GreedyPlayer(settings)

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        plays = [p for p in sensible_plays(game, color) if deadline.limit.permits(p)]
        if not plays:
            return Decision(without_play(game, color))
        if deadline.left() < POINT * game.width * game.height:
            return replace(self.greedy.choose(game, color, deadline), note="greedily")
        from ..jit.records import rules_record
        from ..network.network import logits
        from ..playout.static import is_tactical

        rules = rules_record(game.rules, area_komi(game))
        if is_tactical(game.board, rules):
            plays = _kept(game, color, plays)
        else:
            greedy = self.greedy.choose(game, color, deadline)
            if greedy.move > 0 and captures_or_saves(game, color, greedy.move):
                return Decision(greedy.move, "by shape")
        values = logits(game.board, rules, plays, color, last_play(game))
        return Decision(max(plays, key=lambda p: values[p]), "by shape")


def _kept(game: Game, color: int, plays: list[int]) -> list[int]:
    """The plays that the tactical tests keep if the next capture wins; `expand` in `search/kernel.py` does the same."""
    import numpy as np

    from ..playout.ladder import first_attack, forced_win, gives_atari, mark_zone, new_reader
    from ..playout.static import NO_DEFENCE, QUIET, capture_somewhere, forced_anywhere, keeps_two_liberties

    board = game.board
    winning = capture_somewhere(board, color, 1)
    forced = forced_anywhere(board, color)
    if winning > 0 or forced not in (NO_DEFENCE, QUIET):
        only = winning if winning > 0 else forced
        return [only] if only in plays else plays
    if forced == NO_DEFENCE:
        return plays
    reader = new_reader()
    if forced_win(board, color, reader, ATTACKS) > 0 and first_attack(reader) in plays:
        return [first_attack(reader)]
    zone: Any = np.ones(board.cells, np.int8)
    threat = forced_win(board, opponent(color), reader, ATTACKS)
    if threat > 0:
        mark_zone(reader, threat, zone)
    safe = [p for p in plays if keeps_two_liberties(board, p, color)]
    return [p for p in safe if zone[p] or gives_atari(board, p, color)] or safe or plays
