"""gtp-capture play: a game against the engine in a terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from ..go.rules import DEFAULT, Rules
from ..go.vertex import BLACK, WHITE
from ..gtp.options import Options
from ..players.levels import NAMES, RECOMMENDED
from .levels import adapted, profile_option
from .types import LevelType, RulesType, SizeType

SECONDS = 1.0
BEGINNER = NAMES[RECOMMENDED - 1]


@click.command()
@click.option("--rules", type=RulesType(), default=DEFAULT, show_default=True, help="Rules preset.")
@click.option("--size", type=SizeType(), default="7", show_default=True, help="Board size: 7 or 9x7, from 2 to 25.")
@click.option("--level", type=LevelType(), default=BEGINNER, show_default=True, help="1 to 10, a name, or adapt.")
@profile_option
@click.option("--color", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Your colour.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the engine's random choices.")
def play(rules: Rules, size: tuple[int, int], level: int, profile: Path | None, color: str, seed: int | None) -> None:
    """Play against the engine here in the terminal."""
    width, height = size
    options = replace(
        Options(), rules=rules, width=width, height=height, seed=seed, time_per_move=SECONDS, **adapted(level, profile)
    )
    from rich.console import Console  # imported here: a GTP session does not need it

    from .table import TerminalGame

    console = Console(file=sys.stdout, highlight=False)
    table = TerminalGame(options, BLACK if color == "black" else WHITE, console)
    try:
        table.run()
    finally:
        table.engine.warmup.stop()
