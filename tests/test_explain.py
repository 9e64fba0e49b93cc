"""What a teacher says about a move is true."""

from __future__ import annotations

import pytest

from gtp_capture import BLACK, WHITE
from gtp_capture.explain import attacks, hint, ladder, safe_points
from gtp_capture.players import MctsPlayer, Settings
from gtp_capture.search.limit import Limit
from gtp_capture.search.proof import WINS, Solver
from gtp_capture.search.warm import loaded

from .diagrams import set_up

RACE = "..O.. XXXOO ..XO. XX.O."


@pytest.fixture(scope="module")
def player() -> MctsPlayer:
    return MctsPlayer(Settings(seed=1, threads=1, memory=64 * 2**20), loaded())


def test_the_race_of_safe_moves_is_named_where_it_decides(player: MctsPlayer) -> None:
    """Nobody can be attacked: both fill up what is safe, and Black is the first to have nothing left."""
    game = set_up(RACE, "first-capture", to_move=WHITE)
    found = hint(player, game, WHITE, Limit(5.0, 2000))
    assert found is not None
    assert (game.vertex(found.move), found.reason) == ("C1", "wins the race of safe moves")
    solver = Solver(game.width, game.height, 2**24)
    assert solver.value(game.board, WHITE, Limit()) == WINS
    assert not any(ladder(game, color) for color in (BLACK, WHITE))
    line = solver.solve(game.board, WHITE, Limit(), length=True).line
    assert game.vertex(line[0]) == "C1"
    for play in line[:-2]:
        assert not attacks(game, game.to_move, play)
        assert play in safe_points(game, game.to_move)
        game.play(game.to_move, play)
    assert not safe_points(game, game.to_move)  # the loser has only what is captured next
