"""gtp-capture levels: what each level overlooks."""

from __future__ import annotations

from typing import Final

import click
from rich.table import Table

from ..players.levels import FIRST, FULL, LEVELS, Level
from .drawing import TERMINAL, new_console

HEAD: Final = ("level", "name", "misses captures", "ataris", "at once", "reads", "thinks")
"""The heads of the columns."""
NOTES: Final = (
    "misses captures: turns in which it does not see that it can capture a chain",
    "misses ataris: turns in which it does not see that its own chain is in atari",
    "at once: turns in which it plays without a look at the answer",
    "reads: moves of a ladder that it sees ahead",
    "thinks: playouts of its search before a move",
    f"For a first game: level {FIRST}. --level adapt begins there and follows your results.",
)


@click.command(
    help="Show what each level overlooks.",
)
def levels() -> None:
    console = new_console()
    width, console.width = console.width, max(console.width, TERMINAL)  # no cell is shortened on a narrow terminal
    table = Table(box=None, pad_edge=False)
    for head in HEAD:
        table.add_column(head, justify="left" if head == "name" else "right", no_wrap=True)
    for row in rows():
        table.add_row(*row)
    console.print(table)
    console.width = width
    for note in NOTES:
        console.print(note, style="dim")


def rows() -> list[list[str]]:
    """Return the cells of the table, one row for each level."""
    return [[str(number), level.name, *_cells(level)] for number, level in enumerate(LEVELS, 1)]


def _cells(level: Level) -> list[str]:
    if level is LEVELS[FULL - 1]:
        return ["-", "-", "-", "all", "no limit"]
    missed = (level.notices_capture, level.notices_atari, level.looks_ahead)
    shares = [f"{100 * (1 - noticed):.3g} %" if noticed < 1 else "-" for noticed in missed]
    reads = "all" if level.reads >= LEVELS[FULL - 1].reads else str(level.reads) if level.reads else "-"
    return [*shares, reads, f"{level.playouts:,}"]
