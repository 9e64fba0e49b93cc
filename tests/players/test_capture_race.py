"""Which chain to save or capture, depending on the number of prisoners that wins."""

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
    return game.vertex(player.choose(game, game.to_move, Limit(playouts=PLAYOUTS).begin()).move)


def test_a_chain_whose_capture_loses_is_saved(player: MctsPlayer) -> None:
    assert choose(player, set_up(TWO_IN_ATARI, "capture-3")) == "G3"


def test_one_stone_is_not_saved_at_the_cost_of_three(player: MctsPlayer) -> None:
    # Where three stones do not lose yet, a counter-attack at C3 is as good as G3.
    assert choose(player, set_up(TWO_IN_ATARI, "capture-5")) != "A6"


def test_three_stones_that_win_are_captured_rather_than_one(player: MctsPlayer) -> None:
    assert choose(player, set_up(TWO_TO_TAKE, "capture-3")) == "E2"


@pytest.mark.parametrize("stones", [5, 10, 20])
def test_one_stone_is_not_captured_while_three_escape(player: MctsPlayer, stones: int) -> None:
    # All is won here: E3, which leaves the three stones no way out either, is as good as E2.
    assert choose(player, set_up(TWO_TO_TAKE, f"capture-{stones}")) in ("E2", "E3")


@pytest.mark.parametrize("rules", ["first-capture", "capture-1"])
def test_any_stone_is_captured_if_one_wins(player: MctsPlayer, rules: str) -> None:
    assert choose(player, set_up(TWO_TO_TAKE, rules)) in ("E2", "F7")
