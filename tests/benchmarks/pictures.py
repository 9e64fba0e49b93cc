"""The pictures of README.md: python -m tests.benchmarks.pictures [FOLDER]."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from unittest.mock import patch

from rich.console import Console

from gtp_capture import Game
from gtp_capture.cli import show
from gtp_capture.cli.table import Seats, TerminalGame
from gtp_capture.go.vertex import BLACK
from gtp_capture.gtp.options import Options
from gtp_capture.util.limit import Limit

CROSSCUT = ("E5", "F5", "F4", "E4", "E3", "D4")
PLAYOUTS = 20_000
MISTAKE = ("C3", "C4", "B2", "B3", "D2", "D3")
"""Plays after which Black is in atari."""


def main(folder: Path) -> None:
    """Write a game in the terminal, a lesson in it, and the win rate of each move."""
    game = Game("first-capture", 9)
    for vertex in CROSSCUT:
        game.play(vertex)
    show.write(game, show.win_rates(game, Limit(None, PLAYOUTS), threads=1), folder / "heat.svg")
    terminal(["hint"], CROSSCUT, 9).save_svg(str(folder / "play.svg"), title="gtp-capture play --size 9")
    terminal(["D4", "yes", "hint"], MISTAKE, 5).save_svg(
        str(folder / "lesson.svg"), title="gtp-capture play --size 5 --warn"
    )


def terminal(lines: list[str], moves: tuple[str, ...], size: int) -> Console:
    """Return a console with a game in which some moves were made, and then a person types some lines."""
    console = Console(record=True, width=72, file=io.StringIO(), highlight=False, markup=False)
    options = Options(width=size, height=size, level=2, seed=1, threads=1, playouts=PLAYOUTS)
    table = TerminalGame(options, Seats(frozenset({BLACK}), warn=True), console)
    for vertex in moves:
        table.engine.game.play(vertex)
    with patch.object(console, "input", lambda prompt: typed(console, prompt, lines)):
        table.run()
    return console


def typed(console: Console, prompt: str, lines: list[str]) -> str:
    """Return the next line, and show it as the terminal does."""
    if not lines:
        raise EOFError
    line = lines.pop(0)
    console.print(f"{prompt}{line}")
    return line


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sabaki-config"))
