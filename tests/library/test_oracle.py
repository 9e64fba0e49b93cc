"""The values of all actions, against single solves, the definition by minimax, and the rules."""

from __future__ import annotations

import math
import random
import threading

import numpy as np
import pytest

import gtp_capture as gc
from gtp_capture.go.vertex import action_of
from gtp_capture.solver.result import has_length, next_capture_wins

from ..support.brute_force import Points, outcome
from ..support.diagrams import played


def random_games(rules: str, size: int | tuple[int, int], plies: range, count: int) -> list[gc.Game]:
    """Return games of random legal plays that are not over, each of a length of `plies`."""
    rng, games = random.Random(1), list[gc.Game]()
    while len(games) < count:
        game = gc.Game(rules, size)
        for _ in range(rng.choice(plies)):
            if not game.is_over and (moves := [move for move in game.legal_moves() if move != "pass"]):
                game.play(rng.choice(moves))
        if not game.is_over:
            games.append(game)
    return games


def after(game: gc.Game, move: str) -> tuple[int, int]:
    """Return the result of a move of first capture for the colour that makes it, and its plies, by definition."""
    following = game.copy()
    following.play(move)
    if following.outcome is not None:
        return (1 if following.outcome.winner == game.to_move else -1), 1
    own, opp = (points_of(following, color) for color in (following.to_move, following.to_move.opponent))
    won, plies = outcome(own, opp, *game.size)
    return (-1 if won else 1), 1 + plies


def points_of(game: gc.Game, color: gc.Color) -> Points:
    return frozenset((ord(vertex[0]) - ord("A"), int(vertex[1:]) - 1) for vertex in game.stones(color))


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["first-capture", "first-capture suicide=legal"])
def test_values_and_plies_are_those_of_brute_force(rules: str) -> None:
    games = random_games(rules, (4, 3), range(5, 9), 30)
    values, plies = gc.action_values(games, plies=True, threads=2)
    for game, row, lengths in zip(games, values, plies, strict=True):
        for vertex in game.legal_moves():
            action, expected = action_of(game.point(vertex), 4, 3), after(game, vertex)
            assert (row[action], lengths[action]) == (expected if has_length(game.rules) else (expected[0], 0))
        assert np.array_equal(row != 0, game.legal_mask())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "size", "plies"),
    [
        ("first-capture", 5, range(6, 12)),
        ("first-capture", (6, 4), range(8, 12)),
        ("first-capture suicide=legal", 4, range(4, 10)),
        ("capture-2", 3, range(5)),
        ("capture-3", 3, range(8)),
        ("capture-2", 4, range(5, 10)),
    ],
    ids=str,
)
def test_many_positions_at_once_have_the_answers_of_single_solves(
    rules: str, size: int | tuple[int, int], plies: range
) -> None:
    games = random_games(rules, size, plies, 5)
    values, lengths = gc.action_values(games, plies=True, threads=3)
    assert np.array_equal(values, gc.action_values(games, threads=1))
    assert np.array_equal(values[3], gc.action_values(games[3]))
    for game, row, least in zip(games, values, lengths, strict=True):
        mover, winners = game.to_move, gc.solve(game, seconds=None, memory=16, first_moves=True).first_moves
        for vertex in game.legal_moves():
            action = action_of(game.point(vertex), *game.size)
            winner = winners.get(vertex, mover.opponent)  # a pass and a suicide, which give a prisoner
            assert row[action] == (1 if winner == mover else -1), (game, vertex)
            following = game.copy()
            following.play(vertex)
            if has_length(game.rules) and next_capture_wins(game.rules, game.board):
                rest = 0 if following.is_over else gc.solve(following, seconds=None).plies
                assert rest is not None
                assert least[action] == 1 + rest
        assert np.array_equal(row != 0, game.legal_mask())


@pytest.mark.slow
def test_optimal_moves_and_regret() -> None:
    game = played(5, "C3", "C2", "A1")
    best = gc.solve(game)
    assert gc.is_optimal(game, "B1")
    assert gc.regret(game, "B1") == 0
    assert gc.is_optimal(game, "E5") is False
    assert gc.regret(game, "e5") == math.inf
    values, plies = gc.action_values(game, True)
    winning = [move for move in game.legal_moves() if values[action_of(game.point(move), 5, 5)] == 1]
    assert {gc.regret(game, move) for move in winning} == {float(n - best.plies) for n in plies[values == 1]}
    game.play("B1")
    assert [gc.regret(game.copy(number), move) for number, move in enumerate(game.moves)][2:] == [math.inf, 0]
    assert all(gc.is_optimal(game, move) for move in game.legal_moves())
    assert gc.regret(game, "A2") == 0
    assert gc.regret(game, "pass") == (gc.solve(game).plies or 0) - 1


def test_nothing_is_said_where_the_limit_comes_first() -> None:
    game = gc.Game("first-capture", 9)
    values = gc.action_values(game, seconds=0.0)
    assert values[-1] == -1  # the pass gives the prisoner that wins
    assert values[action_of(game.point("E5"), 9, 9)] == 0
    assert gc.is_optimal(game, "E5", seconds=0.0) is None
    assert gc.is_optimal(game, "pass", seconds=0.0) is None
    assert gc.regret(game, "E5", seconds=0.0) is None
    stop = threading.Event()
    stop.set()
    assert not gc.action_values([game, game], seconds=None, stop=stop).any()


def test_wrong_arguments_have_a_clear_error() -> None:
    over = gc.Game(size=3)
    over.resign()
    with pytest.raises(gc.GameError, match="the game is over"):
        gc.action_values([gc.Game(size=3), over])
    with pytest.raises(ValueError, match="the same rules and the same size"):
        gc.action_values([gc.Game(size=3), gc.Game(size=4)])
    with pytest.raises(gc.GameError, match="captures win"):
        gc.action_values(gc.Game("chinese", 5))
    for wrong in ("C3", 5, ["C3"]):
        with pytest.raises(TypeError, match="a Game"):
            gc.action_values(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="plies is True or False"):
        gc.action_values(gc.Game(size=3), plies=1)  # type: ignore[call-overload]
    game = played(3, "B2")
    with pytest.raises(gc.IllegalMoveError, match="the point is not empty"):
        gc.is_optimal(game, "B2")
    with pytest.raises(gc.IllegalMoveError) as illegal:
        gc.regret(game, "B2")
    assert illegal.value.reason is gc.Illegal.OCCUPIED
    with pytest.raises(gc.IllegalMoveError, match="black B2: white is to move"):
        gc.regret(game, game.moves[0])
    with pytest.raises(ValueError, match="a resignation is not an action"):
        gc.regret(game, "resign")
    assert gc.action_values([]).shape == (0, 1)
