"""At full strength the engine wins every won position of boards that can be solved."""

from __future__ import annotations

import random

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.player import MctsPlayer, Settings
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit


@pytest.fixture(scope="module")
def player() -> MctsPlayer:
    return MctsPlayer(Settings(seed=1, threads=1, memory=64 * 2**20), loaded())


def reached(width: int, height: int, rng: random.Random) -> Game:
    """Return an unfinished game after some random plays."""
    while True:
        game = Game("first-capture", width, height)
        for _ in range(rng.randrange(width * height // 2)):
            game.play(game.to_move, rng.choice(game.legal_plays()))
            if game.outcome is not None:
                break
        if game.outcome is None:
            return game


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 4), (5, 4), (5, 5)])
def test_no_losing_move_is_played_from_a_won_position(width: int, height: int, player: MctsPlayer) -> None:
    rng = random.Random(f"{width}x{height}")
    judge = Solver(width, height, 64 * 2**20)
    won = 0
    while won < 40:
        game = reached(width, height, rng)
        color = game.to_move
        if judge.solve(game.board, color).winner != color:
            continue
        won += 1
        decision = player.choose(game, color, Limit(1.0))
        assert decision.winrate == 1.0
        game.play(color, decision.move)
        if game.outcome is None:
            assert judge.solve(game.board, opponent(color)).winner == color
        else:
            assert game.outcome.winner == color


def test_a_solved_position_is_proven_in_the_tree(player: MctsPlayer) -> None:
    game = Game("first-capture", 5)
    decision = player.choose(game, game.to_move, Limit(1.0))
    found = player.node(game, game.to_move)
    assert found is not None
    tree, root = found
    assert tree.verdict(root) is True
    assert [c.move for c in tree.candidates(root) if c.proven == 1] == [decision.move]
    assert (decision.winrate, decision.note.split(",")[0]) == (1.0, "wins")


def test_a_lost_game_on_4x4_lasts_as_long_as_possible(player: MctsPlayer) -> None:
    game = Game("first-capture", 4)  # the second player wins after 14 plies
    while game.outcome is None:
        game.play(game.to_move, player.choose(game, game.to_move, Limit(1.0)).move)
    assert len(game.moves) == 14
    assert game.outcome.winner == opponent(game.moves[0].color)


def test_black_wins_on_6x6_against_the_engine_itself() -> None:
    """With up to ten stones the book has the plays, with more the solver finds them."""
    for seed in range(3):
        sides = {c: MctsPlayer(Settings(seed=seed, threads=1, memory=256 * 2**20), loaded()) for c in (BLACK, WHITE)}
        game = Game("first-capture", 6)
        rng = random.Random(seed)
        while game.outcome is None:
            color = game.to_move
            decision = sides[color].choose(game, color, Limit(1.0 if color == BLACK else 0.3))
            move = rng.choice(game.legal_plays()) if len(game.moves) == 1 else decision.move
            assert color == WHITE or decision.winrate == 1.0, game.moves
            game.play(color, move)
        assert game.outcome.winner == BLACK
