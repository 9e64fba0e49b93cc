"""The registry of players, and what each player declares."""

from __future__ import annotations

import gc
import weakref

import pytest

from gtp_capture import Game
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.jit.warmup import Warmup
from gtp_capture.players.player import Decision, Player, PlayerSettings, without_play
from gtp_capture.players.registry import PLAYERS
from gtp_capture.util.limit import Deadline, Limit


class FirstPointPlayer(Player):
    """A complete player: it plays the first legal point."""

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        return Decision(min(game.legal_plays(color), default=without_play(game, color)))


def test_a_new_player_needs_a_class_and_a_line_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "first-point", lambda settings, warmup: FirstPointPlayer())
    engine = Engine(Options(player="first-point", width=5, height=5, gogui_gfx=True), print)
    assert engine.genmove(BLACK) == "A1"
    engine.ponder()
    assert list(map(str, engine.game.moves)) == ["B A1"]
    assert not engine.player.needs_search
    assert engine.analyst.full_strength


def test_only_an_option_of_players_makes_a_new_player() -> None:
    engine = Engine(Options(player="random", width=5, height=5), print)
    player = engine.player
    engine.change(time_per_move=2.0, rules=Rules.parse("capture-3"), crosscut=True, level=engine.options.level)
    assert engine.player is player
    engine.change(seed=1)
    assert engine.player is not player
    player = engine.player
    engine.change(seed=1)  # begins the random choices again
    assert engine.player is not player


@pytest.mark.parametrize(
    ("name", "level", "needs_search", "can_ponder", "can_analyse"),
    [
        ("random", 10, False, False, False),
        ("greedy", 10, False, False, False),
        ("shape", 10, False, False, False),
        ("mcts", 10, True, True, True),
        ("mcts", 3, True, False, True),
    ],
)
def test_players_declare_what_they_can_do(
    name: str, level: int, needs_search: bool, can_ponder: bool, can_analyse: bool
) -> None:
    player = PLAYERS[name](PlayerSettings(level=level), Warmup(print))
    assert (player.needs_search, player.can_ponder) == (needs_search, can_ponder)
    assert (player.as_analyst() is not None) == can_analyse


@pytest.mark.parametrize("level", [3, 10])
def test_the_memory_of_a_player_is_free_as_soon_as_nothing_uses_it(level: int) -> None:
    player = PLAYERS["mcts"](PlayerSettings(level=level, seed=1, memory=2**24), Warmup(print))
    player.choose(Game("first-capture", 4), BLACK, Limit(playouts=10).begin())
    reference = weakref.ref(player)
    gc.disable()  # it would free the objects of a reference cycle
    try:
        del player
        assert reference() is None
    finally:
        gc.enable()
