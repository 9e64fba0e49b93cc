"""The players by the names that `--player` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..jit.warmup import Warmup
from .mcts import MctsPlayer
from .player import Player, PlayerSettings
from .shape import ShapePlayer
from .simple import GreedyPlayer, RandomPlayer
from .uct import UctPlayer

Factory = Callable[[PlayerSettings, Warmup], Player]

PLAYERS: Final[dict[str, Factory]] = {
    "random": lambda settings, warmup: RandomPlayer(settings),
    "greedy": lambda settings, warmup: GreedyPlayer(settings),
    "shape": lambda settings, warmup: ShapePlayer(settings),
    "uct": UctPlayer,
    "mcts": MctsPlayer,
}
DEFAULT_PLAYER: Final = "mcts"
