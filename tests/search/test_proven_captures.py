"""Proven values where several prisoners decide, against the exhaustive solver and a search by definition."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.jit.records import Turn, copy_board, rules_record
from gtp_capture.search import mcts
from gtp_capture.search.kernel import Leaf, known_winner, new_worker
from gtp_capture.solver.exhaustive import ExhaustiveSolver
from gtp_capture.solver.result import WIN
from gtp_capture.util.limit import Limit

from ..support.diagrams import set_up
from ..support.random_games import unfinished_game


def check(game: Game, tree: mcts.Tree, playouts: int, truth: Callable[[Game], int]) -> bool:
    """Compare the proven values after some playouts; return whether the root is proven."""
    color, last = game.to_move, game.last_move
    tree.clear()
    turn = Turn(game.board, rules_record(game.rules, 0.0), int(color), last.point if last is not None else 0)
    tree.search(mcts.ROOT, turn, [game.point(move) for move in game.legal_moves()], Limit(playouts=playouts).begin())
    for candidate in tree.candidates(mcts.ROOT):
        if candidate.proven:
            game.play_point(candidate.move, color)
            if game.outcome is not None:
                assert game.outcome.winner is not None
                result = 1 if game.outcome.winner == color else -1
            else:
                result = -truth(game)
            game.undo()
            assert candidate.proven == result, (game, candidate)
    verdict = tree.proven(mcts.ROOT)
    assert verdict is None or truth(game) == (1 if verdict else -1), game
    return verdict is not None


@pytest.mark.slow
@pytest.mark.parametrize("playouts", [1, 300])
@pytest.mark.parametrize("rules", ["capture-1", "capture-2", "capture-3", "capture-6", "capture-2 suicide=yes"])
@pytest.mark.parametrize("size", [(3, 3), (4, 3)])
def test_a_proven_result_is_the_true_one(rules: str, size: tuple[int, int], playouts: int) -> None:
    chance, tree = random.Random(f"{rules} {size} {playouts}"), mcts.Tree(32 * 2**20, 1, 1)
    solver = ExhaustiveSolver(Game(rules).rules, *size, 2**24)

    def truth(game: Game) -> int:
        return 1 if solver.value(game.board, int(game.to_move), Limit().begin()) == WIN else -1

    plays = range(size[0] * size[1] * 3 // 2)
    proven = sum(check(unfinished_game(rules, size, plays, chance), tree, playouts, truth) for _ in range(25))
    assert proven > 4 or playouts == 1


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_capture_far_from_the_last_play_wins_once_each_side_needs_one(depth: int) -> None:
    game = set_up("....X ..... ..... ..... XO...", "capture-2")
    worker = new_worker(1, 0)
    copy_board(worker.board, game.board)
    worker.board.prisoners[BLACK] = worker.board.prisoners[WHITE] = 1  # by plays after the root
    leaf = Leaf(depth, WHITE, game.point("E1"), 0, 0, depth)
    assert known_winner(leaf, rules_record(game.rules, 0.0), worker) == WHITE
