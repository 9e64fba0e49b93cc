"""Openings of matches: quiet random openings that a search and the solver find balanced."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from gtp_capture import PRESETS, Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.match import openings
from gtp_capture.match.referee import Conditions
from gtp_capture.solver.solver import BUDGET, Solver
from gtp_capture.util.files import RequestError
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

from ..support.solved_boards import EMPTY

LOW, HIGH = openings.BALANCED


def start(number: int, size: int, plies: int, seed: int = 3) -> Game:
    """The game after an opening."""
    under = Conditions(PRESETS["first-capture"], size, size)
    game = under.game()
    for move in openings.Openings("random", plies, seed).opening(number, under):
        game.play_point(move.point, move.color)
    return game


def candidates(count: int, seed: int = 1) -> Iterator[Game]:
    """Quiet games of three plays on 5x5."""
    rng = random.Random(seed)
    return (openings.quiet(Conditions(PRESETS["first-capture"], 5, 5), 3, rng) for _ in range(count))


def centre(game: Game) -> bool:
    return game.vertex(game.moves[0].point) == "C3"


def unknown(game: Game) -> int | None:
    return None


def test_an_opening_is_quiet_and_has_a_balanced_win_rate() -> None:
    for seed in range(5):
        game = openings.balanced(candidates(200, seed), True, lambda game: 0.5 if centre(game) else 1.0, unknown)
        assert centre(game)
        assert len(game.moves) == 3
        assert not game.atari(BLACK)
        assert not game.atari(WHITE)


def test_with_known_winners_the_colour_to_move_wins_every_second_opening() -> None:
    for mover_wins in (True, False):
        # White, to move, is taken to win the openings that begin in the centre, and Black all others.
        game = openings.balanced(
            candidates(200), mover_wins, lambda game: 0.5, lambda game: WHITE if centre(game) else BLACK
        )
        assert game.to_move == "white"
        assert centre(game) == mover_wins


def test_without_a_balanced_opening_the_least_unbalanced_is_chosen() -> None:
    assert centre(openings.balanced(candidates(200), True, lambda game: 0.8 if centre(game) else 1.0, unknown))
    # An opening with an extreme win rate is worse than one that the wrong side wins.
    assert centre(
        openings.balanced(candidates(200), True, lambda game: 0.5 if centre(game) else 1.0, lambda game: BLACK)
    )
    assert openings.balanced(candidates(3), True, lambda game: 1.0, unknown).moves


def test_openings_of_a_match_are_balanced_and_the_same_each_time(compiled: None) -> None:
    first, second = start(0, 9, 4), start(1, 9, 4)
    for game in (first, second):
        assert LOW <= openings.search_win_rate(game) <= HIGH
        assert openings.solved_winner(game) is None  # 81 points are too many
    openings.random_opening.cache_clear()
    assert start(0, 9, 4).moves == first.moves != second.moves


@pytest.mark.slow
def test_on_solved_boards_both_sides_win_equally_many_openings(compiled: None) -> None:
    solver = Solver(5, 5, 64 * MEBIBYTE)
    for number in range(6):
        game = start(number, 5, 4)
        assert LOW <= openings.search_win_rate(game) <= HIGH
        mover_wins = number % 2 == 0
        assert solver.solve(game.board, int(game.to_move)).winner == (
            int(game.to_move if mover_wins else game.to_move.opponent)
        )


@pytest.mark.parametrize("size", EMPTY, ids=str)
def test_the_solver_finds_the_winner_of_solved_boards(size: tuple[int, int], compiled: None) -> None:
    game = Game("first-capture", size)
    assert openings.solved_winner(game) == (int(BLACK if EMPTY[size][0] else WHITE))


def test_positions_out_of_reach_of_the_solver_have_no_known_winner(compiled: None) -> None:
    for rules in ("capture-3", "tromp-taylor"):
        assert openings.solved_winner(Game(rules, 5)) is None
    # A small board, but the proof is too long.
    assert openings.solved_winner(Game("first-capture", (6, 7))) is None


def test_a_node_limit_gives_the_same_result_on_any_machine(monkeypatch: pytest.MonkeyPatch, compiled: None) -> None:
    game = Game("first-capture", 6)
    seen = []
    # How long the slices are is what a faster machine changes.
    for most in (BUDGET, 4_000, 7_001):
        monkeypatch.setattr("gtp_capture.solver.solver.BUDGET", most)
        solver = Solver(6, 6, 16 * MEBIBYTE)
        verdict = solver.solve(game.board, BLACK, Limit(nodes=50_000).begin())
        seen.append((verdict.winner, verdict.nodes, solver.numbers, bytes(solver.table)))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.slow
def test_there_is_no_random_opening_of_more_plays_than_a_board_has_room_for() -> None:
    for rules in ("first-capture", "chinese"):  # by positional superko there are few positions on 2x2
        with pytest.raises(RequestError, match="no quiet opening of 60 plays"):
            openings.quiet(Conditions(PRESETS[rules], 2, 2), 60, random.Random(1))
