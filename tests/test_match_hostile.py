"""Engines that are hostile to a match: their texts, their time, their processes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture import BLACK, WHITE
from gtp_capture.match.process import NAME_LENGTH, Engine
from gtp_capture.match.referee import play, prepare
from gtp_capture.match.text import one_line, printable
from tests.test_match_cli import match
from tests.test_match_referee import DOUBLE, conditions, engines

# --- Their texts ---

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
    return f"{DOUBLE} {mode} {shlex.quote(f'--name={text}')} {shlex.quote(f'--version={text}')}"


@given(st.text(), st.integers(1, 40))
def test_one_line_is_printable_and_stays_as_it_is(text: str, longest: int) -> None:
    found = one_line(text, longest)
    assert found.isprintable()
    assert found == found.strip() == one_line(found)
    assert len(found) <= longest
    assert len(printable(text)) == len(text)
    if text.isprintable():
        assert printable(text) == text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_name_and_a_version_are_normalised_where_they_arrive(text: str) -> None:
    engine = Engine(named(text))
    try:
        prepare(engine, conditions())
        for found in (engine.name, engine.version):
            assert found == one_line(found, NAME_LENGTH)
    finally:
        engine.close(0)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_match_of_engines_with_hostile_names_goes_on_and_shows_no_control_character(
    text: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.dat"
    pair = ("--black", named(text), "--white", named(text, "illegal"), "--size", "5", "--results", str(path))
    first = match(*pair, "--games", "1", "--json")
    assert first.returncode == 0
    assert len(json.loads(first.stdout)["faults"]) == 1
    done = match(*pair, "--games", "2", "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2 games" in done.stdout
    assert done.stdout.count("illegal move: white: ") + done.stdout.count("illegal move: black: ") == 2
    assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert all(line.replace("\t", "").isprintable() for line in path.read_text().split("\n"))


def test_what_a_faulty_engine_says_is_printable_in_the_verdict() -> None:
    with engines(DOUBLE, f"{DOUBLE} paint") as players:
        verdict = play(players, conditions())
    assert (verdict.winner, verdict.faulty) == (BLACK, WHITE)
    assert "painted" in verdict.message
    assert "no move" in verdict.message
    assert verdict.message.isprintable()


def test_an_engine_that_cannot_take_part_is_told_in_one_printable_line() -> None:
    done = match("--black", DOUBLE, "--white", "no-such\nengine\x1b[2J")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("\n")
    assert done.stderr[:-1].isprintable()
    assert "no-such engine" in done.stderr


@pytest.mark.parametrize("name", ["a\tb", "\x1b[2J", " a", "a\xa0", "\u202ea", "x" * 1000])
def test_a_label_that_is_not_printable_or_too_long_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f"[engines]\n{json.dumps(name)} = '{DOUBLE}'\nb = '{DOUBLE}'\n", encoding="utf-8")
    done = match("--engines", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is no name" in done.stderr
    assert done.stderr[:-1].isprintable()
