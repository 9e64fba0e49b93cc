"""The players `random` and `greedy`, in plain Python."""

from __future__ import annotations

import random
from typing import Final

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.vertex import opponent
from ..judgement.endgame import sensible_plays
from ..util.limit import Deadline
from .player import Decision, Player, PlayerSettings, without_play


class RandomPlayer(Player):
    """Plays a uniformly random sensible play."""

    def __init__(self, settings: PlayerSettings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        plays = sensible_plays(game, color)
        return Decision(self._random.choice(plays) if plays else without_play(game, color))


class GreedyPlayer(Player):
    """Captures, else saves stones, else maximises the liberties of the played chain.

    Points are tried in random order; when the time is over, the best one so far is played. Captures, saves and the
    first LEAST points are tried in any case, so this player also serves as the last resort of others.
    """

    LEAST: Final = 8

    def __init__(self, settings: PlayerSettings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        board, color = game.board, int(color)  # NumPy compares plain integers faster than members of Color
        candidates = sorted(int(p) for p in board.empty[: board.empties])
        self._random.shuffle(candidates)
        candidates = [p for p in candidates if deadline.limit.permits(p)]
        # Last liberties first, so that a short limit cannot hide a capture or a save.
        urgent = {bd.last_liberty(board, p) for c in (opponent(color), color) for p in game.atari(c)}
        candidates.sort(key=lambda p: p not in urgent)
        scored = game.rules.is_scored
        best, best_value = 0, (-1, -1, -1)
        for count, p in enumerate(candidates):
            if best and p not in urgent and count >= self.LEAST and deadline.expired():
                break
            if not game.is_legal_point(p, color) or (scored and bd.is_eye(board, p, color)):
                continue
            value = self._value(board, p, color)
            if value > best_value:
                best, best_value = p, value
        return Decision(best if best else without_play(game, color))

    @staticmethod
    def _value(board: Board, p: int, color: int) -> tuple[int, int, int]:
        """Stones captured; stones saved, or minus the stones put into atari; liberties of the chain."""
        captured = bd.captures_at(board, p, color)
        saved = sum(
            len(bd.stones(board, q))
            for q in bd.neighbors(board, p)
            if board.color[q] == color and bd.in_atari(board, q)
        )
        after = board.copy()
        if (gained := bd.play(after, p, color)) < 0:  # suicide
            return captured, gained, 0
        liberties = len(bd.liberties(after, p))
        if liberties == 1:
            saved = -int(after.chain_size[after.root[p]])
        return captured, saved, liberties


def captures_or_saves(game: Game, color: int, play: int) -> bool:
    """Return whether a play captures, or is the last liberty of an own chain in atari."""
    board = game.board
    return bd.captures_at(board, play, color) > 0 or any(bd.last_liberty(board, p) == play for p in game.atari(color))
