"""The command gtp-capture play, in a pseudo-terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.usefixtures("compiled")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PROMPT = "> "


class Person:
    """A user: types a line and reads the output until the next prompt."""

    def __init__(self, *options: str, **environment: str) -> None:
        command = ["-m", "gtp_capture", "play", "--seed", "1", *options]
        self.terminal: Any = pexpect.spawn(
            sys.executable,
            command,
            encoding="utf-8",
            codec_errors="replace",
            timeout=60,
            dimensions=(40, 100),
            env={**os.environ, **environment},
        )
        self.seen = self.read()

    def read(self) -> str:
        self.terminal.expect(r"\n> ")
        self.raw = self.terminal.before
        return ESCAPES.sub("", self.raw)

    def type(self, line: str) -> str:
        self.terminal.sendline(line)
        return self.read()


@pytest.fixture
def person() -> Iterator[Person]:
    made = Person("--size", "5")
    yield made
    made.terminal.close(force=True)


def test_the_board_is_shown_with_coordinates_colours_and_the_last_move(person: Person) -> None:
    assert "You are black" in person.seen
    assert re.search(r"^ +A B C D E", person.seen, re.MULTILINE)
    seen = person.type("c3")
    assert "●" in seen
    assert "○" in seen
    move = re.search(r"I play ([A-E][1-5])\.", seen)
    assert move is not None
    assert "\x1b[" in person.raw


def test_a_game_ends_with_the_winner_and_can_be_saved(person: Person, tmp_path: Path) -> None:
    seen = person.type("pass")
    assert "I win: handed over a stone." in seen
    assert "the game is over" in person.type("C3")
    assert "Saved" in person.type(f"save {tmp_path / 'game.sgf'}")
    game = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes())
    assert game.get_winner() == "w"
    assert game.get_player_name("b") == "you"
    person.type("undo")
    assert "I play" in person.type("C3")
    assert "I win" in person.type("resign")
    person.type("new")
    person.terminal.sendline("quit")
    person.terminal.expect(pexpect.EOF)
    person.terminal.close()
    assert person.terminal.exitstatus == 0


def test_the_commands_help_hint_level_and_explain(person: Person) -> None:
    seen = person.type("help")
    assert all(word in seen for word in ("hint", "undo", "explain", "level", "save", "resign", "quit"))
    assert re.search(r"[A-E][1-5]: \w+", person.type("hint"))
    assert "Level 5: careful-beginner." in person.type("level careful-beginner")
    assert "full-strength" in person.type("level nonsense")
    assert "you have not played yet" in person.type("explain")
    person.type("A1")
    assert re.search(r"A1 (loses( in \d+ pl\w+)?: |wins|: no forced loss found)", person.type("explain"))


@pytest.mark.parametrize("line", ["Z9", "nonsense", "C33", "undo", "save", "save /nowhere/at/all.sgf", "äöü", "#"])
def test_invalid_input_gets_one_clear_line(person: Person, line: str) -> None:
    seen = person.type(line)
    echo, *rest = seen.strip().splitlines()
    answer = [text for text in rest if text.strip()]
    assert echo.strip() == line
    assert len(answer) == 1, seen
    assert "Traceback" not in seen


def test_an_atari_is_announced_and_a_capture_wins(tmp_path: Path) -> None:
    person = Person("--size", "4x4", "--color", "white", "--level", "1")
    try:
        seen = person.seen
        for _ in range(20):
            hint = re.search(r"([A-D][1-4]): ", person.type("hint"))
            assert hint is not None
            seen = person.type(hint[1])
            if re.search(r"(You|I) win", seen):
                break
        assert re.search(r"(You|I) win: (capture|no legal play)\.", seen)
    finally:
        person.terminal.close(force=True)


def test_an_occupied_point_is_refused_with_its_reason(person: Person) -> None:
    person.type("C3")
    assert "not empty" in person.type("C3")


def test_the_end_of_the_input_ends_the_game(person: Person) -> None:
    person.terminal.sendeof()
    person.terminal.expect(pexpect.EOF)
    person.terminal.close()
    assert person.terminal.exitstatus == 0


ENCODINGS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "strict": {"PYTHONIOENCODING": "ascii:strict"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "DOS": {"PYTHONIOENCODING": "cp437"},
}


@pytest.mark.parametrize("environment", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_a_terminal_without_round_stones_shows_letters(environment: dict[str, str], tmp_path: Path) -> None:
    person = Person("--size", "5", **environment)
    try:
        seen = person.type("C3")
        assert re.search(r"^ +3 . . X . . +3", seen, re.MULTILINE)
        assert "O" in re.sub("[A-Z]{2,}", "", seen)
        assert not set("●○·") & set(seen)
        # Any text may be typed, and is quoted in messages.
        assert "I do not understand" in person.type("äöü●")
        assert "Saved" in person.type(f"save {tmp_path}/Bücher ●.sgf")
        assert person.type("save /nowhere/ä.sgf").count("I cannot write") == 1
        assert "full-strength" in person.type("level ○")
    finally:
        person.terminal.close(force=True)
    (saved,) = tmp_path.iterdir()
    assert saved.name == "Bücher ●.sgf" or environment["PYTHONIOENCODING"] in ("latin-1", "cp437")
    assert sgf.Sgf_game.from_bytes(saved.read_bytes()).get_size() == 5


def test_invalid_utf_8_is_reported_as_not_understood() -> None:
    person = Person("--size", "5", PYTHONIOENCODING="utf-8:strict")
    try:
        os.write(person.terminal.child_fd, b"\xff\xfe\n")
        assert "I do not understand" in person.read()
        assert "I play" in person.type("C3")
    finally:
        person.terminal.close(force=True)
