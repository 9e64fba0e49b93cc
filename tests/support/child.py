"""A scripted child: captures, else saves, avoids self-atari, gives atari half of the time, else plays at random."""

from __future__ import annotations

import random

from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.vertex import opponent
from gtp_capture.players.player import Decision, Player, sensible_plays, without_play
from gtp_capture.util.limit import Deadline


class Child(Player):
    """A careful beginner, as a measure for the levels; written without the code that the levels use."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        plays, board = sensible_plays(game, color), game.board
        if not plays:
            return Decision(without_play(game, color))
        after = {p: _after(board, p, color) for p in plays}
        captures = [p for p in plays if after[p].prisoners[color] > board.prisoners[color]]
        if captures:
            return Decision(max(captures, key=lambda p: int(after[p].prisoners[color])))
        safe = [p for p in plays if after[p].color[p] == color and not bd.in_atari(after[p], p)]
        threatened = [bd.last_liberty(board, p) for p in game.atari(color)]
        saves = [p for p in safe if p in threatened]
        if saves:
            return Decision(self._random.choice(saves))
        attacks = [p for p in safe if any(_in_atari(after[p], q, opponent(color)) for q in bd.neighbors(board, p))]
        if attacks and self._random.random() < 0.5:
            return Decision(self._random.choice(attacks))
        return Decision(self._random.choice(safe or plays))


def _after(board: bd.Board, point: int, color: int) -> bd.Board:
    after = board.copy()
    bd.play(after, point, color)
    return after


def _in_atari(board: bd.Board, point: int, color: int) -> bool:
    return bool(board.color[point] == color and bd.in_atari(board, point))
