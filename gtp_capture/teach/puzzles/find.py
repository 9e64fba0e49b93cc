"""The search for problems: positions from games of the levels in which exactly one play wins, again and again.

A job is a number of games with a seed of its own. The result depends on the request and the number of the job alone,
so any number of processes finds the same problems.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, NamedTuple

from ...go import board as bd
from ...go.game import Game
from ...go.rules import Rules
from ...util.executor import executor, run_jobs
from .bounded import BoundedSolver, bounded_solver, why_unsupported
from .levels import difficulty, first_moves, play_game
from .problem import Problem, Start
from .prove import CHECK_NODES, check_solver, fault, is_proven, longest_resistance, solve, variations, wins_at_once
from .theme import PLAIN, theme_of

GAMES: Final = 10
"""Games of a job at most."""
GAMES_EACH: Final = 300
"""Games to search for each problem, if nothing else is given."""
MOST_PLAYS: Final = 9
"""Plays of the winner in a problem at most."""


class UnprovenError(ValueError):
    """The solution of a problem is not proven; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Request:
    """The problems to find."""

    rules: Rules
    width: int
    height: int
    depth: int
    """Plays of the winner."""
    seed: int
    theme: str = ""
    """The only theme to accept; "" for all."""
    is_open: bool = False
    """Whether stones may take at most half of the points."""


class Job(NamedTuple):
    """A part of the search."""

    request: Request
    number: int
    games: int = GAMES


def search(job: Job) -> list[Problem]:
    """Return the problems found in the games of one job; symmetric ones are not removed."""
    request, number, games = job
    generator = random.Random(f"{request.seed} {number}")
    found = []
    for _ in range(games):
        game = play_game(request.rules, request.width, request.height, generator)
        found += [problem for start in candidates(game) if (problem := problem_at(start, request)) is not None][:1]
    return found


def candidates(game: Game) -> Iterator[Start]:
    """Yield the positions of a game with the side to move, the last one first, until a result is missing."""
    solver, _ = _solvers(game.rules, game.width, game.height)
    solver.forget()
    boards = []
    board = bd.new(game.width, game.height)
    for move in game.moves:
        boards.append((board, int(move.color)))
        if move.point > 0:
            board = bd.after(board, move.point, int(move.color))
    for board, color in reversed(boards):
        start = Start.of(board, color, game.rules)
        result = solver.result(start.board(), color)
        if result > 0:
            yield start
        elif not result:
            return


def problem_at(start: Start, request: Request) -> Problem | None:
    """Return the problem of a position; None if it is not one of those that are requested."""
    if request.is_open and not start.is_open:
        return None
    solver, checker = _solvers(start.rules, start.width, start.height)
    line = solve(solver, start.board(), start.to_move, request.depth)
    if line is None:
        return None
    theme = theme_of(start, line)
    if request.theme and theme != request.theme:
        return None
    found = make_problem(start, line, theme, solver, checker)
    return None if found is None or not may_be_set(found) else found


def make_problem(
    start: Start, line: tuple[int, ...], theme: str, solver: BoundedSolver, checker: BoundedSolver
) -> Problem | None:
    """Return a graded problem; None if the check does not prove it."""
    before = checker.searched
    if not is_proven(checker, start, line):
        return None
    effort = checker.searched - before
    tries = first_moves(start)
    tried = [move for move, _ in tries.most_common()]
    return Problem(start, variations(solver, start, line, tried), theme, difficulty(tries, line[0], effort))


def may_be_set(problem: Problem) -> bool:
    """Whether to offer a problem: plain captures and saves only in grade 1."""
    return problem.theme not in PLAIN or problem.difficulty.grade <= 1


def graded_again(problem: Problem) -> Problem:
    """Return a problem with proof, theme, solution and grade made anew.

    It stays as it is if its answers are proven, but several win at a turn, or if they win at once on a board that the
    solver does not take. UnprovenError: the answers are not proven.
    """
    start = problem.start
    reason = why_unsupported(start.rules, start.width, start.height)
    if reason is None:
        reason = fault(bounded_solver(start.rules, start.width, start.height, CHECK_NODES), problem)
    elif wins_at_once(problem):
        return problem
    if reason is not None:
        raise UnprovenError(reason)
    solver, checker = _solvers(start.rules, start.width, start.height)
    line = longest_resistance(solver, start, MOST_PLAYS)
    found = None if line is None else make_problem(start, line, theme_of(start, line), solver, checker)
    if found is None and not all(start.outcome(moves) is not None for moves in problem.answers):
        raise UnprovenError("its solution ends before the game does")
    return found or problem


@cache
def _solvers(rules: Rules, width: int, height: int) -> tuple[BoundedSolver, BoundedSolver]:
    """Return the solver of the search, and that of the check."""
    solver = bounded_solver(rules, width, height)
    return solver, check_solver(solver)


class Search:
    """The problems found so far, without images of each other."""

    def __init__(self, request: Request, count: int, games: int, jobs: int) -> None:
        """`count`: problems to find; `games`: games to search at most; `jobs`: processes."""
        self.count, self.games = count, games
        self.jobs = [Job(request, n, min(GAMES, games - n * GAMES)) for n in range(-(-games // GAMES))]
        self.processes = min(jobs, len(self.jobs))
        self.problems: list[Problem] = []
        self._known: set[bytes] = set()

    def run(self, report: Callable[[int, int], None] = lambda games, found: None) -> None:
        """Search until there are enough problems or no games left; `report` gets the games and problems so far."""
        for done, found in enumerate(self._results(), 1):
            for problem in found:
                self._add(problem)
            report(min(done * GAMES, self.games), len(self.problems))
            if len(self.problems) == self.count:
                return

    def sorted(self) -> list[Problem]:
        """Return the problems found so far, the easiest first."""
        return sorted(self.problems, key=Problem.sort_key)

    def _add(self, problem: Problem) -> None:
        code = problem.start.canonical()
        if code not in self._known and len(self.problems) < self.count:
            self._known.add(code)
            self.problems.append(problem)

    def _results(self) -> Iterator[list[Problem]]:
        """Yield the results of the jobs in the order of their numbers."""
        if self.processes == 1:
            yield from map(search, self.jobs)
            return
        yield from _in_order(run_jobs(partial(executor, self.processes), search, self.jobs))


def _in_order(results: Iterable[tuple[Job, list[Problem]]]) -> Iterator[list[Problem]]:
    """Yield results by the numbers of their jobs, each as soon as all before it are there."""
    waiting: dict[int, list[Problem]] = {}
    following = 0
    for job, found in results:
        waiting[job.number] = found
        while following in waiting:
            yield waiting.pop(following)
            following += 1
