"""The steps from first capture to Go: what is worth a stone depends on how many stones win."""

from __future__ import annotations

import threading

import pytest

from gtp_capture import Game
from gtp_capture.players import MctsPlayer, Settings
from gtp_capture.search.limit import Limit
from gtp_capture.search.warm import Warmup

from .diagrams import set_up

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
    return MctsPlayer(Settings(seed=1, memory=64 * 2**20), warmup)


def choose(player: MctsPlayer, game: Game) -> str:
    return game.vertex(player.choose(game, game.to_move, Limit(playouts=PLAYOUTS)).move)


@pytest.mark.parametrize("stones", [3, 5])
def test_the_larger_chain_is_saved(player: MctsPlayer, stones: int) -> None:
    assert choose(player, set_up(TWO_IN_ATARI, f"capture-{stones}")) == "G3"


@pytest.mark.parametrize("stones", [3, 5, 10, 20])
def test_three_stones_are_taken_rather_than_one(player: MctsPlayer, stones: int) -> None:
    game = set_up(TWO_TO_TAKE, f"capture-{stones}")
    assert choose(player, game) == "E2"


@pytest.mark.parametrize("rules", ["first-capture", "capture-1"])
def test_where_one_stone_wins_any_is_taken(player: MctsPlayer, rules: str) -> None:
    assert choose(player, set_up(TWO_TO_TAKE, rules)) in ("E2", "F7")
