"""Many games: who plays whom, and the same few engine processes for one game after the other.

`play` runs wherever the executor has it run; the engines stay there for the next game.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ..go.vertex import BLACK, WHITE
from ..util.executor import at_worker_end
from .openings import Openings
from .process import Engine
from .referee import Conditions
from .referee import play as referee
from .rows import Row, row

SEED: Final = "{seed}"
"""In a command: a number that follows from the match's seed and the game, for an engine started anew for each game."""
IDLE_SECONDS: Final = 30.0
"""After which an engine that waits for a game is ended."""
IDLE_ENGINES: Final = 4
"""That wait for a game at most in one process."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player of the match."""

    name: str
    command: str


@dataclass(frozen=True, slots=True)
class Match:
    """What all games have in common."""

    contenders: tuple[Contender, ...]
    conditions: Conditions
    openings: Openings
    games: int
    """For each pair."""
    alternate: bool = True
    """Whether every second game exchanges the colours, with the opening of the game before."""
    seed: int = 0

    @property
    def pairs(self) -> list[tuple[Contender, Contender]]:
        """Who plays whom; the first of a pair begins with Black."""
        return list(combinations(self.contenders, 2))

    def fixtures(self) -> list[Fixture]:
        """All games, pair after pair. The numbers stay the same when more games for each pair are asked for."""
        pairs = len(self.pairs)
        return [self.fixture(number * pairs + place) for place in range(pairs) for number in range(self.games)]

    def fixture(self, game: int) -> Fixture:
        """The game with that number, counted from 0."""
        pairs = self.pairs
        number, place = divmod(game, len(pairs))
        alternated = self.alternate and number % 2 == 1
        return Fixture(game, *pairs[place], alternated, number // 2 if self.alternate else number)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played."""

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
    """Play one game, here."""
    players = fixture.players
    opening = match.openings.opening(fixture.opening, match.conditions)
    engines = {color: _bench.take(_command(match, fixture, player)) for color, player in players.items()}
    try:
        verdict = referee(engines, match.conditions, opening)
    except BaseException:
        for engine in engines.values():
            engine.close(0)
        raise
    for color, engine in engines.items():
        _bench.give_back(engine, keep=SEED not in players[color].command)
    return row(fixture.game, {c: p.name for c, p in players.items()}, fixture.alternated, verdict)


def _command(match: Match, fixture: Fixture, player: Contender) -> str:
    number = random.Random(f"{match.seed} {fixture.game} {player.name}").randrange(2**31)
    return player.command.replace(SEED, str(number))


class _Bench:
    """Engines that wait for their next game."""

    def __init__(self) -> None:
        self._idle: list[tuple[float, Engine]] = []
        self._all: set[Engine] = set()
        self._lock = threading.Lock()
        self._keeper: threading.Thread | None = None

    def take(self, command: str) -> Engine:
        """An engine with that command, which nobody else uses."""
        with self._lock:
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._keep, daemon=True)
                self._keeper.start()
                at_worker_end(self._end)
            for entry in self._idle:
                if entry[1].command == command:
                    self._idle.remove(entry)
                    return entry[1]
            engine = Engine(command)
            self._all.add(engine)
            return engine

    def give_back(self, engine: Engine, keep: bool) -> None:
        """The game is over."""
        with self._lock:
            if keep and engine.running:
                self._idle.append((time.monotonic(), engine))
                leaving = [e for _, e in self._idle[:-IDLE_ENGINES]]
                del self._idle[:-IDLE_ENGINES]
            else:
                leaving = [engine]
            self._all.difference_update(leaving)
        for one in leaving:
            one.close()

    def _keep(self) -> None:
        while True:
            time.sleep(IDLE_SECONDS / 4)
            with self._lock:
                leaving = [e for since, e in self._idle if time.monotonic() - since > IDLE_SECONDS]
                self._idle = [entry for entry in self._idle if entry[1] not in leaving]
                self._all.difference_update(leaving)
            for engine in leaving:
                engine.close()

    def _end(self) -> None:
        """The process is about to end, perhaps in the middle of a game."""
        for engine in list(self._all):
            engine.close(0)


_bench = _Bench()
