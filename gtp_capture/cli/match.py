"""gtp-capture match: engines against each other, judged by the rules."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import PRESETS, Rules
from ..match import openings, results
from ..match.audit import Audit
from ..match.games import Match, play
from ..match.ratings import RatingsError, sprt
from ..match.referee import Conditions
from ..match.report import Report, report
from ..match.results import Results, ResultsError
from ..util.executor import ExecutorError, executor, perform
from .entrants import as_before, entrants, properties
from .match_tables import Progress, show
from .types import RulesType, SizeType, finite


def bounds(context: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:
    """The two differences of an SPRT, as `0,30`."""
    if value is None:
        return None
    number = r"\s*([+-]?\d{1,4}(?:\.\d+)?)\s*"
    found = re.fullmatch(f"{number},{number}", value, re.ASCII)
    if found is None or float(found[1]) >= float(found[2]):
        raise click.BadParameter("give two differences in Elo, the smaller one first, as in 0,30", context, param)
    return float(found[1]), float(found[2])


def opening_kind(context: click.Context, param: click.Parameter, value: str) -> tuple[str, int]:
    """The kind of opening and its random plays."""
    found = re.fullmatch(r"(empty|crosscut)|random-(\d{1,2})", value, re.ASCII)
    if found is None:
        raise click.BadParameter(f"{value!r} is not empty, crosscut or random-K", context, param)
    return found[1] or "random", int(found[2] or 0)


seconds = partial(click.option, type=click.FloatRange(min=0, min_open=True), callback=finite)
file_path = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--black", metavar="CMD", help="The engine that has Black first: any command that speaks GTP.")
@click.option("--white", metavar="CMD", help="The engine that has White first.")
@click.option(
    "--engines",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A round robin instead: a TOML file with a table [engines] of names and commands.",
)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="For each pair.")
@click.option("--size", type=SizeType(), default="9", show_default=True, help="Board: 9 or 9x7, from 2 to 25.")
@click.option(
    "--rules", type=RulesType(), default=DEFAULT_RULES, show_default=True, help=f"{', '.join(PRESETS)}, or capture-N."
)
@click.option("--komi", type=float, callback=finite, help="Points for White; default: what the rules give.")
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
    help="Openings instead: an SGF file, a folder of them, or a text file with vertices, an opening on each line.",
)
@click.option(
    "--alternate/--no-alternate",
    default=True,
    show_default=True,
    help="Each opening twice, with the colours exchanged.",
)
@seconds("--time-per-move", help="Seconds for each move, by the referee's clock.")
@click.option(
    "--time-settings",
    type=(click.FloatRange(min=0), click.FloatRange(min=0), click.IntRange(min=0)),
    metavar="MAIN BYOYOMI STONES",
    help="Seconds for the game, then for a number of stones, as in GTP.",
)
@seconds("--margin", default=0.25, show_default=True, help="Seconds over the time that are not yet called lost.")
@seconds(
    "--patience",
    default=60.0,
    show_default=True,
    help="Seconds without an answer, beyond the time for a move, after which an engine counts as silent.",
)
@click.option(
    "--maxmoves", type=click.IntRange(min=1), default=1000, show_default=True, help="Then there is no result."
)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at a time, here.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster instead, as in tcp://host:8786.")
@click.option("--sgf-dir", type=click.Path(file_okay=False, path_type=Path), help="A folder for the games as SGF.")
@click.option("--results", "results_file", type=file_path, help="Keep every game here, as gogui-twogtp does.")
@click.option("--resume", is_flag=True, help="Go on with a results file.")
@click.option("--sprt", "sprt_bounds", metavar="ELO0,ELO1", callback=bounds, help="Stop when one of both is accepted.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the openings, and {seed}.")
@click.option("--plot", "plot_file", type=file_path, help="Draw the ratings of a round robin: a PNG or SVG file.")
@click.option("--json", "as_json", is_flag=True, help="One object for machines, when it is over.")
@click.pass_context
def match(
    context: click.Context,
    /,
    black: str | None,
    white: str | None,
    engines: Path | None,
    openings_file: Path | None,
    jobs: int,
    scheduler: str | None,
    sgf_dir: Path | None,
    results_file: Path | None,
    resume: bool,
    sprt_bounds: tuple[float, float] | None,
    plot_file: Path | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Play a match between two GTP engines, or a round robin between many, and judge it by the rules.

    The clock of an engine runs in genmove, and in play and time_left after the first 0.1 s of each.

    In a command, {seed} stands for a number made from --seed and the game; such an engine is started for each game.
    """
    if resume and results_file is None:
        raise click.UsageError("--resume needs --results")
    if sprt_bounds is not None and engines is not None:
        raise click.UsageError("--sprt is for two engines, not for a round robin")
    if plot_file is not None and engines is None:
        raise click.UsageError("--plot needs --engines")
    warnings: list[str] = []
    with _one_line():
        conditions = _conditions(**rest)
        kind, plies = rest["opening"]
        given = openings.read(openings_file, conditions) if openings_file is not None else ()
        chosen = openings.Openings("file" if given else kind, plies, rest["seed"], given)
        chosen.opening(0, conditions) if kind != "random" else None
        met = entrants(black, white, engines, conditions, warnings)
        if plot_file is not None:
            _check_plot(plot_file, len(met))
        kept = Results(results_file, {})
        if resume and engines is None:
            met = as_before(met, kept.before())
        whole = Match(
            tuple(e.contender for e in met), conditions, chosen, rest["games"], rest["alternate"], rest["seed"]
        )
        kept.properties, kept.check = properties(whole, met, openings_file), Audit(whole).check
        kept.open(resume)
    for warning in warnings:
        print(f"gtp-capture: {warning}", file=sys.stderr)
    stopped = False
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # told to end, it ends as by ^C
    with closing(kept), _one_line():
        try:
            _play(whole, kept, partial(executor, jobs, scheduler), sgf_dir, sprt_bounds)
        except KeyboardInterrupt:
            stopped = True
        found = report(whole, kept.rows.values(), sprt_bounds)
    if as_json:
        click.echo(json.dumps({**found.as_json(), "warnings": warnings, "margin": conditions.margin}))
    else:
        show(found, whole)
    if stopped:
        hint = f"--results {results_file} --resume goes on" if results_file is not None else "nothing was kept"
        print(f"gtp-capture: stopped after {found.games} of {found.planned} games: {hint}", file=sys.stderr)
    if plot_file is not None and (found.ratings is not None or not stopped):
        with _one_line():
            _plot(found, plot_file, whole)
    if stopped:
        context.exit(130)


def _play(
    whole: Match, kept: Results, place: Any, sgf_dir: Path | None, sprt_bounds: tuple[float, float] | None
) -> None:
    """Play what is missing, and keep it."""
    pair = whole.pairs[0]

    def decided() -> bool:
        if sprt_bounds is None:
            return False
        score = report(whole, kept.rows.values()).scores[pair[0].name, pair[1].name]
        return sprt(score, *sprt_bounds).verdict != "undecided"

    if sgf_dir is not None:
        results.write_sgf(sgf_dir, kept.rows.values(), whole.conditions)
    missing = [fixture for fixture in whole.fixtures() if fixture.game not in kept.rows]
    if decided() or not missing:
        return
    with (
        Progress(whole, kept.rows.values()) as progress,
        closing(perform(place, partial(play, whole), missing)) as found,
    ):
        for _, row in found:
            row = kept.add(row)
            if sgf_dir is not None:
                results.write_sgf(sgf_dir, [row], whole.conditions)
            progress.add(row)
            if decided():
                return


def _conditions(
    rules: Rules,
    size: tuple[int, int],
    komi: float | None,
    time_per_move: float | None,
    time_settings: tuple[float, float, int] | None,
    margin: float,
    patience: float,
    maxmoves: int,
    **rest: Any,
) -> Conditions:
    if time_per_move is not None and time_settings is not None:
        raise click.UsageError("--time-per-move and --time-settings do not go together")
    clock = (0.0, time_per_move, 1) if time_per_move is not None else time_settings
    conditions = Conditions(rules, *size, komi, clock, margin, patience, maxmoves)
    conditions.game()
    return conditions


def _check_plot(path: Path, engines: int) -> None:
    """Find out before the first game whether ratings can be drawn. UsageError or RatingsError: they cannot."""
    from ..match.plot import check
    from ..match.ratings import load_choix

    if engines < 3:
        raise click.UsageError("--plot needs a round robin of three engines or more")
    load_choix()
    check(path)


def _plot(found: Report, path: Path, whole: Match) -> None:
    from ..match.plot import plot

    if found.ratings is None:
        raise RatingsError(f"nothing to draw: {found.without_ratings or 'no games'}")
    conditions = whole.conditions
    plot(found.ratings, path, f"{conditions.rules} {conditions.width}x{conditions.height}, {found.games} games")


@contextmanager
def _one_line() -> Iterator[None]:
    """What a user can mend is told in a line."""
    try:
        yield
    except (ResultsError, openings.OpeningError, ExecutorError, RatingsError) as error:
        raise click.UsageError(str(error)) from None
