"""The level that follows the results of a person, and the file that remembers it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.go.position import Outcome, Termination
from gtp_capture.go.vertex import BLACK, RESIGN, WHITE, Color
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.players.adapt import MARK, MOST_BYTES, VERSION, Profile
from gtp_capture.players.computer import level_after
from gtp_capture.players.levels import FIRST, FULL
from gtp_capture.util.files import RequestError

from ..support.forks import script

ENTRIES = {MARK: VERSION, "level": 4, "lessons": [1, 2], "games": [1]}


def session(level: int = 3, profile: Path | None = None) -> tuple[Engine, list[str]]:
    """An engine with `--level adapt` on 3x3 and a random player, and its lines for the console."""
    lines: list[str] = []
    options = Options(width=3, height=3, player="random", seed=1, level=level, adapt=True, profile=profile)
    return Engine(options, lines.append), lines


def finish(engine: Engine, person: int, person_wins: bool) -> None:
    """Let the engine generate a move, and let the person win by a capture or resign."""
    engine.generated.add(3 - person)
    if not person_wins:
        engine.play(person, RESIGN)
        return
    for color, vertex in ((3 - person, "A1"), (person, "A2"), (person, "B1")):
        engine.play(color, engine.game.point(vertex))


@given(st.integers(1, FULL), st.booleans())
def test_a_win_raises_the_level_by_one_and_a_loss_lowers_it(level: int, won: bool) -> None:
    outcome = Outcome(Color.BLACK if won else Color.WHITE, Termination.CAPTURE)
    following = level_after(level, outcome, {WHITE})
    assert following is not None
    assert 1 <= following <= FULL
    assert following - level in ((0, 1) if won else (0, -1))
    assert following != level or level in (1, FULL)


@pytest.mark.parametrize("person", [BLACK, WHITE])
@pytest.mark.parametrize(("wins", "level"), [(True, 4), (False, 2)])
def test_the_level_follows_a_game_against_the_person(person: int, wins: bool, level: int) -> None:
    engine, lines = session()
    finish(engine, person, wins)
    assert engine.options.level == level
    assert [line for line in lines if line.startswith("level")] == [
        f"level {level}: {'misses-a-fifth' if wins else 'misses-two-thirds'}"
    ]


def test_an_end_that_was_taken_back_does_not_count_again() -> None:
    engine, _ = session()
    finish(engine, BLACK, person_wins=True)
    engine.undo()
    engine.play(BLACK, RESIGN)
    assert engine.options.level == 4


def test_a_game_of_two_people_does_not_count() -> None:
    engine, _ = session()
    for color, vertex in ((WHITE, "A1"), (BLACK, "A2"), (BLACK, "B1")):
        engine.play(color, engine.game.point(vertex))
    assert engine.game.outcome is not None
    assert engine.options.level == 3


def test_a_game_of_the_engine_with_itself_does_not_count() -> None:
    engine, _ = session()
    while engine.game.outcome is None:
        engine.genmove(int(engine.game.to_move))
    assert engine.options.level == 3


def test_a_generated_move_makes_the_other_colour_the_person() -> None:
    engine, _ = session()
    engine.genmove(BLACK)
    engine.play(WHITE, RESIGN)
    assert engine.options.level == 2


def test_without_adapt_the_level_stays() -> None:
    engine = Engine(Options(width=3, height=3, player="random", level=3), lambda line: None)
    finish(engine, BLACK, person_wins=True)
    assert engine.options.level == 3


def test_a_session_begins_at_the_first_level() -> None:
    assert f"] level {FIRST}\n".encode() in script("capture-param\n", "--level", "adapt").stdout


# --- The file ---


def test_a_profile_remembers_the_level(tmp_path: Path) -> None:
    path = tmp_path / "anna.json"
    assert Profile(path).level() is None
    assert list(tmp_path.iterdir()) == []
    engine, _ = session(profile=path)
    for wins in (True, True, False):
        finish(engine, WHITE, wins)
        engine.new_game()
    assert json.loads(path.read_text()) == {MARK: VERSION, "level": 4}
    assert Profile(path).level() == 4
    assert list(tmp_path.iterdir()) == [path]


def test_a_profile_remembers_the_lessons_done(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    for lesson in (3, 1, 3):
        Profile(path).finish(lesson)
    assert json.loads(path.read_text()) == {MARK: VERSION, "lessons": [1, 3]}
    assert Profile(path).level() is None
    Profile(path).record(2)
    assert (Profile(path).lessons(), Profile(path).level()) == ([1, 3], 2)


DAMAGED = [
    b"[]",
    b'{"level": 4, "lessons": []}',
    *(
        json.dumps({**ENTRIES, key: value}).encode()
        for key, value in [
            ("level", 0), ("level", 11), ("level", "4"), ("level", None), ("level", 4.0), ("level", True),
            ("lessons", 1), ("lessons", ["1"]), (MARK, 2), ("games", 7),
        ]
    ),
    b" " * (MOST_BYTES + 1),
]  # fmt: skip


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_another_kind_of_file_is_refused_and_kept(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "profile"
    path.write_bytes(data)
    with pytest.raises(RequestError, match=r"profile .*/profile: ") as caught:
        Profile(path).level()
    assert "\n" not in str(caught.value)
    engine, lines = session(profile=path)
    finish(engine, BLACK, person_wins=True)
    assert engine.options.level == 4  # for this session
    assert lines[-1] == str(caught.value)
    assert path.read_bytes() == data


# --- In a session ---


def test_a_session_announces_the_level_on_stderr_and_shows_it_in_its_parameters(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    path.write_text(json.dumps(ENTRIES))
    lines = "genmove w\nplay b pass\nundo\nplay b pass\ncapture-param\nclear_board\nplay w A1\nplay b pass\n"
    done = script(lines, "--playouts", "1", "--level", "adapt", "--profile", str(path))
    assert done.stderr.decode().count("level 3: misses-a-third\n") == 1  # a pass hands over the stone that wins
    assert b"level 3\n" in done.stdout
    assert json.loads(path.read_text()) == {**ENTRIES, "level": 3}
