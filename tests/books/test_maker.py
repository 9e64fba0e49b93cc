"""The tool that makes the opening book: plays that games decide, images, a small run that goes on, another network."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..benchmarks.opening_book import Job, Play, Position, Results, after, book, good, lines, visited, won


def play(place: int, winrate: float, visits: int = 100, proven: bool = False) -> Play:
    return Play(place, visits, winrate, proven)


def place(cells: str) -> Position:
    return Position(6, cells.ljust(36, "."))


def test_of_nearly_equal_plays_those_that_lose_the_fewest_games_are_kept(tmp_path: Path) -> None:
    first, path = place("X"), tmp_path / "6x6.log"
    Results(path, 1)  # writes the name of the network
    plays = {2: 0.6, 3: 0.595, 4: 0.59, 5: 0.5}
    known = [[*first, -1, 500, 0, [play(number, rate) for number, rate in plays.items()]]]
    for number, losses in {2: 30, 3: 10, 4: 12}.items():
        position, last = after(first, number)
        known.append([*position, last, 50, 40, losses])
    with path.open("a") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in known)
    assert book(Results(path, 1), {first: -1}, 1, (500, 40, 50), "Black") == {first: [play(3, 0.595), play(4, 0.59)]}


def test_lines_have_plays_and_win_rates() -> None:
    found = {
        place("X"): [play(2, 0.6), play(3, 0.595)],
        place(".X"): [play(7, 1.0, proven=True)],
        place("...X"): [],
    }
    assert list(lines(found)) == [f"6x6 {place('X').cells} 2:600 3:595", f"6x6 {place('.X').cells} 7:+"]


@pytest.mark.slow
def test_games_are_won_by_the_first_capture() -> None:
    assert won(Job(place("OX"), -1, 20, 3)) == 3
    assert won(Job(place("XO..OX"), -1, 20, 3)) == 0  # one of two stones in atari can be saved


def test_good_plays_are_visited_and_nearly_the_best_or_proven() -> None:
    assert [p.place for p in good([play(1, 0.5), play(2, 0.51), play(3, 0.9, visits=1), play(4, 0.4)])] == [1, 2]
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
    file, log = tmp_path / "6x6.book", tmp_path / "6x6.log"

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.benchmarks.opening_book", str(tmp_path), "--size", "6"]
        options = ["--out", str(file), "--playouts", "100", "--games", "2", "--each", "20", "--jobs", "1"]
        return subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, check=False)

    assert run().returncode == 0
    first, whole = file.read_bytes(), log.read_text()
    written = gzip.decompress(first).decode().splitlines()
    assert f"6x6 {'.' * 36} " in written[0] + " "
    kept = whole[: len(whole) // 2]
    log.write_text(kept)  # as if it had been killed while it wrote a line
    assert run().returncode == 0
    assert file.read_bytes() == first
    assert log.read_text().startswith(kept[: kept.rindex("\n")])
    log.write_text("0" * 64 + whole[64:])
    refused = run()
    assert refused.returncode == 2
    assert "is of another network" in refused.stderr
