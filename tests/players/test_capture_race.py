"""The steps from first capture to Go: what is worth a stone depends on how many stones win."""

from __future__ import annotations

import threading

import pytest

from gtp_capture import Game
from gtp_capture.jit.warmup import Warmup
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Limit

from ..support.diagrams import set_up

PLAYOUTS = 3_000

# Black to move: the stone at A7 is in atari (A6 extends), and so are the three at D3, E3, F3 (G3 extends).
TWO_IN_ATARI = """
XO.....
.......
.......
...OOO.
..OXXX.
...OOO.
.......
"""

# Black to move may take one stone at G7 (by F7), or three at B2, C2, D2 (by E2).
TWO_TO_TAKE = """
......O
......X
..XXX..
.......
.XXX...
XOOO...
.XXX...
"""


@pytest.fixture(scope="module")
def player(compiled: None) -> MctsPlayer:
    warmup = Warmup(print)
    assert warmup.wait(300, threading.Event())
    return MctsPlayer(PlayerSettings(seed=1, memory=64 * 2**20), warmup)


def choose(player: MctsPlayer, game: Game) -> str:
    return game.vertex(player.choose(game, game.to_move, Limit(playouts=PLAYOUTS)).move)


def test_the_chain_whose_capture_loses_is_saved(player: MctsPlayer) -> None:
    assert choose(player, set_up(TWO_IN_ATARI, "capture-3")) == "G3"


def test_one_stone_is_not_saved_at_the_cost_of_three(player: MctsPlayer) -> None:
    # Where three stones do not lose yet, a counter-attack on C3 is as good as G3, to look at or by playouts.
    assert choose(player, set_up(TWO_IN_ATARI, "capture-5")) != "A6"


@pytest.mark.parametrize("stones", [3, 5, 10, 20])
def test_three_stones_are_taken_rather_than_one(player: MctsPlayer, stones: int) -> None:
    game = set_up(TWO_TO_TAKE, f"capture-{stones}")
    assert choose(player, game) == "E2"


@pytest.mark.parametrize("rules", ["first-capture", "capture-1"])
def test_where_one_stone_wins_any_is_taken(player: MctsPlayer, rules: str) -> None:
    assert choose(player, set_up(TWO_TO_TAKE, rules)) in ("E2", "F7")
