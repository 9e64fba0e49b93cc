"""Problems that are found, against independent programs."""

from __future__ import annotations

import random

import pytest

from gtp_capture import Game
from gtp_capture.go import board as bd
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import Color, opponent
from gtp_capture.solver.choice import solver_for
from gtp_capture.solver.exact import ExactSolver, Node
from gtp_capture.solver.result import LOSS, WIN
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.examiner import ProblemError
from gtp_capture.teach.puzzles.find import Job, Request, Search, graded_again, search
from gtp_capture.teach.puzzles.problem import Problem, Variation
from gtp_capture.teach.puzzles.prove import CHECK_NODES, fault, refutation, solve
from gtp_capture.teach.puzzles.theme import PLAIN
from gtp_capture.util.limit import Limit

from ...support.brute_force import bits, outcome, random_position
from ...support.diagrams import set_up
from ...support.problem_oracle import Oracle, check, duplicates, sides

pytestmark = pytest.mark.usefixtures("compiled")
FIRST = Rules.parse("first-capture")
REQUEST = Request(FIRST, 4, 4, 2, 1)


@pytest.fixture(scope="module")
def searched() -> list[Problem]:
    made = Search(REQUEST, 8, 600, 1)
    made.run()
    assert len(made.problems) == 8
    return made.sorted()


@pytest.mark.slow
def test_many_games_end_like_a_problem() -> None:
    made = Search(Request(FIRST, 5, 5, 3, 1), 100, 20, 1)
    made.run()
    assert len(made.problems) >= 6
    assert len({problem.theme for problem in made.problems}) >= 3


@pytest.mark.slow
def test_the_oracle_agrees_with_brute_force() -> None:
    rng = random.Random(3)
    oracles = {size: Oracle(*size) for size in ((3, 3), (4, 3), (3, 4))}
    checked = 0
    while checked < 120:
        size = rng.choice(list(oracles))
        position = random_position(rng, *size)
        if sum(map(len, position)) < 3:
            continue
        won, plies = outcome(*position, *size)
        own, opp = (bits(stones, size[0]) for stones in position)
        assert oracles[size].wins(own, opp) == won
        if won:
            odd = plies if plies % 2 else plies - 1  # a win may end because the loser has no legal reply
            assert oracles[size].wins_within(own, opp, odd)
            assert plies < 3 or not oracles[size].wins_within(own, opp, odd - 2)
        checked += 1


@pytest.mark.slow
def test_the_oracle_finds_no_fault(searched: list[Problem]) -> None:
    oracle = Oracle(4, 4)
    assert [check(problem, oracle) for problem in searched] == [(False, False, False)] * len(searched)
    assert duplicates(searched) == 0


@pytest.mark.slow
def test_the_oracle_finds_faults_in_other_positions(searched: list[Problem]) -> None:
    oracle = Oracle(4, 4)
    wrong = [Problem(p.start, (variation,)) for p in searched for variation in p.variations if not variation.right]
    assert len(wrong) > 20
    assert all(any(check(problem, oracle)) for problem in wrong)
    assert duplicates([*searched, searched[3]]) == 1


@pytest.mark.slow
def test_the_result_depends_on_the_seed_alone() -> None:
    assert search(Job(REQUEST, 3)) == search(Job(REQUEST, 3))
    both = [Search(REQUEST, 2, 300, jobs) for jobs in (1, 2)]
    for made in both:
        made.run()
    assert both[0].sorted() == both[1].sorted() != []


def test_no_more_games_are_searched_than_asked_for() -> None:
    made = Search(REQUEST, 100, 5, 1)
    games: list[int] = []
    made.run(lambda searched, problems: games.append(searched))
    assert games == [4, 5]
    assert [job.games for job in made.jobs()] == [4, 1]


@pytest.mark.slow
def test_plain_problems_are_of_the_first_grade_and_hard_ones_come_last(searched: list[Problem]) -> None:
    assert all(problem.difficulty.grade == 1 for problem in searched if problem.theme in PLAIN)
    keys = [problem.sort_key()[:2] for problem in searched]
    assert keys == sorted(keys)


@pytest.mark.slow
def test_wrong_answers_end_with_a_win_of_the_opponent(searched: list[Problem]) -> None:
    oracle = Oracle(4, 4)
    for problem in searched:
        for variation in problem.variations[1:]:
            game = problem.start.game()
            for move in variation.moves:
                game.play_point(move)
            winner = opponent(problem.start.to_move)
            if game.outcome is not None:
                assert game.outcome.winner == Color(winner)
                continue
            assert variation.comment.endswith("wins by force.")
            assert int(game.to_move) == problem.start.to_move
            assert not oracle.wins(*sides(game.board, problem.start.to_move))


CAPTURE_3 = Rules.parse("capture-3")


def brute_wins(board: bd.Board, color: int, plies: int) -> bool:
    """Minimax by definition, by the rules engine, without suicide."""
    legal = [p for p in bd.points(board) if board.color[p] == 0 and bd.is_legal(board, p, color, False)]
    for after in (bd.after(board, p, color) for p in legal):
        if after.prisoners[color] >= 3:
            return True
        other = opponent(color)
        replies = [p for p in bd.points(after) if after.color[p] == 0 and bd.is_legal(after, p, other, False)]
        boards = [bd.after(after, p, other) for p in replies]
        if plies >= 3 and all(then.prisoners[other] < 3 and brute_wins(then, color, plies - 2) for then in boards):
            return True
        if plies < 3 and not replies:
            return True
    return False


def test_games_of_several_prisoners_are_judged_as_by_minimax() -> None:
    solver = solver_for(CAPTURE_3, bd.new(3, 3))
    rng, won = random.Random(5), 0
    for _ in range(60):
        stones = rng.choices((0, 1, 2), (3, 4, 4), k=9)
        rows = ["".join(".XO"[c] for c in stones[i : i + 3]) for i in (0, 3, 6)]
        try:
            board = set_up(" ".join(rows), CAPTURE_3).board
        except ValueError:
            continue
        for plies in (1, 3):
            expected = brute_wins(board, 1, plies)
            assert (solver.search(solver.node(board, 1), None, WIN, plies) == WIN) == expected
            won += expected
        assert not (expected and solver.value(board, 1) == LOSS)
    assert won > 5


def test_a_search_for_a_length_ends_at_its_bound() -> None:
    board = set_up("X.OO .X.. ..X. .OOX", CAPTURE_3).board
    solver = solver_for(CAPTURE_3, board)
    node = solver.node(board, 1)
    assert solver.length(node, most=21) == 7
    assert solver.length(node, Limit(nodes=3).begin(), 21) is None
    assert solver.search(node, None, WIN, 1) == LOSS


def on_board(game: Game) -> tuple[ExactSolver, Node]:
    """Return a solver, and the position of a game for it."""
    solver = solver_for(game.rules, game.board)
    return solver, solver.node(game.board, int(game.to_move))


def test_a_position_with_two_winning_plays_is_not_a_problem() -> None:
    two = set_up("X..O. ..O.. X...X O.XOX ...O.", FIRST)
    solver, node = on_board(two)
    winning = solver.winning_plays(node)
    assert winning is not None
    assert [two.vertex(play.point) for play in winning] == ["B2", "B3"]
    assert [solve(solver, node, depth) for depth in range(1, 4)] == [None] * 3


def test_a_refutation_is_best_play_to_the_end() -> None:
    game = set_up("..... ..... .X... XO... .XO..", FIRST)
    solver, node = on_board(game)
    line = refutation(solver, solver.play(node, game.point("E5")).node)
    game.play("E5")
    for move in line:
        game.play_point(move)
    assert len(line) == 1
    assert game.outcome is not None
    assert game.outcome.winner == Color.WHITE


@pytest.mark.slow
def test_the_oracle_and_the_proof_find_the_same_false_solutions(searched: list[Problem]) -> None:
    solver, oracle = solver_for(FIRST, bd.new(4, 4), nodes=CHECK_NODES), Oracle(4, 4)
    claimed = [Problem(p.start, (Variation(v.moves, True),)) for p in searched for v in p.variations]
    assert len(claimed) > 20
    assert [fault(solver, p) is not None for p in claimed] == [check(p, oracle).second_win for p in claimed]


def problem_of(tree: str) -> Problem:
    (problem,) = files.parse(f"(;GM[1]RU[first-capture]SZ[5]PL[B]{tree})".encode())
    return problem


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ("AB[cc]AW[cb][bc](;B[dc]C[RIGHT])(;B[cd];W[dc])", "the solution D3 does not win"),
        ("AB[ba][bc]AW[aa][bb][ac](;B[ab]C[RIGHT])", "C5 wins too"),
        ("AB[ba][bc]AW[aa][bb][ac](;B[ab]C[RIGHT])(;B[ca]C[RIGHT])", "its solution ends before the game does"),
        ("AB[ba][bc]AW[aa][bb][ac](;B[ab]C[RIGHT])(;B[bd]C[RIGHT])", "C5 wins too"),
    ],
)
def test_a_problem_whose_solution_is_not_proven_is_not_graded(tree: str, reason: str) -> None:
    with pytest.raises(ProblemError, match=f"^{reason}$"):
        graded_again(problem_of(tree))


def test_a_problem_with_two_right_answers_stays_as_it_is() -> None:
    two = problem_of("AB[ba][da][ae][ee]AW[aa][ea][be][de](;B[ab]C[RIGHT])(;B[eb]C[RIGHT])")
    assert graded_again(two) == two


@pytest.mark.slow
def test_a_solution_that_stops_early_is_completed(collection: list[Problem]) -> None:
    whole = next(problem for problem in collection if problem.depth == 2)
    early = Problem(whole.start, (Variation(whole.line[:1], True),))
    assert graded_again(early).line == whole.line


def test_answers_that_win_at_once_need_no_solver(tutorial: list[Problem]) -> None:
    large = next(problem for problem in tutorial if problem.start.width == 19)
    assert graded_again(large) == large
