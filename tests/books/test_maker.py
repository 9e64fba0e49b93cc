"""The tool that makes the opening book: worth of plays by hand, images, a small run that goes on, another network."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from ..benchmarks.opening_book import Choice, Play, Position, after, good, lines, visited, worth


def play(place: int, winrate: float, visits: int = 100, proven: bool = False) -> Play:
    return Play(place, visits, winrate, proven)


def place(cells: str) -> Position:
    return Position(6, cells.ljust(36, "."))


def test_a_play_is_worth_what_the_worst_reply_leaves() -> None:
    first, second, lost, unknown = place("X"), place(".X"), place("..X"), place("...X")
    found = {
        first: [Choice(play(1, 0.7), []), Choice(play(2, 0.6), [])],
        second: [Choice(play(1, 0.55), [])],
        lost: [],
    }
    assert worth(found, Choice(play(5, 0.9), [])) == 0.9
    assert worth(found, Choice(play(5, 0.9), [first])) == 0.7
    assert worth(found, Choice(play(5, 0.9), [first, second, unknown])) == 0.55
    assert worth(found, Choice(play(5, 0.9), [first, lost])) == 0.0
    assert worth(found, Choice(play(5, 0.9), [unknown])) == 0.9
    assert worth(found, Choice(play(5, 1.0, proven=True), [lost])) == 1.0


def test_lines_have_the_plays_that_are_worth_nearly_as_much_as_the_best() -> None:
    first = place("X")
    found = {
        first: [Choice(play(1, 0.52), []), Choice(play(2, 0.6), []), Choice(play(3, 0.595), [])],
        place(".X"): [Choice(play(7, 1.0, proven=True), []), Choice(play(2, 0.6), [])],
        place("..X"): [Choice(play(7, 0.0), [])],
        place("...X"): [],
    }
    assert list(lines(found)) == [f"6x6 {first.cells} 2:600 3:595", f"6x6 {place('.X').cells} 7:+"]


def test_good_plays_are_visited_and_nearly_the_best_or_proven() -> None:
    assert [p.place for p in good([play(1, 0.5), play(2, 0.51), play(3, 0.9, visits=1), play(4, 0.4)])] == [2, 1]
    assert [p.place for p in good([play(1, 0.9), play(2, 1.0, visits=1, proven=True)])] == [2]
    assert [p.place for p in visited([play(1, 0.5, visits=1000), play(2, 0.5, visits=9)])] == [1]


def test_a_position_after_a_play_has_the_other_side_to_move() -> None:
    images = {after(place(""), corner) for corner in (0, 5, 30, 35)}
    ((position, last),) = images
    assert sorted(position.cells.replace(".", "")) == ["O"]
    assert position.cells[last] == "O"
    (following, last) = after(position, 14)
    assert sorted(following.cells.replace(".", "")) == ["O", "X"]
    assert following.cells[last] == "O"


@pytest.mark.slow
def test_a_run_goes_on_after_an_interruption_and_refuses_another_network(tmp_path: Path) -> None:
    book, log = tmp_path / "6x6.book", tmp_path / "6x6.log"

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.benchmarks.opening_book", str(tmp_path), "--size", "6"]
        options = ["--out", str(book), "--turns", "2", "--playouts", "100", "--jobs", "1"]
        return subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, check=False)

    assert run().returncode == 0
    first, whole = book.read_bytes(), log.read_text()
    written = gzip.decompress(first).decode().splitlines()
    assert f"6x6 {'.' * 36} " in written[0] + " "
    kept = whole[: len(whole) // 2]
    log.write_text(kept)  # as if it had been killed while it wrote a line
    assert run().returncode == 0
    assert book.read_bytes() == first
    assert log.read_text().startswith(kept[: kept.rindex("\n")])
    log.write_text("0" * 64 + whole[64:])
    refused = run()
    assert refused.returncode == 2
    assert "is of another network" in refused.stderr
