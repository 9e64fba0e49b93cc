"""The collection that comes with the program: every problem is proven again."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise

import pytest

from gtp_capture import Rules, Termination
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, WHITE
from gtp_capture.solver.choice import solver_for
from gtp_capture.solver.exact import ExactSolver
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.puzzles.prove import CHECK_NODES, is_proven
from gtp_capture.teach.puzzles.theme import PLAIN, theme_of

from ...support.course import collection as collection_files
from ...support.course import with_ends
from ...support.diagrams import show
from ...support.endings import ends, faults
from ...support.paths import MANUAL, TESTS
from ...support.problem_oracle import Oracle, check

TUTORIAL = json.loads((TESTS / "data" / "tutorial_problems.json").read_text())["problems"]


def captures(problem: Problem) -> int:
    assert problem.start.rules.captures is not None
    return problem.start.rules.captures


@pytest.fixture(scope="module")
def first(collection: list[Problem]) -> list[Problem]:
    return [problem for problem in collection if captures(problem) == 1]


@pytest.fixture(scope="module")
def others(collection: list[Problem]) -> list[Problem]:
    return [problem for problem in collection if captures(problem) > 1]


def test_the_collection_is_large_and_varied(first: list[Problem], others: list[Problem]) -> None:
    assert len(first) >= 60
    assert {(p.start.width, p.start.height) for p in first} == {(n, n) for n in (4, 5, 6, 7)}
    assert {p.depth for p in first} >= {1, 2, 3, 4}
    assert len({p.theme for p in first}) >= 6
    assert len({p.difficulty.grade for p in first}) >= 4
    assert len(others) >= 12
    assert {captures(p) for p in others} == {3, 5}


def test_every_board_is_square_and_one_play_is_right_as_the_page_says(collection: list[Problem]) -> None:
    """The SGF reader of GoGui opens square boards only."""
    for problem in collection:
        assert problem.start.width == problem.start.height > 3
        assert len(problem.answers) == 1
    counts = re.findall(r"(\d+) problems come with the program", (MANUAL / "problems.md").read_text())
    assert counts == [str(len(collection))]


def test_no_problem_is_an_image_of_another(collection: list[Problem], tutorial: list[Problem]) -> None:
    assert max(Counter(problem.start.canonical() for problem in [*tutorial, *collection]).values()) == 1


def test_the_positions_of_the_rule_texts_are_as_they_are_there(tutorial: list[Problem]) -> None:
    for problem, data in zip(tutorial, TUTORIAL, strict=True):
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


def test_problems_go_from_easy_to_hard(first: list[Problem], others: list[Problem]) -> None:
    for problems in (first, others):
        assert all(a.sort_key() <= b.sort_key() for a, b in pairwise(problems))
        assert all(p.difficulty.grade == 1 for p in problems if p.theme in PLAIN)
        assert all(p.difficulty.tries > 0 for p in problems)


def test_each_theme_is_that_of_the_solution(collection: list[Problem]) -> None:
    for problem in collection:
        assert theme_of(problem.start, problem.line) == problem.theme


@pytest.mark.slow
def test_each_problem_is_proven(collection: list[Problem], compiled: None) -> None:
    judges: dict[tuple[Rules, int, int], ExactSolver] = {}
    unproven = []
    for problem in collection:
        start = problem.start
        board = (start.rules, start.width, start.height)
        if board not in judges:
            judges[board] = solver_for(start.rules, start.board(), nodes=CHECK_NODES, knowledge=False)
        if not is_proven(judges[board], start, problem.line):
            unproven.append(collection.index(problem) + 1)
    assert unproven == []


@pytest.mark.slow
def test_each_line_is_played_out_and_its_sentence_is_true_of_the_end(collection: list[Problem], compiled: None) -> None:
    """Read by other rules than those of the program: each wrong line ends with a win of the other side."""
    for problem in collection:
        assert faults(problem, "") == []
        for variation, end in ends(problem, ""):
            assert variation.right or variation.comment
            if end.winner is not None:
                assert variation.right == ((BLACK, WHITE)[end.winner] == problem.start.to_move)


@pytest.mark.slow
def test_the_sentences_of_the_collection_are_those_of_the_program() -> None:
    for path in collection_files():
        assert with_ends(path.read_bytes()) == path.read_bytes(), "run python -m tests.support.course"


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.long)])
def test_an_independent_program_finds_no_second_solution(size: int, first: list[Problem]) -> None:
    oracle = Oracle(size, size)
    problems = [problem for problem in first if problem.start.width == size]
    assert len(problems) >= 10
    assert [problem for problem in problems if any(check(problem, oracle))] == []
