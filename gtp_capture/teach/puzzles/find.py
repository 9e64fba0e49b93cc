"""The search for problems: positions from games between levels in which exactly one play wins at each turn.

A job is a number of games with a seed of its own. The result depends on the request and the number of the job alone,
so any number of processes finds the same problems.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from ...go import board as bd
from ...go.board import Board
from ...go.game import Game
from ...go.rules import Rules
from ...go.vertex import opponent
from ...solver.choice import solver_for
from ...solver.result import why_unsupported
from ...util.executor import executor, run_jobs
from ...util.limit import Limit
from .examiner import ProblemError
from .levels import first_moves, play_game
from .problem import Difficulty, Problem, Start
from .prove import CHECK_NODES, fault, is_proven, longest_resistance, solve, variations, wins_at_once
from .theme import PLAIN, theme_of

if TYPE_CHECKING:
    from ...solver.exact import ExactSolver

NODES: Final = 75_000
"""Nodes of each search for a problem."""
BOUNDS: Final = NODES, CHECK_NODES
"""Nodes of each search of the two solvers, see `_solvers`."""
GAMES: Final = 4
"""Maximum number of games of a job."""
CHOICE: Final = 8
"""Maximum number of proven problems of a game from which the most interesting ones are graded."""
MOST_GRADED: Final = 2
"""Problems of a game that are graded; the harder one is taken."""
LAST_TURNS: Final = 7
"""Last turns of a game from which problems are made."""
TRIES: Final = 50
"""Maximum number of positions that are made from one solution by removing a stone of each side."""
MOST_TRIED: Final = 600
"""Positions to try for each game."""
GAMES_EACH: Final = 300
"""Default number of games to search for each problem."""
MOST_PLAYS: Final = 9
"""Maximum number of plays of the winner in a problem."""


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


def search(job: Job, stop: threading.Event | None = None) -> list[Problem]:
    """Return the problems found in the games of one job, at most one for each game. Symmetric problems may remain.

    Once `stop` is set it ends at once, and what it returns is not to be used.
    """
    request, number, games = job
    generator, stop = random.Random(f"{request.seed} {number}"), stop or threading.Event()
    for solver, nodes in zip(_solvers(request.rules, request.width, request.height), BOUNDS, strict=True):
        solver.bound = Limit(nodes=nodes).begin(stop)
    problems: list[Problem] = []
    for _ in range(games):
        game = play_game(request.rules, request.width, request.height, generator, stop)
        proven = nlargest(MOST_GRADED, islice(_proven(game, request, generator), CHOICE), key=_Proven.interest)
        if stop.is_set():
            break
        problems += sorted(filter(may_be_set, map(_graded, proven)), key=Problem.sort_key)[-1:]
    if stop.is_set():
        _solvers.cache_clear()  # their searches would end at once
    return problems


class Candidates:
    """Positions similar to positions of a game, in which exactly one play wins at each turn.

    They are made from the end of the solution backwards. First come positions near the end of the game in which one
    play wins at once. Then a stone of each side is removed from a position with a solution of `depth - 1` plays: the
    winner may play its stone again, and the other side replies with its own. Solutions of `depth` plays are far more
    frequent among these positions than among positions of games.
    """

    def __init__(self, game: Game, generator: random.Random) -> None:
        self._rules, self._generator = game.rules, generator
        self._solver, _ = _solvers(game.rules, game.width, game.height)
        self._solver.clear()
        self._turns = list(_turns(game))[-LAST_TURNS:]
        self._left = MOST_TRIED
        self._tried: set[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = set()

    def of_depth(self, depth: int) -> Iterator[tuple[Start, tuple[int, ...]]]:
        """Yield positions with their solutions of `depth` plays, until enough positions are tried."""
        for start in self._sources(depth):
            if self._left == 0 or self._solver.bound.expired():
                return
            key = depth, start.to_move, start.black, start.white
            if key in self._tried:
                continue
            self._left -= 1
            self._tried.add(key)
            line = solve(self._solver, self._solver.node_of(start.black, start.white, start.to_move), depth)
            if line is not None:
                yield start, line

    def _sources(self, depth: int) -> Iterator[Start]:
        """Yield the positions to try for solutions of `depth` plays."""
        yield from (Start.of(board, color, self._rules) for board, color in reversed(self._turns))
        if depth == 1:
            yield from self._one_play_off()
        else:
            for later, _ in self.of_depth(depth - 1):
                yield from self._earlier(later)

    def _one_play_off(self) -> list[Start]:
        """Return the positions after each legal play at the last turns."""
        starts = [
            Start.of(bd.after(board, play.point, color), opponent(color), self._rules)
            for board, color in self._turns
            for play in self._solver.plays(self._solver.node(board, color))
            if play.winner is None
        ]
        self._generator.shuffle(starts)
        return starts

    def _earlier(self, later: Start) -> list[Start]:
        """Return the positions with one stone of each side removed."""
        starts = [
            replace(later, black=_without(later.black, b), white=_without(later.white, w))
            for b in later.black
            for w in later.white
        ]
        self._generator.shuffle(starts)
        return starts[:TRIES]


def _without(points: tuple[int, ...], point: int) -> tuple[int, ...]:
    return tuple(p for p in points if p != point)


def _turns(game: Game) -> Iterator[tuple[Board, int]]:
    """Yield the board before each move of a game and the colour that plays it."""
    board = bd.new(game.width, game.height)
    for move in game.moves:
        yield board, int(move.color)
        if move.point > 0:
            board = bd.after(board, move.point, int(move.color))


class _Proven(NamedTuple):
    """A position with its proven solution."""

    start: Start
    line: tuple[int, ...]
    theme: str
    effort: int
    """Nodes of the proof without knowledge."""

    def interest(self) -> tuple[bool, int]:
        """Return a key that sorts the problems of one game: plain themes first, then by the effort of the proof."""
        return self.theme not in PLAIN, self.effort


def _proven(game: Game, request: Request, generator: random.Random) -> Iterator[_Proven]:
    """Yield proven problems that resemble the end of a game and fit the request."""
    for start, line in Candidates(game, generator).of_depth(request.depth):
        theme = theme_of(start, line)
        if (start.is_open or not request.is_open) and request.theme in ("", theme):
            proof = _proof(start, line, theme)
            if proof is not None:
                yield proof


def _proof(start: Start, line: tuple[int, ...], theme: str) -> _Proven | None:
    """Check a solution; return it with the effort of its proof, or None if it is not proven."""
    _, checker = _solvers(start.rules, start.width, start.height)
    before = checker.nodes
    return _Proven(start, line, theme, checker.nodes - before) if is_proven(checker, start, line) else None


def _graded(proven: _Proven) -> Problem:
    """Return the problem of a proven solution, with refutations of the plays that the levels try, and its grade."""
    start, line, theme, effort = proven
    solver, _ = _solvers(start.rules, start.width, start.height)
    tries = first_moves(start)
    tried = [move for move, _ in tries.most_common()]
    difficulty = Difficulty(tries.total() - tries[line[0]], tries.total(), effort)
    return Problem(start, variations(solver, start, line, tried), theme, difficulty)


def may_be_set(problem: Problem) -> bool:
    """Whether to offer a problem: plain captures and saves are offered only in grade 1."""
    return problem.theme not in PLAIN or problem.difficulty.grade <= 1


def graded_again(problem: Problem) -> Problem:
    """Return a problem with proof, theme, solution and grade made anew.

    It stays as it is if its answers are proven, but several win at a turn, or if they win at once on a board that the
    solver does not take. ProblemError: the answers are not proven.
    """
    start = problem.start
    reason = why_unsupported(start.rules, start.board())
    if reason is None:
        reason = fault(solver_for(start.rules, start.board(), nodes=CHECK_NODES), problem)
    elif wins_at_once(problem):
        return problem
    if reason is not None:
        raise ProblemError(reason)
    solver, _ = _solvers(start.rules, start.width, start.height)
    line = longest_resistance(solver, start, MOST_PLAYS)
    proof = None if line is None else _proof(start, line, theme_of(start, line))
    if proof is None and not all(start.outcome(moves) is not None for moves in problem.answers):
        raise ProblemError("its solution ends before the game does")
    return problem if proof is None else _graded(proof)


@cache
def _solvers(rules: Rules, width: int, height: int) -> tuple[ExactSolver, ExactSolver]:
    """Return the solver of the search, and one for the check, which uses no knowledge."""
    board = bd.new(width, height)
    search, check = BOUNDS
    return solver_for(rules, board, nodes=search), solver_for(rules, board, nodes=check, knowledge=False)


class Search:
    """The problems found so far; images of a problem under symmetry are left out."""

    def __init__(
        self, request: Request, count: int, games: int, jobs: int, stop: threading.Event | None = None
    ) -> None:
        """`count`: problems to find; `games`: maximum number of games; `jobs`: processes; `stop` ends one at once."""
        self.count, self.games, self._request, self._stop = count, games, request, stop or threading.Event()
        self._processes = min(jobs, -(-games // GAMES))
        self.problems: list[Problem] = []
        self._known: set[bytes] = set()

    def jobs(self) -> Iterator[Job]:
        """Yield the parts of the search."""
        for number, first in enumerate(range(0, self.games, GAMES)):
            yield Job(self._request, number, min(GAMES, self.games - first))

    def run(self, report: Callable[[int, int], None] = lambda games, problems: None) -> None:
        """Search until there are enough problems or no games left; `report` gets the games and problems so far."""
        results: Iterable[list[Problem]] = map(partial(search, stop=self._stop), self.jobs())
        if self._processes > 1:
            results = _in_order(run_jobs(partial(executor, self._processes), search, self.jobs()))
        for done, problems in enumerate(results, 1):
            if self._stop.is_set():
                return
            for problem in problems:
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


def _in_order(results: Iterable[tuple[Job, list[Problem]]]) -> Iterator[list[Problem]]:
    """Yield results in the order of their jobs, each as soon as all earlier ones are there."""
    waiting: dict[int, list[Problem]] = {}
    following = 0
    for job, problems in results:
        waiting[job.number] = problems
        while following in waiting:
            yield waiting.pop(following)
            following += 1
