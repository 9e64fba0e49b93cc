"""The engines file of the rating table, and the table itself with small engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gtp_capture.go.rules import Rules
from gtp_capture.match.entrants import Entrant
from gtp_capture.match.games import SEED, Contender
from gtp_capture.match.referee import Conditions

from ..benchmarks import ratings
from ..benchmarks.ratings import FILE, EnginesError, Entry, main, pairs, read_engines

RULES = [Rules.parse(text) for text in ("first-capture", "capture-5", "capture-10", "chinese")]
SMALL = """
["one"]
command = "gtp-capture --player random --size 5 --seed {seed}"
processes = ["fresh"]

["two"]
command = "gtp-capture --player greedy --size 5 --seed {seed}"
processes = ["fresh"]
"""


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_players_of_the_file_have_distinct_names_and_whole_commands(rules: Rules) -> None:
    found = [c for entry in read_engines(FILE) if entry.suits(rules) for c in entry.contenders(rules)]
    assert len({c.name for c in found}) == len(found) > 10
    assert all("{" not in c.command.replace(SEED, "") for c in found)


def test_a_fresh_engine_is_started_for_each_game_and_a_warm_one_is_not() -> None:
    for entry in read_engines(FILE):
        for contender in entry.contenders(RULES[0]):
            assert (SEED in contender.command) == contender.name.endswith(", fresh")


def test_katagomo_gets_the_number_of_captures_and_its_komi_without_passes() -> None:
    (entry,) = [e for e in read_engines(FILE) if e.name.startswith("KataGomo")]
    assert [entry.suits(rules) for rules in RULES] == [True, True, False, False]
    for rules, captures in ((RULES[0], 1), (RULES[1], 5)):
        for contender in entry.contenders(rules):
            assert f"sui0capb{captures}capw{captures},ignoreGTPAndForceKomi=0.5," in contender.command


def test_each_engine_meets_the_next_ones() -> None:
    found = [Entrant(Contender(name, name), name, "") for name in "abcde"]
    assert [a.name + b.name for a, b in pairs(found, 2)] == ["ab", "ac", "bc", "bd", "cd", "ce", "de"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "Expected '='"),
        ("name = 1", "not a table"),
        ("[a]\ngames = 'go'", "missing 1 required positional argument: 'command'"),
        ("[a]\ncommand = 'x'\ngame = 'go'", "unexpected keyword argument 'game'"),
        ("[a]\ncommand = 'x'\ngames = 'chess'", "games must be capture, go, all"),
        ("[a]\ncommand = 'x'\nprocesses = ['cold']", "processes must be of warm, fresh"),
        ("[a]\ncommand = 'x {seconds}'", "give both"),
        ("[a]\ncommand = '\"'", "No closing quotation"),
        ("[a]\ncommand = ''", "a text with a program"),
    ],
)
def test_a_wrong_engines_file_is_refused_with_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "engines.toml"
    path.write_text(text)
    with pytest.raises(EnginesError, match=r"engines\.toml: ") as caught:
        read_engines(path)
    assert message in str(caught.value)
    done = CliRunner().invoke(main, ["--results", str(tmp_path), "--engines", str(path)])
    assert done.exit_code == 2
    assert message in done.output  # of both streams, with each version of click


def test_an_engine_that_is_not_here_is_left_out_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [
        Entry("Far", "no-such-program --gtp"),
        Entry("Net", "gtp-capture", needs=(str(tmp_path / "net.bin"),)),
        Entry("Go", "gtp-capture", games="go"),
        Entry("Few", "gtp-capture", captures=4),
    ]
    assert list(ratings.entrants(entries, Conditions(RULES[1], 5, 5))) == []
    assert capsys.readouterr().err.splitlines() == [
        "left out: Far: no-such-program is not here",
        f"left out: Net: {tmp_path / 'net.bin'} is not here",
        "left out: Go: does not play capture-5",
        "left out: Few: does not play capture-5",
    ]


def run(folder: Path, *options: str) -> list[str]:
    """Return the lines of a table of two small engines."""
    engines = folder / "engines.toml"
    engines.write_text(SMALL)
    arguments = ["--results", str(folder / "games"), "--engines", str(engines), "--only", "one", "--only", "two"]
    done = CliRunner().invoke(main, [*arguments, "--size", "5", "--opening", "crosscut", *options])
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_run_continues_with_the_games_of_its_folder(tmp_path: Path) -> None:
    assert "2 games" in run(tmp_path, "--games", "2")[0]
    (file,) = (tmp_path / "games").glob("*.dat")
    before = file.read_text()
    lines = run(tmp_path, "--games", "4")
    assert "4 games" in lines[0]
    assert file.read_text().startswith(before)
    assert file.read_text().count("\n") == before.count("\n") + 2
    cells = [line.split("|") for line in lines[3:]]
    assert sorted(row[1].strip() for row in cells) == ["one, fresh", "two, fresh"]
    assert [row[5].strip().partition("/")[2] for row in cells] == ["2", "2"]
    assert sum(float(row[4].partition("/")[0]) for row in cells) == 4
