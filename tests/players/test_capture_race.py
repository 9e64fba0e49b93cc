"""Which chain to save or capture, depending on the number of prisoners that wins."""

from __future__ import annotations

import pytest

from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Limit

from ..support.diagrams import set_up

# Black to move: the stone at A7 is in atari (A6 extends), and so are the three at D3, E3, F3 (G3 extends).
TWO_IN_ATARI = "XO..... ....... ....... ...OOO. ..OXXX. ...OOO. ......."
# Black to move may take one stone at G7 (by F7), or three at B2, C2, D2 (by E2).
TWO_TO_TAKE = "......O ......X ..XXX.. ....... .XXX... XOOO... .XXX..."


@pytest.mark.parametrize(
    ("rules", "diagram", "good"),
    [
        ("capture-3", TWO_IN_ATARI, {"G3"}),
        ("capture-3", TWO_TO_TAKE, {"E2"}),
        ("capture-5", TWO_TO_TAKE, {"E2", "E3"}),  # all is won: E3 leaves the three stones no way out either
        ("capture-20", TWO_TO_TAKE, {"E2", "E3"}),
        ("capture-1", TWO_TO_TAKE, {"E2", "F7"}),
    ],
)
def test_the_chain_that_counts_is_saved_or_captured(rules: str, diagram: str, good: set[str], compiled: None) -> None:
    player, game = MctsPlayer(PlayerSettings(seed=1, memory=64 * 2**20), loaded()), set_up(diagram, rules)
    assert game.vertex(player.choose(game, int(game.to_move), Limit(playouts=3_000).begin()).move) in good


def test_one_stone_is_not_saved_at_the_cost_of_three(compiled: None) -> None:
    """Where three stones do not lose yet, a counter-attack is as good as G3."""
    player, game = MctsPlayer(PlayerSettings(seed=1, memory=64 * 2**20), loaded()), set_up(TWO_IN_ATARI, "capture-5")
    assert game.vertex(player.choose(game, int(game.to_move), Limit(playouts=3_000).begin()).move) != "A6"
