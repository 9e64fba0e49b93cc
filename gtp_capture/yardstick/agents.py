"""Agents: everything that chooses moves, as one interface for many games at once."""

from __future__ import annotations

import importlib
import random
import re
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from ..go.game import Game
from ..go.vertex import PASS, action_point
from ..jit.warmup import loaded
from ..library.bots import GtpEngine
from ..library.engine import Player
from ..library.oracle import action_values
from ..match.process import EngineFault
from ..players.bot import Bot, BotError, BotPlayer
from ..players.player import Player as SinglePlayer
from ..players.player import PlayerSettings
from ..players.registry import DEFAULT_PLAYER, PLAYERS, make
from ..util.files import RequestError
from ..util.limit import Limit

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    BatchFunction: TypeAlias = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], npt.ArrayLike]
    """A function of `observations` and `legal`, as `environment.Batch` has them, that returns an action for each
    position."""
    Agent: TypeAlias = Player | Bot | GtpEngine | BatchFunction | str

LEVEL: Final = re.compile(r"level-(\d{1,2})", re.ASCII)
IMPORTED: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)


class Terms(NamedTuple):
    """What all agents of a measurement get."""

    limit: Limit
    """For each move of a bot or an engine."""
    seed: int
    notify: Callable[[str], None]
    """Gets the errors of an agent's code."""
    stop: threading.Event
    """Ends the measurement when it is set."""


def check(stop: threading.Event) -> None:
    """CancelledError: the event is set."""
    if stop.is_set():
        raise CancelledError("stopped")


class Chooser(Protocol):
    """Chooses a move in each of several games."""

    name: str
    faults: int
    """Moves that failed or were illegal so far."""

    def choose(self, games: Sequence[Game]) -> list[int | None]:
        """Return a point, PASS or RESIGN for each game; None if there is no legal move because of a fault.

        CancelledError: it was stopped.
        """
        ...


def chooser(agent: Agent, terms: Terms) -> Chooser:
    """Return an agent as a Chooser.

    `agent`: a bot, a `Player` or a `GtpEngine`; a function of a batch of observations; or a text: `level-1` to
    `level-10`, the name of a player such as `random`, `module:name` for a bot, its class or a function, or the command
    of a GTP engine. RequestError: there is no such agent. TypeError: another value.
    """
    if isinstance(agent, str):
        return _named(agent, terms)
    if callable(getattr(agent, "choose", None)) and not isinstance(agent, type):
        return Singles(BotPlayer(agent, terms.notify), terms)
    if callable(agent):
        return Batches(agent, terms)
    raise TypeError(f"an agent is a bot, a function of a batch, or the name of one, not {agent!r}")


def _named(text: str, terms: Terms) -> Chooser:
    if (level := LEVEL.fullmatch(text)) is not None:
        try:
            player = Player(level=int(level[1]), seed=terms.seed)
        except ValueError as error:
            raise RequestError(str(error)) from None
        return Singles(BotPlayer(player, terms.notify), terms)
    if text in PLAYERS and text != DEFAULT_PLAYER:
        return Singles(make(text, PlayerSettings(seed=terms.seed), loaded()), terms, text)
    if IMPORTED.fullmatch(text) is not None:
        value = _imported(text)
        if not isinstance(value, str) and (callable(value) or hasattr(value, "choose")):
            return chooser(value, terms)
        raise RequestError(f"{text} is neither a bot nor a function of a batch")
    if not text.strip():
        raise RequestError("an agent is a name or a command, not an empty text")
    try:
        return Singles(BotPlayer(GtpEngine(text), terms.notify), terms)  # its name is asked for here
    except EngineFault as error:
        known = f"{', '.join(name for name in PLAYERS if name != DEFAULT_PLAYER)}, level-1 to level-10"
        wanted = f"an agent is {known}, module:name, or the command of a GTP engine"
        raise RequestError(f"{error}; {wanted}" if len(text.split()) == 1 else str(error)) from None


def _imported(text: str) -> Any:
    """Return the object that `module:name` names, or an object of the class. RequestError: it cannot be loaded."""
    module, _, name = text.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # modules of the current folder, as with `python -m`
    try:
        value = getattr(importlib.import_module(module), name)
        return value() if isinstance(value, type) else value
    except Exception as error:  # the code of another package may raise anything
        raise RequestError(f"{text} cannot be loaded: {type(error).__name__}: {error}") from None


class Singles:
    """Lets a player choose one move after the other."""

    def __init__(self, player: SinglePlayer, terms: Terms, name: str = "") -> None:
        """`name`: instead of the name of the player."""
        self.name, self.faults = name or player.name, 0
        self._player, self._terms = player, terms
        self._loaded = False

    def choose(self, games: Sequence[Game]) -> list[int | None]:
        """See Chooser. BotError: the agent cannot be loaded."""
        if not self._loaded:
            self._player.load()
            self._loaded = True
        return [self._choose(game) for game in games]

    def _choose(self, game: Game) -> int | None:
        limit, stop = self._terms.limit, self._terms.stop
        try:
            check(self._terms.stop)
            return self._player.choose(game, int(game.to_move), limit.begin(stop)).move
        except BotError as error:
            check(self._terms.stop)
            self.faults += 1
            if self.faults == 1:
                self._terms.notify(str(error))
            return None


class Batches:
    """Lets a function of a batch of observations choose all moves at once."""

    def __init__(self, function: BatchFunction, terms: Terms) -> None:
        """`function`: see `BatchFunction`."""
        self.name, self.faults = getattr(function, "__name__", "") or type(function).__name__.lower(), 0
        self._function, self._terms = function, terms

    def choose(self, games: Sequence[Game]) -> list[int | None]:
        """See Chooser. BotError: the function fails, or does not return an action for each game."""
        import numpy as np

        from ..environment import observe

        check(self._terms.stop)
        seen = observe(games)
        try:
            actions = np.asarray(self._function(seen.observations, seen.legal))
        except Exception as error:  # the code of another package may raise anything
            self._terms.notify(traceback.format_exc().rstrip())
            raise BotError(f"{self.name} failed: {type(error).__name__}: {error}") from None
        if actions.shape != (len(games),) or actions.dtype.kind not in "iu":
            raise BotError(
                f"{self.name} returned {actions.dtype} of shape {actions.shape}, not a whole number for each of "
                f"{len(games)} positions"
            )
        chosen: list[int | None] = []
        for game, action, legal in zip(games, actions.tolist(), seen.legal, strict=True):
            right = 0 <= action < len(legal) and bool(legal[action])
            self.faults += not right
            chosen.append(action_point(action, *game.size) if right else None)
        return chosen


class Perfect:
    """Plays by the values of all actions: it never loses a won position.

    It wins as fast and loses as late as possible where the plies are computed. Elsewhere it prefers, in a lost
    position, plays after which none of its chains is in atari. Among equal moves it draws by its seed.
    """

    name = "perfect"

    def __init__(self, lengths: bool, terms: Terms) -> None:
        """`lengths`: whether to compute the plies to the end."""
        self.faults = 0
        self._lengths, self._terms, self._random = lengths, terms, random.Random(terms.seed)

    def choose(self, games: Sequence[Game]) -> list[int | None]:
        """See Chooser."""
        values, plies = values_of(games, self._lengths, self._terms.stop)
        return [
            self._best(game, row.tolist(), None if plies is None else plies[i].tolist())
            for i, (game, row) in enumerate(zip(games, values, strict=True))
        ]

    def _best(self, game: Game, values: list[int], plies: list[int] | None) -> int:
        ranks = {
            action_point(action, *game.size): (value, 0 if plies is None else -value * plies[action])
            for action, value in enumerate(values)
            if value
        }
        best = [point for point, rank in ranks.items() if rank == max(ranks.values())]
        if max(values) < 0 and plies is None:
            best = [point for point in best if _is_safe(game, point)] or best
        return best[int(self._random.random() * len(best))]


def values_of(
    games: Sequence[Game], lengths: bool, stop: threading.Event
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16] | None]:
    """Return the values of all actions of positions, and with `lengths` the plies. CancelledError: it was stopped."""
    plies: npt.NDArray[np.int16] | None = None
    if lengths:
        values, plies = action_values(games, True, seconds=None, stop=stop)
    else:
        values = action_values(games, seconds=None, stop=stop)
    check(stop)
    return values, plies


def _is_safe(game: Game, point: int) -> bool:
    """Return whether no chain of the colour to move is in atari after its play."""
    return point != PASS and not game.after_point(point).atari(game.to_move)
