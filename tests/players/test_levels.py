"""The levels: what they overlook and how often, on every board and under all rules."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from click.testing import CliRunner

from gtp_capture.cli.levels import levels as command
from gtp_capture.cli.levels import rows
from gtp_capture.go.game import Game
from gtp_capture.go.rules import PRESETS
from gtp_capture.go.vertex import RESIGN
from gtp_capture.jit.warmup import Warmup, loaded
from gtp_capture.judgement.endgame import sensible_plays
from gtp_capture.players.levels import FULL, LEVELS, NAMES, Level, level, name
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.oversights import Noticed, draw_by_shape, find_urgent, notice, plan_turn
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Limit

from ..support.diagrams import set_up

TURNS = 500
CAPTURE = """
.....
..X..
.XO..
..X..
.....
"""
"""Black can capture at D3."""
SAVE = """
.....
..O..
.OX..
..O..
.....
"""
"""Black can save C3 at D3."""
QUIET = """
.....
.....
.OX..
.....
.....
"""


def position(diagram: str, rules: str = "first-capture") -> Game:
    """A position with Black to move."""
    return set_up(diagram, rules)


def turns(game: Game, chosen: Level) -> Iterator[Noticed]:
    """Yield the captures and saves that a level notices in TURNS turns in the same position."""
    rng, color = random.Random(7), int(game.to_move)
    urgent = find_urgent(game, color, sensible_plays(game, color))
    return (notice(urgent, chosen, rng) for _ in range(TURNS))


def assert_share(count: int, probability: float) -> None:
    """Check that a count out of TURNS fits a probability, within four standard deviations."""
    assert abs(count - TURNS * probability) <= 4 * math.sqrt(TURNS * probability * (1 - probability))


@pytest.mark.parametrize("chosen", LEVELS[:-1], ids=lambda chosen: chosen.name)
@pytest.mark.parametrize("rules", ["first-capture", "capture-5", "aga"])
@pytest.mark.parametrize("is_capture", [True, False], ids=["capture", "atari"])
def test_a_capture_and_an_own_atari_are_noticed_with_the_probabilities_of_the_level(
    is_capture: bool, rules: str, chosen: Level
) -> None:
    game = position(CAPTURE if is_capture else SAVE, rules)
    there, noticed = {game.point("D3")}, 0
    for seen in turns(game, chosen):
        urgent, other = (seen.captures, seen.saves) if is_capture else (seen.saves, seen.captures)
        assert (urgent, other, seen.missed) in ((there, set(), set()), (set(), set(), there))
        noticed += bool(urgent)
    assert_share(noticed, chosen.notices_capture if is_capture else chosen.notices_atari)


@pytest.mark.parametrize("chosen", LEVELS[:-1], ids=lambda chosen: chosen.name)
def test_a_level_looks_with_its_probability_before_it_plays(chosen: Level) -> None:
    noticed = list(turns(position(QUIET), chosen))
    assert_share(sum(seen.looks_ahead for seen in noticed), chosen.looks_ahead)
    assert not any(seen.captures | seen.saves | seen.missed for seen in noticed)


@pytest.mark.parametrize("rules", ["first-capture", "capture-5"])
@pytest.mark.parametrize("diagram", [CAPTURE, SAVE])
def test_a_beginner_plays_what_it_notices_and_does_not_consider_what_it_misses(rules: str, diagram: str) -> None:
    game, rng = position(diagram, rules), random.Random(5)
    moves, point = sensible_plays(game, 1), game.point("D3")
    for probability in (0.0, 1.0):
        chosen = Level("test", probability, probability, weighs=0.0, playouts=10)
        for _ in range(20):
            seen = plan_turn(game, 1, moves, chosen, rng)
            assert seen.urgent == (point if probability else 0)
            assert point not in seen.moves
            assert not seen.thinks


def test_a_strong_level_captures_when_that_wins_and_else_thinks() -> None:
    rng, strong = random.Random(5), LEVELS[FULL - 2]
    for rules, urgent in (("first-capture", True), ("capture-5", False)):
        game = position(CAPTURE, rules)
        seen = plan_turn(game, 1, sensible_plays(game, 1), strong, rng)
        assert (seen.urgent == game.point("D3"), seen.thinks) == (urgent, not urgent)


def test_a_capture_that_does_not_win_is_weighed_with_the_probability_of_the_level() -> None:
    game, rng = position(CAPTURE, "capture-5"), random.Random(5)
    moves, chosen = sensible_plays(game, 1), Level("test", weighs=0.3, playouts=10)
    assert_share(sum(plan_turn(game, 1, moves, chosen, rng).thinks for _ in range(TURNS)), chosen.weighs)


@pytest.mark.parametrize("rules", ["first-capture", "chinese"])
def test_a_play_into_atari_is_as_likely_at_first_sight_as_another(rules: str) -> None:
    """What a level overlooks is given by its probabilities alone, in ordinary Go too."""
    game = position("...O. ..... ..... ..... .....", rules)
    corner, other = game.point("E5"), game.point("C2")
    drawn = [draw_by_shape(game, 1, [corner, other], random.Random(seed)) for seed in range(TURNS)]
    assert drawn.count(corner) > 0.3 * TURNS


def test_the_only_move_is_considered_although_it_is_missed() -> None:
    game = position(CAPTURE)
    only = [game.point("D3")]
    assert plan_turn(game, 1, only, Level("test", 0.0), random.Random(1)).moves == tuple(only)


def test_a_level_that_looks_but_does_not_think_avoids_self_atari() -> None:
    game = position(".... O... .... ....")
    corner, moves = game.point("A4"), sensible_plays(game, 1)
    for looks in (1.0, 0.0):
        chosen, rng = Level("test", looks_ahead=looks), random.Random(3)
        careless = sum(corner in plan_turn(game, 1, moves, chosen, rng).moves for _ in range(50))
        assert careless == (0 if looks else 50)


def test_higher_levels_overlook_less_and_read_more() -> None:
    for lower, higher in pairwise(LEVELS[:-1]):
        assert lower.notices_capture <= higher.notices_capture
        assert lower.notices_atari <= higher.notices_atari
        assert lower.looks_ahead <= higher.looks_ahead
        assert lower.reads <= higher.reads
        assert lower.weighs <= higher.weighs
        assert lower.temperature >= higher.temperature or lower.playouts == 0
        assert lower.playouts <= higher.playouts or lower.temperature >= 1
    assert all(chosen.notices_atari <= chosen.notices_capture for chosen in LEVELS)
    assert (LEVELS[-2].notices_capture, LEVELS[-2].notices_atari, LEVELS[-2].looks_ahead) == (1, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "number"),
    [("first-capture", number) for number in range(1, FULL)]
    + [(rules, 2 + 5 * (n % 2)) for n, rules in enumerate([*PRESETS, "capture-1 ko=simple passing=stone"])]
    + [(rules, FULL) for rules in PRESETS],
)
def test_a_level_makes_no_illegal_move(rules: str, number: int, compiled: None) -> None:
    chance = random.Random(number)
    player = MctsPlayer(PlayerSettings(seed=number, level=number, memory=2**24), loaded())
    for size in ((4, 3), (2, 2)):
        game = Game(rules, size)
        while game.outcome is None and len(game.moves) < 60:
            move = player.choose(game, int(game.to_move), Limit(playouts=30).begin()).move
            assert move != RESIGN or not game.legal_plays()
            game.play_point(move)
            if not game.is_over:
                game.play(chance.choice(game.legal_moves()))


@pytest.mark.parametrize("number", range(1, FULL))
def test_the_same_seed_gives_the_same_game(number: int, compiled: None) -> None:
    games = []
    for _ in range(2):
        game = Game("first-capture", 5)
        player = MctsPlayer(PlayerSettings(seed=11, level=number, memory=32 * 2**20), loaded())
        while game.outcome is None:
            game.play_point(player.choose(game, int(game.to_move), Limit(playouts=1000).begin()).move)
        games.append(game.moves)
    assert games[0] == games[1]


def test_a_move_at_first_sight_is_one_of_those_given(compiled: None) -> None:
    game, rng = position(QUIET), random.Random(1)
    some = [game.point("A1"), game.point("D3")]
    assert {draw_by_shape(game, 1, some, rng) for _ in range(60)} == set(some)
    assert draw_by_shape(game, 1, [0], rng) == 0  # a pass


def test_a_level_overlooks_as_much_while_the_search_is_not_compiled() -> None:
    game = position(CAPTURE)
    player = MctsPlayer(PlayerSettings(seed=2, level=1), Warmup(lambda line: None))
    captured = sum(player.interim(game, 1, Limit().begin()).move == game.point("D3") for _ in range(100))
    assert abs(captured - 100 * LEVELS[0].notices_capture) <= 4 * math.sqrt(16)  # standard deviation at 20 %


def test_a_level_is_read_from_its_number_and_its_name() -> None:
    assert [level(str(number)) for number in range(1, FULL + 1)] == [level(text) for text in NAMES]
    assert [name(number) for number in range(1, FULL + 1)] == [chosen.name for chosen in LEVELS]
    assert [level(word) for word in ("easy", "normal", "hard")] == [1, 3, 6]
    for wrong in ("0", "11", "adapt", "²", "", "expert"):
        with pytest.raises(ValueError, match="is not a level"):
            level(wrong)


# --- The published table ---


def test_the_command_prints_the_levels_within_80_columns() -> None:
    printed = CliRunner().invoke(command, terminal_width=80)
    assert printed.exit_code == 0
    lines = printed.output.splitlines()
    assert max(map(len, lines)) <= 80
    for row in rows():
        assert any(re.split(r"\s{2,}", line.strip()) == row for line in lines), row
