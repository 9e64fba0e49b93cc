"""Random games for statistics, against their definition by `Game` alone."""

from __future__ import annotations

import math
import signal
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest

import gtp_capture as gc
from gtp_capture.go import board as bd
from gtp_capture.go.scoring import Status

from ..support.diagrams import set_up
from ..support.process import python

pytestmark = pytest.mark.slow  # the code is compiled at its first use

GAMES = 200_000
KINDS = ("first-capture", "capture-3 suicide=legal", "tromp-taylor")
PLAIN = f"""
import gtp_capture as gc
for rules in {KINDS}:
    print(gc.playouts(gc.Game(rules, (3, 4)), 40, seed=1))
"""


def is_own_eye(game: gc.Game, vertex: str) -> bool:
    """Whether a point has own stones on all sides, and at most one hostile stone diagonally, none at the edge."""

    def around(steps: list[tuple[int, int]]) -> list[gc.Color | str | None]:
        column, row = ord(vertex[0]) - ord("A"), int(vertex[1:])
        places = [(column + x, row + y) for x, y in steps]
        inside = [0 <= x < game.width and 0 < y <= game.height for x, y in places]
        return [game[f"{chr(65 + x)}{y}"] if here else "border" for (x, y), here in zip(places, inside, strict=True)]

    diagonal = around([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    sides = around([(1, 0), (-1, 0), (0, 1), (0, -1)])
    hostile = diagonal.count(game.to_move.opponent) + ("border" in diagonal)
    return all(side in (game.to_move, "border") for side in sides) and hostile < 2


def choices(game: gc.Game) -> list[str]:
    """The moves of a random game, by definition."""
    plays = [move for move in game.legal_moves() if move != "pass"]
    if game.rules.is_scored:
        plays = [move for move in plays if not is_own_eye(game, move)]
    return plays or ["pass"]


def chances(start: gc.Game) -> tuple[dict[gc.Color | None, float], dict[int, float]]:
    """The chance of each winner and of each length, by all moves of all games."""
    winners: dict[gc.Color | None, float] = defaultdict(float)
    lengths: dict[int, float] = defaultdict(float)
    states: dict[object, tuple[gc.Game, float]] = {None: (start, 1.0)}
    for played in range(3 * start.width * start.height + 21):
        following: dict[object, tuple[gc.Game, float]] = {}
        for game, chance in states.values():
            if game.is_over or played == 3 * start.width * start.height + 20:
                lead = game.score() or 0
                scored = gc.BLACK if lead > 0 else gc.WHITE if lead < 0 else None
                winners[scored if game.outcome is None else game.outcome.winner] += chance
                lengths[played] += chance
                continue
            moves = choices(game)
            for move in moves:
                then = game.copy()
                then.play(move)
                before, after = then.positions[-2:]
                key = before.colors, *after[:3], move == "pass"
                following[key] = then, following.get(key, (then, 0.0))[1] + chance / len(moves)
        states = following
    return winners, lengths


def check(observed: Mapping[Any, int], expected: Mapping[Any, float]) -> None:
    """Compare counts with chances by the chi-square statistic; rare values are one class."""
    assert observed.keys() >= {value for value, chance in expected.items() if chance * GAMES > 20}
    assert {value for value, games in observed.items() if games} <= {v for v, chance in expected.items() if chance}
    usual = {value for value, chance in expected.items() if chance * GAMES >= 5}
    classes = [[value] for value in usual] + [[value for value in expected if value not in usual]]
    pairs = [(sum(observed.get(v, 0) for v in c), GAMES * sum(expected[v] for v in c)) for c in classes]
    pairs = [(games, mean) for games, mean in pairs if mean]
    statistic, freedom = sum((games - mean) ** 2 / mean for games, mean in pairs), max(1, len(pairs) - 1)
    assert statistic < freedom + 5 * math.sqrt(2 * freedom)


def all_alive(board: bd.Board) -> dict[int, Status]:
    return dict.fromkeys(bd.chains(board), Status.ALIVE)


@pytest.mark.parametrize(
    ("rules", "diagram", "moves", "to_move"),
    [
        ("first-capture", "... ...", "", "black"),
        ("first-capture", ".X. O..", "", "white"),
        ("capture-1", "... .X.", "", "black"),
        ("capture-2 passing=free", ".. ..", "", "black"),
        ("capture-2 passing=free", "X. .X", "pass", "white"),
        ("capture-2 suicide=legal ko=simple", "... ...", "", "white"),
        ("capture-2 ko=simple", ".XO. XO.O .XO.", "C2", "white"),
        ("capture-2 ko=simple", ".XO. XO.O .XO.", "C2", "black"),
        ("chinese ko=simple", ".. ..", "", "black"),
    ],
)
def test_the_counts_are_those_of_random_legal_moves(rules: str, diagram: str, moves: str, to_move: str) -> None:
    game = set_up(diagram, rules)
    game.set_komi(1.0 if game.rules.is_scored else None)  # so that games are drawn
    game.find_statuses = all_alive
    for move in moves.split():
        game.play(move)
    game.set_to_move(to_move)
    winners, lengths = chances(game)
    counted = gc.playouts(game, GAMES, seed=3)
    assert sum(counted.winners.values()) == sum(counted.lengths.values()) == GAMES
    check(counted.winners, winners)
    check(counted.lengths, lengths)


@pytest.mark.parametrize("rules", gc.PRESETS)
def test_all_presets_have_random_games_and_the_points_of_komi_decide(rules: str) -> None:
    game = gc.Game(rules, (5, 4))
    counted = gc.playouts(game, 500, seed=7)
    assert counted == gc.playouts(game, 500, seed=7) != gc.playouts(game, 500, seed=8)
    assert sum(counted.winners.values()) == sum(n for n in counted.lengths.values()) == 500
    assert list(counted.lengths) == sorted(counted.lengths)
    if game.rules.is_scored:
        assert gc.playouts(gc.Game(rules, 4, komi=100), 100).winners[gc.WHITE] == 100
        assert gc.playouts(gc.Game(rules, 4, komi=-100), 100).winners[gc.BLACK] == 100


def test_they_are_the_same_without_compilation() -> None:
    plain = python(PLAIN, env={"NUMBA_DISABLE_JIT": "1"})
    assert plain == "".join(f"{gc.playouts(gc.Game(rules, (3, 4)), 40, seed=1)}\n" for rules in KINDS)


@pytest.mark.posix
def test_a_signal_ends_them() -> None:
    gc.playouts(gc.Game(), 1)
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.1)  # processor time
        with pytest.raises(KeyboardInterrupt):
            gc.playouts(gc.Game(), 10**15)
    finally:
        signal.signal(signal.SIGPROF, before)


def test_wrong_arguments_have_a_sentence_each() -> None:
    game = gc.Game(size=5)
    with pytest.raises(ValueError, match=r"^count is a whole number of 1 or more, not 0$"):
        gc.playouts(game, 0)
    with pytest.raises(ValueError, match=r"^seed is a whole number of 0 or more, not -1$"):
        gc.playouts(game, 1, seed=-1)
    game.resign()
    with pytest.raises(gc.GameError, match="the game is over"):
        gc.playouts(game, 1)


def test_an_event_ends_them_with_the_games_counted_so_far() -> None:
    with gc.Stop() as stop:
        stop.set()
        assert sum(gc.playouts(gc.Game(), 10**9, seed=1, stop=stop).winners.values()) < 10**9
