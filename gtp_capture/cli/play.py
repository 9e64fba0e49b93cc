"""gtp-capture play: a game against the engine in a terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from ..go.rules import DEFAULT, Rules
from ..go.vertex import BLACK, WHITE
from ..gtp.options import Options
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
@click.option("--rules", type=RulesType(), default=DEFAULT, show_default=True, help="Rules preset.")
@click.option("--size", type=SizeType(), default="7", show_default=True, help="Board size: 7 or 9x7, from 2 to 25.")
@click.option("--level", type=LevelType(), default="first-week", show_default=True, help="1 to 10, or a name.")
@click.option("--color", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Your colour.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
def play(
    file: Path | None,
    problem: int | None,
    rules: Rules,
    size: tuple[int, int],
    level: int,
    color: str,
    seed: int | None,
) -> None:
    """Play against the engine here in the terminal, or solve problems.

    FILE is SGF with problems, or a folder of such files. `--problem 7` without FILE sets one of the collection that
    comes with this program.
    """
    if file is not None or problem is not None:
        solve_problems(file, problem or 1, rules)
        return
    width, height = size
    options = replace(Options(), rules=rules, width=width, height=height, level=level, seed=seed, time_per_move=SECONDS)
    from rich.console import Console  # imported here: a GTP session does not need it

    from .table import TerminalGame

    console = Console(file=sys.stdout, highlight=False)
    table = TerminalGame(options, BLACK if color == "black" else WHITE, console)
    try:
        table.run()
    finally:
        table.engine.warmup.stop()
