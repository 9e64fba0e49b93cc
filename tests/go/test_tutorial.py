"""The beginner's problems of the capture-game tutorial, through the library, and by `play` over GTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gtp_capture import Game

from ..support.diagrams import COLORS, set_up, vertices
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
    return set_up(" ".join(problem["rows"]), problem["rules"], int(COLORS[letter(problem)]))


@pytest.fixture(scope="module", params=list(PLAYERS.values()), ids=list(PLAYERS))
def engine(request: pytest.FixtureRequest) -> Iterator[GtpProcess]:
    """One engine for all problems."""
    with GtpProcess([*ENGINE, "--rules", "first-capture", *request.param]) as process:
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


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=name)
def test_the_engine_refuses_the_illegal_point_finds_the_capture_and_has_won(problem: Any, engine: GtpProcess) -> None:
    by_plays(engine, problem)
    for vertex in problem["illegal"]:
        assert engine.send(f"play {problem['to_play']} {vertex}") == REFUSED
    assert engine.ask(f"genmove {problem['to_play']}") == problem["captures"]
    assert engine.ask("final_score") == f"{letter(problem)}+1"


def test_the_marked_points_of_the_large_diagram_capture_and_no_others() -> None:
    game = library(LARGE)
    color = COLORS[letter(LARGE)]
    assert set(LARGE["captures_any"]) == set(LARGE_TAKES)
    for point in game.legal_plays(color):
        game.play_point(point, color)
        assert game.prisoners(color) == LARGE_TAKES.get(game.vertex(point), 0)
        game.undo()
