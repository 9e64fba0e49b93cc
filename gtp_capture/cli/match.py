"""gtp-capture match: matches between GTP engines, adjudicated by our rules."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..go.rules import Rules
from ..match.entrants import probe_engines, probe_engines_of_file
from ..match.games import Match
from ..match.openings import KIND, choose_openings
from ..match.process import EngineClient
from ..match.ratings import BOUND, load_choix, plot, plot_sprt, rounded
from ..match.referee import Conditions
from ..match.report import MatchResult, score_of
from ..match.rows import MatchGame
from ..match.run import Files, Run, begin
from ..util.figures import check
from ..util.files import RequestError, warn
from ..util.signals import on_signals
from . import options as shared
from .drawing import TERMINAL
from .progress import bar


def bounds(text: str) -> tuple[float, float]:
    """Return the two Elo differences of an SPRT, written as `0,30`. ValueError: the text has another form."""
    number = r"\s*([+-]?\d{1,4}(?:\.\d+)?)\s*"
    bounds = re.fullmatch(f"{number},{number}", text, re.ASCII)
    if bounds is None or float(bounds[1]) >= float(bounds[2]):
        raise ValueError("give two differences in Elo, the smaller one first, as in 0,30")
    return float(bounds[1]), float(bounds[2])


def opening_kind(text: str) -> str:
    """Return the text if it names a kind of opening. ValueError: it does not."""
    if KIND.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not empty, crosscut or random-K")
    return text


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
    opening: str
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
        if self.plot_file is not None and self.engines is None and self.sprt_bounds is None:
            raise click.UsageError("--plot needs --sprt or --engines")
        if self.time_per_move is not None and self.time_settings is not None:
            raise click.UsageError("--time-per-move and --time-settings do not go together")


MOST_SECONDS = 86_400.0 * 365
"""The longest time that an option takes; the system's clocks have a limit."""
seconds = partial(click.option, type=click.FloatRange(0, MOST_SECONDS, min_open=True), callback=shared.finite)


@click.command(
    help="""Play a match between two GTP engines, or a round robin between several, adjudicated by our rules.

    The clock of an engine runs in genmove, and in play and time_left after the first 0.1 s of each.

    In a command, {seed} stands for a number made from --seed and the game; such an engine is started for each game.
    """,
)
@click.option("--black", metavar="CMD", help="The engine with Black in the first game: any command for a GTP engine.")
@click.option("--white", metavar="CMD", help="The engine with White in the first game.")
@click.option(
    "--engines",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play a round robin: a TOML file with a table [engines] of names and commands.",
)
@click.option("--games", type=click.IntRange(min=1), default=100, help="Games for each pair.")
@click.option("--size", type=shared.SIZE, default="9", help="Board size: 9 or 9x7, from 2 to 25.")
@shared.rules_option
@shared.komi_option
@click.option(
    "--opening",
    type=shared.Parsed("kind", opening_kind),
    default="empty",
    help="empty, crosscut, or random-K: K random plays that leave both sides a chance.",
)
@click.option(
    "--openings",
    "openings_file",
    type=click.Path(exists=True, path_type=Path),
    help="Openings from an SGF file, a folder of them, or a text file with the vertices of one opening per line.",
)
@click.option("--alternate/--no-alternate", default=True, help="Play each opening twice, with the colours exchanged.")
@seconds("--time-per-move", help="Seconds for each move, by the referee's clock.")
@click.option(
    "--time-settings",
    type=(click.FloatRange(0, MOST_SECONDS), click.FloatRange(0, MOST_SECONDS), click.IntRange(min=0)),
    callback=shared.finite,  # NaN is in every range
    metavar="MAIN BYOYOMI STONES",
    help="Main time, then byo-yomi time for a number of stones, in seconds, as in GTP.",
)
@seconds("--margin", default=0.25, help="Grace period in seconds before a time loss.")
@seconds(
    "--patience",
    default=60.0,
    help="Seconds without a response, beyond the time for a move, after which an engine loses.",
)
@click.option(
    "--maxmoves", type=click.IntRange(min=1), default=1000, help="Moves after which a game ends without a result."
)
@shared.jobs_option()
@shared.scheduler_option("Play")
@click.option("--sgf-dir", type=click.Path(file_okay=False, path_type=Path), help="Folder for the games as SGF.")
@click.option(
    "--results", "results_file", type=shared.OUTPUT, help="Append every game to this file, in gogui-twogtp's format."
)
@click.option("--resume", is_flag=True, help="Continue the match of a results file.")
@click.option(
    "--sprt",
    "sprt_bounds",
    type=shared.Parsed("elo0,elo1", bounds),
    help="Stop when the SPRT on pairs of games accepts one of two differences in Elo; with --no-alternate, on games.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Seed of the openings, and of {seed}.")
@click.option(
    "--plot",
    "plot_file",
    type=shared.OUTPUT,
    help="Plot the SPRT's likelihood ratio, or the ratings of three engines or more, to a PNG or SVG file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def match(**values: Any) -> None:
    options = MatchOptions(**values)
    options.check()
    if options.openings_file is not None:
        shared.refuse(("opening",), "with --openings")
    if options.scheduler is not None:
        shared.refuse(("jobs",), "with --scheduler")
    warnings: list[str] = []
    run = _begin(options, warnings)
    whole, store = run.match, run.store
    for warning in warnings:
        warn(warning)
    stop = Event()
    with closing(store):
        with on_signals(stop.set, signal.SIGINT, signal.SIGTERM), _progress(whole, store.games.values()) as add:
            run.play(options.jobs, options.scheduler, stop.is_set, add)
        result = run.result()
    stopped = stop.is_set() and len(result.games) < result.planned
    if options.as_json:
        click.echo(json.dumps({**result.as_json(), "warnings": warnings, "margin": options.margin}))
    else:
        print_report(result, whole)
    if stopped:
        file, folder = options.results_file, options.sgf_dir
        hint = f"the games are in {folder}" if folder is not None else "nothing was kept"
        hint = f"--results {file} --resume continues the match" if file is not None else hint
        warn(f"stopped after {len(result.games)} of {result.planned} games: {hint}")
    if options.plot_file is not None:
        _plot(result, options.plot_file, whole, stopped)
    if stopped:
        shared.exit_with(130)


def _begin(options: MatchOptions, warnings: list[str]) -> Run:
    """Start each engine once, and open the results file. Problems that do not prevent the match go to `warnings`."""
    clock = options.time_settings if options.time_per_move is None else (0.0, options.time_per_move, 1)
    rules, komi, margin = options.rules, options.komi, options.margin
    conditions = Conditions(rules, *options.size, komi, clock, margin, options.patience, options.maxmoves)
    chosen = choose_openings(options.opening, options.seed, options.openings_file, conditions)
    if options.engines is None:
        if options.black is None or options.white is None:
            raise RequestError("give --black and --white, or --engines")
        commands = [(command, EngineClient) for command in (options.black, options.white)]
        probed = probe_engines(commands, conditions, warnings)
    elif options.black is not None or options.white is not None:
        raise RequestError("give --engines, or --black and --white, not both")
    else:
        probed = probe_engines_of_file(options.engines, conditions, warnings)
    _check_plot(options, len(probed))
    whole = Match(tuple(probed), conditions, chosen, options.games, options.alternate, options.seed)
    return begin(whole, Files(options.results_file, options.resume, options.sgf_dir), options.sprt_bounds)


def _check_plot(options: MatchOptions, engines: int) -> None:
    """Check before the first game that a plot can be drawn. UsageError or RequestError: it cannot."""
    if options.plot_file is None:
        return
    if options.sprt_bounds is None:
        if engines < 3:
            raise click.UsageError("--plot needs --sprt, or a round robin of three engines or more")
        load_choix()
    check(options.plot_file)


def _plot(result: MatchResult, path: Path, whole: Match, stopped: bool) -> None:
    """Plot the test or the ratings. RequestError: there is none, in a match that was not stopped."""
    conditions = whole.conditions
    title = f"{conditions.rules} {conditions.width}x{conditions.height}, {len(result.games)} games"
    if result.sprt is not None and result.sprt.halves:
        plot_sprt(result.sprt, path, "\nagainst ".join(result.names) + f"\n{title}")
    elif result.ratings is not None:
        plot(result.ratings, path, title)
    elif not stopped:
        raise RequestError(f"nothing to draw: {result.without_ratings or 'no results'}")


WIDTH = 140
"""The width of the tables (characters) if the output is not a terminal; on a terminal it is TERMINAL at least."""
SHOWN_FAULTS = 10
"""The number of faults that are printed; further ones are only counted."""


@contextmanager
def _progress(match: Match, games: Iterable[MatchGame]) -> Iterator[Callable[[MatchGame], None]]:
    """Show the games played, the points of two engines and the faults; yield a function that counts one more game."""
    points = dict.fromkeys((contender.name for contender in match.contenders), 0.0)
    faults = 0
    with bar(match.games * len(match.pairs), "games") as advance:

        def add(game: MatchGame) -> None:
            nonlocal faults
            for name in (game.first, game.second) if game.duplicate is None else ():
                points[name] += score_of(game, name).points
            faults += game.faulty is not None
            pair = " - ".join(f"{name} {gained:g}" for name, gained in points.items()) if len(points) == 2 else "games"
            advance(1, f"{pair}, faults: {faults}" if faults else pair)

        for game in games:
            add(game)
        yield add


def print_report(result: MatchResult, match: Match) -> None:
    """Print the summary."""
    console = Console(highlight=False)
    console.width = max(console.width, TERMINAL) if console.is_terminal else WIDTH
    conditions = match.conditions
    clock = "" if conditions.clock is None else " time {:g} {:g} {}".format(*conditions.clock)
    clock += f" (margin {conditions.margin:g} s)" if clock else ""
    console.print(
        f"{conditions.rules} on {conditions.width}x{conditions.height}{clock}: "
        f"{len(result.games)} of {result.planned} games, {result.unknown} without a result, "
        f"{result.duplicates} duplicates left out",
        markup=False,
    )
    for fault in result.faults[:SHOWN_FAULTS]:
        console.print(fault, markup=False, overflow="fold")
    if len(result.faults) > SHOWN_FAULTS:
        console.print(f"... and {len(result.faults) - SHOWN_FAULTS} more faults")
    console.print(_pair(result) if len(result.names) == 2 else _cross_table(result))
    if result.without_ratings:
        console.print(result.without_ratings, markup=False)
    console.print(_players(result))
    if result.counted:
        console.print(_causes(result))
    if result.sprt is not None:
        test, counts = result.sprt, result.sprt.outcomes.counts
        points = f"by points from 0 to {len(counts) // 2}: {', '.join(map(str, counts))}"
        console.print(
            f"SPRT on {sum(counts)} {test.unit} ({points}), {test.elo0:g} against {test.elo1:g} Elo: {test.verdict}, "
            f"log-likelihood ratio {test.llr:z.2f} in [{-BOUND:.2f}, {BOUND:.2f}]",
            markup=False,
        )


def _table(*columns: str) -> Table:
    table = Table()
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    return table


def _players(result: MatchResult) -> Table:
    table = _table("engine", "points", "as Black", "as White", "faults", "slowest move")
    for name in result.names:
        black, white = result.score(name, black=True), result.score(name, black=False)
        scores = [f"{score.points:g}/{score.games}" for score in (black + white, black, white)]
        faults = sum(result.causes(faulty=name).values())
        table.add_row(escape(name), *scores, str(faults), f"{result.slowest(name):.3f} s")
    return table


def _pair(result: MatchResult) -> Table:
    """The score of two engines."""
    table = _table("pair", "won", "drawn", "lost", "Elo, 95 %", "normalised Elo, 95 %", "superior")
    ((pair, score),) = result.scores.items()
    outcomes = result.outcomes[pair]
    superior = f"{outcomes.superiority():.1%}" if any(outcomes.counts) else ""
    differences = (score.elo() if score.games else "", outcomes.normalized_elo() or "")
    counts = (score.wins, score.draws, score.losses)
    table.add_row(escape(" - ".join(pair)), *map(str, counts), *(escape(str(d)) for d in differences), superior)
    return table


def _cross_table(result: MatchResult) -> Table:
    """The points of each engine against each other one, strongest engine first."""
    cells = {}
    for (first, second), score in result.scores.items():
        cells[first, second] = f"{score.points:g}/{score.games}"
        cells[second, first] = f"{score.games - score.points:g}/{score.games}"
    points, ratings = result.points, {rating.name: rating for rating in result.ratings or ()}
    names = list(ratings) or sorted(points, key=lambda name: -points[name])
    table = _table("engine", "Elo, 95 %", *(str(place) for place in range(1, len(names) + 1)))
    for place, name in enumerate(names, 1):
        rating = ratings.get(name)
        elo = "" if rating is None else f"{rounded(rating.elo)} ± {rating.error:.0f}"
        table.add_row(f"{place} {escape(name)}", elo, *(cells.get((name, other), "") for other in names))
    return table


def _causes(result: MatchResult) -> Table:
    """Return the wins of each engine by cause; a cause without wins has no column."""
    causes = [cause for cause, count in result.causes().items() if count]
    table = _table("won by", *causes)
    for name in result.names:
        won = result.causes(winner=name)
        table.add_row(escape(name), *(str(won[cause]) for cause in causes))
    table.add_row("all games", *(str(result.causes()[cause]) for cause in causes))
    return table
