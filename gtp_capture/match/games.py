"""The games of a match, and a pool of engine processes that are reused from game to game.

`play` runs in a worker of the executor; its pool of engines stays there for later games.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ..go.vertex import BLACK, WHITE
from ..util.executor import at_worker_exit
from .openings import Openings
from .process import EngineClient
from .referee import Conditions, play_game
from .rows import Row, make_row

SEED: Final = "{seed}"
"""Placeholder in a command for a seed made from the match's seed and the game; the engine then restarts each game."""
IDLE_SECONDS: Final = 30.0
"""Time after which an unused engine is closed."""
IDLE_ENGINES: Final = 4
"""Maximum number of unused engines in one process."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player of a match."""

    name: str
    command: str


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
        return [self.fixture(number * pairs + place) for place in range(pairs) for number in range(self.games)]

    def fixture(self, game: int) -> Fixture:
        """The game with a number, counted from 0."""
        pairs = self.pairs
        number, place = divmod(game, len(pairs))
        alternated = self.alternate and number % 2 == 1
        return Fixture(game, *pairs[place], alternated, number // 2 if self.alternate else number)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of a match: its number, players, colours and opening."""

    game: int
    first: Contender
    second: Contender
    alternated: bool
    """Whether the second player has Black."""
    opening: int

    @property
    def players(self) -> dict[int, Contender]:
        """The players by colour."""
        black, white = (self.first, self.second)[:: -1 if self.alternated else 1]
        return {BLACK: black, WHITE: white}


def play(match: Match, fixture: Fixture) -> Row:
    """Play one game in this process."""
    players = fixture.players
    opening = match.openings.opening(fixture.opening, match.conditions)
    engines = {color: _pool.acquire(_command(match, fixture, player)) for color, player in players.items()}
    try:
        ruling = play_game(engines, match.conditions, opening)
    except BaseException:
        for engine in engines.values():
            engine.close(0)
        raise
    for color, engine in engines.items():
        _pool.release(engine, keep=SEED not in players[color].command)
    return make_row(fixture.game, {c: p.name for c, p in players.items()}, fixture.alternated, ruling)


def _command(match: Match, fixture: Fixture, player: Contender) -> str:
    number = random.Random(f"{match.seed} {fixture.game} {player.name}").randrange(2**31)
    return player.command.replace(SEED, str(number))


class _EnginePool:
    """Engines of this process, to be used again by later games."""

    def __init__(self) -> None:
        self._idle: list[tuple[float, EngineClient]] = []
        self._all: set[EngineClient] = set()
        self._lock = threading.Lock()
        self._closer: threading.Thread | None = None

    def acquire(self, command: str) -> EngineClient:
        """Return an unused engine with that command."""
        with self._lock:
            if self._closer is None:
                self._closer = threading.Thread(target=self._close_idle, daemon=True)
                self._closer.start()
                at_worker_exit(self._kill_all)
            for entry in self._idle:
                if entry[1].command == command:
                    self._idle.remove(entry)
                    return entry[1]
            engine = EngineClient(command)
            self._all.add(engine)
            return engine

    def release(self, engine: EngineClient, keep: bool) -> None:
        """Take an engine back after a game: keep it for another one, or close it."""
        with self._lock:
            if keep and engine.running:
                self._idle.append((time.monotonic(), engine))
                closing = [e for _, e in self._idle[:-IDLE_ENGINES]]
                del self._idle[:-IDLE_ENGINES]
            else:
                closing = [engine]
            self._all.difference_update(closing)
        for one in closing:
            one.close()

    def _close_idle(self) -> None:
        while True:
            time.sleep(IDLE_SECONDS / 4)
            with self._lock:
                closing = [e for since, e in self._idle if time.monotonic() - since > IDLE_SECONDS]
                self._idle = [entry for entry in self._idle if entry[1] not in closing]
                self._all.difference_update(closing)
            for engine in closing:
                engine.close()

    def _kill_all(self) -> None:
        """End all engines at the exit of this process, possibly in the middle of a game and in a signal handler."""
        for engine in list(self._all):
            engine.kill()


_pool = _EnginePool()
