"""The beginner's problems of the capture-game tutorial, through the library, by `play` over GTP, and from SGF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gtp_capture import Game, Outcome, Termination

from ..support.diagrams import COLORS, play, set_up, show, vertices
from ..support.paths import TESTS
from ..support.process import ENGINE, GtpProcess, Response

EVERYTHING = json.loads((TESTS / "data" / "tutorial_problems.json").read_text())["problems"]
PROBLEMS = [problem for problem in EVERYTHING if "captures" in problem]
(LARGE,) = [problem for problem in EVERYTHING if "captures_any" in problem]

# The stones that each of the points of the large diagram takes, counted on the diagram.
LARGE_TAKES = {"E16": 1, "M16": 2, "F9": 3, "M10": 4, "F1": 1, "L2": 2}

REFUSED = Response(False, "illegal move")
PLAYERS = {"greedy": ("--player", "greedy"), "mcts": ("--playouts", "50", "--seed", "1")}


def name(problem: Any) -> str:
    return "/".join(problem["rows"])


def letter(problem: Any) -> str:
    return str(problem["to_play"][0]).upper()


def library(problem: Any) -> Game:
    return set_up(" ".join(problem["rows"]), problem["rules"], COLORS[letter(problem)])


@pytest.fixture(scope="module", params=list(PLAYERS.values()), ids=list(PLAYERS))
def engine(request: pytest.FixtureRequest) -> Iterator[GtpProcess]:
    """One engine for all problems."""
    with GtpProcess([*ENGINE, "--rules", "first-capture", *request.param]) as process:
        yield process


@pytest.fixture(scope="module")
def greedy() -> Iterator[GtpProcess]:
    """One engine without compiled code."""
    with GtpProcess([*ENGINE, "--rules", "first-capture", *PLAYERS["greedy"]]) as process:
        yield process


def by_plays(engine: GtpProcess, problem: Any) -> None:
    """Set a problem up by plays, the last one by the side that is not to play.

    In any order a chain that is not whole yet has a liberty where its next stone will go: nothing is captured.
    """
    engine.ask(f"boardsize {problem['size']}")
    engine.ask("clear_board")
    diagram = " ".join(problem["rows"])
    order = [("black", "X"), ("white", "O")]
    if problem["to_play"] == "white":
        order.reverse()
    engine_moves = [f"play {color} {vertex}" for color, symbol in order for vertex in vertices(diagram, symbol)]
    assert engine.send_all(engine_moves) == [Response(True, "")] * len(engine_moves)
    assert engine.ask("capture-outcome") == "the game goes on"


def by_sgf(engine: GtpProcess, problem: Any, folder: Path) -> None:
    """Set a problem up from a file with setup stones and the side to play."""
    stones = {"X": "", "O": ""}
    for y, row in enumerate(problem["rows"]):
        for x, symbol in enumerate(row):
            if symbol != ".":
                stones[symbol] += f"[{chr(ord('a') + x)}{chr(ord('a') + y)}]"
    text = f"(;GM[1]FF[4]SZ[{problem['size']}]AB{stones['X']}AW{stones['O']}PL[{letter(problem)}])"
    file = folder / "problem.sgf"
    file.write_text(text)
    engine.ask("boardsize 9")
    engine.ask(f"loadsgf {file}")


def shown(engine: GtpProcess, problem: Any) -> list[str]:
    """The rows of `showboard` without coordinates."""
    lines = engine.ask("showboard").splitlines()
    size = problem["size"]
    found = []
    for line in lines:
        words = line.replace("(", " ").replace(")", " ").split()
        if len(words) >= size + 2 and words[0].isdigit() and words[0] == words[size + 1]:
            found.append("".join(words[1 : size + 1]))
    return found


@pytest.mark.parametrize("problem", PROBLEMS, ids=name)
def test_the_library_refuses_the_illegal_point_and_wins_by_the_other(problem: Any) -> None:
    game = library(problem)
    assert show(game) == problem["rows"]
    assert game.outcome is None
    color = COLORS[letter(problem)]
    for vertex in problem["illegal"]:
        assert game.why_illegal(vertex, color) == "suicide"
    assert [game.vertex(p) for p in game.legal_plays()] == [problem["captures"]]
    play(game, f"{letter(problem)} {problem['captures']}")
    assert game.outcome == Outcome(color, Termination.CAPTURE)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["play", "loadsgf"])
@pytest.mark.parametrize("problem", PROBLEMS, ids=name)
def test_the_engine_refuses_the_illegal_point_finds_the_capture_and_has_won(
    problem: Any, how: str, engine: GtpProcess, tmp_path: Path
) -> None:
    if how == "play":
        by_plays(engine, problem)
    else:
        by_sgf(engine, problem, tmp_path)
    assert shown(engine, problem) == problem["rows"]
    assert engine.send("final_score") == Response(False, "cannot score")
    for vertex in problem["illegal"]:
        assert engine.send(f"play {problem['to_play']} {vertex}") == REFUSED
    assert shown(engine, problem) == problem["rows"]
    assert engine.ask(f"genmove {problem['to_play']}") == problem["captures"]
    assert engine.ask("final_score") == f"{letter(problem)}+1"
    engine.ask("undo")
    assert engine.send("final_score") == Response(False, "cannot score")


def test_every_marked_point_of_the_large_diagram_captures() -> None:
    assert set(LARGE["captures_any"]) == set(LARGE_TAKES)
    color = COLORS[letter(LARGE)]
    for vertex in LARGE["captures_any"]:
        game = library(LARGE)
        assert show(game) == LARGE["rows"]
        game.play(vertex, color)
        assert game.outcome == Outcome(color, Termination.CAPTURE)
        assert game.prisoners(color) == LARGE_TAKES[vertex]


def test_no_other_point_of_the_large_diagram_captures() -> None:
    game = library(LARGE)
    color = COLORS[letter(LARGE)]
    for point in game.legal_plays(color):
        game.play_point(point, color)
        assert (game.prisoners(color) > 0) == (game.vertex(point) in LARGE_TAKES)
        game.undo()


@pytest.mark.parametrize("how", ["play", "loadsgf"])
def test_the_engine_takes_every_marked_point_of_the_large_diagram_and_finds_one(
    how: str, greedy: GtpProcess, tmp_path: Path
) -> None:
    if how == "play":
        by_plays(greedy, LARGE)
    else:
        by_sgf(greedy, LARGE, tmp_path)
    assert shown(greedy, LARGE) == LARGE["rows"]
    for vertex in LARGE["captures_any"]:
        greedy.ask(f"play {LARGE['to_play']} {vertex}")
        assert greedy.ask("final_score") == f"{letter(LARGE)}+1"
        greedy.ask("undo")
    assert greedy.ask(f"genmove {LARGE['to_play']}") in LARGE["captures_any"]
    assert greedy.ask("final_score") == f"{letter(LARGE)}+1"
