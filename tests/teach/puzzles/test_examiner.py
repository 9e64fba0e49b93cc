"""Verdicts, replies and hints of the judge of answers."""

from __future__ import annotations

import pytest

from gtp_capture.go import board as bd
from gtp_capture.go.position import Termination
from gtp_capture.go.vertex import Color
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.puzzles.examiner import Answer, Clue, Examiner, ProblemError
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.tutor.searches import Searches

from ...support.problem_oracle import Oracle, sides

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(scope="module")
def small(collection: list[Problem]) -> list[Problem]:
    return [problem for problem in collection if problem.start.width == 4]


def examiner_of(problem: Problem) -> Examiner:
    return Examiner(problem, Searches(PlayerSettings()).solver)


def answer(examiner: Examiner, play: int) -> Answer:
    """Judge a play, and play it with the reply if it is right."""
    judged = examiner.check(play)
    if judged.right:
        examiner.play((play, *judged.reply))
    return judged


def winning(problem: Problem, oracle: Oracle, examiner: Examiner) -> list[int]:
    """The plays that win at the current position of a lesson, by an independent program."""
    board = examiner.game.board
    return [bd.points(board)[i] for i in oracle.winning_plays(*sides(board, problem.start.to_move))]


@pytest.mark.slow
def test_every_answer_at_every_turn_is_judged_as_by_an_independent_program(small: list[Problem]) -> None:
    oracle = Oracle(4, 4)
    for problem in small:
        if problem.start.rules.captures != 1:
            continue
        examiner = examiner_of(problem)
        for turn in range(problem.depth):
            right = winning(problem, oracle, examiner)
            for play in examiner.game.legal_plays():
                assert examiner.check(play).right == (play in right)
            assert examiner.solution() == problem.line[2 * turn :]
            assert answer(examiner, right[0]).right
        assert examiner.solved


def test_lessons_of_several_prisoners_end_with_the_capture(small: list[Problem]) -> None:
    for problem in [problem for problem in small if problem.start.rules.captures != 1][:6]:
        examiner = examiner_of(problem)
        for number, move in enumerate(problem.line[::2]):
            wrong = [play for play in examiner.game.legal_plays() if play != move]
            assert not any(examiner.check(play).right for play in wrong)
            assert len(examiner.game.moves) == 2 * number
            assert answer(examiner, move).right
        assert examiner.solved
        outcome = problem.start.outcome(problem.line)
        assert outcome is not None
        assert (outcome.winner, outcome.termination) == (Color(problem.start.to_move), Termination.CAPTURE)


@pytest.mark.slow
def test_a_refutation_is_a_won_game_of_the_opponent(collection: list[Problem]) -> None:
    for problem in collection[7:17]:
        examiner = examiner_of(problem)
        for play in examiner.game.legal_plays():
            answer = examiner.check(play)
            if answer.right:
                continue
            game = problem.start.game()
            for move in (play, *answer.reply):
                game.play_point(move)
            assert answer.reply
            assert game.outcome is None or game.outcome.winner != Color(problem.start.to_move)


def test_the_undo_of_a_lesson_returns_to_the_last_answer(small: list[Problem]) -> None:
    problem = next(p for p in small if p.depth == 3)
    examiner = examiner_of(problem)
    assert not examiner.undo()
    answer(examiner, problem.line[0])
    answer(examiner, problem.line[2])
    assert examiner.undo()
    assert tuple(move.point for move in examiner.game.moves) == problem.line[:2]
    assert examiner.undo()
    assert not examiner.game.moves


def test_hints_get_closer_to_the_answer(collection: list[Problem]) -> None:
    for problem in collection[:47]:
        examiner = examiner_of(problem)
        clues = list(examiner.clues())
        vertex = examiner.game.vertex(problem.line[0])
        assert clues[-2:] == [Clue("column", vertex[0]), Clue("row", vertex[1:])]
        assert len(clues) - bool(problem.theme) in (2, 3)


def test_a_wrong_solution_is_refused(small: list[Problem]) -> None:
    problem = small[5]
    wrong = next(variation for variation in problem.variations if variation.moves[0] != problem.line[0])
    with pytest.raises(ProblemError, match="does not win"):
        examiner_of(Problem(problem.start, (wrong._replace(right=True),)))
