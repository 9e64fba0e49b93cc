"""gtp-capture play: a game against the engine in a terminal, or between two people."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from ..go.opening import crosscut as crosscut_points
from ..go.rules import DEFAULT, PRESETS, Rules
from ..go.vertex import BLACK, WHITE
from ..gtp.options import Options
from ..players import levels
from .types import LevelType, RulesType, SizeType

SECONDS = 1.0


def solve_problems(file: Path | None, number: int, rules: Rules) -> None:
    """Set problems in the terminal, from a number on."""
    from rich.console import Console

    from .lesson import Lesson, problems_of

    problems = problems_of(file, rules)
    console = Console(file=sys.stdout, highlight=False)
    with console.status("preparing ..."):  # the solver is loaded, or compiled once on a computer
        lesson = Lesson(problems, number, console)
    lesson.run()


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--problem", type=click.IntRange(1), help="Set a problem of FILE, or of the collection of this program.")
@click.option(
    "--rules", type=RulesType(), default=DEFAULT, show_default=True, help=f"{', '.join(PRESETS)}, or capture-N."
)
@click.option("--size", type=SizeType(), default="7", show_default=True, help="Board size: 7 or 9x7, from 2 to 25.")
@click.option(
    "--level", type=LevelType(), help="1 to 10, or a name; default: one that a beginner can beat on this board."
)
@click.option("--color", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Your colour.")
@click.option(
    "--opening",
    type=click.Choice(["empty", "crosscut"]),
    default="empty",
    show_default=True,
    help="How every game starts.",
)
@click.option(
    "--handicap",
    type=click.IntRange(2, 9),
    help="Stones that Black plays before White begins: extra turns in capture games, star points in Go.",
)
@click.option("--two", is_flag=True, help="Two people play at one keyboard; the engine gives hints only.")
@click.option("--warn", is_flag=True, help="Show moves that can be punished at once, and let you take them back.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
def play(
    file: Path | None,
    problem: int | None,
    rules: Rules,
    size: tuple[int, int],
    level: int | None,
    color: str,
    opening: str,
    handicap: int | None,
    two: bool,
    warn: bool,
    seed: int | None,
) -> None:
    """Play Capture Go or Go here in the terminal, against the engine or against another person; or solve problems.

    FILE is SGF with problems, or a folder of such files. `--problem 7` without FILE sets one of the collection that
    comes with this program.
    """
    if file is not None or problem is not None:
        solve_problems(file, problem or 1, rules)
        return
    options = replace(Options(), rules=rules, crosscut=opening == "crosscut", seed=seed, time_per_move=SECONDS)
    options = replace(options, width=size[0], height=size[1], level=level or levels.recommended(rules, *size))
    try:
        check_start(options, *size, handicap or 0)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    from rich.console import Console  # imported here: a GTP session does not need it

    from .table import Seats, TerminalGame

    interactive = sys.stdin is not None and sys.stdin.isatty()
    people = frozenset({BLACK, WHITE} if two else {BLACK if color == "black" else WHITE})
    seats = Seats(people, handicap or 0, warn, interactive, own_level=level is not None)
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    table = TerminalGame(options, seats, console)
    try:
        table.run()
    finally:
        table.engine.warmup.stop()


def check_start(options: Options, width: int, height: int, handicap: int) -> None:
    """Check that a game can start on a board of this size. ValueError: it is too small for opening or handicap."""
    if options.crosscut:
        crosscut_points(width, height)
    if handicap and options.crosscut:
        raise ValueError("a game starts from a crosscut or with a handicap, not both")
    if 2 * handicap > width * height:
        raise ValueError(f"a {width}x{height} board is too small for {handicap} handicap stones")
