"""Hostile engines: their texts and their processes."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.match.process import NAME_LENGTH, EngineClient, one_line, printable
from gtp_capture.match.referee import play_game, prepare
from tests.match.test_cli import match
from tests.match.test_referee import conditions, engines
from tests.support.forks import refusal
from tests.support.process import DOUBLE, ENGINE, HANG, KILL, command_line, command_lines, output, started, wait_until

# --- Texts ---

HOSTILE = {
    "tab": r"a\tb",
    "escape": r"\x1b[2J\x1b]0;mine\x07",
    "NUL": r"a\x00b",
    "newline": r"a\nb",
    "no-break space": r"\xa0a\xa0b\xa0",
    "right to left": r"\u202eabc",
    "C1": r"\x9b2J",
    "a lone surrogate": r"a\ud800b",
    "line separator": r"a\u2028b",
    "zero width": r"a\u200bb\u2066",
    "too long": "x" * 10_000,
    "nothing": r"\x07",
    "markup": "[red]a[/red]",
    "comment": "# GAME",
}


def named(text: str, mode: str = "honest") -> str:
    return f"{DOUBLE} {mode} {command_line([f'--name={text}', f'--version={text}'])}"


@given(st.text(), st.integers(1, 40))
def test_one_line_is_printable_and_idempotent(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert line.isprintable()
    assert line == line.strip() == one_line(line)
    assert len(line) <= longest
    assert len(printable(text)) == len(text)
    if text.isprintable():
        assert printable(text) == text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_name_and_version_are_normalised_when_read(text: str) -> None:
    engine = EngineClient(named(text))
    try:
        prepare(engine, conditions())
        for said in (engine.name, engine.version):
            assert said == one_line(said, NAME_LENGTH)
    finally:
        engine.close(0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["escape", "a lone surrogate"])
def test_a_match_of_engines_with_hostile_names_shows_no_control_character(name: str, tmp_path: Path) -> None:
    path, text = tmp_path / "a.dat", HOSTILE[name]
    pair = ("--black", named(text), "--white", named(text, "illegal"), "--size", "5", "--results", str(path))
    first = match(*pair, "--games", "1", "--json")
    assert first.returncode == 0
    assert len(json.loads(first.stdout)["faults"]) == 1
    done = match(*pair, "--games", "2", "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2 games" in done.stdout
    assert len(re.findall(r"illegal move: (?:black|white) [A-HJ]\d: ", done.stdout)) == 2
    assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert all(line.replace("\t", "").isprintable() for line in path.read_text().split("\n"))


def test_the_message_of_a_faulty_engine_is_printable() -> None:
    with engines(DOUBLE, f"{DOUBLE} paint") as players:
        adjudicated = play_game(players, conditions())
    assert (adjudicated.winner, adjudicated.faulty) == (BLACK, WHITE)
    assert "painted" in adjudicated.message
    assert "no move" in adjudicated.message
    assert adjudicated.message.isprintable()


def test_an_engine_that_cannot_start_is_reported_in_one_printable_line() -> None:
    said = refusal(match("--black", DOUBLE, "--white", "no-such\nengine\x1b[2J"))
    assert said.isprintable()
    assert "no-such engine" in said


def test_an_engine_named_by_a_dash_is_in_the_list_of_faults() -> None:
    done = match("--black", DOUBLE, "--white", named("-", "illegal"), "--size", "5", "--games", "2", "--json")
    result = json.loads(done.stdout)
    assert len(result["faults"]) == 2
    assert [sum(standing["faults"].values()) for standing in result["standings"]] == [0, 2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["\x1b[2J", " a", "x" * 1000])
def test_a_label_that_is_not_printable_or_too_long_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f"[engines]\n{json.dumps(name)} = '{DOUBLE}'\nb = '{DOUBLE}'\n", encoding="utf-8")
    said = refusal(match("--engines", str(file)))
    assert said.isprintable()
    assert "is not a name" in said


# --- Processes ---


def sleepers(text: str) -> list[int]:
    """The ids of child processes started by engine doubles with this text."""
    return [pid for pid, line in command_lines(text).items() if "time.sleep(3600)\0" in line]


@pytest.fixture
def text() -> Iterator[str]:
    """A unique word for commands; processes that a failed test leaves are killed."""
    word = str(random.SystemRandom().randrange(10**12))
    yield word
    for pid in command_lines(word):
        os.kill(pid, KILL)


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize(
    ("kind", "mode", "seconds"),
    [("child", "honest", HANG), ("orphan", "honest", 0), ("orphan", "deaf", 0.2), ("child", "deaf", 0)],
)
def test_the_process_group_of_an_engine_ends_with_it(kind: str, mode: str, seconds: float, text: str) -> None:
    engine = EngineClient(f"{DOUBLE} {mode} --child={kind}:{text}")
    prepare(engine, conditions())
    wait_until(lambda: len(sleepers(text)) == 1)
    ended = engine.close(seconds)
    if seconds or mode == "deaf":  # with 0 seconds an honest engine may end before it is killed
        assert ended is (mode == "honest")
    wait_until(lambda: not command_lines(text))


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize("mode", ["crash", "die", "hang"])
def test_the_process_group_of_a_faulty_engine_ends_with_it(mode: str, text: str) -> None:
    with engines(f"{DOUBLE} honest --child=child:{text}", f"{DOUBLE} {mode} --child=orphan:{text}") as players:
        for _ in range(2):  # the engine is started again, with another child
            for engine in players.values():
                prepare(engine, conditions())
            adjudicated = play_game(players, conditions(patience=1 if mode == "hang" else HANG))
            assert adjudicated.faulty == WHITE, adjudicated.message
            if mode in ("crash", "die"):
                assert {"crash": "exit code 3", "die": "SIGKILL"}[mode] in adjudicated.message
            wait_until(lambda: len(sleepers(text)) == 1)  # the child of the other engine, which is kept
    wait_until(lambda: not command_lines(text))


@pytest.mark.linux
def test_no_other_process_is_ended(text: str) -> None:
    sleep = [sys.executable, "-c", "import time; time.sleep(3600)", text]
    with started(sleep, own_session=True) as bystander:
        engine = EngineClient(f"{DOUBLE} deaf --child=orphan:{text}")
        prepare(engine, conditions())
        wait_until(lambda: len(sleepers(text)) == 2)
        engine.close(0)
        wait_until(lambda: sleepers(text) == [bystander.pid])


@pytest.mark.slow
@pytest.mark.linux
@pytest.mark.parametrize("end", [signal.SIGINT, KILL])
def test_engines_end_with_their_match_or_see_the_end_of_their_input_if_it_is_killed(
    end: signal.Signals, text: str
) -> None:
    black, white = f"{DOUBLE} hang --child=child:{text}0", f"{DOUBLE} honest --child=child:{text}1"
    command = [*ENGINE, "match", "--black", black, "--white", white, "--games", "4", "--patience", "600", "--jobs", "2"]
    with started(command) as process:
        wait_until(lambda: len(sleepers(text)) == 4)
        os.kill(process.pid, end)
        _, said = output(process, HANG)
    assert "Traceback" not in said
    wait_until(lambda: not command_lines(f"honest\0--child=child:{text}" if end == KILL else text))
