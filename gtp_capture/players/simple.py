"""What a player is, and those of plain Python, which need no compiled search."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.rules import Scoring
from ..go.vertex import PASS, RESIGN, opponent
from ..util.limit import Limit


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, and what its player has to say about it."""

    move: int
    note: str = ""
    playouts: int = 0
    winrate: float | None = None
    """The chance to win, 0 to 1, as the player sees it."""


class Player(Protocol):
    """Chooses moves. The game is not over and is not changed; the colour may be either."""

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """A legal move (or PASS, where the rules have it) within the limit; RESIGN only where nothing else is left."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player is made from."""

    seed: int | None = None
    threads: int = 1
    level: int = 10
    memory: int = 512 * 2**20
    """Bytes for the search tree and the solver's table."""
    say: Callable[[str], None] = lambda line: None
    """Takes one line for the console."""


def without_play(game: Game, color: int) -> int:
    """What is left to a colour that has no play: a pass, unless that loses or is forbidden."""
    return RESIGN if game.loses_without_play(color) else PASS


def sensible_plays(game: Game, color: int) -> list[int]:
    """Legal plays, without those that fill an own eye where the board is going to be scored."""
    plays = game.legal_plays(color)
    if game.rules.scoring is Scoring.NONE:
        return plays
    return [p for p in plays if not bd.is_eye(game.board, p, color)]


class RandomPlayer:
    """Any sensible play, each with equal chance."""

    def __init__(self, settings: Settings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        plays = sensible_plays(game, color)
        return Decision(self._random.choice(plays) if plays else without_play(game, color))


class GreedyPlayer:
    """Captures, else saves, else leaves its stones the most liberties. Plain Python, so it also answers in need.

    It looks at the points in random order and, when the time is over, plays the best one seen; what is in atari on
    either side, and the first LEAST points, it sees in any case.
    """

    LEAST: Final = 8

    def __init__(self, settings: Settings) -> None:
        self._random = random.Random(settings.seed)

    def choose(self, game: Game, color: int, limit: Limit) -> Decision:
        """See Player."""
        board = game.board
        candidates = [int(p) for p in board.empty[: board.empties]]
        candidates.sort()
        self._random.shuffle(candidates)
        # Urgent points first: what is in atari, on either side, must not be missed for lack of time.
        candidates = [p for p in candidates if limit.permits(p)]
        urgent = {bd.last_liberty(board, p) for c in (opponent(color), color) for p in game.atari(c)}
        candidates.sort(key=lambda p: p not in urgent)
        scored = game.rules.scoring is not Scoring.NONE
        best, best_value = 0, (-1, -1, -1)
        for count, p in enumerate(candidates):
            if best and p not in urgent and count >= self.LEAST and limit.expired():
                break
            if not game.is_legal(p, color) or (scored and bd.is_eye(board, p, color)):
                continue
            value = self._value(board, p, color)
            if value > best_value:
                best, best_value = p, value
        return Decision(best if best else without_play(game, color))

    @staticmethod
    def _value(board: Board, p: int, color: int) -> tuple[int, int, int]:
        """Stones captured; stones saved, or minus those exposed; liberties of the chain."""
        captured = bd.captures_at(board, p, color)
        saved = sum(
            len(bd.stones(board, q))
            for q in bd.neighbors(board, p)
            if board.color[q] == color and bd.in_atari(board, q)
        )
        after = bd.copy(board)
        if bd.play(after, p, color) < 0:
            return captured, -len(bd.stones(board, p)), 0
        liberties = len(bd.liberties(after, p))
        if liberties == 1:
            saved = -int(after.chain_size[after.root[p]])
        return captured, saved, liberties
