"""The problem suite: its positions, and its winning plays by brute force on small boards and by the solver anew."""

from __future__ import annotations

import random

import pytest

from gtp_capture.solver.solver import Solver
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import Points, game_of, has_liberty, neighbors, outcome, random_position
from ..support.suite import MOST_WINNING, Problem, problems, winning_plays

PROBLEMS = list(problems())
CHEAPEST = sorted(PROBLEMS, key=lambda problem: problem.nodes)[:12]


def place(vertex: str) -> tuple[int, int]:
    """Return column and row of a vertex, counted from 0."""
    return "ABCDEFGHJ".index(vertex[0]), int(vertex[1:]) - 1


def test_the_problems_are_unfinished_games_with_one_or_two_winning_plays() -> None:
    assert len({problem.key for problem in PROBLEMS}) == len(PROBLEMS)
    for problem in PROBLEMS:
        game = problem.game()
        assert game.outcome is None
        assert 1 <= len(problem.winning) <= MOST_WINNING
        assert {game.point(play) for play in problem.winning} < set(game.legal_plays())


def prove(problem: Problem) -> None:
    """Solve every legal play of a problem anew."""
    solver = Solver(problem.side, problem.side, 256 * MEBIBYTE)
    plays = winning_plays(problem.game(), solver, 20 * problem.nodes, MOST_WINNING)
    assert plays is not None
    assert set(plays) == set(problem.winning)


@pytest.mark.slow
def test_the_cheapest_problems_are_proven_anew() -> None:
    for problem in CHEAPEST:
        prove(problem)


@pytest.mark.long
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: f"{problem.side}-{problem.number}")
def test_every_problem_is_proven_anew(problem: Problem) -> None:
    prove(problem)


def wins_by_brute_force(own: Points, opp: Points, play: tuple[int, int], width: int, height: int) -> bool:
    """Whether a legal play captures, or leaves a position that the other side loses."""
    after = own | {play}
    captures = any(not has_liberty(q, opp, after, width, height) for q in neighbors(play, width, height) & opp)
    return captures or not outcome(opp, after, width, height)[0]


def test_winning_plays_are_those_of_brute_force() -> None:
    width = height = 3
    rng, solver = random.Random(17), Solver(width, height, MEBIBYTE)
    for _ in range(40):
        own, opp = random_position(rng, width, height)
        game = game_of(own, opp, width, height, 1)
        expected = {
            game.vertex(point)
            for point in game.legal_plays()
            if wins_by_brute_force(own, opp, place(game.vertex(point)), width, height)
        }
        assert set(winning_plays(game, solver, 1_000_000, width * height) or ()) == expected
