"""GoGui: regression files, the commands of its window and tools, its pictures and its ruler."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import WHITE
from gtp_capture.gtp import pictures
from gtp_capture.gtp.commands import registry
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.gtp.protocol import Registry, parse
from gtp_capture.jit.warmup import State
from gtp_capture.solver.solver import Solver

from ..support.forks import script
from ..support.gogui_regress import options, read
from ..support.live import Live
from ..support.paths import TESTS
from ..support.process import ENGINE, GtpProcess

FILES = sorted((TESTS / "gogui").glob("*.tst"))
RANDOM = ("--player", "random", "--seed", "1", "--size", "5")
RULER = ("--gogui-rules", "--size", "5")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_regression_file_holds(path: Path, compiled: None) -> None:
    with GtpProcess([*ENGINE, *options(path)]) as engine:
        for regression in read(path.read_text()):
            ok, text = engine.send(regression.command)
            assert regression.holds(ok, text), f"{path.name}:{regression.line}: {regression.command}: {text}"


def answers(lines: str, *more: str) -> list[str]:
    done = script(lines, *(more or RANDOM))
    assert done.returncode == 0
    return done.stdout.decode().removesuffix("\n\n").split("\n\n")


def answered(commands: Registry[Engine], engine: Engine, *lines: str) -> list[str]:
    """The answers of an engine of this process to some lines."""
    return [str(commands.run(engine, command)) for line in lines if (command := parse(line.encode())) is not None]


# --- Commands ---


def test_a_refused_sequence_counts_no_result(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    options = ("--level", "adapt", "--profile", str(profile), "--size", "5", "--playouts", "20", "--threads", "1")
    done = script("play b A1\ngenmove w\ngogui-play_sequence w pass b A1\ncapture-outcome\n", *options)
    assert b"? illegal move" in done.stdout
    assert b"= the game goes on" in done.stdout
    assert b"WINS" not in done.stderr
    assert not profile.exists()


def test_the_status_of_a_stone_is_that_of_the_lists() -> None:
    black = " b ".join(["A1", "A2", "A3", "A4", "A5", "B1", "B2", "C2", "D1", "D2", "D3"])
    setup = f"b {black} w " + " w ".join(["B3", "B4", "B5", "C4", "C5", "D4", "E1", "E2", "E3", "E4", "E5"])
    lists = "final_status_list seki\nfinal_status_list alive\nfinal_status C2\n"
    seki, alive, one = answers(f"gogui-setup {setup}\n{lists}", "--rules", "japanese", *RANDOM)[1:]
    assert ("C2" in seki, alive, one) == (True, "= ", "= seki")


def test_no_play_is_legal_that_is_refused_after_the_end() -> None:
    end = "boardsize 3\nplay b B1\nplay w A1\nplay b A2\n"
    ask = "all_legal b\nis_legal b C3\nis_legal b pass\nplay b C3\nundo\nis_legal b A2\n"
    got = answers(end + ask, *RANDOM, "--strict")[4:]
    assert got == ["= ", "= 0", "= 1", "? the game is over: BLACK WINS (capture)", "= ", "= 1"]
    assert answers(end + "is_legal b C3\nplay b C3\n", *RANDOM)[4:] == ["= 1", "= "]


def test_every_analyze_command_is_listed_and_well_formed() -> None:
    listed, *_ = answers("gogui-analyze_commands\n")
    lines = listed.removeprefix("= ").split("\n")
    names = answers("list_commands\n")[0].removeprefix("= ").split()
    types = {"gfx", "hstring", "string", "plist", "none", "param", "sboard", "dboard", "varp", "eplist"}
    assert all(3 <= len(line.split("/")) <= 5 for line in lines)
    assert {line.split("/")[0] for line in lines} <= types
    labels = [line.split("/")[1] for line in lines]
    assert len(set(labels)) == len(labels)
    assert {line.split("/")[2].split()[0] for line in lines} <= set(names)
    assert all(set(re.findall(r"%(.)", line)) <= set("cmpPsorw") for line in lines)


GFX = re.compile(
    r"(LABEL( [A-HJ-Z]\d+ \S+)+|INFLUENCE( [A-HJ-Z]\d+ -?[01]\.\d\d)+|VAR( [BW] [A-HJ-Z]\d+)+|COLOR \w+( [A-HJ-Z]\d+)+"
    r"|(MARK|SQUARE|CIRCLE|TRIANGLE|BLACK|WHITE)( [A-HJ-Z]\d+)+|TEXT .+|CLEAR)"
)


@pytest.mark.slow
def test_pictures_use_gogui_graphics_commands(compiled: None) -> None:
    listed = answers("gogui-analyze_commands\n")[0]
    names = re.findall(r"^(?:= )?gfx/.*/(.*)$", listed, re.MULTILINE)
    positions = ["clear_board", "gogui-play_sequence b C3 w C4 b B4 w D4 b A1 w A2", "gogui-play_sequence b C5 w B5"]
    lines = "".join(f"{position}\n" + "".join(f"{name}\n" for name in names) for position in positions)
    got = answers(lines, "--size", "5", "--seed", "1", "--threads", "1", "--playouts", "300")
    assert len(got) == len(positions) * (len(names) + 1)
    assert all(answer.startswith("= ") for answer in got)
    drawn = [line for answer in got for line in answer.removeprefix("= ").split("\n") if line]
    assert all(GFX.fullmatch(line) for line in drawn), [line for line in drawn if not GFX.fullmatch(line)]
    assert {line.split()[0] for line in drawn} >= {"LABEL", "INFLUENCE", "VAR", "COLOR", "MARK", "SQUARE", "TEXT"}


def test_the_picture_of_ladders_says_where_they_are_not_read(compiled: None) -> None:
    empty, stones = "clear_board\n", "gogui-setup b D3 b C4 b E5 b C5 w D4 w D9"
    cases: list[tuple[str, list[str], str]] = [
        (empty, [], "no ladder found"),
        (f"{stones} w A1 b A2\n", [], "not read: a chain is in atari"),
        (f"{stones}\n", ["--rules", "capture-2"], "not read: one capture does not win here"),
        (f"{stones}\n", ["--rules", "japanese"], "not read: one capture does not win here"),
    ]
    for setup, rules, said in cases:
        assert answers(f"{setup}capture-gfx-ladders\n", *RANDOM, "--size", "9", *rules)[1] == f"= TEXT {said}"


@pytest.mark.slow
def test_a_hint_and_an_explanation_are_drawn_with_a_short_text(compiled: None) -> None:
    lines = ("capture-gfx-explain\ncapture-gfx-hint\nplay b C3\nplay w A1\ncapture-gfx-explain\ncapture-explain\n"
             "play b A2\nplay w C5\nplay b B1\ncapture-gfx-explain\ncapture-gfx-hint\n")  # fmt: skip
    got = answers(lines, "--size", "5", "--seed", "1", "--threads", "1", "--playouts", "300")
    assert got[0] == "= TEXT no move to explain"
    assert got[1] == "= VAR B C3\nTEXT C3 wins, whatever the other side plays"
    drawn = re.fullmatch(r"= VAR (W .*|B .*)\nTEXT (A1 loses.{0,52})", got[4])
    assert drawn is not None, got[4]
    told = re.fullmatch(r"= (A1 loses[^:]*): ([^(.]*)(?: \(capture\))?\. .*", got[5])
    assert told is not None, got[5]
    assert told[2].startswith(drawn[1])
    assert drawn[2].startswith(told[1])
    assert got[9:] == ["= TEXT B1 wins the game (capture)", "= TEXT the game is over"]


def test_a_text_on_gogui_s_board_has_at_most_60_characters() -> None:
    """GoGui cuts a longer one off at the width of its window."""
    assert pictures.text("A1 loses", "", "B2 wins") == "TEXT A1 loses. B2 wins"
    assert pictures.text("A1 loses", "x" * 60) == "TEXT A1 loses"
    assert pictures.text("seven " * 11) == "TEXT " + "seven " * 8 + "seven..."


def test_a_request_for_the_rules_of_the_game_cancels_another_one() -> None:
    lines = "play b A1\nkgs-rules japanese\nkgs-rules chinese\nclear_board\ncapture-rules\n"
    assert answers(lines, "--rules", "chinese")[-1] == "= chinese"


@pytest.mark.slow
def test_pictures_are_written_during_a_search(compiled: None) -> None:
    with Live("--time-per-move", "3", "--threads", "1", "--gogui-gfx", "--size", "7", "--no-opening-book") as engine:
        first = engine.ask("genmove b")
        assert re.fullmatch(r"[A-G]\d", first)
        engine.ask("genmove w")
    said = "\n".join(engine.said)
    pictures = re.findall(r"^gogui-gfx:\n((?:.+\n)+)\n", said, re.MULTILINE)
    assert pictures
    assert all(GFX.fullmatch(line) for picture in pictures for line in picture.splitlines())
    assert "gogui-gfx: CLEAR" in said


# --- After the end, and in lost positions ---


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("first-capture", "b B1 w A1 b A2"),
        ("capture-2", "b B1 w A1 b C3 w A2 b A3 w C1 b B2"),
        ("first-capture", "b pass"),
        ("tromp-taylor", "b B2 w pass b pass"),
    ],
    ids=["first-capture", "capture-2", "a pass", "two passes"],
)
def test_everything_about_the_next_move_says_that_the_game_is_over(rules: str, moves: str) -> None:
    about_it = ("hint", "proven", "winrate", "visits", "pv", "ladders")
    asked = ["capture-hint", "capture-solve", *(f"capture-gfx-{name}" for name in about_it)]
    lines = f"gogui-play_sequence {moves}\n" + "".join(f"{line}\n" for line in asked)
    got = answers(lines, "--size", "3", "--rules", rules, "--playouts", "1")[1:]
    assert got == ["= the game is over", "? the game is over", *["= TEXT the game is over"] * len(about_it)]


LOST: dict[str, tuple[str, str, str, bool]] = {
    "all plays last two plies": ("9", "first-capture", "C3 C7 G7 G3 B7 B6 C6 B8 A7 A6", False),
    "some last four plies": ("5", "first-capture", "A2 D5 C2 E3 B3 A1 B4", True),
    "long ones": ("5", "first-capture", "E5 E3 D1 A5 C3 A3 B1 D4", True),
    "the whole game": ("5", "first-capture", "C3", True),
    "not known by the solver": ("4", "capture-3", "A3 B1 D2 C2 C1 B3", False),
}


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rules", "moves", "longest"), LOST.values(), ids=LOST.keys())
def test_hint_pictures_analysis_and_move_name_the_same_play_in_a_lost_position(
    size: str, rules: str, moves: str, longest: bool, compiled: None
) -> None:
    played = [f"{'bw'[number % 2]} {move}" for number, move in enumerate(moves.split())]
    color = "bw"[len(played) % 2]
    options = ("--size", size, "--rules", rules, "--seed", "1", "--threads", "1", "--playouts", "20000")
    with GtpProcess([*ENGINE, *options, "--no-opening-book"]) as engine:
        engine.ask(f"gogui-play_sequence {' '.join(played)}")
        hint = engine.ask("capture-hint")
        shown = [engine.ask(f"capture-gfx-{name}") for name in ("hint", "pv", "winrate")]
        chosen = engine.ask(f"reg_genmove {color}")
        analysed = engine.ask(f"kata-genmove_analyze {color} 10").splitlines()[-2].split()[2]
    assert hint.startswith("Every move loses. ")
    assert chosen in hint
    assert analysed == chosen
    assert re.findall(r"^VAR [BW] (\w+)", "\n".join(shown), re.MULTILINE) == [chosen, chosen]
    assert shown[2] == f"TEXT every move loses. I would play {chosen}"
    assert ("lasts longest" in hint) == longest


# --- The ruler ---


@pytest.mark.parametrize(
    ("lines", "loads"),
    [
        ("name\nversion\nprotocol_version\nlist_commands\nclear_board\nplay b A1\ngogui-rules_legal_moves\n", False),
        ("name\nlist_commands\nboardsize 5\n", True),
        ("showboard\n", True),
    ],
)
def test_the_search_is_loaded_for_a_player_and_not_for_a_ruler(lines: str, loads: bool) -> None:
    options = Options(gogui_rules=True, width=5, height=5)
    engine = Engine(options, print)
    started: list[bool] = []
    engine.warmup.start = lambda after=None: started.append(True)  # type: ignore[method-assign]
    commands = registry(options, engine.player)
    engine.command_names = commands.names
    engine.start(after=threading.Event())
    answered(commands, engine, *lines.splitlines())
    assert bool(started) == loads


def test_the_ruler_lists_pass_only_where_it_is_legal() -> None:
    got = answers("gogui-rules_legal_moves\ngogui-rules_game_id\n", "--rules", "capture-3", *RULER)
    assert "pass" not in got[0]
    assert got[1] == "= capture-3"
    got = answers(
        "play b pass\nplay b pass\ngogui-rules_legal_moves\nplay w pass\n"
        "gogui-rules_legal_moves\ngogui-rules_game_id\n",
        "--rules", "tromp-taylor", *RULER,
    )  # fmt: skip
    assert got[2].endswith("pass")
    assert got[4] == "= "
    assert got[5] == "= Go"


@pytest.mark.slow
def test_proven_moves_are_labelled_with_computed_lengths_only(compiled: None) -> None:
    lost, unknown = answers(
        "play b C3\ncapture-gfx-proven\nboardsize 13\ncapture-gfx-proven\n",
        "--size", "5", "--seed", "1", "--threads", "1", "--playouts", "500",
    )[1::2]  # fmt: skip
    assert unknown == "= TEXT nothing is proven"
    assert lost.startswith("= COLOR red ")
    labels = lost.partition("\nLABEL ")[2].split()
    solver, game = Solver(5, 5, 2**24), Game("first-capture", 5)
    game.play("C3", "black")
    assert len(labels) == 48
    for vertex, label in zip(labels[::2], labels[1::2], strict=True):
        assert re.fullmatch(r"L\d*", label)
        if label != "L":
            play = solver.play(solver.node(game.board, WHITE), game.point(vertex))
            assert solver.length_after(play) == int(label[1:]) - 1


@pytest.mark.slow
def test_a_review_that_ends_before_the_search_is_compiled_says_so() -> None:
    options = Options(width=9, height=9)
    engine = Engine(options, print)
    engine.warmup.start = lambda after=None: None  # type: ignore[method-assign]
    commands = registry(options, engine.player)
    for state, said in ((State.COMPILING, True), (State.FAILED, False)):
        engine.new_game()
        engine.warmup.state = state
        *_, answer = answered(commands, engine, "play b C3", "play w A1", "play b D4", "capture-review 0.05")
        assert ("The search is still being compiled, about " in answer) == said
