"""gtp-capture play: a game against the engine in a terminal, or between two people."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE
from ..gtp.options import Options
from ..players.levels import FIRST
from ..teach import words
from .drawing import new_console
from .files import problems_of
from .lesson import Lesson
from .options import (
    ADAPT_NAME,
    LEVEL,
    SIZE,
    adapted,
    opening_option,
    profile_option,
    refuse,
    rules_option,
    spoken_option,
    was_given,
)
from .table import Seats, TerminalGame, check_start

SECONDS = 1.0
UNREADABLE: Final = 1
"""Exit code if a file of a folder was left out."""
OF_GAMES: Final = ("size", "level", "profile", "color", "opening", "handicap", "two", "warn", "seed")
"""Options that do not apply to problems."""
NOT_FOR_TWO: Final = ("level", "profile", "color")
"""Options that do not apply to a game between two people."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command."""

    file: Path | None
    problem: int | None
    rules: Rules
    size: tuple[int, int]
    level: int
    profile: Path | None
    color: str
    opening: str
    handicap: int | None
    two: bool
    warn: bool
    spoken: bool
    seed: int | None

    def check(self) -> None:
        """Check that a game can start like this. ValueError: the reason."""
        check_start(self.session(), *self.size, self.handicap or 0)

    def session(self) -> Options:
        """The options of the engine."""
        width, height = self.size
        options = replace(Options(), rules=self.rules, width=width, height=height, time_per_move=SECONDS)
        changes = adapted(self.level, self.profile)
        return replace(options, crosscut=self.opening == "crosscut", seed=self.seed, **changes)

    def seats(self) -> Seats:
        """The people at the table."""
        people = frozenset({BLACK, WHITE} if self.two else {BLACK if self.color == "black" else WHITE})
        interactive = sys.stdin is not None and sys.stdin.isatty()
        return Seats(people, self.handicap or 0, self.warn, interactive)


def solve_problems(chosen: PlayOptions, rules: Rules | None, console: Console) -> bool:
    """Set problems in the terminal, from a number on; `rules`: instead of those of the file.

    Return whether every file of problems was read.
    """
    problems, whole = problems_of(chosen.file, rules)
    with console.status(words.SHORT.text("lesson.preparing")):  # the solver is loaded, or compiled once on a computer
        lesson = Lesson(problems, chosen.problem or 1, console)
    lesson.run()
    return whole


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--problem", type=click.IntRange(1), help="Set a problem of FILE, or of the collection of this program.")
@rules_option
@click.option("--size", type=SIZE, default="5", show_default=True, help="Board size: 7 or 9x7, from 2 to 25.")
@click.option(
    "--level",
    type=LEVEL,
    default=ADAPT_NAME,
    show_default=True,
    help=f"1 to 10, a name, or adapt, which begins at level {FIRST} and follows your results.",
)
@profile_option
@click.option("--color", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Your colour.")
@opening_option
@click.option(
    "--handicap",
    type=click.IntRange(2, 9),
    help="Stones that Black plays before White begins: extra turns in capture games, star points in Go.",
)
@click.option("--two", is_flag=True, help="Two people play at one keyboard; the engine gives hints only.")
@click.option("--warn", is_flag=True, help="Show moves that can be punished at once, and let you take them back.")
@spoken_option
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
@click.pass_context
def play(context: click.Context, /, **values: Any) -> None:
    """Play Capture Go or Go here in the terminal, against the engine or against another person; or solve problems.

    FILE is SGF with problems, or a folder of such files. `--problem 7` without FILE sets one of the collection that
    comes with this program.
    """
    chosen = PlayOptions(**values)
    console = new_console(spoken=chosen.spoken)
    if chosen.file is not None or chosen.problem is not None:
        refuse(context, OF_GAMES if chosen.file is not None else (*OF_GAMES, "rules"), "with problems")
        rules = chosen.rules if was_given(context, "rules") else None
        if not solve_problems(chosen, rules, console):
            context.exit(UNREADABLE)
        return
    if chosen.two:
        refuse(context, NOT_FOR_TWO, "with --two")
    try:
        chosen.check()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    table = TerminalGame(chosen.session(), chosen.seats(), console)
    try:
        table.run()
    finally:
        table.engine.warmup.stop()
