"""The solver against published results and against minimax by definition."""

from __future__ import annotations

import itertools
import random

import pytest

from gtp_capture import Game, Rules
from gtp_capture.go.opening import crosscut
from gtp_capture.go.vertex import BLACK, WHITE, Color
from gtp_capture.solver.exact import Node
from gtp_capture.solver.result import LOSS, WIN, unsupported
from gtp_capture.solver.solver import Solver
from gtp_capture.solver.static import ALL, KNOWLEDGE, LEARNED, URGENCY
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.brute_force import bits, outcome, random_position
from ..support.minimax import check
from ..support.solved_boards import CROSSCUT, EMPTY
from .test_exhaustive import wins

SMALL = 32 * MEBIBYTE


def solver_of(game: Game, threads: int = 1, features: int | None = None) -> Solver:
    return Solver(game.width, game.height, SMALL, threads, features)


def replay(game: Game, line: tuple[int, ...]) -> None:
    """Play a line on the rules engine."""
    for point in line:
        assert game.outcome is None
        game.play_point(point)


@pytest.mark.parametrize("size", [size for size in EMPTY if size != (5, 5)], ids=str)
def test_small_boards_have_their_known_winner_and_length(size: tuple[int, int]) -> None:
    first, plies = EMPTY[size]
    for width, height in (size, size[::-1]):
        game = Game("first-capture", (width, height))
        verdict = solver_of(game).solve(game.board, BLACK, length=True)
        assert (verdict.winner, verdict.plies) == (BLACK if first else WHITE, plies)
        replay(game, verdict.line)
        assert game.outcome is not None
        assert game.outcome.winner == Color(verdict.winner or 0)
        assert len(verdict.line) == plies


@pytest.mark.slow
@pytest.mark.parametrize("size", CROSSCUT, ids=str)
def test_crosscuts_have_their_known_winner_and_length(size: tuple[int, int]) -> None:
    first, plies = CROSSCUT[size]
    game = Game("first-capture", size)
    game.setup_points(*crosscut(*size), BLACK)
    verdict = solver_of(game).solve(game.board, BLACK, length=True)
    assert (verdict.winner == BLACK, verdict.plies) == (first, plies)
    replay(game, verdict.line)
    assert game.outcome is not None
    assert game.outcome.winner == "black"


def test_5x5_is_a_win_for_the_first_player_found_within_100_000_nodes() -> None:
    game = Game("first-capture", 5)
    solver = solver_of(game)
    assert solver.value(game.board, BLACK, Limit().begin()) == WIN
    assert solver.nodes <= 100_000


@pytest.mark.slow
def test_minimax_agrees_on_winners_and_lengths() -> None:
    assert sum(check(250, seed=5).values()) == 250


def test_minimax_agrees_with_the_published_results() -> None:
    for size in ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3)):
        assert outcome(frozenset(), frozenset(), *size) == EMPTY[size]


@pytest.mark.slow
@pytest.mark.parametrize("features", [0, KNOWLEDGE, ALL - URGENCY, ALL - LEARNED], ids=str)
def test_without_a_feature_the_results_are_the_same(features: int) -> None:
    rng = random.Random(55)
    knowing, simple = (Solver(5, 5, SMALL, features=s) for s in (ALL, features))
    done = {WIN: 0, LOSS: 0}
    while sum(done.values()) < 100:
        position = random_position(rng, 5, 5)
        if sum(map(len, position)) < 6:
            continue
        node = Node(bits(position[0], 5), bits(position[1], 5), 0, 0, 0)
        result = knowing.search(node)
        assert simple.search(node) == result, position
        done[result] += 1
    assert min(done.values()) > 15


@pytest.mark.parametrize("width", [3, 4])
def test_first_moves_have_the_winners_of_the_positions_after_them(width: int) -> None:
    game = Game("first-capture", (width, 3))
    solver = solver_of(game)
    verdicts = dict(solver.first_moves(game.board, BLACK))
    assert set(verdicts) == set(game.legal_plays())
    assert set(verdicts.values()) == {BLACK, WHITE}
    for point, winner in verdicts.items():
        game.play_point(point, BLACK)
        assert solver.solve(game.board, WHITE).winner == winner
        game.undo()


def test_the_winner_s_lines_win_against_random_play() -> None:
    rng = random.Random(7)
    for width, height in itertools.product((3, 4), repeat=2):
        game = Game("capture-1", (width, height))
        solver = solver_of(game)
        winner = solver.solve(game.board, BLACK).winner
        while game.outcome is None:
            line = solver.solve(game.board, int(game.to_move)).line if int(game.to_move) == winner else ()
            game.play_point(line[0] if line else rng.choice(game.legal_plays()))
        assert game.outcome.winner == Color(winner or 0)


@pytest.mark.parametrize("limit", [Limit(0.0), Limit(nodes=20_000)])
def test_a_limit_ends_the_search_without_a_winner(limit: Limit) -> None:
    game = Game("first-capture", 6)
    solver = solver_of(game)
    verdict = solver.solve(game.board, BLACK, limit.begin())
    assert (verdict.winner, verdict.line, verdict.plies) == (None, (), None)
    assert 0 < verdict.nodes == solver.nodes < 21_000


@pytest.mark.parametrize(
    ("rules", "prisoners", "solvable"),
    [
        (Rules.parse("first-capture"), 0, True),
        (Rules.parse("capture-1"), 0, True),
        (Rules.parse("first-capture").override(suicide=True, ko="positional"), 0, True),
        (Rules.parse("capture-5"), 4, True),
        (Rules.parse("capture-5"), 3, False),
        (Rules.parse("capture-5"), 0, False),
        (Rules(captures=1), 0, False),
        (Rules.parse("aga"), 0, False),
    ],
    ids=str,
)
def test_unsupported_names_the_games_that_the_solver_does_not_take(
    rules: Rules, prisoners: int, solvable: bool
) -> None:
    game = Game(rules, 4)
    for color in (BLACK, WHITE):
        game.board.prisoners[color] = prisoners
    assert (unsupported(rules, game.board) is None) == solvable


@pytest.mark.parametrize("preset", ["first-capture", "capture-1"])
@pytest.mark.parametrize("suicide", [False, True])
def test_the_rules_engine_agrees_with_and_without_suicide(preset: str, suicide: bool) -> None:
    for width, height in ((2, 2), (2, 3)):
        game = Game(Rules.parse(preset).override(suicide=suicide), (width, height))
        solver = solver_of(game)
        for first in [0, *game.legal_plays()]:
            if first:
                game.setup_points([first], [], WHITE)
            assert (solver.solve(game.board, int(game.to_move)).winner == int(game.to_move)) == wins(game, {})
