"""The players by the names that `--player` takes: ours, and the players of other installed packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ..jit.warmup import Warmup
from .bot import BotError, BotPlayer
from .mcts import MctsPlayer
from .player import Player, PlayerSettings
from .shape import ShapePlayer
from .simple import GreedyPlayer, RandomPlayer

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Factory = Callable[[PlayerSettings, Warmup], Player]

PLAYERS: Final[dict[str, Factory]] = {
    "random": lambda settings, warmup: RandomPlayer(settings),
    "greedy": lambda settings, warmup: GreedyPlayer(settings),
    "shape": lambda settings, warmup: ShapePlayer(settings),
    "mcts": MctsPlayer,
}
DEFAULT_PLAYER: Final = "mcts"
GROUP: Final = "gtp_capture.players"
"""The group of entry points by which other packages add bots; each names a callable without arguments."""


def others() -> dict[str, EntryPoint]:
    """Return the players of other packages. This reads the metadata of all installed packages, which takes a while."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in PLAYERS}


def make(name: str, settings: PlayerSettings, warmup: Warmup) -> Player:
    """Make the player of a name. BotError: there is no such player, or the code of another package fails."""
    if name in PLAYERS:
        return PLAYERS[name](settings, warmup)
    entry = others().get(name)
    if entry is None:
        raise BotError(f"no such player: {name}")
    try:
        return BotPlayer(entry.load()(), settings.notify)
    except Exception as error:  # the code of another package may raise anything
        raise BotError(f"{name} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}") from None
