"""The collection that comes with the program: every problem is proven again."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest

from gtp_capture import Termination
from gtp_capture.go.vertex import COLOR_NAMES
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.judge import FirstCaptureJudge, SeveralPrisonersJudge
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.puzzles.prove import CHECK_NODES, is_proven
from gtp_capture.teach.puzzles.theme import PLAIN, theme_of

from ...benchmarks.problems import check
from ...support.diagrams import show
from ...support.paths import TESTS
from ...support.problem_oracle import Oracle

COLLECTION = files.shipped()
TUTORIAL = json.loads((TESTS / "data" / "tutorial_problems.json").read_text())["problems"]
MADE = COLLECTION[len(TUTORIAL) :]
NUMBERS = {problem: number for number, problem in enumerate(COLLECTION, 1)}


def captures(problem: Problem) -> int:
    assert problem.start.rules.captures is not None
    return problem.start.rules.captures


FIRST = [problem for problem in MADE if captures(problem) == 1]
OTHERS = [problem for problem in MADE if captures(problem) > 1]


def name(problem: Problem) -> str:
    return f"problem {NUMBERS[problem]}"


def test_the_collection_is_large_and_varied() -> None:
    assert len(FIRST) >= 60
    assert {(p.start.width, p.start.height) for p in FIRST} == {(n, n) for n in (4, 5, 6, 7)}
    assert {p.depth for p in FIRST} >= {1, 2, 3, 4}
    assert len({p.theme for p in FIRST}) >= 6
    assert len({p.difficulty.grade for p in FIRST}) >= 4
    assert len(OTHERS) >= 12
    assert {captures(p) for p in OTHERS} == {3, 5}


def test_no_problem_is_an_image_of_another() -> None:
    assert max(Counter(problem.start.canonical() for problem in COLLECTION).values()) == 1


def test_the_tutorial_problems_come_first() -> None:
    for problem, data in zip(COLLECTION, TUTORIAL, strict=False):
        game = problem.start.game()
        assert show(game) == data["rows"]
        assert COLOR_NAMES[problem.start.to_move] == data["to_play"]
        answers = [game.vertex(v.moves[0]) for v in problem.variations if v.right]
        assert sorted(answers) == sorted(data.get("captures_any", [data.get("captures")]))
        for answer in answers:
            game.play(answer)
            assert game.outcome is not None
            assert game.outcome.termination is Termination.CAPTURE
            game.undo()
        if "captures" in data:
            assert len(game.legal_plays()) == 1


@pytest.mark.parametrize("problems", [FIRST, OTHERS], ids=["first capture", "several prisoners"])
def test_problems_go_from_easy_to_hard(problems: list[Problem]) -> None:
    assert all(a.sort_key() <= b.sort_key() for a, b in pairwise(problems))
    assert all(p.difficulty.grade == 1 for p in problems if p.theme in PLAIN)
    assert all(p.difficulty.tries > 0 for p in problems)


@pytest.mark.parametrize("problem", MADE, ids=name)
def test_each_theme_is_that_of_the_solution(problem: Problem) -> None:
    assert theme_of(problem.start, problem.line) == problem.theme


@pytest.mark.parametrize("problem", MADE, ids=name)
def test_each_problem_is_proven(problem: Problem, compiled: None) -> None:
    start = problem.start
    if captures(problem) == 1:
        judge = FirstCaptureJudge(start.rules, start.width, start.height, CHECK_NODES, knowledge=False)
        assert is_proven(judge, start, problem.line)
    else:
        assert is_proven(SeveralPrisonersJudge(start.rules, start.width, start.height), start, problem.line)


@pytest.mark.parametrize("size", [4, 5])
def test_an_independent_program_finds_no_second_solution(size: int) -> None:
    oracle = Oracle(size, size)
    problems = [problem for problem in FIRST if problem.start.width == size]
    assert len(problems) >= 10
    assert [NUMBERS[p] for p in problems if any(check(p, oracle))] == []
