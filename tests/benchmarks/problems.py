"""Check generated problems with an independent program: python -m tests.benchmarks.problems [--count 200].

Problems of first capture on 4x4 and 5x5, found as `gtp-capture puzzles` finds them, are searched again by
`tests.support.problem_oracle`, which shares no code with the solver. Exit code 1 if one of them is not as it says.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Final, NamedTuple

import click

from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules
from gtp_capture.teach.puzzles.find import Request, Search
from gtp_capture.teach.puzzles.problem import Problem, boards_along

from ..support.problem_oracle import Oracle

PLAN: Final = {(4, 2): 0.3, (5, 2): 0.4, (4, 3): 0.1, (5, 3): 0.2}
"""The share of the problems for each board size and depth."""
GAMES: Final = 400
"""Maximum number of games to search for each problem."""


class Faults(NamedTuple):
    """The faults that an independent program finds in a problem."""

    second_win: bool
    """At a turn of the winner another play wins too, or the play of the solution does not win."""
    wrong_depth: bool
    """At a turn of the winner, the shortest win is not as long as the rest of the solution."""
    no_capture: bool
    """The solution does not end with a capture."""


def check(problem: Problem, oracle: Oracle) -> Faults:
    """Search a problem anew."""
    second = depth = False
    start, line = problem.start, problem.line
    captured = False
    for number, (board, color) in enumerate(boards_along(start, line)):
        captured = int(board.prisoners[start.to_move]) > 0
        if number == len(line) or number % 2:
            continue
        points = bd.points(board)
        own, opp = (sum(1 << i for i, p in enumerate(points) if board.color[p] == c) for c in (color, 3 - color))
        second |= oracle.winning_plays(own, opp) != [points.index(line[number])]
        left = len(line) - number
        depth |= not oracle.wins_within(own, opp, left) or (left > 1 and oracle.wins_within(own, opp, left - 2))
    return Faults(second, depth, not captured)


def images(problem: Problem) -> set[frozenset[tuple[int, int, bool]]]:
    """Return all images of a square position, each as its stones with whether they are of the side to move."""
    board, size = problem.start.board(), problem.start.width
    stones = [
        (n % size, n // size, bool(board.color[p] == problem.start.to_move))
        for n, p in enumerate(bd.points(board))
        if board.color[p]
    ]
    last = size - 1
    found = set()
    for turn in range(8):
        image = [(last - x if turn & 1 else x, last - y if turn & 2 else y, own) for x, y, own in stones]
        found.add(frozenset((y, x, own) if turn & 4 else (x, y, own) for x, y, own in image))
    return found


def duplicates(problems: list[Problem]) -> int:
    """Count the problems that are an image of an earlier one."""
    seen: set[tuple[int, frozenset[tuple[int, int, bool]]]] = set()
    count = 0
    for problem in problems:
        turned = {(problem.start.width, image) for image in images(problem)}
        count += bool(turned & seen)
        seen |= turned
    return count


def generate(count: int, seed: int, jobs: int) -> list[Problem]:
    """Return problems according to PLAN; sizes and depths whose games are used up leave their rest to the others."""
    found: list[Problem] = []
    for (size, depth), share in sorted(PLAN.items(), reverse=True):
        wanted = round(count * share) if (size, depth) != min(PLAN) else count - len(found)
        request = Request(Rules.parse("first-capture"), size, size, depth, seed)
        search = Search(request, wanted, GAMES * max(1, wanted), jobs)
        search.run(lambda games, problems: None)
        found += search.sorted()
        click.echo(f"{size}x{size}, {depth} plays: {len(search.problems)} of {wanted} problems", err=True)
    return found


@click.command()
@click.option("--count", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=1, show_default=True)
def main(count: int, seed: int, jobs: int) -> None:
    """Print how many of the problems are wrong."""
    began = time.monotonic()
    problems = generate(count, seed, jobs)
    found = time.monotonic()
    oracles = {size: Oracle(size, size) for size, _ in PLAN}
    faults = [check(problem, oracles[problem.start.width]) for problem in problems]
    twins = duplicates(problems)
    boards = Counter(f"{problem.start.width}x{problem.start.height}" for problem in problems)
    click.echo(f"{len(problems)} problems ({', '.join(f'{n} on {b}' for b, n in sorted(boards.items()))})")
    click.echo(f"{sum(f.second_win for f in faults)} with a second winning play")
    click.echo(f"{sum(f.wrong_depth for f in faults)} with a wrong depth")
    click.echo(f"{sum(f.no_capture for f in faults)} without a capture at the end")
    click.echo(f"{twins} images of another one")
    click.echo(f"found in {found - began:.0f} s, checked in {time.monotonic() - found:.0f} s")
    sys.exit(int(any(map(any, faults)) or twins > 0 or len(problems) < count))


if __name__ == "__main__":
    main()
