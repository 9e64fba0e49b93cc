"""The players without a search, where self-capture is legal."""

from __future__ import annotations

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK
from gtp_capture.players.player import PlayerSettings
from gtp_capture.players.shape import ShapePlayer
from gtp_capture.players.simple import GreedyPlayer
from gtp_capture.util.limit import Limit


@pytest.mark.parametrize("kind", [GreedyPlayer, ShapePlayer])
def test_self_capture_of_a_chain_is_evaluated(kind: type[GreedyPlayer] | type[ShapePlayer]) -> None:
    """B1 would remove two black stones; the walk along that chain once began at the empty point and did not end."""
    game = Game("tromp-taylor", 5)
    for color, vertices in (("black", ["A1"]), ("white", ["A2", "B2", "C1"])):
        for vertex in vertices:
            game.play(vertex, color)
    move = kind(PlayerSettings(seed=1)).choose(game, BLACK, Limit().begin()).move
    assert move > 0
    assert game.vertex(move) != "B1"
