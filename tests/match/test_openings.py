"""How matches begin: quiet random openings that are balanced, as far as a search and the solver can tell."""

from __future__ import annotations

import random

import pytest

from gtp_capture import BLACK, PRESETS, WHITE, Game
from gtp_capture.go.vertex import opponent
from gtp_capture.match import openings
from gtp_capture.match.referee import Conditions
from gtp_capture.solver.solver import BUDGET, MEBIBYTE, Solver
from gtp_capture.util.limit import Limit

from ..support.solved_boards import EMPTY

CHANCES = openings.BALANCED


def start(number: int, size: int, plies: int, seed: int = 3) -> Game:
    """The game after an opening."""
    under = Conditions(PRESETS["first-capture"], size, size)
    game = under.game()
    for move in openings.Openings("random", plies, seed).opening(number, under):
        game.play(*move)
    return game


def found(number: int, judge: openings.Judge, knower: openings.Knower, candidates: int = 200, seed: int = 1) -> Game:
    return openings.balanced("first-capture", 5, 5, number, 3, random.Random(seed), judge, knower, candidates)


def centre(game: Game) -> bool:
    return game.vertex(game.moves[0].point) == "C3"


def nobody(game: Game) -> int | None:
    return None


def test_an_opening_is_quiet_and_what_the_judge_calls_balanced() -> None:
    for seed in range(5):
        game = found(0, lambda game: 0.5 if centre(game) else 1.0, nobody, seed=seed)
        assert centre(game)
        assert len(game.moves) == 3
        assert not game.atari(BLACK)
        assert not game.atari(WHITE)


def test_where_the_winner_is_known_the_colour_to_move_wins_every_second_opening() -> None:
    for number in range(4):
        # As if the opening in the centre were White's, who moves next, and every other were Black's.
        game = found(number, lambda game: 0.5, lambda game: WHITE if centre(game) else BLACK)
        assert game.to_move == WHITE
        assert centre(game) == (number % 2 == 0)


def test_where_nothing_is_balanced_there_is_the_least_unbalanced() -> None:
    game = found(0, lambda game: 0.8 if centre(game) else 1.0, nobody)
    assert centre(game)
    # What is decided at sight is worse than what the wrong side wins.
    assert centre(found(0, lambda game: 0.5 if centre(game) else 1.0, lambda game: BLACK))
    assert found(0, lambda game: 1.0, nobody, candidates=3).moves


def test_openings_of_a_match_are_balanced_and_the_same_each_time(compiled: None) -> None:
    first, second = start(0, 9, 4), start(1, 9, 4)
    for game in (first, second):
        assert CHANCES[0] <= openings.by_search(game) <= CHANCES[1]
        assert openings.by_solver(game) is None  # 81 points are too many
    openings.random_opening.cache_clear()
    assert start(0, 9, 4).moves == first.moves != second.moves


def test_on_solved_boards_both_sides_win_equally_many_openings(compiled: None) -> None:
    solver = Solver(5, 5, 64 * MEBIBYTE)
    for number in range(6):
        game = start(number, 5, 4)
        assert CHANCES[0] <= openings.by_search(game) <= CHANCES[1]
        mover_wins = number % 2 == 0
        assert solver.solve(game.board, game.to_move).winner == (game.to_move if mover_wins else opponent(game.to_move))


@pytest.mark.parametrize("size", EMPTY, ids=str)
def test_the_solver_tells_the_winner_of_solved_boards(size: tuple[int, int], compiled: None) -> None:
    game = Game("first-capture", *size)
    assert openings.by_solver(game) == (BLACK if EMPTY[size][0] else WHITE)


def test_the_solver_is_not_asked_what_it_cannot_tell(compiled: None) -> None:
    for rules in ("capture-3", "tromp-taylor"):
        assert openings.by_solver(Game(rules, 5)) is None
    # A small board on which a short proof does not do.
    assert openings.by_solver(Game("first-capture", 6, 7)) is None


def test_a_limit_of_nodes_gives_the_same_however_fast_the_machine(
    monkeypatch: pytest.MonkeyPatch, compiled: None
) -> None:
    game = Game("first-capture", 6)
    seen = []
    # How long the slices are is what a faster machine changes.
    for most in (BUDGET, 4_000, 7_001):
        monkeypatch.setattr("gtp_capture.solver.solver.BUDGET", most)
        solver = Solver(6, 6, 16 * MEBIBYTE)
        verdict = solver.solve(game.board, BLACK, Limit(playouts=50_000))
        seen.append((verdict.winner, verdict.nodes, solver.numbers, bytes(solver.table)))
    assert seen[0] == seen[1] == seen[2]
