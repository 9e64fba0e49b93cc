"""Results of the solver for single plays reach the choice, even if the solver does not decide the position."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest

from gtp_capture import Game
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import Decision, PlayerSettings
from gtp_capture.util.limit import Limit

from ..support.random_games import unfinished_game
from ..support.truth import wins_with


def new_player(level: int = 10, seed: int = 1) -> MctsPlayer:
    return MctsPlayer(PlayerSettings(seed=seed, threads=1, level=level, memory=32 * 2**20), loaded())


def without_root(monkeypatch: pytest.MonkeyPatch, player: MctsPlayer) -> None:
    """Keep the solver from deciding the root, as if that took too long."""
    monkeypatch.setattr(player.perfect_play, "decide", lambda *arguments: None)


def positions(count: int) -> Iterator[Game]:
    """Yield unfinished 5x5 positions without a capture."""
    rng = random.Random(5)
    while count:
        game = unfinished_game("first-capture", (5, 5), range(2, 9), rng)
        if not any(game.atari(color) for color in (1, 2)):
            count -= 1
            yield game


def test_plays_that_the_table_shows_to_lose_lose() -> None:
    player, count = new_player(), 0
    for game in positions(8):
        color = game.to_move
        player.perfect_play.decide(game, int(color), Limit(playouts=10).begin(), game.legal_plays())
        known = player.perfect_play.moves(game, int(color), Limit(0.0, nodes=0).begin())
        losing = {play for play, wins in known if not wins}
        assert losing <= set(game.legal_plays())
        assert not any(wins_with(game, int(color), game.vertex(play)) for play in losing)
        count += len(losing)
    assert count > 20


def test_a_solved_play_wins_exactly_if_the_solver_says_so() -> None:
    player = new_player()
    for game in positions(4):
        color = game.to_move
        for play in game.legal_plays()[:6]:
            expected = wins_with(game, int(color), game.vertex(play))
            assert player.perfect_play.wins(game, int(color), play, Limit().begin()) is expected


def test_what_the_check_proves_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    player, proven, decided = new_player(), 0, 0
    without_root(monkeypatch, player)
    for game in positions(8):
        color = game.to_move
        decision = player.choose(game, int(color), Limit(playouts=200).begin())
        node = player.node(game, int(color))
        assert node is not None
        for candidate in node[0].candidates(node[1]):
            if candidate.proven:
                proven += 1
                assert wins_with(game, int(color), game.vertex(candidate.move)) is (candidate.proven == 1)
        if decision.winrate in (0.0, 1.0):
            decided += 1
            assert wins_with(game, int(color), game.vertex(decision.move)) is (decision.winrate == 1.0)
    assert proven > 20
    assert decided > 4


def choice(game: Game, player: MctsPlayer) -> Decision:
    return player.choose(game, int(game.to_move), Limit(playouts=300).begin())


def test_a_level_below_full_strength_has_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    player = new_player(level=9)

    def fail(*arguments: object) -> None:
        raise AssertionError("the solver was used")

    for name in ("decide", "moves", "wins"):
        monkeypatch.setattr(player.perfect_play, name, fail)
    for seed in range(3):
        choice(unfinished_game("first-capture", (5, 5), range(2, 3), random.Random(seed)), player)


def test_a_choice_ends_after_stop() -> None:
    game, stop = Game("first-capture", 7), threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    new_player().choose(game, int(game.to_move), Limit().begin(stop))  # no other limit
    assert stop.is_set()
