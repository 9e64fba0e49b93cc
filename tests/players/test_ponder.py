"""Pondering: only with the option, only after the engine's own move, and without delaying an answer."""

from __future__ import annotations

import time

import pytest

from ..support.live import Live
from ..support.process import HANG


def busy(engine: Live, seconds: float) -> float:
    """Return the processor seconds that the engine uses in `seconds` without a command."""
    before = float(engine.ask("cputime"))
    time.sleep(seconds)
    return float(engine.ask("cputime")) - before


def rests(engine: Live) -> bool:
    """Whether the engine becomes idle, after loading its code."""
    return any(busy(engine, 1.0) < 0.3 for _ in range(20))


@pytest.fixture
def played() -> list[str]:
    return ["boardsize 9", "play black E5", "genmove white"]


@pytest.mark.slow
def test_the_engine_ponders_after_its_own_move_until_the_next_line(played: list[str]) -> None:
    with Live("--ponder", "--time-per-move", "0.2", "--threads", "1", "--seed", "1") as engine:
        engine.ask("genmove black")
        for line in ("clear_board", *played):
            engine.ask(line)
        assert any(busy(engine, 1.5) > 0.3 for _ in range(10))  # other processes may take the processor
        began = time.monotonic()
        engine.ask("name")
        assert time.monotonic() - began < 0.5
        engine.ask("play black D3")
        assert rests(engine)  # no pondering after the opponent's move
        assert engine.ask("genmove white")
        engine.ask("undo")
        assert rests(engine)


@pytest.mark.slow
def test_without_the_option_the_engine_does_not_ponder(played: list[str]) -> None:
    with Live("--time-per-move", "0.2", "--threads", "1", "--seed", "1") as engine:
        for line in played:
            engine.ask(line)
        assert rests(engine)


@pytest.mark.slow
def test_pondering_is_used_for_the_next_move(played: list[str]) -> None:
    with Live("--ponder", "--genmove-analyze", "--playouts", "50", "--threads", "1", "--seed", "1") as engine:
        for line in ("genmove black", "clear_board", *played):
            engine.ask(line)
        time.sleep(1.5)
        lines = engine.ask("play black D3"), engine.ask("lz-genmove_analyze white 10")
        visits = [int(word) for text in lines for word in text.split() if word.isdigit()]
        assert max(visits) > 100


def test_quit_ends_a_pondering_engine(played: list[str]) -> None:
    with Live("--ponder", "--playouts", "50", "--threads", "2") as engine:
        for line in played:
            engine.ask(line)
        engine.send("quit")
        assert engine.process.wait(HANG) == 0
