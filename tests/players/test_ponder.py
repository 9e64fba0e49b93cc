"""Pondering: only with the option, only after the engine's own move, and without delaying an answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ..support.live import Live
from ..support.process import HANG, wait_for_work, wait_until

LOOKS = 10
"""Times in a row that a process without work is seen without work."""


def states(process: int) -> Iterator[str]:
    """Yield the state of each thread of a process."""
    for path in Path(f"/proc/{process}/task").glob("*/stat"):
        with suppress(OSError):  # the thread has ended meanwhile
            yield path.read_text().rpartition(")")[2].split()[0]


def wait_for_rest(engine: Live) -> None:
    """Wait until no thread of the engine runs or waits for a processor, at LOOKS looks in a row."""
    seen = 0

    def rests() -> bool:
        nonlocal seen
        running = "R" in states(engine.process.pid)
        seen = 0 if running else seen + 1
        return seen == LOOKS

    wait_until(rests)


@pytest.fixture
def played() -> list[str]:
    return ["boardsize 9", "play black E5", "genmove white"]


@pytest.mark.linux
@pytest.mark.slow
def test_the_engine_ponders_after_its_own_move_until_the_next_line(played: list[str]) -> None:
    with Live("--ponder", "--playouts", "50", "--threads", "1", "--seed", "1") as engine:
        engine.ask("genmove black")
        for line in ("clear_board", *played):
            engine.ask(line)
        wait_for_work(engine.process.pid)
        engine.ask("play black D3")
        wait_for_rest(engine)  # no pondering after the opponent's move
        engine.ask("genmove white")
        wait_for_work(engine.process.pid)
        engine.ask("undo")
        wait_for_rest(engine)


@pytest.mark.linux
@pytest.mark.slow
def test_without_the_option_the_engine_does_not_ponder(played: list[str]) -> None:
    with Live("--playouts", "50", "--threads", "1", "--seed", "1") as engine:
        for line in played:
            engine.ask(line)
        wait_for_rest(engine)


@pytest.mark.linux
@pytest.mark.slow
def test_pondering_is_used_for_the_next_move(played: list[str]) -> None:
    with Live("--ponder", "--genmove-analyze", "--playouts", "50", "--threads", "1", "--seed", "1") as engine:
        for line in ("genmove black", "clear_board", *played):
            engine.ask(line)
        wait_for_work(engine.process.pid)
        lines = engine.ask("play black D3"), engine.ask("lz-genmove_analyze white 10")
        visits = [int(word) for text in lines for word in text.split() if word.isdigit()]
        assert max(visits) > 100


def test_quit_ends_a_pondering_engine(played: list[str]) -> None:
    with Live("--ponder", "--playouts", "50", "--threads", "2") as engine:
        for line in played:
            engine.ask(line)
        engine.send("quit")
        assert engine.process.wait(HANG) == 0
