"""Matches from Python: the referee, the results and the openings of `gtp-capture match`."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from contextlib import closing
from numbers import Real
from pathlib import Path
from typing import Final

from ..go.game import Game
from ..go.rules import DEFAULT, Rules
from ..match.entrants import probe_engines
from ..match.games import Match
from ..match.openings import KIND, choose_openings
from ..match.referee import Conditions
from ..match.report import MatchResult
from ..match.rows import MatchGame
from ..match.run import Files, begin
from ..players.bot import Bot
from ..players.player import MOST_THREADS
from ..util import arguments
from ..util.files import RequestError
from ..util.limit import Deadline
from .bots import GtpEngine, entrant

MOST_GAMES: Final = 1_000_000
MOST_ELO: Final = 9999
"""Maximum of a difference in a test, as on the command line."""


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
    sprt: tuple[float, float] | None = None,
    seed: int = 1,
    jobs: int = 1,
    on_game: Callable[[MatchGame], object] | None = None,
    results: str | os.PathLike[str] | None = None,
    resume: bool = False,
    sgf: str | os.PathLike[str] | None = None,
    patience: float = 60.0,
    stop: threading.Event | None = None,
) -> MatchResult:
    """Play a match between two players, each a bot of this process, a `GtpEngine` or the command of a GTP engine.

    Our referee knows the rules, replays every move and keeps the time: `seconds` for each move (default: no clock).
    `openings`: "empty", "crosscut", "random-K" (K random plays that leave both sides a chance, by `seed`), or the path
    of a file as for `gtp-capture match --openings`; with `alternate` each is played twice, with the colours exchanged.
    `sprt`: two differences in Elo, such as (0, 30); the match ends when the test accepts one of them, and the state of
    the test is `sprt` of the result. `jobs`: games at a time; a bot is then copied (`copy.deepcopy`) for each of them.
    `on_game` gets each game when it is over, one at a time. `results`: a file that gets each game, in the format of
    gogui-twogtp; `resume` goes on with it. `sgf`: a folder for the games. `patience`: seconds to wait for an answer
    beyond the time for a move. A player that makes an illegal move, fails, or is late loses that game.
    A `Player` without a clock plays its `playouts`, and one with a seed begins each game anew, with a seed made from
    its own, that of the match and the game: so the games are the same with any `jobs`.
    `stop` ends the match at once, with the games that are over. `rules` are sent to engines that know
    `capture-rules`; others play by their own.
    ValueError: an engine does not start, no such openings, or a file cannot be used; no game, no job, no time, no test,
    or a negative seed. TypeError: not a player, a bot that cannot be copied, or another wrong argument.
    """
    start, patience = Game(rules, size, komi=komi), arguments.seconds("patience", patience)
    clock = None if seconds is None else (0.0, arguments.seconds("seconds", seconds, above=True), 1)
    conditions = Conditions(start.rules, start.width, start.height, komi, clock, patience=patience)
    games, jobs = arguments.whole("games", games, 1, MOST_GAMES), arguments.whole("jobs", jobs, 1, MOST_THREADS)
    players = [entrant(player, start.rules, jobs) for player in (first, second)]
    alternate, resume = arguments.flag("alternate", alternate), arguments.flag("resume", resume)
    seed, bounds = arguments.whole("seed", seed, 0), None if sprt is None else _bounds(sprt)
    if on_game is not None and not callable(on_game):
        raise TypeError(f"on_game is a function that gets each game, not {on_game!r}")
    if not isinstance(openings, str | Path):
        raise TypeError(f"openings is 'empty', 'crosscut', 'random-K' or a path, not {openings!r}")
    from_file = isinstance(openings, Path) or (not KIND.fullmatch(openings) and Path(openings).exists())
    files = Files(arguments.path("results", results), resume, arguments.path("sgf", sgf))
    said: list[str] = []
    try:
        chosen = choose_openings(str(openings), seed, Path(openings) if from_file else None, conditions)
        probed = probe_engines(players, conditions, said)
        whole = Match(tuple(probed), conditions, chosen, games, alternate, seed)
        run = begin(whole, files, bounds)
        with closing(run.store):
            run.play(jobs, None, Deadline(stop=stop).stop.is_set, on_game or (lambda game: None))
    except RequestError as error:
        raise RequestError(str(error).replace("--resume", "resume=True")) from None
    for line in said:
        warnings.warn(line, stacklevel=2)
    return run.result()


def _bounds(sprt: object) -> tuple[float, float]:
    """Return the two Elo differences of a test. TypeError: not two numbers. ValueError: others."""
    wanted = "sprt is two differences in Elo, the smaller one first, such as (0, 30)"
    if not (isinstance(sprt, tuple | list) and len(sprt) == 2 and all(isinstance(elo, Real) for elo in sprt)):
        raise TypeError(f"{wanted}; not {sprt!r}")
    if not -MOST_ELO <= sprt[0] < sprt[1] <= MOST_ELO:
        raise ValueError(f"{wanted}, from -{MOST_ELO} to {MOST_ELO}; not {sprt!r}")
    return float(sprt[0]), float(sprt[1])
