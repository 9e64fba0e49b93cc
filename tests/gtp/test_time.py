"""Time: the clock alone, then real processes by wall-clock time."""

from __future__ import annotations

import math
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go.clock import OVERHEAD, Clock, thinking_time
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.gtp.engine import ANALYSIS_SECONDS, Engine
from gtp_capture.gtp.options import Options

from ..support.forks import script
from ..support.process import ENGINE, GtpProcess

MOVES_TO_GO = 20
LOADING = 10.0
"""Seconds that loading the search may take at the first move; ten times the usual."""


def clock(main: float, byoyomi: float, stones: int) -> Clock:
    made = Clock()
    made.set_time(main, byoyomi, stones)
    return made


def budget(made: Clock, color: int = BLACK, moves_to_go: int = MOVES_TO_GO) -> float:
    seconds = made.budget(color, moves_to_go)
    assert seconds is not None
    return seconds


# --- The clock alone ---


def test_without_settings_there_is_no_limit() -> None:
    made = Clock()
    assert made.budget(BLACK, MOVES_TO_GO) is None
    made.spend(BLACK, 1000)
    assert made.budget(BLACK, MOVES_TO_GO) is None


@pytest.mark.parametrize(("main", "byoyomi"), [(1, 1), (0, 1), (600, 30)])
def test_byoyomi_of_no_stones_means_no_limit(main: float, byoyomi: float) -> None:
    made = clock(5, 0, 0)
    assert made.budget(WHITE, MOVES_TO_GO) is not None
    made.set_time(main, byoyomi, 0)
    assert made.budget(BLACK, MOVES_TO_GO) is None
    assert made.budget(WHITE, MOVES_TO_GO) is None


def test_the_time_left_of_one_colour_says_nothing_of_the_other() -> None:
    for made in (Clock(), clock(1, 1, 0)):
        made.set_left(BLACK, 300, 0)
        assert budget(made, BLACK) > 1
        assert (made.budget(WHITE, MOVES_TO_GO), made.flag(WHITE)) == (None, None)
        made.spend(WHITE, 1000)
        made.reset()
        assert made.flag(BLACK) is None


def test_absolute_time_is_divided_by_the_expected_moves() -> None:
    made = clock(60, 0, 0)
    assert 1 < budget(made, moves_to_go=20) <= 3
    assert budget(made, moves_to_go=40) < budget(made, moves_to_go=10) <= 6


def test_canadian_time_is_divided_by_its_stones() -> None:
    made = clock(0, 30, 10)
    assert 1.5 < budget(made) <= 3
    # Quick moves leave more time to the others.
    for _ in range(5):
        made.spend(BLACK, 0)
    assert 3 < budget(made) <= 6


def test_time_left_overrides_our_clock() -> None:
    made = clock(60, 30, 10)
    made.set_left(BLACK, 12, 4)
    assert 1.5 < budget(made) <= 3
    made.set_left(BLACK, 0.5, 0)
    made.set_left(WHITE, 50, 0)
    assert budget(made, WHITE) > budget(made, BLACK)


def test_time_left_without_settings_is_a_limit() -> None:
    made = Clock()
    made.set_left(BLACK, 2, 0)
    assert 0 < budget(made) <= 2


@pytest.mark.parametrize("stones", [0, 1, 5])
@pytest.mark.parametrize("left", [0.1, 0.01, 0.0, -1.0])
def test_the_budget_never_exceeds_a_tiny_remaining_time(left: float, stones: int) -> None:
    made = clock(10, 0, 0)
    made.set_left(BLACK, left, stones)
    assert 0 <= budget(made) <= max(0, left)


@given(
    st.floats(1, 600),
    st.floats(0, 60),
    st.one_of(st.none(), st.floats(600, 1000)),
    st.one_of(st.none(), st.floats(0.1, 60)),
    st.lists(st.floats(0, 1), min_size=1, max_size=80),
)
def test_moves_within_the_budget_never_lose_on_a_fischer_clock(
    main: float, increment: float, cap: float | None, per_move: float | None, shares: list[float]
) -> None:
    made, left = Clock(), main
    made.set_fischer(main, increment, cap or math.inf, per_move or math.inf)
    for share in shares:
        spent = share * budget(made)
        assert spent <= (per_move or math.inf)
        left -= spent
        assert left >= 0
        left = min(left + increment, max(left, cap or math.inf))
        made.spend(BLACK, spent)
        assert made.left(BLACK)[0] == pytest.approx(left)


def test_the_increment_of_a_fischer_clock_is_used() -> None:
    made = Clock()
    made.set_fischer(30, 10)
    assert 10 < budget(made, moves_to_go=20) <= 11.5
    made.set_left(BLACK, 4, 0)
    assert budget(made) <= 4
    made.set_time(30, 0, 0)
    assert budget(made, moves_to_go=20) <= 1.5


class Referee:
    """One player's Canadian time as the draft defines it: main time, then periods for a number of stones."""

    def __init__(self, main: float, byoyomi: float, stones: int) -> None:
        self.main, self.byoyomi, self.stones = main, byoyomi, stones
        self.left, self.to_play = (main, 0) if main or not byoyomi else (byoyomi, stones)

    def move(self, seconds: float) -> bool:
        """Subtract a move; return whether the player is still in time."""
        self.left -= seconds
        if self.left < 0 and not self.to_play and self.byoyomi:
            # The move that uses up main time is the first of a period.
            self.left, self.to_play = self.left + self.byoyomi, self.stones
        if self.left < 0:
            return False
        if self.to_play:
            self.to_play -= 1
            if not self.to_play:
                self.left, self.to_play = self.byoyomi, self.stones
        return True


@given(
    st.floats(0, 600),
    st.sampled_from([(0.0, 0), (1.0, 1), (5.0, 1), (30.0, 10), (3.0, 25), (300.0, 25)]),
    st.lists(st.floats(0, 1), min_size=1, max_size=120),
)
def test_moves_within_the_budget_never_lose_on_time(
    main: float, period: tuple[float, int], shares: list[float]
) -> None:
    made, referee = clock(main, *period), Referee(main, *period)
    for number, share in enumerate(shares):
        spent = share * budget(made, moves_to_go=max(8, MOVES_TO_GO - number))
        assert referee.move(spent), f"move {number}"
        made.spend(BLACK, spent)


# --- Overhead ---


def engine_limit(options: Options, *settings: tuple[float, float, int]) -> float | None:
    """Return the seconds of an engine's next move."""
    engine = Engine(options, print)
    for each in settings:
        engine.clock.set_time(*each)
    return engine.deadline(BLACK).limit.seconds


SECONDS = st.floats(0.001, 1000)


@given(SECONDS, st.floats(0, 10))
def test_at_most_the_overhead_and_a_fifth_are_kept_back(seconds: float, overhead: float) -> None:
    kept = seconds - thinking_time(seconds, overhead)
    assert kept == pytest.approx(min(overhead, seconds / 5))
    assert kept <= seconds / 5 * 1.000001


def test_the_shorter_of_option_and_clock_counts() -> None:
    options = Options(player="random", time_per_move=2.0)
    assert engine_limit(options, (0, 1, 1)) == thinking_time(1, OVERHEAD)
    assert engine_limit(options, (0, 3, 1)) == thinking_time(2, OVERHEAD)


def test_without_options_a_move_gets_the_default_time() -> None:
    assert engine_limit(Options(player="random")) == 1.0
    assert engine_limit(Options(player="random", playouts=5)) is None


@pytest.mark.parametrize(("size", "most"), [(7, 10), (9, 10), (10, 30), (19, 30)])
def test_a_game_clock_gives_a_move_at_most_10_or_30_seconds(size: int, most: float) -> None:
    """q5Go sets 60 minutes by default, which gave a move on 7x7 more than three."""
    options = Options(player="random", width=size, height=size)
    hour, hours = (3600.0, 0.0, 0), (360_000.0, 0.0, 0)
    assert engine_limit(options, hours) == thinking_time(most, OVERHEAD)
    assert engine_limit(options, (0, 1, 1)) == thinking_time(1, OVERHEAD)
    for own in (5.0, 60.0):
        assert engine_limit(replace(options, time_per_move=own), hours) == thinking_time(own, OVERHEAD)
    clocked = engine_limit(replace(options, time_per_move=1000.0), hour)
    assert clocked is not None
    assert clocked < 500


@pytest.mark.slow
def test_the_overhead_is_an_option() -> None:
    with start("--time-per-move", "2", "--move-overhead", "100", "--player", "random") as engine:
        assert engine.ask("genmove b")
    for wrong in ("-1", "nan", "inf", "much"):
        done = script("quit\n", "--move-overhead", wrong)
        assert done.returncode == 2
        assert b"--move-overhead" in done.stderr


# --- Processes ---


def start(*options: str) -> GtpProcess:
    return GtpProcess([*ENGINE, *options])


def timed(engine: GtpProcess, color: str) -> tuple[str, float]:
    """Return a move and its wall-clock seconds."""
    started = time.monotonic()
    move = engine.ask(f"genmove {color}")
    return move, time.monotonic() - started


@pytest.mark.long
@pytest.mark.parametrize("told", [True, False], ids=["time_left", "own clock"])
def test_a_game_in_three_seconds_is_not_lost_on_time(told: bool, compiled: None) -> None:
    with start() as engine:
        engine.ask("time_settings 3 0 0")
        left = {"b": 3.0, "w": 3.0}
        for number in range(200):
            color = "bw"[number % 2]
            if told:
                engine.ask(f"time_left {color} {left[color]:.2f} 0")
            move, took = timed(engine, color)
            left[color] -= took
            assert left[color] > 0, f"{color} lost on time at move {number}"
            if move in ("resign", "pass"):
                break
        assert engine.ask("final_score") in ("B+1", "W+1")


@pytest.mark.slow
@pytest.mark.parametrize("clock_command", ["time_settings 600 0 0", "protocol_version"])
def test_time_per_move_is_not_exceeded(clock_command: str, compiled: None) -> None:
    with start("--no-opening-book", "--time-per-move", "0.3") as engine:
        engine.send(clock_command)
        assert timed(engine, "b")[1] < 0.3 + LOADING
        for color in "wbw":
            assert timed(engine, color)[1] < 10 * 0.3


@pytest.mark.slow
def test_most_of_the_time_per_move_is_used(compiled: None) -> None:
    with start("--no-opening-book", "--time-per-move", "0.8") as engine:
        engine.ask("genmove b")
        assert timed(engine, "w")[1] > 0.5


# --- Japanese byo-yomi ---


def test_a_period_is_reset_after_each_move() -> None:
    made = Clock()
    made.set_periods(0, 10, 3)
    for _ in range(5):
        assert 8 < budget(made) <= 10
        made.spend(BLACK, 9)


# --- Hints ---


@pytest.mark.slow
@pytest.mark.parametrize("command", ["capture-hint", "capture-explain", "capture-gfx-hint", "capture-gfx-explain"])
def test_a_hint_has_a_time_if_only_playouts_limit_the_search(command: str, compiled: None) -> None:
    with start("--playouts", "1000000000", "--size", "13") as engine:
        for move in ("C3", "G7", "D4", "K10", "E5"):
            engine.ask(f"play b {move}")
        began = time.monotonic()
        assert engine.ask(command)
        assert time.monotonic() - began < 10 * ANALYSIS_SECONDS
