"""At full strength mcts keeps every win on boards that can be solved."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, WHITE, Color, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.players import mcts
from gtp_capture.players.analysis import move_analyses
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.perfect_play import is_worthwhile
from gtp_capture.players.player import PlayerSettings
from gtp_capture.solver.exact import Node, Play
from gtp_capture.solver.result import Solution
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Deadline, Limit

from ..support.random_games import unfinished_game


@pytest.fixture(scope="module")
def player() -> MctsPlayer:
    return MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())


def reached(width: int, height: int, rng: random.Random) -> Game:
    """Return an unfinished game after a random number of random plays."""
    return unfinished_game("first-capture", (width, height), range(width * height // 2), rng)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 4), (5, 4), (5, 5)])
def test_mcts_never_plays_a_losing_move_in_a_won_position(width: int, height: int, player: MctsPlayer) -> None:
    rng = random.Random(f"{width}x{height}")
    judge = Solver(width, height, 64 * 2**20)
    won = 0
    while won < 12:
        game = reached(width, height, rng)
        color = game.to_move
        if judge.solve(game.board, int(color)).winner != int(color):
            continue
        won += 1
        decision = player.choose(game, int(color), Limit(playouts=100_000).begin())
        assert decision.winrate == 1.0
        game.play_point(decision.move, color)
        if game.outcome is None:
            assert judge.solve(game.board, opponent(int(color))).winner == int(color)
        else:
            assert game.outcome.winner == color


@pytest.mark.slow
def test_a_long_search_has_moves_to_report_before_the_solver_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())
    game, stop, solve = Game("first-capture", 7), threading.Event(), player.perfect_play.decide
    reported = []

    def decide(*args: Any) -> Solution | None:
        reported.append(move_analyses(player, game, BLACK))
        stop.set()
        return solve(*args)

    monkeypatch.setattr(player.perfect_play, "decide", decide)
    monkeypatch.setattr(mcts, "FIRST", replace(mcts.FIRST, seconds=None))  # on a slow machine it ends before the rest
    player.choose(game, BLACK, Limit(60.0).begin(stop))
    assert reported[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "moves", "winrate"), [(5, ["C3"], 0.0), (6, ["D6", "B4", "E1"], 1.0)], ids=["lost", "won"]
)
def test_a_long_search_ends_early_when_the_game_is_decided(size: int, moves: list[str], winrate: float) -> None:
    """The solver needs about a second for the won position."""
    player, game = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded()), Game(size=size)
    for move in moves:
        game.play(move)
    before = time.process_time()
    assert player.choose(game, int(game.to_move), Limit(120.0).begin()).winrate == winrate
    assert time.process_time() - before < 30


@pytest.mark.parametrize(
    ("size", "limit", "expected"),
    [
        (9, Limit(0.0), False),
        (9, Limit(600.0), True),
        (9, Limit(playouts=10), True),
        (8, Limit(0.0), True),
        (11, Limit(0.0), False),
    ],
)
def test_on_an_open_board_the_solver_needs_some_time(size: int, limit: Limit, expected: bool) -> None:
    assert is_worthwhile(Game("first-capture", size), limit.begin()) is expected


def test_a_proof_of_the_solver_is_entered_into_the_tree(player: MctsPlayer) -> None:
    game = Game("first-capture", 5)
    decision = player.choose(game, int(game.to_move), Limit(playouts=2000).begin())
    node = player.node(game, int(game.to_move))
    assert node is not None
    tree, root = node
    assert tree.proven(root) is True
    assert [c.move for c in tree.candidates(root) if c.proven == 1] == [decision.move]
    assert (decision.winrate, decision.note.split(",")[0]) == (1.0, "wins")


def test_a_lost_side_holds_out_as_long_as_possible(player: MctsPlayer) -> None:
    game = Game("first-capture", 4)  # the second player wins after 14 plies
    while game.outcome is None:
        game.play_point(player.choose(game, int(game.to_move), Limit(playouts=2000).begin()).move)
    assert len(game.moves) == 14
    assert game.outcome.winner == Color(opponent(int(game.moves[0].color)))


@pytest.mark.slow
def test_black_wins_on_6x6_against_the_engine_itself() -> None:
    """The moves come from the book up to ten stones, then from the solver."""
    settings = PlayerSettings(seed=0, threads=1, memory=256 * 2**20)
    sides, playouts = {color: MctsPlayer(settings, loaded()) for color in Color}, {Color.BLACK: 2000, Color.WHITE: 600}
    game = Game("first-capture", 6)
    while game.outcome is None:
        color = game.to_move
        decision = sides[color].choose(game, int(color), Limit(playouts=playouts[color]).begin())
        move = random.Random(0).choice(game.legal_plays()) if len(game.moves) == 1 else decision.move
        assert color is Color.WHITE or decision.winrate == 1.0, game.moves
        game.play_point(move, color)
    assert game.outcome.winner is Color.BLACK


def test_the_first_use_of_the_table_ends_with_the_limit() -> None:
    """Without time the solver is left out until its memory was used; then it answers, also without time."""
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=256 * 2**20), loaded())
    game = Game("first-capture", 6)
    for vertex in ("C3", "C4", "D4", "A1", "B4"):
        game.play(vertex)
    play = game.point("A6")
    assert player.perfect_play.wins(game, WHITE, play, Limit(0.0).begin()) is None
    assert player.perfect_play.wins(game, WHITE, play, Limit().begin()) is False  # Black captures at C5
    assert player.perfect_play.wins(game, WHITE, play, Limit(0.0, nodes=0).begin()) is False


def free_choice(game: Game, color: int, line: tuple[int, ...], winner: int) -> int | None:
    """Return the first move of the loser in a line that has another reply which is not captured next."""
    trial = game.copy()
    trial.set_to_move(color)
    for move in line:
        mover, replies = trial.to_move, map(trial.after_point, trial.legal_plays())
        if int(mover) != winner and sum(after.is_over or not after.atari(mover) for after in replies) > 1:
            return move
        trial.play_point(move)
    return None


class Stopped(Solver):
    """Reaches its limit after a number of moves of a line."""

    moves = 0

    def best(self, node: Node, result: int, plies: int | None, deadline: Deadline) -> Play | None:
        """See ExactSolver."""
        self.moves -= 1
        return None if self.moves < 0 else super().best(node, result, plies, deadline)


@pytest.mark.slow
def test_a_line_that_is_not_whole_has_no_free_choice_of_the_loser(player: MctsPlayer) -> None:
    rng = random.Random(5)
    cut = whole = 0
    for _ in range(30):
        width, height = rng.choice([(3, 4), (4, 4), (5, 4), (6, 4)])
        game = reached(width, height, rng)
        solver, solutions = Stopped(width, height, 2**20), []
        for solver.moves in (1, 2, 3, 5, 99):
            solutions.append(solver.solve(game.board, int(game.to_move), length=True))
        for solution in [*solutions, player.perfect_play.solve(game, int(game.to_move), Limit(0.0, nodes=0).begin())]:
            if len(solution.line) == solution.plies:
                whole += 1
            elif solution.winner is not None:
                cut += solution.plies is not None
                assert free_choice(game, int(game.to_move), solution.line, solution.winner) is None
    assert min(cut, whole) > 20


def test_a_resistance_of_the_book_is_a_hint_but_no_line(player: MctsPlayer) -> None:
    game = Game("first-capture", (3, 4))
    game.play("B4")
    solution = player.perfect_play.solve(game, WHITE, Limit(0.0, nodes=0).begin())
    assert (solution.winner, solution.plies, solution.line) == (BLACK, 10, ())
    resistance = player.perfect_play.resistance(game, WHITE, Limit(0.0, nodes=0).begin())
    assert (resistance.plies, len(resistance.line)) == (10, 1)
