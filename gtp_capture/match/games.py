"""The games of a match, and a pool of engines that are reused from game to game.

`play` runs in a thread of this process with the pool of the match, or in a worker of a cluster, where the pool of the
process stays for later games.
"""

from __future__ import annotations

import atexit
import math
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ..go.vertex import BLACK, WHITE
from .openings import Openings
from .process import EngineClient
from .referee import Conditions, play_game
from .rows import MatchGame, make_game

SEED: Final = "{seed}"
"""Placeholder in a command for a seed made from the match's seed and the game; the engine then restarts each game."""
IDLE_SECONDS: Final = 30.0
"""Time after which an unused engine is closed."""
IDLE_ENGINES: Final = 4
"""Maximum number of unused engines in one process."""


Connect = Callable[[str], EngineClient]
"""Makes the client for a command, and does not start it."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player of a match."""

    name: str
    command: str
    connect: Connect = EngineClient
    reported: str = "?"
    """The name that the engine reports."""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """The settings of a match."""

    contenders: tuple[Contender, ...]
    conditions: Conditions
    openings: Openings
    games: int
    """Games for each pair."""
    alternate: bool = True
    """Whether every second game repeats the opening with the colours exchanged."""
    seed: int = 0

    @property
    def pairs(self) -> list[tuple[Contender, Contender]]:
        """All pairs; the first of each has Black in its first game."""
        return list(combinations(self.contenders, 2))

    def fixtures(self) -> list[Fixture]:
        """All games, pair after pair. Their numbers do not depend on the number of games."""
        pairs = len(self.pairs)
        return [self.fixture(turn * pairs + place) for place in range(pairs) for turn in range(self.games)]

    def fixture(self, number: int) -> Fixture:
        """The game with a number, counted from 0."""
        pairs = self.pairs
        turn, place = divmod(number, len(pairs))
        alternated = self.alternate and turn % 2 == 1
        black, white = pairs[place][:: -1 if alternated else 1]
        players = {BLACK: black, WHITE: white}
        return Fixture(number, players, alternated, turn // 2 if self.alternate else turn)

    def parse(self, line: str) -> MatchGame:
        """Parse a row of a results file.

        ValueError: it is no row, the game with its number has other players, or a move is illegal.
        """
        game = MatchGame.parse(line, self.conditions)
        names = self.fixture(game.number).names
        if (game.black, game.white) != (names[BLACK], names[WHITE]):
            raise ValueError(f"the players are {game.black} and {game.white}, not {names[BLACK]} and {names[WHITE]}")
        game.replayed()
        return game


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of a match: its number, players, colours and opening."""

    number: int
    players: dict[int, Contender]
    """The players by colour."""
    alternated: bool
    """Whether the second player of the pair has Black."""
    opening: int

    @property
    def names(self) -> dict[int, str]:
        """The names of the players by colour."""
        return {color: player.name for color, player in self.players.items()}


def play(match: Match, fixture: Fixture, pool: EnginePool | None = None) -> MatchGame:
    """Play one game in this process, with engines of a pool (default: the pool of the process)."""
    pool, players = pool or _of_process, fixture.players
    opening = match.openings.opening(fixture.opening, match.conditions)
    engines = {color: pool.acquire(_command(match, fixture, one), one.connect) for color, one in players.items()}
    try:
        adjudicated = play_game(engines, match.conditions, opening)
    except BaseException:
        for engine in engines.values():
            engine.close(0)
        raise
    for color, engine in engines.items():
        pool.release(engine, keep=SEED not in players[color].command)
    return make_game(fixture.number, fixture.names, fixture.alternated, adjudicated, match.conditions)


def _command(match: Match, fixture: Fixture, player: Contender) -> str:
    number = random.Random(f"{match.seed} {fixture.number} {player.name}").randrange(2**31)
    return player.command.replace(SEED, str(number))


class EnginePool:
    """Engines that later games use again. An engine that is unused for IDLE_SECONDS is closed."""

    def __init__(self) -> None:
        self._made: dict[EngineClient, tuple[str, Connect]] = {}
        """All engines, each with its command and the function that made its client."""
        self._idle: dict[EngineClient, float] = {}
        """The unused engines, each with the time of its last use."""
        self._lock = threading.Lock()
        self._closer: threading.Thread | None = None
        self._closed = threading.Event()

    def acquire(self, command: str, connect: Connect) -> EngineClient:
        """Return an unused engine. CancelledError: the match has ended."""
        with self._lock:
            if self._closed.is_set():
                raise CancelledError
            if self._closer is None:
                self._closer = threading.Thread(target=self._close_idle, daemon=True)
                self._closer.start()
                atexit.register(self.kill_playing)
            for engine in self._idle:
                if self._made[engine] == (command, connect):
                    del self._idle[engine]
                    return engine
            engine = connect(command)
            self._made[engine] = command, connect
            return engine

    def release(self, engine: EngineClient, keep: bool) -> None:
        """Take an engine back after a game: keep it for another one, or close it."""
        with self._lock:
            self._idle[engine] = time.monotonic() if keep and engine.running else -math.inf
        self._close(IDLE_SECONDS)

    def close(self) -> None:
        """Close all unused engines, and keep none from now on."""
        self._closed.set()
        self._close(-math.inf)

    def kill_playing(self) -> None:
        """End the engines of all games that are being played, by force, and let no other game begin."""
        with self._lock:
            self._closed.set()
            playing = [engine for engine in self._made if engine not in self._idle]
        for engine in playing:
            engine.kill()

    def _close_idle(self) -> None:
        while not self._closed.wait(IDLE_SECONDS / 4):
            self._close(IDLE_SECONDS)

    def _close(self, seconds: float) -> None:
        """Close the engines that were unused for `seconds`; of the others keep IDLE_ENGINES that were used last."""
        with self._lock:
            since = time.monotonic() - seconds
            kept = sorted((e for e in self._idle if self._idle[e] >= since), key=self._idle.__getitem__)[-IDLE_ENGINES:]
            closing = [engine for engine in self._idle if engine not in kept]
            for engine in closing:
                del self._made[engine], self._idle[engine]
        for engine in closing:
            engine.close()


_of_process = EnginePool()
