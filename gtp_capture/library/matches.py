"""Matches from Python: the referee, the results and the openings of `gtp-capture match`."""

from __future__ import annotations

import os
import threading
import warnings
from contextlib import closing
from pathlib import Path

from ..go.game import Game
from ..go.rules import DEFAULT, Rules
from ..match.entrants import entrants
from ..match.games import Match
from ..match.openings import KIND, choose_openings
from ..match.process import EngineClient
from ..match.referee import Conditions
from ..match.report import MatchResult
from ..match.run import Files, begin
from ..players.bot import Bot
from ..util import arguments
from ..util.files import RequestError
from ..util.limit import Deadline
from .bots import GtpEngine, entrant


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
    `jobs`: games at a time, if both players are programs of their own. `results`: a file that gets each game, in the
    format of gogui-twogtp; `resume` goes on with it. `sgf`: a folder for the games. `patience`: seconds to wait for an
    answer beyond the time for a move. A player that makes an illegal move, fails, or is late loses that game.
    `stop` ends the match at once, with the games that are over. `rules` are sent to engines that know
    `capture-rules`; others play by their own.
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
    files = Files(arguments.path("results", results), resume, arguments.path("sgf", sgf))
    said: list[str] = []
    try:
        chosen = choose_openings(str(openings), seed, Path(openings) if from_file else None, conditions)
        probed = entrants(players, conditions, said)
        whole = Match(tuple(probed), conditions, chosen, games, alternate, seed)
        run = begin(whole, files)
        with closing(run.store):
            run.play(jobs, stopped=Deadline(stop=stop).stop.is_set)
    except RequestError as error:
        raise RequestError(str(error).replace("--resume", "resume=True")) from None
    for line in said:
        warnings.warn(line, stacklevel=2)
    return run.result()
