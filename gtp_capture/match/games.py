"""The games of a match, and a pool of engines that are reused from game to game.

`play` runs in a worker of the executor, where the pool of the process stays for later games, or with a pool of its own.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ..go.vertex import BLACK, WHITE
from ..util.processes import at_exit
from .openings import Openings
from .process import EngineClient
from .referee import Conditions, play_game
from .rows import Row, game_of, make_row

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

    def check(self, row: Row) -> None:
        """Check a row of a results file: its players are those of the game with its number, and its moves are legal.

        ValueError: they are not.
        """
        names = {color: player.name for color, player in self.fixture(row.game).players.items()}
        if (row.black, row.white) != (names[BLACK], names[WHITE]):
            raise ValueError(f"the players are {row.black} and {row.white}, not {names[BLACK]} and {names[WHITE]}")
        game_of(row, self.conditions)


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


def play(match: Match, fixture: Fixture, pool: EnginePool | None = None) -> Row:
    """Play one game in this process, with engines of a pool (default: that of the process)."""
    pool, players = pool or _of_process, fixture.players
    opening = match.openings.opening(fixture.opening, match.conditions)
    engines = {color: pool.acquire(_command(match, fixture, one), one.connect) for color, one in players.items()}
    try:
        ruling = play_game(engines, match.conditions, opening)
    except BaseException:
        for engine in engines.values():
            engine.close(0)
        raise
    for color, engine in engines.items():
        pool.release(engine, keep=SEED not in players[color].command)
    return make_row(fixture.game, {c: p.name for c, p in players.items()}, fixture.alternated, ruling)


def _command(match: Match, fixture: Fixture, player: Contender) -> str:
    number = random.Random(f"{match.seed} {fixture.game} {player.name}").randrange(2**31)
    return player.command.replace(SEED, str(number))


class EnginePool:
    """Engines that later games use again; those that are not used for IDLE_SECONDS are closed."""

    def __init__(self) -> None:
        self._idle: list[tuple[float, EngineClient]] = []
        self._made: dict[EngineClient, tuple[str, Connect]] = {}
        """All engines, each with its command and what has made its client."""
        self._lock = threading.Lock()
        self._closer: threading.Thread | None = None
        self._closed = threading.Event()

    def acquire(self, command: str, connect: Connect) -> EngineClient:
        """Return an unused engine."""
        with self._lock:
            if self._closer is None:
                self._closer = threading.Thread(target=self._close_idle, daemon=True)
                self._closer.start()
                at_exit(self.kill_all)
            for entry in self._idle:
                if self._made[entry[1]] == (command, connect):
                    self._idle.remove(entry)
                    return entry[1]
            engine = connect(command)
            self._made[engine] = command, connect
            return engine

    def release(self, engine: EngineClient, keep: bool) -> None:
        """Take an engine back after a game: keep it for another one, or close it."""
        with self._lock:
            self._idle.append((time.monotonic() if keep and engine.running else -math.inf, engine))
        self._close(IDLE_SECONDS, IDLE_ENGINES)

    def close(self) -> None:
        """Close all unused engines, and keep none from now on."""
        self._closed.set()
        self._close(-math.inf, 0)

    def kill_all(self) -> None:
        """End all engines by force, possibly in the middle of a game and in another thread."""
        for engine in list(self._made):
            engine.kill()

    def _close_idle(self) -> None:
        while not self._closed.wait(IDLE_SECONDS / 4):
            self._close(IDLE_SECONDS, IDLE_ENGINES)

    def _close(self, seconds: float, most: int) -> None:
        """Close the engines that were not used for so many seconds, and the oldest of more than `most`."""
        with self._lock:
            self._idle.sort(key=lambda entry: -entry[0])
            now = time.monotonic()
            kept = [entry for entry in self._idle if now - entry[0] <= seconds][:most]
            closing = [engine for entry in self._idle if entry not in kept for engine in entry[1:]]
            self._idle = kept
            for engine in closing:
                del self._made[engine]
        for engine in closing:
            engine.close()


_of_process = EnginePool()
