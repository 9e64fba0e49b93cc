"""Matches from Python: the referee, the results and the openings of `gtp-capture match`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..go.game import Game
from ..go.rules import DEFAULT, Rules
from ..match.entrants import entrants
from ..match.games import EnginePool, Match, play
from ..match.openings import KIND
from ..match.process import EngineClient
from ..match.referee import Conditions
from ..match.report import Report, report
from ..match.rows import NONE, Row, game_of, to_sgf
from ..match.run import Files, begin, chosen_openings
from ..players.bot import Bot
from ..util import arguments
from ..util.files import RequestError
from .bots import GtpEngine, entrant


class Elo(NamedTuple):
    """A difference in Elo with its 95 % interval (Wilson 1927), from the view of the first player."""

    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_rounded(self.difference)} [{_rounded(self.low)}, {_rounded(self.high)}]"


def _rounded(elo: float) -> str:
    return f"{round(elo):+d}"  # not -0


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a match."""

    number: int
    """Counted from 0."""
    black: str
    """The name of the player with Black."""
    white: str
    winner: str | None
    """The name of the winner; None after a draw, or without a result."""
    result: str
    """`B+R`, `W+3.5`, `0` for a draw, `?` without a result."""
    cause: str
    """How the game ended, such as "capture", or the fault of an engine."""
    message: str
    """The fault in one line, else ""."""
    seconds: dict[str, float]
    """Time of each player for its moves."""
    _row: Row = field(repr=False)
    _conditions: Conditions = field(repr=False)

    def game(self) -> Game:
        """Return the game, replayed."""
        game = game_of(self._row, self._conditions)
        game.find_statuses = Game.default_statuses
        return game

    def sgf(self) -> str:
        """Return the game as SGF, with names, times, result and cause."""
        return to_sgf(self._row, self._conditions).decode()


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of `play_match`, as the command `gtp-capture match` prints it."""

    names: tuple[str, str]
    """The two players; the first one has Black in the first game."""
    points: dict[str, float]
    """Points of each player; a draw counts half. Games with the same moves as an earlier one are not scored."""
    elo: Elo | None
    """Of the first player against the second; None without a scored game."""
    games: tuple[MatchGame, ...]
    """All games that were played, duplicates included."""
    duplicates: int
    """Games that repeat an earlier one move by move."""

    def __str__(self) -> str:
        first, second = self.names
        score = f"{first} {self.points[first]:g} - {self.points[second]:g} {second}"
        left_out = f", {self.duplicates} duplicates left out" if self.duplicates else ""
        return f"{score} ({len(self.games)} games{left_out})" + (f", Elo {self.elo}" if self.elo is not None else "")


def play_match(
    first: Bot | GtpEngine | str,
    second: Bot | GtpEngine | str,
    *,
    games: int = 20,
    size: int | tuple[int, int] = 9,
    rules: Rules | str = DEFAULT,
    komi: float | None = None,
    seconds: float | None = None,
    openings: str | Path = "empty",
    alternate: bool = True,
    seed: int = 1,
    jobs: int = 1,
    results: str | Path | None = None,
    resume: bool = False,
    sgf: str | Path | None = None,
    patience: float = 60.0,
) -> MatchResult:
    """Play a match between two players, each a bot of this process, a `GtpEngine` or the command of a GTP engine.

    Our referee knows the rules, replays every move and keeps the time: `seconds` for each move (default: no clock).
    `openings`: "empty", "crosscut", "random-K" (K random plays that leave both sides a chance, by `seed`), or the path
    of a file as for `gtp-capture match --openings`; with `alternate` each is played twice, with the colours exchanged.
    `jobs`: games at a time, if both players are programs of their own. `results`: a file that gets each game, in the
    format of gogui-twogtp; `resume` goes on with it. `sgf`: a folder for the games. `patience`: seconds to wait for an
    answer beyond the time for a move. A player that makes an illegal move, fails, or is late loses that game.
    A warning tells of an engine that plays by other rules.
    ValueError: an engine does not start, no such openings, or a file cannot be used; no game, no job, no time, or a
    negative seed. TypeError: not a player, or another wrong argument.
    """
    start, patience = Game(rules, size, komi=komi), arguments.seconds("patience", patience)
    clock = None if seconds is None else (0.0, arguments.seconds("seconds", seconds, above=True), 1)
    conditions = Conditions(start.rules, start.width, start.height, komi, clock, patience=patience)
    players = [entrant(player, start.rules) for player in (first, second)]
    games, jobs = arguments.whole("games", games, 1), arguments.whole("jobs", jobs, 1)
    seed = arguments.whole("seed", seed, 0)
    if jobs > 1 and any(connect is not EngineClient for _, connect in players):
        raise ValueError("a bot of this process plays one game at a time: jobs=1")
    if not isinstance(openings, str | Path):
        raise TypeError(f"openings is 'empty', 'crosscut', 'random-K' or a path, not {openings!r}")
    from_file = isinstance(openings, Path) or (not KIND.fullmatch(openings) and Path(openings).exists())
    files = Files(Path(openings) if from_file else None, _path("results", results), resume, _path("sgf", sgf))
    said: list[str] = []
    try:
        chosen = chosen_openings("empty" if from_file else str(openings), seed, files, conditions)
        probed = entrants(players, conditions, said)
        whole = Match(tuple(one.contender for one in probed), conditions, chosen, games, alternate, seed)
        run = begin(whole, probed, files)
        with closing(run.store), closing(EnginePool()) as pool:
            run.play(partial(_threads, jobs, pool), partial(play, whole, pool=pool), lambda: False, lambda row: None)
    except RequestError as error:
        raise ValueError(str(error).replace("--resume", "resume=True")) from None
    for line in said:
        warnings.warn(line, stacklevel=2)
    return _result(whole, run.store.rows.values(), report(whole, run.store.rows.values()))


def _path(name: str, value: str | Path | None) -> Path | None:
    if not isinstance(value, str | Path | None):
        raise TypeError(f"{name} is a path, not {value!r}")
    return None if value is None else Path(value)


@contextmanager
def _threads(jobs: int, pool: EnginePool) -> Iterator[Executor]:
    """Threads that play games; if the match is left early, the engines end, and with them the games."""
    with ThreadPoolExecutor(jobs, "match") as threads:
        try:
            yield threads
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            pool.kill_all()
            raise


def _result(whole: Match, rows: Iterable[Row], found: Report) -> MatchResult:
    (names, score), *_ = found.scores.items()
    return MatchResult(
        names,
        {standing.name: standing.score.points for standing in found.standings},
        Elo(*score.elo()) if score.games else None,
        tuple(_game(row, whole.conditions) for row in sorted(rows, key=lambda row: row.game)),
        found.duplicates,
    )


def _game(row: Row, conditions: Conditions) -> MatchGame:
    message = row.err_msg if row.faulty != NONE else ""
    seconds = {row.first: row.time_b, row.second: row.time_w}
    return MatchGame(
        row.game, row.black, row.white, row.winner, row.result, row.cause, message, seconds, row, conditions
    )
