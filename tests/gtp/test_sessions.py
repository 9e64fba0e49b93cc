"""Live sessions: at a terminal, and with clients that interrupt, wait or leave."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from ..support.process import ENGINE, HANG, GtpProcess, wait_for_work

MOVE = r"[A-HJ][1-9]"
VERTEX = r"[A-HJ-T]1?[0-9]"
ENDLESS = f"{2 * HANG:g}"
"""Seconds of a search that must answer before, because it is interrupted."""


def terminal(*options: str, cache: Path | None = None) -> pexpect.spawn:
    environment = {**os.environ, "TERM": "dumb"}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return pexpect.spawn(
        sys.executable, ["-m", "gtp_capture", *options], env=environment, echo=False, timeout=HANG, encoding="utf-8"
    )


@pytest.fixture
def person() -> Iterator[pexpect.spawn]:
    session = terminal("--player", "random")
    yield session
    session.close(force=True)


def ask(session: pexpect.spawn, command: str, answer: str) -> str:
    """Type a command; return what the terminal shows up to the end of the answer."""
    session.sendline(command)
    session.expect(answer + "\r\n\r\n")
    return str(session.before + session.after)


def end(session: pexpect.spawn) -> int:
    """Wait for the end; return the exit code."""
    session.expect(pexpect.EOF)
    session.wait()
    assert "Traceback" not in session.before
    assert session.signalstatus is None
    assert session.exitstatus is not None
    return int(session.exitstatus)


# --- At a terminal ---


@pytest.mark.posix
def test_control_c_ends_the_engine_without_a_traceback(person: pexpect.spawn) -> None:
    ask(person, "name", "= gtp-capture")
    person.sendintr()
    # 130 is what shells report for ^C.
    assert end(person) in (0, 130)


@pytest.mark.linux
@pytest.mark.slow
def test_control_c_ends_the_engine_during_a_search(compiled: None) -> None:
    session = terminal("--no-opening-book", "--time-per-move", ENDLESS)
    ask(session, "name", "= gtp-capture")
    session.sendline("genmove b")
    wait_for_work(session.pid, 1.0)
    session.sendintr()
    assert end(session) in (0, 130)


@pytest.mark.posix
@pytest.mark.slow
def test_control_c_ends_the_engine_while_it_compiles(tmp_path: Path) -> None:
    session = terminal("--no-opening-book", cache=tmp_path)
    ask(session, "name", "= gtp-capture")
    session.sendline("genmove b")
    session.expect("(?i)compil|prepar")
    session.sendintr()
    assert end(session) in (0, 130)


# --- Ends, over pipes ---


def status_after(engine: GtpProcess) -> int:
    return engine.process.wait(HANG)


@pytest.mark.parametrize("player", ["random", "mcts"])
def test_quit_is_answered_and_ends_the_engine(player: str) -> None:
    with GtpProcess([*ENGINE, "--player", player]) as engine:
        assert engine.ask("protocol_version") == "2"
        assert engine.send("quit") == (True, "")
        # The input is still open: an engine that waited for its end would block Sabaki.
        assert status_after(engine) == 0
        assert engine.process.stdout is not None
        assert engine.process.stdout.read() == ""


@pytest.mark.posix
@pytest.mark.parametrize("commands", [[], ["name"], ["genmove b", "showboard"]], ids=["at once", "idle", "played"])
def test_sigterm_ends_the_engine_cleanly(commands: list[str]) -> None:
    with GtpProcess([*ENGINE, "--player", "random"]) as engine:
        engine.send_all(["protocol_version", *commands])
        engine.process.send_signal(signal.SIGTERM)
        assert status_after(engine) == 0


@pytest.mark.linux
@pytest.mark.slow
def test_sigterm_ends_the_engine_during_a_search(compiled: None) -> None:
    with GtpProcess([*ENGINE, "--no-opening-book", "--time-per-move", ENDLESS]) as engine:
        engine.ask("name")
        engine.tell("genmove b")
        wait_for_work(engine.process.pid, 1.0)
        engine.process.send_signal(signal.SIGTERM)
        assert status_after(engine) == 0


# --- Interruptions ---


def assert_moves(engine: GtpProcess) -> None:
    """Read a move, which an interrupted search yields long before the end of its time."""
    began = time.monotonic()
    response = engine.read()
    assert time.monotonic() - began < HANG
    assert response.ok
    assert re.fullmatch(MOVE, response.text)


@pytest.mark.linux
@pytest.mark.slow
def test_an_interruption_makes_genmove_answer_at_once(compiled: None) -> None:
    with GtpProcess([*ENGINE, "--no-opening-book", "--time-per-move", ENDLESS]) as engine:
        engine.ask("name")
        engine.tell("genmove b")
        wait_for_work(engine.process.pid, 1.0)
        assert engine.process.poll() is None
        engine.tell("# interrupt")
        assert_moves(engine)
        # The move was made, and the comment has no answer of its own.
        assert engine.ask("5 protocol_version") == "2"
        assert engine.send("undo").ok
        assert engine.send("undo").text == "cannot undo"


SEARCHING = (
    *("genmove b", "genmove w", "reg_genmove b") * 20, "kata-genmove_analyze w 10", "cgos-genmove_analyze b",
    "gomill-genmove_ex w claim", "capture-hint", "capture-explain", "capture-solve 600", "capture-review 600",
    "capture-gfx-hint", "capture-gfx-explain", "capture-gfx-proven", "capture-gfx-pv", "analyze b 10",
)  # fmt: skip
"""Commands none of which ends before `HANG`, if `quit` does not end it."""


@pytest.mark.linux
@pytest.mark.slow
@pytest.mark.parametrize("rules", ["first-capture", "japanese"])
@pytest.mark.parametrize("size", ["9", "19"])
def test_quit_ends_searches_and_each_command_has_one_answer(rules: str, size: str, compiled: None) -> None:
    options = ("--no-opening-book", "--rules", rules, "--size", size, "--time-per-move", ENDLESS)
    with GtpProcess([*ENGINE, *options]) as engine:
        engine.tell("time_settings 6000 0 0", *SEARCHING)
        assert engine.read().ok
        wait_for_work(engine.process.pid, 1.0)
        engine.tell("quit")
        answers = [engine.read() for _ in (*SEARCHING, "quit")]
        assert status_after(engine) == 0
        with pytest.raises(EOFError):
            engine.read()
    assert all(answer.ok for answer, command in zip(answers, SEARCHING, strict=False) if "genmove" in command)
    assert all(re.fullmatch(VERTEX, answer.text) for answer in answers[:3])


@pytest.mark.slow
def test_an_interruption_ends_the_wait_for_the_compiler(tmp_path: Path) -> None:
    session = terminal("--no-opening-book", cache=tmp_path)
    session.sendline("genmove b")
    session.expect("(?i)compil|prepar")
    session.sendline("# interrupt")
    session.expect(f"= {MOVE}\r\n")
    ask(session, "quit", "= ")
    assert end(session) == 0
