"""Make the collection of problems that comes with the program: python -m tests.benchmarks.collection [--grade].

Problems from games of the levels, from easy to hard, are written to
`gtp_capture/teach/puzzles/collection/problems.sgf`, and the positions of the rule texts to `tutorial.sgf` beside it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import gtp_capture
from gtp_capture.go.game import Game
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import parse_color
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.find import Request, Search, graded_again, may_be_set
from gtp_capture.teach.puzzles.problem import Problem, Start, Variation

from ..support.diagrams import set_up
from ..support.paths import TESTS

FOLDER: Final = Path(gtp_capture.__file__).parent / "teach" / "puzzles" / "collection"
TUTORIAL: Final = TESTS / "data" / "tutorial_problems.json"
SEED: Final = 15


class Part(NamedTuple):
    """One search."""

    rules: str
    width: int
    height: int
    depth: int
    games: int
    most: int
    """Problems to take."""
    each: int
    """Problems to take of each theme, those without a theme included."""
    seed: int = SEED
    theme: str = ""
    """The only theme; "" for all."""


FIRST_CAPTURE: Final = [
    Part("first-capture", 4, 4, 1, 40, 3, 3),
    Part("first-capture", 5, 5, 1, 40, 3, 3),
    Part("first-capture", 4, 4, 2, 600, 10, 3),
    Part("first-capture", 5, 5, 2, 800, 12, 3),
    Part("first-capture", 6, 6, 2, 500, 10, 3),
    Part("first-capture", 7, 7, 2, 400, 10, 3),
    Part("first-capture", 4, 4, 3, 600, 8, 3),
    Part("first-capture", 5, 5, 3, 800, 12, 3),
    Part("first-capture", 6, 6, 3, 500, 10, 3),
    Part("first-capture", 7, 7, 3, 400, 10, 3),
    Part("first-capture", 5, 5, 4, 600, 6, 3),
    Part("first-capture", 6, 6, 4, 400, 6, 3),
    Part("first-capture", 7, 7, 4, 400, 6, 3),
    Part("first-capture", 6, 6, 3, 600, 3, 3, seed=7, theme="ladder"),
    Part("first-capture", 7, 7, 3, 500, 3, 3, seed=7, theme="ladder"),
]
SEVERAL_PRISONERS: Final = [
    Part("capture-3", 4, 4, 2, 90, 6, 4),
    Part("capture-3", 4, 4, 3, 90, 4, 4),
    Part("capture-5", 4, 4, 2, 90, 6, 4),
    Part("capture-5", 4, 4, 3, 90, 4, 4),
]


def tutorial() -> list[Problem]:
    """Return the problems of the rule sources. Those with several answers are neither proven nor graded."""
    return [_tutorial_problem(data) for data in json.loads(TUTORIAL.read_text())["problems"]]


def _tutorial_problem(data: dict[str, Any]) -> Problem:
    game: Game = set_up(" ".join(data["rows"]), data["rules"], parse_color(data["to_play"]))
    answers = [data["captures"]] if "captures" in data else data["captures_any"]
    variations = tuple(Variation((game.point(vertex),), True) for vertex in answers)
    problem = Problem(Start.of(game.board, int(game.to_move), game.rules), variations, "capture")
    return graded_again(problem) if len(answers) == 1 else problem


def part(wanted: Part, jobs: int) -> list[Problem]:
    """Return the problems of one search, few of each theme."""
    began = time.monotonic()
    request = Request(Rules.parse(wanted.rules), wanted.width, wanted.height, wanted.depth, wanted.seed, wanted.theme)
    search = Search(request, 10_000, wanted.games, jobs)
    search.run(lambda games, problems: None)
    themes: Counter[str] = Counter()
    taken: list[Problem] = []
    for problem in reversed(search.sorted()):  # the hardest first, because easy ones are plenty
        if len(taken) < wanted.most and themes[problem.theme] < wanted.each:
            themes[problem.theme] += 1
            taken.append(problem)
    seconds = time.monotonic() - began
    click.echo(f"{wanted}: {len(taken)} of {len(search.problems)}, {dict(themes)}, {seconds:.0f} s")
    return taken


def made_before() -> list[list[Problem]]:
    """Return the problems of the present collection in two groups, graded again."""
    graded = [graded_again(problem) for problem in files.shipped()]
    several = [problem.start.rules.captures != 1 for problem in graded]
    return [
        [problem for problem, is_several in zip(graded, several, strict=True) if is_several == group]
        for group in (False, True)
    ]


@click.command()
@click.option("--jobs", default=1, show_default=True)
@click.option("--grade", is_flag=True, help="Grade the present problems again, after a change of the levels.")
def main(jobs: int, grade: bool) -> None:
    """Search, select and write."""
    groups = (FIRST_CAPTURE, SEVERAL_PRISONERS)
    found = made_before() if grade else [[p for wanted in group for p in part(wanted, jobs)] for group in groups]
    parts = [sorted(filter(may_be_set, problems), key=Problem.sort_key) for problems in found]
    for name, problems in ((files.SHIPPED, [*parts[0], *parts[1]]), (files.TUTORIAL, tutorial())):
        output = FOLDER / files.COLLECTIONS[name]
        output.write_bytes(files.dump(problems))
        click.echo(f"{name}: {len(problems)} problems, {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
