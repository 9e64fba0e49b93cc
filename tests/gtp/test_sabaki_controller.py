"""Sabaki's own client library with our engine: attach, sync, whole games, undo, variations, and the end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.process import ENGINE

from ..support.examples import fenced
from ..support.paths import MANUAL, ROOT, TESTS

SCRIPT = TESTS / "node" / "controller.mjs"
SABAKI_WIDTH = 28
"""Characters in a line of Sabaki's console."""
NAMES = {"B": "BLACK", "W": "WHITE"}

Step = dict[str, Any]
Steps = list[Step]


class Drive(NamedTuple):
    """Runs steps of tests/node/controller.mjs with an engine."""

    node: str

    def __call__(self, steps: Steps, *options: str, timeout: float = 300, engine: Sequence[str] = ENGINE) -> Steps:
        run = subprocess.run(
            [self.node, str(SCRIPT), *engine, *options],
            cwd=ROOT,
            input=json.dumps(steps),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def drive(node: str) -> Drive:
    return Drive(node)


def command(text: str) -> Step:
    name, *args = text.split()
    return {"name": name, "args": args}


def attach(engine: str = "a") -> Step:
    return {"do": "attach", "engine": engine}


def stop(engine: str = "a") -> Step:
    return {"do": "stop", "engine": engine}


def ask(*commands: str) -> Step:
    return {"do": "ask", "engine": "a", "commands": [command(text) for text in commands]}


def sync(*history: str, width: int = 5, height: int = 5, komi: float = 0) -> Step:
    """Synchronise with a history of moves ("B C3") and other commands, as Sabaki derives it from its tree."""
    commands = [f"play {text}" if text[:2] in ("B ", "W ") else text for text in history]
    state = {"komi": komi, "boardsize": [width, height], "history": [command(text) for text in commands]}
    return {"do": "sync", "engine": "a", "state": state}


def contents(result: Step) -> list[str]:
    assert not any(answer["error"] for answer in result["answers"]), result
    return [answer["content"] for answer in result["answers"]]


# White's stone in the corner is captured: the shortest game.
CORNER = ("B A2", "W A1", "B B1")


# --- Attach and detach ---


def test_attach_gets_the_answers_that_sabaki_needs(drive: Drive) -> None:
    attached, stopped = drive([attach(), stop()])
    name, version, protocol, commands = contents(attached)
    assert name
    assert version
    assert protocol == "2"
    assert {"genmove", "play", "undo", "set_free_handicap", "rectangular_boardsize"} <= set(commands.split("\n"))
    # Sabaki would prefer these to genmove, and show their errors less clearly.
    assert not re.search(r"^((lz|kata)-)?genmove_analyze$", commands, re.MULTILINE)
    assert attached["stderr"] == []
    assert (stopped["code"], stopped["alive"]) == (0, False)


@pytest.mark.slow
def test_many_attachments_leave_no_process(drive: Drive) -> None:
    cycles = 3
    results = drive([step for _ in range(cycles) for step in (attach(), stop())])
    assert [r["code"] for r in results[1::2]] == [0] * cycles  # the library kills one that takes ten seconds
    assert len({r["pid"] for r in results[::2]}) == cycles
    assert not any(r["alive"] for r in results[1::2])


def test_stop_ends_an_engine_during_a_search(drive: Drive, compiled: None) -> None:
    thinking = {"do": "leave", "engine": "a", "commands": [command("genmove B")]}
    impatient = {**stop(), "patience": 0}
    *_, stopped = drive([attach(), sync(), thinking, impatient], "--time-per-move", "60", "--no-opening-book")
    assert (stopped["code"], stopped["alive"]) == (0, False)


# --- Whole games ---

GAMES = [
    pytest.param(9, 7, ("--time-per-move", "0.05", "--seed", "1"), id="9x7-mcts"),
    pytest.param(7, 9, ("--player", "greedy", "--seed", "1"), id="7x9-greedy"),
    *(
        pytest.param(width, height, ("--player", "random", "--seed", "1"), id=f"{width}x{height}-random")
        for width, height in ((2, 2), (13, 25))
    ),
]


def check_game(result: Step, engines: int = 1) -> None:
    """Check what Sabaki's dialog needs, with the result judged by Sabaki's own board."""
    moves = result["moves"]
    judged = result["judged"]
    winner = judged["winner"]
    assert judged["moves"] == len(moves), "the game went on after its end, or stopped before"
    assert winner in NAMES, judged
    assert result["loser"] == {"B": "W", "W": "B"}[winner]
    for _, vertex in moves:
        assert re.fullmatch(r"[A-HJ-Z]([1-9]|1\d|2[0-5])", vertex), "Sabaki would make a pass of it"
    assert [(a["content"], a["error"]) for a in result["asked"]] == [
        ("pass", False),
        ("resign", False),
        ("resign", False),
    ]
    assert result["scores"] == [{"content": f"{winner}+1", "error": False}] * engines
    results = [line for line in result["stderr"] if "WINS" in line]
    assert results == [f"{NAMES[winner]} WINS ({judged['cause']})"]
    assert len(results[0]) <= SABAKI_WIDTH


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "options"), GAMES)
def test_a_game_ends_with_the_answers_that_sabakis_dialog_needs(
    drive: Drive, compiled: None, width: int, height: int, options: tuple[str, ...]
) -> None:
    play = {"do": "game", "black": "a", "state": {"komi": 6.5, "boardsize": [width, height]}}
    _, game, stopped = drive([attach(), play, stop()], *options)
    check_game(game)
    assert stopped["code"] == 0


def test_the_bot_of_the_library_plays_a_game(drive: Drive, tmp_path: Path) -> None:
    programs = fenced((MANUAL / "library.md").read_text(encoding="utf-8"), "python")
    (source,) = (program for program in programs if "gc.serve(Corner())" in program)
    (tmp_path / "corner.py").write_text(source, encoding="utf-8")
    bot = (sys.executable, str(tmp_path / "corner.py"))
    play = {"do": "game", "black": "a", "state": {"komi": 6.5, "boardsize": [6, 5]}}
    attached, game, stopped = drive([attach(), play, stop()], engine=bot)
    assert contents(attached)[:2] == ["corner", "1"]
    check_game(game)
    assert stopped["code"] == 0


def test_the_analysis_of_a_bot_is_sabakis_heat_map(drive: Drive) -> None:
    look = {"do": "analyze", "engine": "a", "color": "W", "reports": 1}
    _, _, analysis, stopped = drive(
        [attach(), sync("B A1", width=4, height=4), look, stop()],
        engine=(sys.executable, "-m", "tests.library.bot", "warm"),
    )
    infos = [line for line in analysis["lines"] if line.startswith("info ")]
    first, second = infos[-1].split(" info ")
    words = first.split()
    assert words[:3] == ["info", "move", "B1"]
    assert int(words[6]) == 4000 + 50 * int(words[4])  # the reports that Sabaki gets depend on the machine
    assert second.startswith("move C1 visits 10 winrate 2500 ")
    assert analysis["next"] == {"content": "2", "error": False}
    assert stopped["code"] == 0


@pytest.mark.slow
def test_both_engines_of_a_game_see_its_end(drive: Drive, compiled: None) -> None:
    play = {"do": "game", "black": "a", "white": "b", "state": {"komi": 0, "boardsize": [7, 7]}}
    _, _, game, *_ = drive([attach("a"), attach("b"), play, stop("a"), stop("b")], "--time-per-move", "0.1")
    check_game(game, engines=2)


# --- Sync ---

POSITION = ("B A1", "W E5", "B B2", "W D4", "B C3")


def stones(board: str) -> dict[str, str]:
    """Parse the stones of showboard's diagram, between its row numbers."""
    colors = {}
    for row, cells in re.findall(r"^ *(\d+)\b(.*?)\b\1\b", board, re.MULTILINE):
        for column, cell in zip("ABCDEFGHJKLMNOPQRSTUVWXYZ", re.findall(r"[.+XO]", cells), strict=False):
            if cell in "XO":
                colors[f"{column}{row}"] = {"X": "B", "O": "W"}[cell]
    return colors


def expected(*moves: str) -> dict[str, str]:
    return {vertex: color for color, vertex in (move.split() for move in moves)}


def test_sync_sends_komi_size_and_history_which_are_accepted(drive: Drive) -> None:
    history = ("B A1", "W J1", "B B7")
    _, synced, shown, _ = drive([attach(), sync(*history, width=9, height=7, komi=3.5), ask("showboard"), stop()])
    assert "failed" not in synced
    assert synced["sent"] == ["komi 3.5", "rectangular_boardsize 9 7", "clear_board", *(f"play {m}" for m in history)]
    assert stones(contents(shown)[0]) == expected(*history)


def test_a_step_back_and_a_variation_use_undo(drive: Drive) -> None:
    variation = (*POSITION[:3], "W A5")
    _, _, back, branch, shown, _ = drive(
        [attach(), sync(*POSITION), sync(*POSITION[:4]), sync(*variation), ask("showboard"), stop()]
    )
    assert back["sent"] == ["undo"]
    assert branch["sent"] == ["undo", "play W A5"]
    assert stones(contents(shown)[0]) == expected(*variation)


def test_a_branch_early_in_the_game_is_replayed(drive: Drive) -> None:
    branch = ("B A1", "W B1", "B E1")
    _, _, other, shown, _ = drive([attach(), sync(*POSITION), sync(*branch), ask("showboard"), stop()])
    assert other["sent"][0] == "clear_board"
    assert stones(contents(shown)[0]) == expected(*branch)


def test_undo_after_the_end_reopens_the_game(drive: Drive) -> None:
    _, _, over, back, open_, _, again, _ = drive(
        [attach(), sync(*CORNER), ask("final_score"), sync(*CORNER[:2]), ask("final_score", "genmove B"), ask("undo"),
         sync(*CORNER), stop()], "--player", "greedy"
    )  # fmt: skip
    assert contents(over) == ["B+1"]
    assert back["sent"] == ["undo"]
    score, genmove = open_["answers"]
    assert score == {"content": "cannot score", "error": True}
    # The game is open again, and Black captures.
    assert genmove == {"content": "B1", "error": False}
    assert "failed" not in again


def test_a_history_with_passes_and_plays_after_the_end_is_replayed(drive: Drive) -> None:
    """Sabaki records our `resign` as a pass, and users may play on."""
    history = (*CORNER, "W pass", "B pass", "W pass", "B E5", "W E1", "B pass")
    _, synced, answered, _ = drive(
        [attach(), sync(*history), ask("final_score", "genmove W", "genmove B", "final_score"), stop()]
    )
    assert "failed" not in synced
    assert contents(answered) == ["B+1", "resign", "pass", "B+1"]
    assert [line for line in synced["stderr"] if "WINS" in line] == ["BLACK WINS (capture)"]


def test_handicap_stones_are_part_of_the_history(drive: Drive) -> None:
    handicap = "set_free_handicap B2 D4"
    first, second = (handicap, "W C3", "B B4"), (handicap, "W C3", "B D2")
    _, synced, branch, shown, start, _ = drive(
        [attach(), sync(*first), sync(*second), ask("showboard", "genmove W"), sync(handicap), stop()],
        "--player", "random", "--seed", "1",
    )  # fmt: skip
    assert "failed" not in synced
    assert handicap in synced["sent"]
    assert branch["sent"] == ["undo", "play B D2"]
    board, answer = contents(shown)
    assert stones(board) == expected("B B2", "B D4", "W C3", "B D2")
    assert re.fullmatch(r"[A-E][1-5]", answer)
    assert "failed" not in start


def test_after_a_failed_sync_the_next_one_works(drive: Drive) -> None:
    wrong = sync(width=26, height=26), sync("B A1", "W A1"), sync("W A2", "W B1", "B A1"), sync("B F6")
    steps = [step for each in wrong for step in (each, sync(*POSITION), ask("showboard"))]
    _, *results, _ = drive([attach(), *steps, stop()])
    reasons = [failed["failed"] for failed in results[::3]]
    assert reasons == ["Board size is not supported by engine", *["History cannot be replayed on engine"] * 3]
    for synced, shown in zip(results[1::3], results[2::3], strict=True):
        assert "failed" not in synced
        assert stones(contents(shown)[0]) == expected(*POSITION)


# --- Analysis ---


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(5, 5), (9, 7)])
def test_attach_sync_genmove_undo_branch_analyze_and_detach(
    drive: Drive, compiled: None, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    reports = 1 if width == 5 else 3  # a solved position is reported once
    look = {"do": "analyze", "engine": "a", "color": "W", "reports": reports}
    game = ("B C3", "W D4", "B D3")
    _, synced, moved, back, branch, analysis, stopped = drive(
        [attach(), sync(*game, **size), ask("genmove W"), sync(*game, **size), sync(*game[:2], "B E1", **size),
         look, stop()], "--time-per-move", "0.2",
    )  # fmt: skip
    assert not any("failed" in step for step in (synced, back, branch))
    assert re.fullmatch(r"[A-HJ-T]\d+", contents(moved)[0])
    assert back["sent"] == ["undo"]
    assert branch["sent"] == ["undo", "play B E1"]
    first, *lines = analysis["lines"]
    assert first.strip() == "="
    infos = [line for line in lines if line]
    assert len(infos) >= reports
    # Sabaki parses a report as pairs of words with the variation at the end.
    for info in (part.strip() for line in infos for part in line.split("info ")[1:]):
        words, _, variation = info.partition(" pv ")
        pairs = dict(zip(words.split()[::2], words.split()[1::2], strict=True))
        assert 0 <= int(pairs["winrate"]) <= 10_000
        assert int(pairs["visits"]) >= 10
        assert variation.split()[0] == pairs["move"]
    assert not analysis["error"]
    assert analysis["next"] == {"content": "2", "error": False}
    assert analysis["after"]["content"] == "gtp-capture"
    assert (stopped["code"], stopped["alive"]) == (0, False)
