"""A lesson and a sheet as they look: python -m tests.benchmarks.problem_pictures [FOLDER].

Writes `problem.svg`, a problem of the collection in the terminal with a wrong and a right answer, and `sheet.html`, a
page of six problems with its answers.
"""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.console import Console

from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.sheet import sheet
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.tutor.searches import Searches
from gtp_capture.tutor.session import Resources

from .pictures import Typing

THEME: Final = "ladder"
"""Of the problem in the picture."""


def main(folder: Path) -> None:
    """Write both."""
    problems = files.shipped()
    number = next(n for n, problem in enumerate(problems, 1) if problem.theme == THEME)
    console = Console(record=True, width=72, file=io.StringIO(), highlight=False)
    problem = problems[number - 1]
    wrong = next(variation.moves[0] for variation in problem.variations if variation.moves[0] != problem.line[0])
    vertex = problem.start.game().vertex
    with suppress(IndexError):  # no line is left
        screen = Typing(console, ["hint", vertex(wrong), vertex(problem.line[0])])
        screen.run(ProblemSession(problems, number, Resources(Searches(PlayerSettings()))))
    console.save_svg(str(folder / "problem.svg"), title=f"gtp-capture play --problem {number}")
    chosen = [problem for problem in problems if problem.depth > 1]
    (folder / "sheet.html").write_text(sheet(chosen[:6], 6), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sabaki-config"))
