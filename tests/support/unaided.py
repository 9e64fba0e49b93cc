"""The engine's player without its solver, to measure what the solver is worth."""

from __future__ import annotations

from gtp_capture.go.game import Game
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.util.limit import Deadline


class Unaided(MctsPlayer):
    """Only the tree search chooses and proves moves."""

    def _solves(self, game: Game, deadline: Deadline) -> bool:
        return False
