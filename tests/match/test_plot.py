"""Cross table and plots: a plot that cannot be drawn is refused before the first game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.match.test_cli import GREEDY, PAIR, RANDOM, match
from tests.support.forks import refusal
from tests.support.process import DOUBLE

pytestmark = pytest.mark.slow


def test_a_round_robin_is_rated_and_drawn(tmp_path: Path) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f"[engines]\nweak = {json.dumps(RANDOM)}\nstrong = {json.dumps(GREEDY)}\nodd = '{DOUBLE} crash'\n")
    picture = tmp_path / "ratings.svg"
    done = match("--engines", str(file), "--games", "2", "--size", "5", "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    faults, table = done.stdout.partition("engine")[::2]
    assert "odd: crash: " in faults
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table.splitlines()[2:5]]
    assert [[row[0], *row[2:]] for row in rows] == [
        ["1 strong", "", "2/2", "2/2"],
        ["2 weak", "0/2", "", "2/2"],
        ["3 odd", "0/2", "0/2", ""],
    ]
    assert "<svg" in picture.read_text()


def test_the_likelihood_ratio_of_a_match_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "ratio.svg"
    done = match(*PAIR, "--opening", "random-2", "--games", "100", "--sprt", "-100,50", "--plot", str(picture))
    assert done.returncode == 0, done.stderr
    assert "-100 against 50 Elo: H0" in done.stdout
    text = picture.read_text().replace("&#45;", "-")
    for words in ("pairs of games", "log-likelihood ratio", "H0: -100 Elo", "H1: 50 Elo", "first-capture 5x5"):
        assert words in text
    done = match(*PAIR, "--games", "1", "--sprt", "0,50", "--plot", str(picture))
    assert (done.returncode, "nothing to draw: no results" in done.stderr) == (2, True)


@pytest.mark.parametrize(("library", "extra"), [("choix", "ratings"), ("matplotlib", "plot")])
def test_a_plot_without_its_library_is_refused_before_the_first_game(
    library: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{library}.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = match(*robin(tmp_path, 3), "--plot", str(tmp_path / "a.svg"), "--results", str(tmp_path / "a.dat"))
    assert f"pip install '.[{extra}]'" in refusal(done)
    assert not (tmp_path / "a.dat").exists()


def robin(folder: Path, engines: int) -> tuple[str, ...]:
    """The options of a short round robin."""
    file = folder / "engines.toml"
    file.write_text("[engines]\n" + "".join(f"'{'$a_{b'[: n + 1]}' = '{DOUBLE}'\n" for n in range(engines)))
    return ("--engines", str(file), "--games", "1", "--size", "5")


@pytest.mark.parametrize(
    ("engines", "name", "words"),
    [
        (2, "a.svg", "three engines or more"),
        (3, "a.mp3", "its name must end in one of"),
        (3, "a", "its name must end in one of"),
        (3, "nowhere/a.svg", "cannot be written"),
    ],
)
def test_a_plot_that_cannot_be_drawn_is_refused_before_the_first_game(
    engines: int, name: str, words: str, tmp_path: Path
) -> None:
    assert words in refusal(match(*robin(tmp_path, engines), "--plot", str(tmp_path / name)))


@pytest.mark.posix
def test_if_the_plot_fails_after_the_games_the_table_is_printed(tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    picture.symlink_to("/dev/full")
    done = match(*robin(tmp_path, 3), "--plot", str(picture))
    assert done.returncode == 2
    assert "3 of 3 games" in done.stdout
    assert len(done.stderr.splitlines()) == 1
