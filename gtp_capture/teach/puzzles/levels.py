"""The levels as the source of problems and as a measure of their difficulty: games between them, and first moves."""

from __future__ import annotations

import random
import threading
from collections import Counter
from functools import cache
from typing import Final

from ...go.game import Game
from ...go.rules import Rules
from ...go.vertex import BLACK, WHITE
from ...jit.warmup import Warmup
from ...players.player import Player, PlayerSettings
from ...players.registry import DEFAULT_PLAYER, PLAYERS
from ...util.limit import Limit
from .problem import Start

LEVELS: Final = range(1, 8)
"""The levels that try the problems."""
GAME_LEVELS: Final = range(5, 8)
"""The levels that play the games; between weak levels there are fewer positions with one winning play."""
RANDOM_PLAYS: Final = 2
"""Random plays at the beginning of each game, so that no two games are equal."""
TRIES: Final = 8
"""Tries of each level at a problem, each with a seed of its own."""
PLAYOUTS: Final = 1_000
"""Maximum playouts for a move. There is no limit of time, so a seed repeats its moves on every machine."""
MEMORY: Final = 16 * 2**20
"""Bytes of a player's tree."""


@cache
def _warmup() -> Warmup:
    return Warmup(lambda line: None)


def _player(level: int, seed: int) -> Player:
    return PLAYERS[DEFAULT_PLAYER](PlayerSettings(seed=seed, threads=1, level=level, memory=MEMORY), _warmup())


def play_game(
    rules: Rules, width: int, height: int, generator: random.Random, stop: threading.Event | None = None
) -> Game:
    """Return a game of two of GAME_LEVELS, to its end or until the board could have been filled twice.

    Also until `stop` is set.
    """
    game, deadline = Game(rules, (width, height)), Limit(playouts=PLAYOUTS).begin(stop)
    players = {color: _player(generator.choice(GAME_LEVELS), generator.getrandbits(30)) for color in (BLACK, WHITE)}
    for _ in range(RANDOM_PLAYS):
        game.play_point(generator.choice(game.legal_plays()))
    while game.outcome is None and len(game.moves) < 2 * width * height and not deadline.expired():
        color = int(game.to_move)
        game.play_point(players[color].choose(game, color, deadline).move, color)
    return game


def first_moves(start: Start) -> Counter[int]:
    """Return how often the levels 1 to 7 begin with each move, with TRIES seeds each."""
    game = start.game()
    deadline = Limit(playouts=PLAYOUTS).begin()
    return Counter(
        _player(level, seed).choose(game, start.to_move, deadline).move for level in LEVELS for seed in range(TRIES)
    )
