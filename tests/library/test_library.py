"""The library API: lazy loading, colours, solve, players, analysis, errors, and types."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import pydoc
import random
import re
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

import gtp_capture as gc
from gtp_capture import library
from gtp_capture.go.game import showboard
from gtp_capture.solver.proofs.checker import Counts
from gtp_capture.solver.proofs.files import Proof
from gtp_capture.teach.puzzles.problem import Problem, Start, Variation
from gtp_capture.util.limit import Limit

from ..support import brute_force
from ..support.diagrams import ATARI, played, set_up
from ..support.examples import failures
from ..support.paths import ROOT, TESTS
from ..support.process import HANG, output, python, started, wait_until
from ..support.proof_oracle import count_file
from ..support.random_games import Plan, plans
from .bot import Corner

PACKAGE = Path(gc.__file__).parent
COLORS = ["b", "B", "black", "Black", 1, gc.Color.BLACK]
NO_COLORS = ["blue", "", "1", 0, 3, 1.5, [], b"black"]
PROGRAM = """
import asyncio
import io
from pathlib import Path

import gtp_capture as gc
from gtp_capture.environment import Agent, Batch, BatchEnv, GoEnv, observe, random_agent

game = gc.Game("first-capture", (5, 6), komi=0.5)
game.play("C3")
game.play("C4", color=gc.Color("white"))
moves: list[str] = game.legal_moves(gc.Color.WHITE)
stone: gc.Color | None = game["C3"]
vertices: list[str] = game.stones("black") + game.chain("C3") + game.liberties("C3")
last: str = game.moves[-1].vertex + str(game.moves[-1].color.opponent)
gc.write_sgf(game, Path("game.sgf"))
gc.write_sgf(game, io.StringIO())
game.info["black_rank"] = game.info.get("white_rank", "5k")
facts_of_file: gc.GameInfo = {"black": "Ann", "result": "B+R"}
tree: gc.Node = gc.load_sgf_tree("(;SZ[9])")
tree.info = facts_of_file
added: gc.Node = tree.play("C3", "D4", color="white")
added.comment = added.root.comment
added.mark("C3", "triangle")
at_node: gc.Game = added.game()
tree_of_it: gc.Node = gc.Node.of(game)
read: list[gc.SgfItem] = [*gc.iter_sgf(Path("games").glob("*.sgf"), errors="skip")]
reasons: list[str] = [str(item.error) for item in read if item.game is None]
of_collection: list[gc.Node] = gc.load_sgf_trees(b"(;SZ[9])")
keys: dict[str, gc.Game] = {game.key(symmetric=True): gc.Game.parse(game.position_text())}
images: list[tuple[gc.Game, str]] = [*zip(game.images(), game.vertex_images("C3"))]
game.play(game.moves[0])
in_tree: list[str | None] = [node.move for node in tree.walk()]
same: list[gc.Game] = [gc.read_sgf("game.sgf"), gc.read_sgf(io.BytesIO()), *gc.load_sgf_collection(gc.dump_sgf(game))]
outcome: gc.Outcome | None = same[0].outcome
if outcome is not None and outcome.winner is gc.BLACK:
    print(outcome.termination, game.to_move.opponent, game == same[0], game.copy())
verdict: gc.Verdict = gc.solve(game, seconds=5)
winner: gc.Color | None = verdict.winner
winners: list[gc.Color | None] = [*gc.solve(game, first_moves=True, proof=Path("a.proof")).first_moves.values()]
proven: gc.Color = gc.check_proof("a.proof").winner
values, lengths = gc.action_values([game], plies=True, threads=1)
winning: list[bool] = [value > 0 for value in gc.action_values(game, seconds=None).tolist()]
judgement: tuple[bool | None, float | None] = gc.is_optimal(game, "A1"), gc.regret(game, "A1")
with gc.Player(level="misses-a-fifth", seed=1, playouts=400) as player:
    move: str = player.choose(game, seconds=0.1)
    seen_by_it: gc.Analysis = player.analyse(game)
analysis: gc.Analysis = gc.analyse(game, playouts=10, seed=3)
rates: dict[str, float] = {each.move: each.winrate for each in analysis.moves}
best: gc.AnalysedMove | None = analysis.best
proven_move: str | None = analysis["C3"].proof
made: gc.Analysis = gc.Analysis.of(game, {"A1": 0.5}, color="black")
more: gc.Analysis = gc.Analysis.of(game, [gc.AnalysedMove("A1", winrate=0.5)])
hint: gc.Hint = gc.hint(game)
facts: tuple[str, gc.Reason, str | None, str] = hint.move, hint.reason, hint.proof, str(hint)
why: gc.Explanation = gc.explain(game, seconds=0.1)
known: tuple[bool | None, bool, tuple[str, ...], gc.Hint | None] = why.loses, why.proven, why.line, why.better
for growing in gc.stream(game, seconds=5, every=0.2):
    print(growing.winner)
review: gc.Review = gc.review(game, seconds_per_move=0.2)
deciding: gc.ReviewedMove | None = review.deciding
mistakes: list[int] = [judged.number for judged in review.moves if judged.grade is gc.Grade.LOSING]
boards = BatchEnv(4, "capture-3", 5, seed=1, plies=(0, 2))
at_random: Agent = random_agent(1)
batch: Batch = boards.reset(options={"games": [None, None, None, None]})
batch = boards.step(at_random(batch.observations, batch.legal))
won: bool = bool((batch.rewards > 0).any() and observe([boards.game(0)]).terminated[0])
corner: list[int | str] = [boards.action("A1"), boards.vertex(0)]
results: gc.Playouts = gc.playouts(gc.Game.from_array(game.board_array(), "first-capture"), 100, seed=1)
counted: tuple[int, int] = results.winners[gc.BLACK], sum(results.lengths.values())
problems: list[gc.Problem] = gc.puzzles(size=5, count=3, depth=2, seed=1)
solutions: list[tuple[str, ...]] = [problem.solution for problem in problems]
text: str = review.sgf() + problems[0].sgf()
spelt: gc.Analysis = gc.analyze(game, seconds=1)
with gc.Stop() as stop:
    gc.analyse(game, stop=stop)
limit: gc.Deadline = gc.Deadline(seconds=1.0, stop=stop)
sides: list[gc.ColorLike] = [1, "w", gc.WHITE]
if game.to_move == "black" and game.why_illegal("C3", sides[0]) == gc.Illegal.OCCUPIED:
    print({gc.BLACK: 1})
rules: gc.Rules = gc.Rules(captures=3, ko=gc.Ko.SIMPLE, passing=gc.Passing.FREE, scoring=gc.Scoring.NONE)
presets: list[str] = [name for name, preset in gc.PRESETS.items() if preset == rules]
position: gc.Position = game.positions[-1]
played: gc.Move | None = game.last_move
statuses: set[gc.Status] = set((game.statuses() or {}).values())
again: list[gc.Game | gc.Node] = [gc.load_sgf(gc.dump_sgf(game)), gc.read_sgf_tree("game.sgf")]
ended: tuple[gc.Termination, float] = (gc.Termination.CAPTURE, gc.score(gc.Game("japanese", 5)))
proof: gc.Proof = gc.check_proof("a.proof")
judged_by: tuple[gc.Evidence, gc.Result, gc.Lost | None] = why.known, why.result, why.lost
remarks: list[tuple[gc.Remark | None, str]] = [(one.kind, one.remark) for one in review.moves]
rated: list[float | None] = [each.rate("black") for each in review.evaluations]
first_evaluation: gc.Verdict = review.evaluations[0]
numbers: gc.Counts = review.counts("white")
hardness: gc.Difficulty = problems[0].difficulty
flow: gc.Stream = gc.stream(game)
match: gc.MatchResult = gc.play_match(
    player, "gnugo --mode gtp", games=2, seed=1, jobs=2, sprt=(0, 30), on_game=lambda ended: print(ended.winner)
)
points: gc.Score = match.score(match.names[0], black=True)
by_pair: list[gc.Outcomes] = [*match.outcomes.values()]
shown: tuple[gc.Elo | None, gc.Sprt | None, tuple[gc.Rating, ...] | None] = match.elo, match.sprt, match.ratings
lost_by_fault: list[gc.MatchGame] = [one for one in match.games if one.cause == gc.Fault.TIME]
version: str = gc.__version__
try:
    other = gc.GtpEngine(["gnugo", "--mode", "gtp"])
    with other:
        of_engine: gc.Analysis = other.analyse(game, seconds=1)
        game.play(other.choose(game, seconds=1))
except gc.EngineFault as fault:
    print(fault.fault, fault.stderr)
except gc.IllegalMoveError as refusal:
    reason: gc.Illegal | None = refusal.reason
except (gc.GameError, gc.RulesError, gc.SgfError, gc.ProofError) as error:
    print(error)


class Corner:
    async def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        return game.legal_moves()[0]


bots: list[gc.Bot] = [Corner(), player, gc.GtpEngine("gnugo --mode gtp")]
env = GoEnv(game, max_moves=10)
env.reset(seed=1, options={"game": game})
agent: str = env.agent_selection
mask = env.observe(agent)["action_mask"]
env.step(int(mask.argmax()))
reward: float = env.rewards[agent]
spaces = env.observation_space(agent), env.action_space(agent).n
current: gc.Game = env.game
gc.serve(Corner(), stdin=io.StringIO("genmove b"), stdout=io.StringIO())


async def main() -> None:
    async for value in gc.stream(game):
        print(value.best)
        break
    awaited: gc.Analysis = await gc.to_thread(gc.analyse, game, seconds=5)
    print(awaited)


asyncio.run(main())
"""


# --- Loading and types ---


def test_the_import_loads_neither_compiled_code_nor_players() -> None:
    code = (
        "import sys, gtp_capture as gc; gc.Game().play('E5'); "
        "sys.exit(any(m in sys.modules for m in ('numba', 'gtp_capture.library', 'gtp_capture.players', "
        "'gtp_capture.search', 'gtp_capture.solver', 'gtp_capture.jit')))"
    )
    python(code)


FILES = """
import sys, gtp_capture as gc
tree = gc.load_sgf_tree(gc.dump_sgf(gc.load_sgf("(;SZ[5];B[cc])")))
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("gtp_capture.")}), len(sys.modules) < 160)
"""


def test_a_file_is_read_and_written_by_the_rules_alone() -> None:
    assert python(FILES) == "go util version True\n"


def test_a_player_is_made_without_compiled_code() -> None:
    python("import sys, gtp_capture as gc; gc.Player(level=3); sys.exit('numba' in sys.modules)")


def test_every_public_name_is_there_and_documented() -> None:
    assert dir(gc) == sorted(set(dir(gc)))
    assert gc.analyze is gc.analyse
    loaded = {name for name, value in vars(library).items() if not inspect.ismodule(value)}
    assert {name for name in loaded if not name.startswith("_")} <= set(dir(gc))
    for name in dir(gc):
        value = getattr(gc, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
        if inspect.isclass(value):
            for member, part in vars(value).items():
                if not member.startswith("_") and (inspect.isfunction(part) or isinstance(part, property)):
                    assert inspect.getdoc(part), f"{name}.{member}"


def test_the_help_of_the_package_begins_with_an_example_that_runs_and_has_every_name(compiled: None) -> None:
    text = pydoc.plain(pydoc.render_doc(gc))
    assert gc.__doc__ is not None
    assert "gtp-capture help library" in gc.__doc__[: gc.__doc__.index(">>> ")]
    assert failures(gc.__doc__) == 0
    assert len(text.splitlines()) < 200
    assert [name for name in dir(gc) if not re.search(rf"\b{name}\b", text)] == ["__version__"]


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'sovle'"):
        getattr(gc, "so" + "vle")


def test_type_information_is_part_of_the_package() -> None:
    assert (PACKAGE / "py.typed").is_file()
    assert '"py.typed"' in (ROOT / "pyproject.toml").read_text()


WRONG = """
import gtp_capture as gc

gc.nope
gc.sovle(gc.Game())
gc.Game().play(7)
gc.Game().setup([7], [], "black")
gc.Player().choose(gc.Game(), 1.0)
gc.Game().info["blak"] = "Ann"
gc.load_sgf_tree("(;)").mark("C3", "star")
gc.analyse(gc.Game(), second=1)
gc.Deadline(second=1)
gc.Grade.LOOSING
awaitable = gc.to_thread(gc.analyse, gc.Game(), second=1)
"""
"""A program with one mistake in each line."""


def test_the_program_uses_every_public_name() -> None:
    assert [name for name in dir(gc) if not re.search(rf"\bgc\.{name}\b", PROGRAM)] == []


INSIDE = {"Board", "Conditions", "Limit", "Start", "Variation", "Voice"}
"""Types of the package in annotations of public values that programs do not write down."""


def test_every_type_of_a_signature_is_public() -> None:
    public = {getattr(gc, name) for name in dir(gc) if inspect.isclass(getattr(gc, name))}
    names = {"npt": npt, "np": np, "Game": gc.Game}
    kinds = set[type]()
    for _, member in public_callables():
        kinds |= {kind for hint in get_type_hints(member, localns=names).values() for kind in types_of(hint)}
    assert {kind.__name__ for kind in kinds if kind.__module__.startswith("gtp_capture")} - INSIDE == {
        kind.__name__ for kind in kinds & public
    }


def types_of(hint: Any) -> Iterator[type]:
    """All classes in an annotation."""
    if isinstance(hint, type) and not get_args(hint):
        yield hint
    for part in get_args(hint):
        yield from types_of(part)


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions, and the methods and properties of public classes, but none for use inside the package."""
    for name in dir(gc):
        value = getattr(gc, name)
        members = vars(value).items() if inspect.isclass(value) and not issubclass(value, Enum | Exception) else ()
        parts = [(name, value), *((f"{name}.{member}", part) for member, part in members if member[0] != "_")]
        for path, part in parts:
            call = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
            if inspect.isfunction(call) and "inside the package" not in (call.__doc__ or ""):
                yield path, call


@pytest.mark.slow
def test_pyright_accepts_a_program_outside_the_package_and_finds_each_mistake_of_another(
    node: str, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}))
    pyright = TESTS / "node_modules" / "pyright" / "index.js"
    done = subprocess.run(
        [node, pyright, "--outputjson", "--pythonpath", sys.executable, "-p", tmp_path],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    diagnostics = json.loads(done.stdout)["generalDiagnostics"]
    mistakes = {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in diagnostics}
    assert mistakes == {("wrong.py", number) for number in range(4, 15)}, done.stdout


# --- Colours ---


@pytest.mark.parametrize("color", COLORS)
def test_every_form_of_a_colour_is_accepted_everywhere(color: gc.Color | str | int) -> None:
    game = gc.Game("aga", 5)
    game.set_to_move("white")
    game.play("C3", color)
    assert game.moves[-1].color is gc.BLACK
    assert game.is_legal("A1", color)
    assert game.why_illegal("C3", color) == "the point is not empty"
    assert len(game.legal_plays(color)) == 24
    assert len(game.legal_moves(color)) == 25
    assert game.atari(color) == []
    assert game.prisoners(color) == 0
    assert not game.loses_without_play(color)
    game.set_to_move(color)
    assert game.to_move is gc.BLACK
    game.setup(["A1"], [], color)
    assert game.to_move is gc.BLACK
    game.resign(color)
    assert game.outcome == gc.Outcome(gc.WHITE, gc.Termination.RESIGNATION)
    assert game.outcome.winner is gc.WHITE


@pytest.mark.parametrize("color", NO_COLORS, ids=repr)
def test_anything_else_is_named(color: Any) -> None:
    with pytest.raises(ValueError, match=f"^not a colour: {re.escape(repr(color))}$"):
        gc.Color(color)


# --- Pickles ---


def values() -> dict[str, object]:
    """One value of each public class, by the name of the class."""
    game = set_up(ATARI, "first-capture", int(gc.WHITE))
    lost = played(5, "C3", "C2", "A1")
    review, why = gc.review(lost, seconds_per_move=0.05), gc.explain(lost, playouts=200)
    analysis, hint = gc.analyse(game, playouts=20), gc.hint(game, playouts=20)
    ended = game.copy()
    ended.play("D3")
    match = gc.play_match(Corner(), Corner(), games=2, size=3)
    position = Start.of(game.board, int(gc.WHITE), game.rules)
    made: list[object] = [game, game.rules, ended.outcome, ended.last_move, ended.positions[-1]]
    made += [Proof(game, gc.BLACK, Counts(1, 2, 3)), gc.solve(game), analysis, analysis.best, why, hint]
    made += [review, review.moves[-1], review.counts("black"), review.evaluations[0]]
    made += [Problem(position, (Variation((game.point("D3"),), True),)), match, match.games[0], match.elo]
    made += [gc.load_sgf_tree("(;SZ[5];B[cc])").children[0]]
    made += [gc.Player(level=3, seed=1, memory=64), gc.GtpEngine("a"), gc.stream(game, 1.0), Limit(5.0, 3).begin()]
    made += [gc.playouts(game, 10, seed=1), match.score(match.names[0], black=True)]
    made += [*match.outcomes.values(), Problem(position, ()).difficulty, gc.Sprt(0.0, 5.0, False, (2,))]
    made += [gc.Rating("first", 10.0, 5.0), gc.SgfItem(Path("a.sgf"), 1, game)]
    return {type(value).__name__: value for value in made}


def text_of(value: object) -> str:
    """What a user sees of a value: its text, without addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", f"{value} {value!r}")


@pytest.mark.slow
def test_every_public_value_and_error_comes_back_from_its_pickle(compiled: None) -> None:
    made = values()
    for name in dir(gc):
        public = getattr(gc, name)
        if not inspect.isclass(public) or public in (gc.Bot, gc.GameInfo, gc.Stop):
            continue
        if issubclass(public, gc.EngineFault):
            examples: list[object] = [public(gc.Fault.CRASH, "it has ended", ["no", "memory"])]
        elif issubclass(public, Exception):
            examples = [public("the reason")]
        else:
            examples = list(public) if issubclass(public, Enum) else [made[name]]
        for value in examples:
            back = pickle.loads(pickle.dumps(value))
            assert type(back) is type(value)
            if isinstance(value, gc.Deadline):
                assert isinstance(back, gc.Deadline)
                assert (back.limit, back.stop.is_set()) == (value.limit, False)
                continue
            assert text_of(back) == text_of(value)
            if type(value).__eq__ is not object.__eq__:
                assert back == value, name


# --- The end ---


@given(plans())
def test_the_usual_loop_ends_and_nothing_is_legal_after_the_end(plan: Plan) -> None:
    game = plan.after()
    ended = game.is_over
    assert ended == (game.legal_moves() == [])
    if not ended:
        game.resign()
    before = game.copy()
    for move in ("A1", "pass", "resign"):
        assert not game.is_legal(move)
        with pytest.raises(gc.IllegalMoveError):
            game.play(move)
    assert game == before
    game.go_on()
    for each in (game, pickle.loads(pickle.dumps(game)), game.copy()):
        moves = each.legal_moves()
        assert moves[-1:] == ["pass"]
        each.play(moves[0])
        assert each.moves[-1].vertex == moves[0]
    game.clear()
    game.resign()
    assert game.legal_moves() == []


def test_a_refused_move_names_the_way_on() -> None:
    game = gc.Game("first-capture", 5)
    game.resign()
    assert game.why_illegal("C3") == "the game is over; go_on allows more moves"
    with pytest.raises(gc.IllegalMoveError, match="white C3: the game is over; go_on allows more moves"):
        game.play("C3")
    outcome = game.outcome
    game.go_on()
    game.play("C3")
    assert game.outcome == outcome


# --- Moves ---


@given(plans())
def test_legal_moves_are_the_moves_that_is_legal_accepts(plan: Plan) -> None:
    game = plan.after()
    vertices = [f"{column}{row + 1}" for row in range(game.height) for column in "ABCDEF"[: game.width]]
    assert game.legal_moves() == [move for move in [*vertices, "pass"] if game.is_legal(move)]


def test_a_text_drawing_is_what_showboard_draws() -> None:
    game = played(5, "c3")
    assert str(game) == showboard(game)
    assert repr(game) == "<Game 'first-capture', 5x5, 1 moves>"


# --- Solver ---


@pytest.mark.slow
def test_solve_takes_several_prisoners_on_tiny_boards(compiled: None) -> None:
    verdict = gc.solve(gc.Game("capture-2", 3), seconds=None)
    assert verdict.winner is gc.BLACK
    assert verdict.plies is None
    assert verdict.nodes > 0


@pytest.mark.parametrize("options", [{}, {"threads": 2, "memory": 8}, {"first_moves": True, "length": False}], ids=str)
def test_solve_agrees_with_minimax_by_definition(options: dict[str, Any], compiled: None) -> None:
    rng, solved = random.Random(5), 0
    while solved < 12:
        position = brute_force.random_position(rng, 3, 3)
        if (game := brute_force.game_of(*position, 3, 3, 1)).is_over:
            continue
        solved += 1
        (won, plies), after = brute_force.outcome(*position, 3, 3), brute_force.sides_after(*position, 3, 3)
        verdict = gc.solve(game, **options)
        assert (verdict.winner is gc.BLACK) == won
        assert verdict.plies == (plies if options.get("length", True) else None)
        winners = sorted(verdict.first_moves.values(), key=str)
        if not options.get("first_moves"):
            assert winners == []
        elif after is not None:
            lost = (brute_force.outcome(position[1], own, 3, 3)[0] for own in after)
            assert winners == sorted((gc.WHITE if lost else gc.BLACK for lost in lost), key=str)


def test_a_proof_from_python_is_what_the_oracle_counts_and_a_damaged_one_fails(tmp_path: Path, compiled: None) -> None:
    game, path = gc.Game(size=3), tmp_path / "proof"
    verdict = gc.solve(game, proof=path)
    proof = gc.check_proof(path)
    assert (proof.game, proof.winner, proof.counts) == (game, verdict.winner, count_file(path))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(gc.ProofError, match="the proof fails: proof is not a whole proof file"):
        gc.check_proof(path)
    with pytest.raises(gc.ProofError, match="directory"):
        gc.check_proof(tmp_path)
    with pytest.raises(FileNotFoundError):
        gc.check_proof(tmp_path / "missing")
    with pytest.raises(gc.GameError, match="first capture decides"):
        gc.solve(gc.Game("capture-2", 3), proof=path)
    assert gc.solve(gc.Game(size=9), seconds=0.0, proof=tmp_path / "none").winner is None
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_a_verdict_tells_the_nodes_also_if_nothing_is_decided(compiled: None) -> None:
    verdict = gc.solve(gc.Game("first-capture", 7), seconds=5)
    assert (verdict.winner, verdict.line) == (None, ())
    assert verdict.nodes > 0


@pytest.mark.parametrize(
    ("rules", "size", "reason"),
    [
        ("japanese", 5, "captures win"),
        ("first-capture", 12, "boards of up to 128 points"),
        ("capture-3", 9, "too large"),
    ],
)
def test_solve_refuses_other_rules_and_boards(rules: str, size: int, reason: str, compiled: None) -> None:
    with pytest.raises(gc.GameError, match=reason):
        gc.solve(gc.Game(rules, size))


# --- Players and analysis ---


def test_a_player_chooses_legal_moves_to_the_end(compiled: None) -> None:
    game = gc.Game("first-capture", 4)
    with gc.Player(level="misses-a-fifth", seed=1) as player:
        while not game.is_over:
            move = player.choose(game, playouts=20)
            assert move == "resign" or move in game.legal_moves()
            game.play(move)
        assert repr(player) == "<Player, level 4: misses-a-fifth>"
    assert game.outcome is not None
    assert game.outcome.winner is not None


def test_a_seed_repeats_the_moves_also_after_close(compiled: None) -> None:
    game = gc.Game("first-capture", 7)
    players = [gc.Player(level=2, seed=7) for _ in range(2)]
    first, second = (player.choose(game, playouts=30) for player in players)
    assert first == second
    players[0].close()
    assert players[0].choose(game, playouts=30) == first


def test_the_fixed_work_of_a_player_is_its_limit_unless_a_call_has_another(compiled: None) -> None:
    game = played(5, "C3", rules="japanese")
    player = gc.Player(playouts=40, seed=1)
    with player:
        assert sum(move.visits for move in player.analyse(game)) <= 40
        assert sum(move.visits for move in player.analyse(game, playouts=200)) > 100
    again = pickle.loads(pickle.dumps(player))
    assert (again.playouts, again.seed, again.choose(game)) == (40, 1, player.choose(game))
    assert game.is_legal(player.choose(game, gc.Deadline(seconds=1000.0)))  # ends after its playouts
    analysis = gc.Player(level=1, playouts=40).analyse(game, color="white")  # at full strength
    assert (analysis.color, len(analysis.moves) > 0) == (gc.WHITE, True)


def test_close_ends_the_threads(compiled: None) -> None:
    before = set(threading.enumerate())
    with gc.Player(threads=2, memory=64) as player:
        player.choose(gc.Game("japanese", 9), playouts=10_000)  # so many that one thread does not do the work of both
        started = set(threading.enumerate()) - before
        assert len([thread for thread in started if thread.name.startswith("search")]) == 2
    for thread in started:
        thread.join(HANG)
        assert not thread.is_alive() or not thread.name.startswith("search")


def test_choose_leaves_the_game_as_it_is_and_takes_a_colour(compiled: None) -> None:
    game = gc.Game("first-capture", 5)
    before = game.copy()
    assert gc.Player(level=1).choose(game, color="w", playouts=5) in game.legal_moves("w")
    assert game == before


@pytest.mark.parametrize("level", [0, 11, "master", ""])
def test_a_level_that_does_not_exist_is_refused(level: int | str) -> None:
    with pytest.raises(ValueError, match="is not a level: give 1 to 10"):
        gc.Player(level=level)


@pytest.mark.parametrize(("threads", "memory"), [(0, 512), (1, 0)])
def test_a_player_without_threads_or_memory_is_refused(threads: int, memory: int) -> None:
    with pytest.raises(ValueError, match=r"is a whole number (of 1 or more|from 1 to 256), not 0"):
        gc.Player(threads=threads, memory=memory)


@pytest.mark.parametrize("rules", ["japanese", "aga", "chinese"])
def test_the_winner_after_two_passes_is_the_winner_of_the_score(rules: str, compiled: None) -> None:
    game = played(5, "C3", "pass", "pass", rules=rules)
    assert game.outcome == gc.Outcome(gc.BLACK, gc.Termination.TWO_PASSES)
    assert game.score() == gc.score(game) > 0
    assert f"RE[B+{gc.score(game):g}]" in gc.dump_sgf(game)


FINISHED: dict[str, Callable[[gc.Game], object]] = {
    "solve": gc.solve,
    "analyse": gc.analyse,
    "hint": gc.hint,
    "choose": lambda game: gc.Player().choose(game),
}


@pytest.mark.parametrize("name", FINISHED)
def test_a_finished_game_is_refused(name: str) -> None:
    game = gc.Game("first-capture", 5)
    game.resign()
    with pytest.raises(gc.GameError, match="the game is over"):
        FINISHED[name](game)


def test_explain_needs_a_move() -> None:
    with pytest.raises(gc.GameError, match="no move to explain"):
        gc.explain(gc.Game())


# --- Calls that end early ---


STOPPED: dict[str, Callable[[gc.Game, gc.Stop], object]] = {
    "action_values": lambda game, stop: gc.action_values([game] * 3, seconds=None, stop=stop),
    "analyse": lambda game, stop: gc.analyse(game, seconds=1e6, stop=stop),
    "choose": lambda game, stop: gc.Player().choose(game, playouts=10**12, stop=stop),
    "explain": lambda game, stop: gc.explain(game, seconds=1e6, stop=stop),
    "hint": lambda game, stop: gc.hint(game, seconds=1e6, stop=stop),
    "puzzles": lambda game, stop: gc.puzzles(size=9, depth=9, count=10**6, stop=stop),
    "review": lambda game, stop: gc.review(game, seconds_per_move=1e6, stop=stop),
    "solve": lambda game, stop: gc.solve(game, seconds=None, stop=stop),
    "solve alone": lambda game, stop: gc.solve(game, seconds=None, memory=8, first_moves=True, stop=stop),
}
"""Calls that would take years."""


@pytest.mark.parametrize("before", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["before", "during"])
@pytest.mark.parametrize("name", STOPPED)
def test_a_call_ends_when_its_block_is_left(name: str, before: bool, compiled: None) -> None:
    game, answers, calls = played(9, "E5", "D5", "C3"), list[object](), STOPPED[name]
    with gc.Stop() as stop:
        if before:
            stop.set()
        thread = threading.Thread(target=lambda: answers.append(calls(game, stop)))
        thread.start()
        if not before:
            wait_until(searching)
    thread.join(HANG)
    (value,) = answers
    assert not isinstance(value, gc.Verdict) or value.winner is None
    assert not isinstance(value, list) or value == []


def searching() -> bool:
    """Whether a search runs in some thread: the innermost frames of it are of the search or the solver."""
    stacks = ("".join(traceback.format_stack(frame)) for frame in sys._current_frames().values())
    return any(re.search(r"search.mcts\.py|solver.solver\.py", stack) for stack in stacks)


def test_a_cancelled_task_sets_the_stop_of_its_call() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def call(number: int, stop: threading.Event | None = None) -> int:
        assert stop is not None
        begun.set()
        if stop.wait(HANG):
            stopped.set()
        return number

    async def main() -> None:
        task = asyncio.create_task(gc.to_thread(call, 1))
        await asyncio.to_thread(begun.wait, HANG)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await gc.to_thread(gc.analyse, gc.Game(size=5), playouts=5)).moves

    asyncio.run(main())
    assert stopped.is_set()


def test_a_score_and_the_check_of_a_proof_are_stopped_without_a_result(tmp_path: Path, compiled: None) -> None:
    game = gc.Game("japanese", 9)
    game.setup(["C3", "C4"], ["F6", "G6"], "black")
    gc.solve(gc.Game(size=3), proof=tmp_path / "a.proof")
    with gc.Stop() as stop:
        pass
    for call in (lambda: gc.score(game, stop=stop), lambda: gc.check_proof(tmp_path / "a.proof", stop=stop)):
        with pytest.raises(CancelledError):
            call()


def test_close_ends_the_search_of_another_thread(compiled: None) -> None:
    game, player, moves = gc.Game("capture-3", 9), gc.Player(), list[str]()
    thread = threading.Thread(target=lambda: moves.append(player.choose(game, playouts=10**12)))
    thread.start()
    wait_until(lambda: player._running is not None)
    player.close()
    thread.join(HANG)
    assert game.is_legal(moves[0])


# --- Rules, scores and limits ---


def test_a_scored_game_is_counted_without_its_dead_stones() -> None:
    game = gc.Game("japanese", 5, komi=0)
    game.setup(["B1", "B2", "B3", "B4", "B5", "E5"], ["C1", "C2", "C3", "C4", "C5"], "black")
    game.play("pass")
    game.play("pass")
    before = game.outcome
    assert gc.score(game) == 5 - 11
    assert game.outcome == before == gc.Outcome(gc.WHITE, gc.Termination.TWO_PASSES)  # counting changes nothing


def test_a_capture_game_has_no_score() -> None:
    with pytest.raises(gc.GameError, match="do not score"):
        gc.score(gc.Game("first-capture", 5))


@pytest.mark.parametrize("limit", [{"seconds": -1}, {"seconds": float("nan")}, {"playouts": 0}])
def test_an_impossible_limit_is_refused(limit: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"(seconds|playouts) is a .* of (0 s|1) or more"):
        gc.analyse(gc.Game("first-capture", 5), **limit)


# --- Forks ---


FORK = """
import os, threading, gtp_capture as gc
from gtp_capture.library import engine

game = gc.Game("first-capture", 7)
gc.analyse(game, playouts=10)
over = threading.Event()

def search():
    while not over.is_set():
        gc.analyse(game, playouts=2000)

thread = threading.Thread(target=search)
thread.start()
while not any(player._running for player in list(engine._players)):
    pass
child = os.fork()
if not child:
    print(gc.solve(gc.Game("first-capture", 3)).winner, str(gc.hint(game, playouts=50)) != "", flush=True)
    os._exit(0)
os.waitpid(child, 0)
over.set()
thread.join()
print(gc.solve(gc.Game("first-capture", 3)).winner)
"""


@pytest.mark.posix
@pytest.mark.slow
def test_a_process_forked_while_another_thread_searches_solves(compiled: None) -> None:
    with started([sys.executable, "-c", FORK]) as process:
        assert output(process, 60)[0].splitlines() == ["black True", "black"]


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_path_that_no_file_can_have_is_named(name: str) -> None:
    if sys.platform == "win32" and "\0" not in name:
        pytest.skip("Windows has such names")
    reading = partial(gc.read_sgf, name), partial(gc.read_sgf_tree, name), partial(gc.check_proof, name)
    writing = partial(gc.write_sgf, gc.Game(), name), partial(gc.solve, gc.Game(size=3), proof=name)
    for call in (*reading, *writing):
        with pytest.raises(ValueError, match="no file can have the name"):
            call()


def test_a_time_of_centuries_is_a_time() -> None:
    player = gc.Player(level=1)
    assert gc.play_match(player, player, games=1, size=3, seconds=1e10, patience=1e30).games
