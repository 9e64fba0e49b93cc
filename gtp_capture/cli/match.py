"""gtp-capture match: matches between GTP engines, adjudicated by our rules."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click

from ..go.rules import Rules
from ..match import openings, results
from ..match.audit import Audit
from ..match.entrants import EntrantError, entrants, properties, with_stored_labels
from ..match.games import Match, play
from ..match.ratings import RatingsError, load_choix, plot, sprt
from ..match.referee import Conditions
from ..match.report import Report, report
from ..match.results import Results, ResultsError
from ..util.executor import ExecutorError, executor, run_jobs
from ..util.figures import FigureError, check
from .match_tables import Progress, show
from .options import OutputPath, SizeType, finite, jobs_option, komi_option, refuse, rules_option, scheduler_option
from .progress import interruptible


def bounds(context: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """Parse the two Elo differences of an SPRT, as in `0,30`."""
    if value is None:
        return None
    number = r"\s*([+-]?\d{1,4}(?:\.\d+)?)\s*"
    found = re.fullmatch(f"{number},{number}", value, re.ASCII)
    if found is None or float(found[1]) >= float(found[2]):
        raise click.BadParameter("give two differences in Elo, the smaller one first, as in 0,30", context, param)
    return float(found[1]), float(found[2])


def opening_kind(context: click.Context, param: click.Parameter, value: str) -> tuple[openings.Kind, int]:
    """Parse a kind of opening: the kind, and the number of its random plays."""
    found = re.fullmatch(r"(empty|crosscut)|random-(\d{1,2})", value, re.ASCII)
    if found is None:
        raise click.BadParameter(f"{value!r} is not empty, crosscut or random-K", context, param)
    kind: openings.Kind = "random" if found[2] else "crosscut" if value == "crosscut" else "empty"
    return kind, int(found[2] or 0)


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The options of the command."""

    black: str | None
    white: str | None
    engines: Path | None
    games: int
    size: tuple[int, int]
    rules: Rules
    komi: float | None
    opening: tuple[openings.Kind, int]
    """The kind, and the number of random plays."""
    openings_file: Path | None
    alternate: bool
    time_per_move: float | None
    time_settings: tuple[float, float, int] | None
    margin: float
    patience: float
    maxmoves: int
    jobs: int
    scheduler: str | None
    sgf_dir: Path | None
    results_file: Path | None
    resume: bool
    sprt_bounds: tuple[float, float] | None
    seed: int
    plot_file: Path | None
    as_json: bool

    def check(self) -> None:
        """UsageError: options contradict each other."""
        if self.resume and self.results_file is None:
            raise click.UsageError("--resume needs --results")
        if self.sprt_bounds is not None and self.engines is not None:
            raise click.UsageError("--sprt is for two engines, not for a round robin")
        if self.plot_file is not None and self.engines is None:
            raise click.UsageError("--plot needs --engines")
        if self.time_per_move is not None and self.time_settings is not None:
            raise click.UsageError("--time-per-move and --time-settings do not go together")

    def conditions(self) -> Conditions:
        """The conditions of each game."""
        clock = (0.0, self.time_per_move, 1) if self.time_per_move is not None else self.time_settings
        return Conditions(self.rules, *self.size, self.komi, clock, self.margin, self.patience, self.maxmoves)

    def chosen_openings(self, conditions: Conditions) -> openings.Openings:
        """The openings of the match. OpeningError: there are none for its board, or their file is invalid."""
        kind, plies = self.opening
        given = openings.read(self.openings_file, conditions) if self.openings_file is not None else ()
        found = openings.Openings("file" if given else kind, plies, self.seed, given)
        if kind != "random":
            found.opening(0, conditions)
        return found


MOST_SECONDS = 86_400.0 * 365
"""The longest time that an option takes; the system's clocks have a limit."""
seconds = partial(click.option, type=click.FloatRange(0, MOST_SECONDS, min_open=True), callback=finite)


@click.command()
@click.option("--black", metavar="CMD", help="The engine with Black in the first game: any command for a GTP engine.")
@click.option("--white", metavar="CMD", help="The engine with White in the first game.")
@click.option(
    "--engines",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play a round robin: a TOML file with a table [engines] of names and commands.",
)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="Games for each pair.")
@click.option("--size", type=SizeType(), default="9", show_default=True, help="Board size: 9 or 9x7, from 2 to 25.")
@rules_option
@komi_option
@click.option(
    "--opening",
    callback=opening_kind,
    metavar="KIND",
    default="empty",
    show_default=True,
    help="empty, crosscut, or random-K: K random plays that leave both sides a chance.",
)
@click.option(
    "--openings",
    "openings_file",
    type=click.Path(exists=True, path_type=Path),
    help="Openings from an SGF file, a folder of them, or a text file with the vertices of one opening per line.",
)
@click.option(
    "--alternate/--no-alternate",
    default=True,
    show_default=True,
    help="Play each opening twice, with the colours exchanged.",
)
@seconds("--time-per-move", help="Seconds for each move, by the referee's clock.")
@click.option(
    "--time-settings",
    type=(click.FloatRange(0, MOST_SECONDS), click.FloatRange(0, MOST_SECONDS), click.IntRange(min=0)),
    callback=finite,  # NaN is in every range
    metavar="MAIN BYOYOMI STONES",
    help="Main time, then byo-yomi time for a number of stones, in seconds, as in GTP.",
)
@seconds("--margin", default=0.25, show_default=True, help="Grace period in seconds before a time loss.")
@seconds(
    "--patience",
    default=60.0,
    show_default=True,
    help="Seconds without a response, beyond the time for a move, after which an engine loses.",
)
@click.option(
    "--maxmoves",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Moves after which a game ends without a result.",
)
@jobs_option()
@scheduler_option("Play")
@click.option("--sgf-dir", type=click.Path(file_okay=False, path_type=Path), help="Folder for the games as SGF.")
@click.option(
    "--results", "results_file", type=OutputPath(), help="Append every game to this file, in gogui-twogtp's format."
)
@click.option("--resume", is_flag=True, help="Continue the match of a results file.")
@click.option(
    "--sprt", "sprt_bounds", metavar="ELO0,ELO1", callback=bounds, help="Stop when the SPRT accepts a hypothesis."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the openings, and of {seed}."
)
@click.option(
    "--plot",
    "plot_file",
    type=OutputPath(),
    help="Plot the ratings of a round robin of three engines or more to a PNG or SVG file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@click.pass_context
def match(context: click.Context, /, **values: Any) -> None:
    """Play a match between two GTP engines, or a round robin between several, adjudicated by our rules.

    The clock of an engine runs in genmove, and in play and time_left after the first 0.1 s of each.

    In a command, {seed} stands for a number made from --seed and the game; such an engine is started for each game.
    """
    options = MatchOptions(**values)
    options.check()
    if options.openings_file is not None:
        refuse(context, ("opening",), "with --openings")
    if options.scheduler is not None:
        refuse(context, ("jobs",), "with --scheduler")
    warnings: list[str] = []
    with _errors_as_usage():
        whole, store = _prepare(options, warnings)
    for warning in warnings:
        print(f"gtp-capture: {warning}", file=sys.stderr)
    stop = Event()
    with closing(store), _errors_as_usage():
        with interruptible(stop, signal.SIGTERM):
            _play_missing(whole, store, options, stop.is_set)
        found = report(whole, store.rows.values(), options.sprt_bounds)
    stopped = stop.is_set() and found.games < found.planned
    if options.as_json:
        click.echo(json.dumps({**found.as_json(), "warnings": warnings, "margin": options.margin}))
    else:
        show(found, whole)
    if stopped:
        file, folder = options.results_file, options.sgf_dir
        hint = f"the games are in {folder}" if folder is not None else "nothing was kept"
        hint = f"--results {file} --resume continues the match" if file is not None else hint
        print(f"gtp-capture: stopped after {found.games} of {found.planned} games: {hint}", file=sys.stderr)
    if options.plot_file is not None and (found.ratings is not None or not stopped):
        with _errors_as_usage():
            _plot(found, options.plot_file, whole)
    if stopped:
        context.exit(130)


def _prepare(options: MatchOptions, warnings: list[str]) -> tuple[Match, Results]:
    """Start each engine once, and open the results file. `warnings` gets problems that do not prevent the match."""
    conditions = options.conditions()
    chosen = options.chosen_openings(conditions)
    probed = entrants(options.black, options.white, options.engines, conditions, warnings)
    if options.plot_file is not None:
        _check_plot(options.plot_file, len(probed))
    store = Results(options.results_file, {})
    if options.resume and options.engines is None:
        probed = with_stored_labels(probed, store.stored_properties())
    contenders = tuple(entrant.contender for entrant in probed)
    whole = Match(contenders, conditions, chosen, options.games, options.alternate, options.seed)
    store.properties, store.check = properties(whole, probed, options.openings_file), Audit(whole).check
    if options.results_file is None or not options.results_file.exists():
        _check_sgf(whole, store, options)  # before there is a results file, which this would leave behind
    store.open(options.resume)
    _check_sgf(whole, store, options)
    return whole, store


def _check_sgf(whole: Match, store: Results, options: MatchOptions) -> None:
    """Check that no SGF file of another match is in the way. ResultsError: one is."""
    if options.sgf_dir is not None:
        games = [fixture.game for fixture in whole.fixtures()]
        results.check_sgf(options.sgf_dir, games, store.rows, whole.conditions)


def _play_missing(whole: Match, store: Results, options: MatchOptions, stopped: Callable[[], bool]) -> None:
    """Play the games that have no row yet, and add their rows, until the SPRT is decided or the match is stopped.

    No exception stops it, which could come between a row in the file and its count.
    """
    pair, bounds = whole.pairs[0], options.sprt_bounds

    def decided() -> bool:
        if bounds is None:
            return False
        score = report(whole, store.rows.values()).scores[pair[0].name, pair[1].name]
        return sprt(score, *bounds).verdict != "undecided"

    if options.sgf_dir is not None:
        results.write_sgf(options.sgf_dir, store.rows.values(), whole.conditions)
    missing = [fixture for fixture in whole.fixtures() if fixture.game not in store.rows]
    if decided() or not missing:
        return
    make_executor = partial(executor, options.jobs, options.scheduler)
    with (
        Progress(whole, store.rows.values()) as progress,
        closing(run_jobs(make_executor, partial(play, whole), missing, stopped)) as found,
    ):
        for _, row in found:
            row = store.add(row)
            if options.sgf_dir is not None:
                results.write_sgf(options.sgf_dir, [row], whole.conditions)
            progress.add(row)
            if decided():
                return


def _check_plot(path: Path, engines: int) -> None:
    """Check before the first game that ratings can be plotted. UsageError, RatingsError or FigureError: they cannot."""
    if engines < 3:
        raise click.UsageError("--plot needs a round robin of three engines or more")
    load_choix()
    check(path)


def _plot(found: Report, path: Path, whole: Match) -> None:
    if found.ratings is None:
        raise RatingsError(f"nothing to draw: {found.without_ratings or 'no games'}")
    conditions = whole.conditions
    plot(found.ratings, path, f"{conditions.rules} {conditions.width}x{conditions.height}, {found.games} games")


@contextmanager
def _errors_as_usage() -> Iterator[None]:
    """Convert errors that a user can correct to a UsageError, which is printed as one line."""
    try:
        yield
    except (EntrantError, ResultsError, openings.OpeningError, ExecutorError, RatingsError, FigureError) as error:
        raise click.UsageError(str(error)) from None
