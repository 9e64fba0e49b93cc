"""The pictures of README.md: python -m tests.benchmarks.pictures [FOLDER]."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from rich.console import Console

from gtp_capture import BLACK
from gtp_capture.cli.drawing import board
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.players.analysis import move_analyses, study
from gtp_capture.util.limit import Limit

CROSSCUT = ("E5", "F5", "F4", "E4", "E3", "D4")


def main(folder: Path) -> None:
    """A game under way as `gtp-capture play` shows it, and the win rate of each move in it."""
    engine = Engine(Options(width=9, height=9, seed=1), notify=print)
    for vertex in CROSSCUT:
        engine.game.play(vertex)
    study(engine.analyst, engine.game, BLACK, Limit(None, 3000))
    found = move_analyses(engine.analyst, engine.game, BLACK)
    for name, heat in (("play", None), ("heat", {i.move: i.winrate for i in found})):
        console = Console(record=True, width=44, file=io.StringIO())
        console.print(board(engine.game, heat))
        console.save_svg(str(folder / f"{name}.svg"), title="gtp-capture play" if heat is None else "win rates")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sabaki-config"))
