"""Labels of the engines of a match: equal names are distinguished by their commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture.match.entrants import labels
from gtp_capture.match.process import NAME_LENGTH, one_line
from tests.match.test_cli import OURS, played

NAMED = [
    (["a --level 6", "a --level 9"], ["go --level 6", "go --level 9"]),
    (["a --level=6 --seed 1", "a --level=9 --seed 1"], ["go --level=6", "go --level=9"]),
    (["a", "a --level 9"], ["go", "go --level 9"]),
    (["a --ponder --level 6", "a --level 6"], ["go --ponder", "go"]),
    (["a --seed {seed} --level 6", "a --seed {seed} --level 9"], ["go --level 6", "go --level 9"]),
    (["old/a --level 6", "new/a --level 6"], ["go old/a", "go new/a"]),
    (["a", "a"], ["go[1]", "go[2]"]),
    (["a 'x\ty'", "a 'x\tz'"], ["go x y", "go x z"]),
    (["a 'x\ty'", "a 'x y'"], ["go[1]", "go[2]"]),
    ([f"{'a' * 100} 1", f"{'a' * 100} 2"], ["go 1", "go 2"]),
    ([f"a {'1' * 100}", f"a {'2' * 100}"], ["go[1]", "go[2]"]),
    (["an 'open quote", "a"], ["go an 'open quote", "go a"]),
]


@pytest.mark.parametrize(("commands", "expected"), NAMED)
def test_equal_names_are_distinguished_by_their_commands(commands: list[str], expected: list[str]) -> None:
    assert labels(["go", "go"], commands) == expected


@pytest.mark.slow
def test_levels_of_our_engine_have_different_names(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    levels = [f"{OURS} --seed 1 --playouts 1 --threads 1 --level {level}" for level in (1, 2)]
    result = played("--black", levels[0], "--white", levels[1], "--results", str(path), "--size", "3", "--games", "1")
    names = ["gtp-capture level 1", "gtp-capture level 2"]
    assert [standing["name"] for standing in result["standings"]] == names
    assert f"# Black: {names[0]}\n# BlackCommand: {one_line(levels[0])}\n# BlackLabel: {names[0]}\n" in path.read_text()


def test_distinct_names_are_unchanged() -> None:
    assert labels(["go", "gnugo"], ["a --level 6", "b"]) == ["go", "gnugo"]
    assert labels(["go", "go", "gnugo"], ["a 1", "a 2", "b"]) == ["go 1", "go 2", "gnugo"]


@given(
    st.lists(st.tuples(st.sampled_from(["go", "go x", "go[1]", "x" * NAME_LENGTH]), st.text(max_size=80)), max_size=5)
)
def test_names_are_different_short_and_printable(engines: list[tuple[str, str]]) -> None:
    distinct = labels([name for name, _ in engines], [command for _, command in engines])
    assert len(set(distinct)) == len(engines)
    assert all(name == one_line(name, NAME_LENGTH) for name in distinct)
