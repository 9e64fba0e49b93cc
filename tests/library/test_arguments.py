"""Every public function, class and method with wrong arguments: each is an error in words of ours, or a right value."""

from __future__ import annotations

import inspect
import io
import linecache
import math
import os
import re
import threading
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import gtp_capture as gc

from ..support.diagrams import ATARI, set_up
from .bot import Corner
from .test_library import public_callables

ENDED = threading.Event()
"""The `stop` of all calls: whatever their arguments, they end at once."""
ENDED.set()


def a_game() -> gc.Game:
    """A game with a move, in which the next one captures."""
    game = set_up(ATARI, "first-capture", gc.BLACK)
    game.play("A1")
    return game


def a_review() -> gc.Review:
    """A review of one move, made without a search."""
    game = a_game()
    nothing, lost = gc.Verdict(gc.BLACK, 1.0), gc.Verdict(gc.WHITE, 0.0)
    move = gc.ReviewedMove(
        number=1, color=gc.BLACK, vertex="A1", evaluation_before=nothing, evaluation_after=lost, grade=gc.Grade.LOSING
    )
    return gc.Review(moves=(move,), evaluations=(nothing, lost), game=game, outcome=None)


def a_match() -> gc.MatchResult:
    """A result without games."""
    return gc.MatchResult(("one", "two"), (), 0, {("one", "two"): gc.Score()}, {})


def an_engine() -> gc.GtpEngine:
    """A program that is no engine."""
    return gc.GtpEngine("/no/engine")


def a_tree() -> gc.Node:
    """The second node of a tree."""
    return gc.load_sgf_tree("(;SZ[5];B[cc];W[dd])").children[0]


RIGHT: dict[str, Callable[[], dict[str, Any]]] = {
    "AnalysedMove": lambda: {"move": "C3"},
    "Analysis.of": lambda: {"game": a_game(), "moves": {"A2": 0.5}},
    "Color": lambda: {"value": "b"},
    "Deadline": lambda: {"stop": ENDED},
    "Verdict.rate": lambda: {"self": gc.Verdict(gc.BLACK, 1.0), "color": "b"},
    "Game": dict,
    "Game.from_array": lambda: {"array": [[0, 1], [0, 0]]},
    "Game.copy": lambda: {"self": a_game()},
    "Game.parse": lambda: {"text": "X./.. w 0-0 -"},
    "Game.key": lambda: {"self": a_game()},
    "Game.vertex_images": lambda: {"self": a_game(), "vertex": "A1"},
    "Game.prisoners": lambda: {"self": a_game(), "color": "b"},
    "Game.stones": lambda: {"self": a_game(), "color": "b"},
    "Game.chain": lambda: {"self": a_game(), "vertex": "A1"},
    "Game.liberties": lambda: {"self": a_game(), "vertex": "A1"},
    "Game.point": lambda: {"self": a_game(), "vertex": "A1"},
    "Game.why_illegal": lambda: {"self": a_game(), "move": "A1"},
    "Game.is_legal": lambda: {"self": a_game(), "move": "A1"},
    "Game.legal_mask": lambda: {"self": a_game()},
    "Game.legal_moves": lambda: {"self": a_game()},
    "Game.loses_without_play": lambda: {"self": a_game(), "color": "b"},
    "Game.play": lambda: {"self": a_game(), "move": "A2"},
    "Game.resign": lambda: {"self": a_game()},
    "Game.setup": lambda: {"self": a_game(), "black": ["A1"], "white": [], "to_move": "b"},
    "Game.set_to_move": lambda: {"self": a_game(), "color": "b"},
    "Game.place_handicap": lambda: {"self": gc.Game(), "vertices": ["C3", "D4"]},
    "Game.set_komi": lambda: {"self": a_game(), "komi": 0.5},
    "GtpEngine": lambda: {"command": "a"},
    "GtpEngine.send": lambda: {"self": an_engine(), "command": "name"},
    "GtpEngine.analyse": lambda: {"self": an_engine(), "game": a_game()},
    "GtpEngine.analyze": lambda: {"self": an_engine(), "game": a_game()},
    "GtpEngine.choose": lambda: {"self": an_engine(), "game": a_game()},
    "MatchResult.score": lambda: {"self": a_match(), "name": "one", "black": True},
    "MatchResult.causes": lambda: {"self": a_match()},
    "MatchResult.slowest": lambda: {"self": a_match(), "name": "one"},
    "Node": dict,
    "Node.of": lambda: {"game": a_game()},
    "Node.text": lambda: {"self": a_tree(), "name": "C"},
    "Node.set_text": lambda: {"self": a_tree(), "name": "C", "text": "text"},
    "Node.add": lambda: {"self": a_tree(), "moves": gc.Node()},
    "Node.play": lambda: {"self": a_tree(), "moves": "A1"},
    "Node.mark": lambda: {"self": a_tree(), "vertex": "A1", "kind": "circle"},
    "Node.label": lambda: {"self": a_tree(), "vertex": "A1", "text": "a"},
    "Node.game": lambda: {"self": a_tree()},
    "Player": dict,
    "Player.choose": lambda: {"self": gc.Player(), "game": a_game(), "stop": ENDED},
    "Player.analyse": lambda: {"self": gc.Player(), "game": a_game(), "stop": ENDED},
    "Player.analyze": lambda: {"self": gc.Player(), "game": a_game(), "stop": ENDED},
    "Problem.sgf": lambda: {"problem": None},
    "Review.is_proven_to_decide": lambda: {"self": a_review(), "move": a_review().moves[0]},
    "Review.counts": lambda: {"self": a_review(), "color": "b"},
    "Review.sgf": lambda: {"self": a_review()},
    "Rules": lambda: {"captures": 1},
    "Rules.parse": lambda: {"text": "aga"},
    "action_values": lambda: {"games": [a_game()], "stop": ENDED},
    "analyse": lambda: {"game": a_game(), "stop": ENDED},
    "analyze": lambda: {"game": a_game(), "stop": ENDED},
    "check_proof": lambda: {"path": "/no/proof"},
    "dump_sgf": lambda: {"game": a_game()},
    "explain": lambda: {"game": a_game(), "stop": ENDED},
    "hint": lambda: {"game": a_game(), "stop": ENDED},
    "is_optimal": lambda: {"game": a_game(), "move": "A2", "stop": ENDED},
    "iter_sgf": lambda: {"paths": []},
    "load_sgf_trees": lambda: {"text": "(;SZ[5])"},
    "load_sgf": lambda: {"text": "(;SZ[5])"},
    "load_sgf_collection": lambda: {"text": "(;SZ[5])"},
    "load_sgf_tree": lambda: {"text": "(;SZ[5])"},
    "play_match": lambda: {"first": Corner(), "second": Corner(), "size": 3, "stop": ENDED},
    "playouts": lambda: {"game": a_game(), "count": 1, "stop": ENDED},
    "puzzles": lambda: {"stop": ENDED},
    "read_sgf": lambda: {"source": io.StringIO("(;SZ[5])")},
    "read_sgf_tree": lambda: {"source": io.StringIO("(;SZ[5])")},
    "regret": lambda: {"game": a_game(), "move": "A2", "stop": ENDED},
    "review": lambda: {"game": a_game(), "stop": ENDED},
    "score": lambda: {"game": gc.Game("aga", 5)},
    "serve": lambda: {"bot": Corner(), "stdin": io.StringIO(), "stdout": io.StringIO()},
    "solve": lambda: {"game": a_game(), "stop": ENDED},
    "stream": lambda: {"game": a_game()},
    "to_thread": lambda: {"function": gc.solve},
    "write_sgf": lambda: {"game": a_game(), "target": io.StringIO()},
}
"""Arguments that are right, for each public name that takes some."""
OTHERS = {
    *("Bot.choose", "Problem.sgf"),
    *("Deadline.limited", "Deadline.within", "Game.default_statuses", "Game.take_statuses", "MatchGame.parse"),
    *("Outcomes.of", "Outcomes.support", "Outcomes.llr", "Position.won", "Position.played_by", "ReviewedMove.remark"),
    *(f"Rules.{name}" for name in ("default_komi", "of", "of_file", "override", "replaced_by", "won_by")),
}
"""What a bot has, and methods that take what only the package has: points, numbers of colours, its limits."""
SEARCHING = {"analyse", "analyze", "explain", "hint", "puzzles"}
"""Calls that take over half a second."""


class Odd:
    """A value that is right nowhere."""


def wrong_values(right: Mapping[str, Any]) -> list[Any]:
    """Values to try in the place of each argument."""
    numbers: list[Any] = [-1, 0, 2.5, 10**30, math.nan, math.inf, -math.inf, True]
    games = [a_game(), a_tree(), gc.Game, gc.analyse, right.get("self")]
    return [Odd(), None, *numbers, "blak", "", "a\0b", b"C3", (2, 2), [], {}, {"C": ["x"]}, [Odd()], *games]


def fits(value: object, hint: Any) -> bool:
    """Whether an annotation says that a value has the right type; unknown annotations take all but an Odd."""
    if isinstance(value, float) and math.isnan(value):
        return False
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (UnionType, typing.Union):
        return any(fits(value, part) for part in parts)
    if origin is typing.Literal:
        return any(value == part and type(value) is type(part) for part in parts)
    kinds: dict[Any, Any] = {int: Integral, float: Real, None: NoneType, NoneType: NoneType, str: str, bool: bool}
    if hint in kinds:
        return isinstance(value, kinds[hint])
    if hint in (gc.Game, gc.Node, gc.Rules, gc.Deadline, gc.Color, threading.Event, Path, bytes):
        return isinstance(value, hint)
    if origin in (dict, Mapping) or hint is os.PathLike:
        return isinstance(value, origin or hint)
    return not isinstance(value, Odd)


def parameters(name: str) -> list[str]:
    """The names of the parameters of a public function that are tried."""
    value = eval(f"gc.{name}", {"gc": gc})
    if value is gc.Color:
        return ["value"]
    taken = {} if isinstance(value, property) else inspect.signature(value).parameters
    return [key for key in taken if key not in ("self", "cls", "node", "review", "problem", "args", "options", "began")]


def called(name: str, arguments: dict[str, Any]) -> object:
    """Call a public function; a list of `moves` of a node stands for several arguments."""
    function = eval(f"gc.{name}", {"gc": gc})
    if name in ("Node.add", "Node.play"):
        return function(arguments.pop("self"), arguments.pop("moves"), **arguments)
    if name == "to_thread":
        return function(arguments["function"]).send(None)
    if name == "Color":
        return function(arguments["value"])
    value = function(**arguments)
    return str(value) if name in ("AnalysedMove", "stream") else value


def is_ours(error: BaseException) -> bool:
    """Whether an error was raised by a statement of the package, not by Python where a value was used."""
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename
    lines = "".join(linecache.getline(file, trace.tb_lineno - n) for n in range(3))
    return f"{os.sep}gtp_capture{os.sep}" in file and "raise " in lines


def test_the_table_has_every_public_name_that_takes_arguments() -> None:
    taking = {name for name, _ in public_callables() if "." in name or inspect.isfunction(getattr(gc, name))}
    with_arguments = {name for name in taking if parameters(name)}
    assert with_arguments - OTHERS == {*RIGHT} - {"AnalysedMove", "Color", "Deadline", "Game", "GtpEngine", "Node"} - {
        *("Player", "Problem.sgf", "Rules")
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SEARCHING)) for name in RIGHT if name not in OTHERS],
)
def test_a_wrong_argument_is_an_error_in_words_of_ours(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: None
) -> None:
    monkeypatch.chdir(tmp_path)
    function = eval(f"gc.{name}", {"gc": gc})
    hints = typing.get_type_hints(
        function if inspect.isfunction(function) or inspect.ismethod(function) else function.__init__,
        localns={"npt": npt, "np": np, "Game": gc.Game, "threading": threading},
    )
    documented = " ".join(filter(None, (function.__doc__, getattr(function.__init__, "__doc__", "") or "")))
    faults: list[str] = []
    for parameter in parameters(name):
        for number in range(len(wrong_values({}))):
            arguments = RIGHT[name]()
            wrong = wrong_values(arguments)[number]
            tried = f"{parameter}={wrong!r:.60}"
            try:
                called(name, arguments | {parameter: wrong})
            except (TypeError, ValueError, MemoryError, OSError) as error:
                if not is_ours(error) and not isinstance(error, OSError | MemoryError):
                    faults.append(f"{tried}: {type(error).__name__}: {error}")
                kind = "OSError" if isinstance(error, OSError) else type(error).__name__
                if kind not in documented and not re.search(r"[Ee]rrors?,? .*as for|as for `", documented):
                    faults.append(f"{kind} is not documented")
            except (gc.EngineFault, StopIteration, RuntimeError):
                pass  # the program of the call is no engine; a coroutine was begun
            except Exception as error:
                faults.append(f"{tried}: {type(error).__name__}: {error}")
            else:
                if not fits(wrong, hints.get(parameter, Any)):
                    faults.append(f"{tried}: no error")
    assert faults == []


TYPOS: dict[str, Callable[[], object]] = {
    "no player of this match: the players are one and two": lambda: a_match().score("typo", black=True),
    "'typo' is no player": lambda: a_match().slowest("typo"),
    "'Two' is no player": lambda: a_match().causes(faulty="Two"),
    "not a colour: 'blak'": lambda: a_review().counts("blak"),
    "is not one of this review": lambda: a_review().is_proven_to_decide(replace(a_review().moves[0], number=2)),
    "a prior is 0 to 1, not -0.1": lambda: gc.AnalysedMove("C3", prior=-0.1),
    "not 'C3': games make moves from vertices": lambda: str(gc.Move(gc.BLACK, cast(int, "C3"), 5)),
    "the name of a property is capital letters, not 'C]'": lambda: a_tree().set_text("C]", "text"),
    "has a backslash before it": lambda: gc.Node({"C": [b"a]b"]}),
    "a bot is an object": lambda: gc.serve(cast(Any, Corner), stdin=io.StringIO(), stdout=io.StringIO()),
    f"a solver cannot get {10**9} MiB": lambda: gc.solve(a_game(), memory=10**9),
    f"a solver cannot get {10**30} MiB": lambda: gc.solve(a_game(), memory=10**30),
    "a function that takes stop=": lambda: gc.to_thread(len, []).send(None),
    "a limit is made of seconds": lambda: gc.Deadline(limit=cast(Any, "x")),
}


@pytest.mark.parametrize("said", TYPOS)
def test_a_value_of_the_right_type_that_means_nothing_is_no_zero(said: str) -> None:
    with pytest.raises((ValueError, TypeError, MemoryError), match=re.escape(said)):
        TYPOS[said]()


def test_the_answer_to_one_question_is_one_value(compiled: None) -> None:
    game = gc.Game("first-capture", 4)
    assert gc.solve(game) == gc.solve(game) == gc.solve(game, memory=16)
