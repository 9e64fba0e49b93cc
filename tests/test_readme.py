"""The README against the program: its commands, outputs, tables and the library example."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gtp_capture.cli.app import cli
from gtp_capture.go.rules import PRESETS, Scoring

from .support.forks import script
from .support.paths import ROOT
from .support.process import ENGINE, GtpProcess

README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(marker: str) -> list[str]:
    """The lines of the fenced block after a marker."""
    found = re.search(rf"<!-- {marker} -->\n```\w*\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None, marker
    return found[1].splitlines()


def table(marker: str) -> list[list[str]]:
    """The cells of the table after a marker, without its head."""
    rows = README.partition(f"<!-- {marker} -->\n")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


@pytest.mark.slow
def test_python_example(compiled: None) -> None:
    source = README.partition("```python\n")[2].partition("```")[0]
    example = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.attempted >= 12
    assert result.failed == 0


@pytest.mark.slow
def test_scripted_example_prints_what_it_says() -> None:
    command, *expected = block("scripted example")
    found = re.fullmatch(r"\$ printf '%s\\n' (.*) \| gtp-capture (.*)", command)
    assert found is not None
    lines = re.findall(r"'([^']*)'", found[1])
    result = script("".join(line + "\n" for line in lines), *found[2].split())
    assert result.stdout.decode().splitlines() == expected
    spoken = result.stderr.decode()
    assert spoken.index("atari: A1") < spoken.index("BLACK WINS (capture)")


def test_picture_is_what_showboard_prints() -> None:
    picture = README.partition("```\n")[2].partition("```")[0]
    moves = ["boardsize 5", "play b C3", "play w C4", "play b B4", "play w A1", "play b B1", "showboard"]
    result = script("\n".join(moves), "--player", "random")
    assert picture in result.stdout.decode()


def test_rules_table_is_the_presets() -> None:
    rows = {row[0].strip("`"): row[1:] for row in table("rules table")}
    assert list(rows) == list(PRESETS)
    for name, (won, suicide, ko, passing, komi) in rows.items():
        rules = PRESETS[name]
        count = rules.captures
        won_by = rules.scoring if count is None else f"{count} prisoner{'s' if count > 1 else ''}"
        assert won == won_by
        assert suicide == ("legal" if rules.suicide else "illegal")
        assert (ko, passing) == (rules.ko, rules.passing)
        assert komi == ("" if rules.scoring is Scoring.NONE else f"{rules.komi:g} ({rules.small_komi:g})")


@pytest.mark.slow
def test_each_step_of_the_way_to_go_can_be_played_in_one_session(compiled: None) -> None:
    with GtpProcess([*ENGINE, "--playouts", "20", "--threads", "1"]) as engine:
        for _, rules, size, _ in table("ladder table"):
            for name in rules.replace("`", "").split(" or "):
                engine.ask(f"boardsize {size}")
                assert engine.ask(f"capture-rules {name}") == name
                moves = [engine.ask(f"genmove {color}") for color in "bwbw"]
                assert len({*moves}) == 4
                assert not {"pass", "resign"} & {move.lower() for move in moves}


def test_option_table_lists_every_option() -> None:
    documented = {row[0].strip("`") for row in table("option table")}
    existing = {name for option in cli.params if isinstance(option, click.Option) for name in option.opts}
    assert documented == existing | {"--version"} - {"-h"}


@pytest.mark.parametrize("marker", ["play command", "test command"])
def test_first_command_of_each_block_is_one_line(marker: str) -> None:
    assert len(block(marker)) == 1


@pytest.mark.slow
def test_play_command_plays_a_whole_game_on_a_fresh_machine(tmp_path: Path) -> None:
    # A copy of what the repository holds, its own environment, its own empty caches.
    ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "*.egg-info", "__pycache__", ".*_cache", "build")
    shutil.copytree(ROOT, tmp_path / "clone", ignore=ignored)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PATH": _path_with_this_python()}
    environment.pop("PYTHONPATH", None)
    # Every point is tried, twice, until the game is over; what is not possible gets an answer and changes nothing.
    game = "size 3\nhint\n" + 2 * "".join(f"{column}{row}\n" for row in (2, 1, 3) for column in "BAC") + "quit\n"
    (command,) = block("play command")
    result = subprocess.run(
        ["bash", "-euc", command],
        cwd=tmp_path / "clone",
        env=environment,
        input=game.encode(),
        capture_output=True,
        timeout=900,
        check=True,
    )
    said = result.stdout.decode()
    assert re.search(r"hint\n[ABC][123] wins ", said)
    assert re.search(r"Game over: (you|I) win", said)
    assert said.count("I play") >= 2
    # The installation has made the machine code, so nothing is compiled and nothing written.
    assert "preparing" not in said
    assert not (tmp_path / "numba").exists()


def _path_with_this_python() -> str:
    # python3 must be one that we run on: systems differ in what the bare name gives.
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
