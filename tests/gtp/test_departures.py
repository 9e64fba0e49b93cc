"""Clients that leave: which commands are stopped, which are answered in full, and when the engine ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

from ..support.forks import script
from ..support.process import ENGINE, HANG, wait_for_work

ENDLESS = ("--playouts", "1000000000", "--size", "13")


def started(output: int, *options: str) -> subprocess.Popen[bytes]:
    engine = subprocess.Popen([*ENGINE, *options], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE)
    os.close(output)
    return engine


def tell(engine: subprocess.Popen[bytes], *lines: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write("".join(f"{line}\n" for line in lines).encode())
    engine.stdin.flush()


def finish(engine: subprocess.Popen[bytes]) -> str:
    """Wait for the end; return the text on stderr."""
    assert engine.stdin is not None
    assert engine.stderr is not None
    try:
        assert engine.wait(HANG) == 0
        return engine.stderr.read().decode()
    finally:
        engine.kill()
        engine.wait()
        engine.stdin.close()
        engine.stderr.close()


# --- The output is closed ---


COMMANDS = {
    "genmove of a long time": ["time_settings 0 3600 1", "genmove b"],
    "genmove with analysis": ["kata-genmove_analyze b 3000"],
    "analysis": ["lz-analyze b 3000"],
    "solver": ["boardsize 7", "capture-solve 3600"],
    "hint": ["capture-hint"],
    "many": ["genmove b", "genmove w"] * 50,
}


def wait_for_search(engine: subprocess.Popen[bytes]) -> None:
    """Wait until a process has used the processor for longer than loading takes, so that it searches."""
    wait_for_work(engine.pid, 1.5)
    assert engine.poll() is None


@pytest.mark.linux
@pytest.mark.slow
@pytest.mark.parametrize("lines", COMMANDS.values(), ids=COMMANDS.keys())
def test_the_engine_ends_when_its_output_is_closed(lines: list[str], compiled: None) -> None:
    read_end, output = os.pipe()
    engine = started(output, *ENDLESS, "--genmove-analyze")
    tell(engine, *lines)
    wait_for_search(engine)
    os.close(read_end)  # the input stays open: another process may hold its other end
    assert "Traceback" not in finish(engine)


@pytest.mark.linux
@pytest.mark.slow
def test_the_engine_ends_while_it_ponders(compiled: None) -> None:
    read_end, output = os.pipe()
    engine = started(output, "--ponder", "--playouts", "10", "--size", "13")
    tell(engine, "genmove b")
    wait_for_search(engine)
    os.close(read_end)
    assert "Traceback" not in finish(engine)


# --- The input has ended, and the output is open ---


@pytest.mark.slow
def test_a_script_gets_the_same_answers_as_a_live_session(compiled: None) -> None:
    lines = "boardsize 13\ngenmove b\ngenmove w\nreg_genmove b\nfinal_score\n"
    options = ("--playouts", "3000", "--seed", "5", "--threads", "1")
    alone = script(lines, *options).stdout
    assert alone.count(b"\n\n") == 5
    assert script(lines + "quit\n", *options).stdout == alone + b"= \n\n"
    engine = subprocess.Popen([*ENGINE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin is not None
    assert engine.stdout is not None
    tell(engine, *lines.splitlines())
    # The input stays open until everything is answered.
    live = b"".join(engine.stdout.readline() for _ in range(10))
    engine.stdin.close()
    engine.stdout.close()
    assert (engine.wait(HANG), live) == (0, alone)


IMPATIENT = """
from gtp_capture.cli import main
from gtp_capture.gtp import protocol
protocol.PATIENCE = 0.5
main()
"""


def impatient(lines: str, *options: str) -> str:
    """The answers of an engine that waits only half a second for a search without a time limit."""
    command = [sys.executable, "-c", IMPATIENT, *ENDLESS, *options]
    return subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, timeout=HANG, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("lines", ["genmove b\ngenmove w", "capture-hint"])
def test_a_search_without_a_time_limit_is_stopped_after_the_end_of_the_input(lines: str, compiled: None) -> None:
    answers = impatient(f"{lines}\n")
    assert re.fullmatch(r"(= (I would play )?[A-HJ-N]\d+.*\n\n)+", answers)
    assert answers.count("\n\n") == len(lines.splitlines())


@pytest.mark.slow
def test_a_search_with_a_time_limit_is_finished_after_the_end_of_the_input(compiled: None) -> None:
    began = time.monotonic()
    assert re.fullmatch(r"= [A-H][1-8]\n\n= unknown\n\n", impatient("reg_genmove b\ncapture-solve 2\n", "--size", "8"))
    assert time.monotonic() - began > 2
