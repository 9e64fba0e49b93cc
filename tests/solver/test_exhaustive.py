"""The solver of games of several prisoners, against minimax with the rules engine."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from gtp_capture import Game
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK, Color
from gtp_capture.solver.exhaustive import ExhaustiveSolver
from gtp_capture.solver.result import LOSS, UNKNOWN, WIN, SolverError, unsupported_multi_capture
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from ..support import forks
from ..support.random_games import unfinished_game


def wins(game: Game, known: dict[Any, bool]) -> bool:
    """Return whether the colour to move wins, by trying every legal play."""
    if game.outcome is not None:
        return game.outcome.winner == game.to_move
    position = game.positions[-1]
    key = position.colors, position.prisoners, position.to_move
    if key not in known:
        known[key] = False
        for play in game.legal_plays():
            game.play_point(play)
            known[key] = not wins(game, known)
            game.undo()
            if known[key]:
                break
    return known[key]


def solver_for(game: Game) -> ExhaustiveSolver:
    assert unsupported_multi_capture(game.rules, game.board) is None
    return ExhaustiveSolver(game.rules, game.width, game.height, 2**24)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["capture-1", "capture-2", "capture-3", "capture-5", "capture-2 suicide=yes"])
@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 4)])
def test_small_boards_agree_with_minimax(rules: str, size: tuple[int, int]) -> None:
    rng, known = random.Random(f"{rules} {size}"), dict[Any, bool]()
    solver = solver_for(Game(rules, size))
    for _ in range(15):
        game = Game(rules, size)
        while game.outcome is None:
            expected = WIN if wins(game, known) else LOSS
            assert solver.value(game.board, int(game.to_move), Limit().begin()) == expected
            game.play_point(rng.choice(game.legal_plays()))


@pytest.mark.parametrize("rules", ["capture-2", "capture-3"])
def test_positions_of_3x3_agree_with_minimax(rules: str) -> None:
    rng, known = random.Random(rules), dict[Any, bool]()
    solver = solver_for(Game(rules, 3))
    for _ in range(30):
        game = unfinished_game(rules, (3, 3), range(7, 8), rng)
        expected = WIN if wins(game, known) else LOSS
        assert solver.value(game.board, int(game.to_move), Limit().begin()) == expected


def test_results_of_first_capture_agree_with_the_df_pn_solver() -> None:
    rng = random.Random(4)
    other = Solver(4, 3, 2**24)
    solver = solver_for(Game("capture-1", (4, 3)))
    for _ in range(120):
        game = unfinished_game("capture-1", (4, 3), range(10), rng)
        color, limit = int(game.to_move), Limit().begin()
        assert solver.value(game.board, color, limit) == other.value(game.board, color, limit)


@pytest.mark.parametrize("seed", range(5))
def test_lines_end_where_the_loser_has_a_choice_and_lead_to_a_win(seed: int) -> None:
    rng = random.Random(seed)
    game = Game("capture-2", 3)
    solver = solver_for(game)
    winner = solver.solve(game.board, BLACK, Limit().begin()).winner
    while game.outcome is None:
        verdict = solver.solve(game.board, int(game.to_move), Limit().begin())
        assert verdict.winner == winner
        for play in verdict.line:
            game.play_point(play)
        if game.outcome is None:
            assert int(game.to_move) != winner
            assert len(game.legal_plays()) > 1
            game.play_point(rng.choice(game.legal_plays()))
    assert game.outcome.winner == Color(winner or 0)


def test_the_time_limit_gives_unknown_and_a_full_table_an_error() -> None:
    game = Game("capture-5", 4)
    assert solver_for(game).value(game.board, BLACK, Limit(0.0).begin()) == UNKNOWN
    with pytest.raises(SolverError, match="--memory"):
        ExhaustiveSolver(game.rules, 4, 4, 2**16).value(game.board, BLACK, Limit().begin())


@pytest.mark.parametrize("rules", ["capture-2 ko=simple", "aga", "first-capture captures=3", "capture-2 passing=free"])
def test_rules_with_ko_or_passing_are_refused(rules: str) -> None:
    assert unsupported_multi_capture(Rules.parse(rules), Game("first-capture", 3).board) is not None


@pytest.mark.slow
def test_the_command_prints_the_winner_and_the_first_moves() -> None:
    done = forks.run("solve", "--size", "3", "--rules", "capture-2", "--first-moves", "--json")
    printed = json.loads(done.stdout)
    assert printed["winner"] == ("black" if "black" in printed["first_moves"].values() else "white")
    assert len(printed["first_moves"]) == 9
    by_symmetry = [printed["first_moves"][vertex] for vertex in ("A1", "C1", "A3", "C3")]
    assert len(set(by_symmetry)) == 1
    assert printed["length"] is None
