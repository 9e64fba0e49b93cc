"""Bots: served by GTP, in matches, and from the packages of others; engines as objects."""

from __future__ import annotations

import asyncio
import gc as garbage
import io
import re
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gtp_capture as gc
from gtp_capture.go.vertex import BLACK
from gtp_capture.gtp.engine import Engine
from gtp_capture.gtp.options import Options
from gtp_capture.gtp.protocol import GtpError
from gtp_capture.players.bot import LONGEST_NAME, BotError, BotPlayer
from gtp_capture.util.limit import Terminated

from ..support.diagrams import ATARI, set_up
from ..support.forks import refusal, run
from ..support.paths import ROOT, TESTS
from ..support.process import DOUBLE, ENGINE, HANG, wait_until
from .bot import BOTS, Corner, Endless, Liar, Patient, Waiting, Wrong

OURS = " ".join([*ENGINE, "--threads", "1", "--player"])


def served(name: str, lines: str) -> tuple[list[str], str, str]:
    """The answers of a served bot to some lines, what follows the session on stdout, and stderr."""
    command = [sys.executable, "-m", "tests.library.bot", name]
    done = subprocess.run(command, cwd=ROOT, input=lines, capture_output=True, text=True, timeout=HANG, check=True)
    *answers, rest = done.stdout.split("\n\n")
    return answers, rest, done.stderr


def test_a_served_bot_is_a_complete_engine() -> None:
    lines = "name\nversion\ngenmove b\nplay w B1\ngenmove b\nundo\nundo\nlist_stones b\ncapture-rules capture-3\nquit\n"
    answers, rest, _ = served("corner", lines)
    assert answers[:5] == ["= corner", "= 1", "= A1", "= ", "= C1"]
    assert answers[5:8] == ["= ", "= ", "= A1"]
    assert answers[8] == "? the game is played under first-capture: clear_board first"
    assert rest == "served\n"


def test_a_served_bot_has_the_analysis_of_no_other_player() -> None:
    (answer,), _, _ = served("corner", "list_commands\n")
    listed = answer.split()
    assert {"showboard", "loadsgf", "capture-hint", "gogui-analyze_commands", "time_left"} <= set(listed)
    assert [name for name in listed if "analyze" in name] == ["gogui-analyze_commands"]


def test_what_a_bot_prints_goes_to_stderr_and_the_game_that_it_gets_is_a_copy() -> None:
    answers, rest, errors = served("loud", "genmove b\nlist_stones b\nname\n")
    assert answers == ["= D4", "= D4", "= loud bot"]
    assert errors == "= A1\n\n? lost\n"
    assert rest == "served\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("occupied", "wrong chose A1: the point is not empty"),
        ("number", "wrong returned 5, not a vertex, pass or resign"),
        ("nonsense", "wrong returned 'Z99': Z99 is not on the 4x4 board"),
        ("error", "wrong failed: ZeroDivisionError: a\\nb"),
        ("exit", "wrong failed: SystemExit: 3"),
    ],
)
def test_a_mistake_of_a_bot_is_an_error_in_one_line_that_names_it(name: str, said: str) -> None:
    lines: list[str] = []
    engine = Engine(Options(width=4, height=4, bot=BOTS[name]), lines.append)
    engine.play(BLACK, engine.game.point("A1"))
    before = engine.game.copy()
    with pytest.raises(GtpError) as failure:
        engine.genmove(2)
    assert str(failure.value) == said
    assert engine.game == before
    assert any("Traceback" in line for line in lines) == (name in ("error", "exit"))


def test_what_is_not_an_analysis_is_an_error_in_one_line_that_names_the_bot() -> None:
    count = len(Liar().answers)
    answers, _, errors = served("liar", "analyze b 10\n" * count + "genmove b\n")
    assert answers == ["= "] * count + ["= A1"]
    lines, wrong = errors.splitlines(), ["5", "None", "'A1'", "7", "namespace(moves=5)"]
    assert lines[:5] == [f"liar returned {value}, not an Analysis" for value in wrong]
    assert lines[5] == "liar returned 'A1', not an AnalysedMove of this board"
    moves = r"liar returned AnalysedMove\(.*\), not an AnalysedMove of this board"
    assert [re.fullmatch(moves, line) is not None for line in lines[6:]] == [True] * (count - 6)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("name", "command", "how"),
    [
        ("stubborn", "genmove b", "SIGTERM"),
        ("stubborn", "analyze b", "SIGTERM"),
        ("waiting", "genmove b", "SIGTERM"),
        ("stubborn", "genmove b", "both pipes closed"),
        ("stubborn", "analyze b", "both pipes closed"),
    ],
)
def test_a_bot_that_thinks_on_is_ended_with_its_session(name: str, command: str, how: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.library.bot", name], cwd=ROOT, stdin=-1, stdout=-1, stderr=-1, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(f"{command}\n")
    process.stdin.flush()
    assert process.stderr.readline() == "thinking\n"
    if how == "SIGTERM":
        process.send_signal(signal.SIGTERM)
    process.stdin.close()
    if how != "SIGTERM":
        process.stdout.close()
    assert process.wait(HANG) == 0
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()


def test_an_asynchronous_generator_analyses_until_it_is_stopped_which_is_no_error() -> None:
    lines: list[str] = []
    player, game, limit = BotPlayer(Patient(), lines.append), gc.Game("first-capture", 3), gc.Deadline()
    thread = threading.Thread(target=player.study, args=(game, BLACK, limit))
    thread.start()
    wait_until(lambda: [move.visits for move in player.analyses(game, BLACK, None)] == [30])
    limit.stop.set()
    thread.join(HANG)
    assert not thread.is_alive()
    assert lines == []
    answers, _, errors = served("patient", "analyze b 10\nname\n")
    assert answers[-1] == "= patient"
    assert errors.splitlines() in ([], ["closed"])


def test_the_coroutines_of_a_bot_run_in_one_loop_and_are_cancelled_with_the_move() -> None:
    bot, limit = Waiting(), gc.Deadline()
    player = BotPlayer(bot, print)
    player.load()
    game = gc.Game(size=3)
    assert player.choose(game, BLACK, limit).move == game.point("A1")

    def stop() -> None:
        bot.waits.wait(HANG)
        limit.stop.set()

    threading.Thread(target=stop).start()
    with pytest.raises(BotError, match="waiting was stopped before it had a move"):
        player.choose(game, BLACK, limit)
    assert bot.cancelled.wait(HANG)
    assert len(bot.loops) == 1
    bot = Waiting()
    result = gc.play_match(bot, Wrong("resign"), games=1, size=3)
    assert (result.games[0].winner, result.games[0].moves) == ("waiting", "bA1 wresign")


def test_sigterm_is_no_mistake_of_a_bot() -> None:
    with pytest.raises(Terminated):
        BotPlayer(Wrong(Terminated()), print).choose(gc.Game(size=4), BLACK, gc.Deadline())


def test_a_bot_may_pass_and_resign() -> None:
    engine = Engine(Options(gc.PRESETS["chinese"], 4, 4, bot=Wrong("PASS")), print)
    assert engine.genmove(BLACK) == "pass"
    engine = Engine(Options(width=4, height=4, bot=Wrong("Resign")), print)
    assert engine.genmove(BLACK) == "resign"


def test_a_bot_gets_the_colour_and_the_time_of_its_move() -> None:
    asked: list[tuple[gc.Color, float]] = []

    class Asked(Corner):
        name = "x" * 100

        def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
            asked.append((game.to_move, limit.left()))
            return super().choose(game, limit)

    engine = Engine(Options(width=4, height=4, bot=Asked(), time_per_move=3.0), print)
    engine.genmove(2)
    assert asked[0][0] is gc.WHITE
    assert 0 < asked[0][1] <= 3.0
    assert engine.name == "x" * LONGEST_NAME


# --- Bots tested by their authors ---


def test_a_session_on_streams_answers_as_the_one_on_stdin_and_stdout() -> None:
    lines = "1 name\ngenmove b\nplay w A1\nlist_stones b\nquit\n"
    answers, rest, _ = served("corner", lines)
    for given_in, given_out in ((io.StringIO(lines), io.StringIO()), (io.BytesIO(lines.encode()), io.BytesIO())):
        gc.serve(Corner(), size=4, stdin=given_in, stdout=given_out)
        written = given_out.getvalue()
        assert (written.decode() if isinstance(written, bytes) else written) == "\n\n".join([*answers, ""])
    assert rest == "served\n"
    with pytest.raises(TypeError, match=r"stdin is an open file, not 'name'"):
        gc.serve(Corner(), stdin="name", stdout=io.StringIO())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"stdout is an open file, not None"):
        gc.serve(Corner(), stdin=io.StringIO())


def test_a_session_on_streams_ends_with_its_output() -> None:
    (closed := io.StringIO()).close()
    gc.serve(Corner(), stdin=io.StringIO("name\n" * 3), stdout=closed)


def test_a_limit_made_by_a_test_is_one_that_a_bot_gets() -> None:
    assert gc.Deadline(seconds=0.0).expired()
    assert not gc.Deadline(seconds=1e6).expired()
    assert gc.Deadline().left() == float("inf")
    assert gc.Deadline(playouts=3).limit.playouts == 3
    stop = threading.Event()
    limit = gc.Deadline(stop=stop)
    stop.set()
    assert limit.expired()
    with pytest.raises(TypeError, match=r"stop is a threading\.Event, not True"):
        gc.Deadline(stop=True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="playouts is a whole number of 1 or more, not 0"):
        gc.Deadline(playouts=0)


# --- Matches ---


def test_a_match_between_bots_has_the_referees_results(tmp_path: Path) -> None:
    result = gc.play_match(Corner(), Wrong("A1"), games=4, size=4, openings="crosscut", sgf=tmp_path / "games")
    assert result.names == ("corner", "wrong")
    assert result.points == {"corner": 4.0, "wrong": 0.0}
    assert str(result).startswith("corner 4 - 0 wrong (4 games), Elo +")
    first = result.games[0]
    assert (first.black, first.winner, first.cause) == ("corner", "corner", "refusal")
    assert first.message == "white: 'genmove w' was answered '? wrong chose A1: the point is not empty'"
    assert first.sgf() == (tmp_path / "games" / "game-00000.sgf").read_text()
    assert gc.load_sgf(first.sgf()).moves == first.game().moves
    html = ElementTree.fromstring(result._repr_html_())
    assert [cell.text for cell in html.iter("td")] == [
        "corner",
        "4",
        "4 - 0 - 0",
        "2 - 0 - 0",
        "2 - 0 - 0",
        *("wrong", "0", "0 - 0 - 4", "0 - 0 - 2", "0 - 0 - 2"),
    ]
    named = replace(result, names=("<b>&", "wrong"), scores={("<b>&", "wrong"): result.scores["corner", "wrong"]})
    assert "<td>&lt;b&gt;&amp;</td>" in named._repr_html_()
    assert first.game().info == {"black": "corner", "white": "wrong"}
    assert gc.load_sgf(first.sgf()).info == {**first.game().info, "result": "B+F"}


def test_a_match_goes_on_from_its_results(tmp_path: Path) -> None:
    path = tmp_path / "results.dat"
    once = gc.play_match(Corner(), Wrong("resign"), games=2, size=4, results=path)
    with pytest.raises(ValueError, match="exists: use resume=True to continue it"):
        gc.play_match(Corner(), Wrong("resign"), games=4, size=4, results=path)
    again = gc.play_match(Corner(), Wrong("resign"), games=4, size=4, results=path, resume=True)
    assert [game.sgf() for game in again.games[:2]] == [game.sgf() for game in once.games]
    assert (len(again.games), again.duplicates, sum(again.points.values())) == (4, 2, 2.0)
    with pytest.raises(ValueError, match="holds another match: BlackLabel is"):
        gc.play_match(Corner(), Corner(), games=4, size=4, results=path, resume=True)


def test_wrong_matches_are_errors_that_say_why(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot start '/no/engine'"):
        gc.play_match(Corner(), "/no/engine", size=4)
    with pytest.raises(ValueError, match="'diagonal' is not empty, crosscut or random-K"):
        gc.play_match(Corner(), Corner(), openings="diagonal")
    with pytest.raises(ValueError, match=r"missing\.txt"):
        gc.play_match(Corner(), Corner(), openings=tmp_path / "missing.txt")
    with pytest.raises(TypeError, match=r"with jobs above 1 each game has a copy of the bot, and .* has none: "):
        gc.play_match(Corner(), Waiting(), jobs=2)
    for bounds in ((30, 0), (0, 10**5), (0, float("nan"))):
        with pytest.raises(ValueError, match="sprt is two differences in Elo, the smaller one first"):
            gc.play_match(Corner(), Corner(), sprt=bounds)
    with pytest.raises(TypeError, match="a bot is an object"):
        gc.play_match(Corner, Corner())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="games is a whole number from 1 to 1000000, not 0"):
        gc.play_match(Corner(), Corner(), games=0)
    for wrong in ({"seconds": float("inf")}, {"seconds": -1.0}, {"patience": float("inf")}, {"patience": -1.0}):
        with pytest.raises(ValueError, match=r"is a time of (more than 0 s|0 s or more), and finite; not"):
            gc.play_match(Corner(), Corner(), **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed is a whole number of 0 or more, not -1"):
        gc.play_match(Corner(), Corner(), seed=-1)


def test_the_openings_of_a_match_may_be_a_path_in_text(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("C3 B3")
    result = gc.play_match(Corner(), Wrong("resign"), games=2, size=4, openings=str(tmp_path / "openings.txt"))
    assert [[move.vertex for move in game.game().moves[:2]] for game in result.games] == [["C3", "B3"]] * 2


@pytest.mark.slow
def test_a_bot_that_never_answers_loses_its_game() -> None:
    result = gc.play_match(Endless(), Wrong("resign"), games=1, size=4, patience=5.0)
    assert (result.games[0].winner, result.games[0].cause) == ("wrong", "silence")


@pytest.mark.slow
def test_a_match_with_programs_of_two_kinds_and_two_games_at_a_time() -> None:
    result = gc.play_match(f"{OURS} random --seed {{seed}}", gc.GtpEngine(f"{OURS} greedy"), games=4, size=4, jobs=2)
    assert {game.cause for game in result.games} <= {"capture", "no legal play"}
    result = gc.play_match(Corner(), f"{OURS} greedy", games=2, size=3, rules="capture-2")
    assert result.faults == []
    assert {game.cause for game in result.games} <= {"capture", "no legal play"}


@pytest.mark.slow
def test_players_play_the_same_games_with_any_number_of_jobs(compiled: None) -> None:
    def played(jobs: int) -> list[str]:
        seen: list[gc.MatchGame] = []
        pair = gc.Player(level=3, seed=1, playouts=20), gc.Player(level=3, seed=2, playouts=20)
        result = gc.play_match(*pair, games=6, size=4, rules="capture-2", jobs=jobs, on_game=seen.append)
        assert {game.number for game in seen} == {0, 1, 2, 3, 4, 5}
        assert result.faults == []
        return [game.moves for game in result.games]

    one_by_one = played(1)
    assert one_by_one == played(3)
    assert len({*one_by_one}) > 2  # the games have seeds of their own


def test_a_match_ends_when_its_test_is_decided() -> None:
    seen: list[int] = []
    result = gc.play_match(
        Corner(), Wrong("resign"), games=200, size=9, openings="random-2", sprt=(0, 300), jobs=2,
        on_game=lambda game: seen.append(game.number),
    )  # fmt: skip
    assert result.sprt is not None
    assert (result.sprt.verdict, result.planned) == ("H1", 200)
    assert len(result.games) == len(seen) < 200
    assert gc.play_match(Corner(), Corner(), games=2, size=3).sprt is None


def test_a_session_with_a_player_does_its_fixed_work_and_analyses(compiled: None) -> None:
    answers = io.StringIO()
    lines = "genmove b\ngenmove w\nknown_command lz-analyze\n"
    gc.serve(gc.Player(level=4, seed=5, playouts=30), size=4, stdin=io.StringIO(lines), stdout=answers)
    again = io.StringIO()
    gc.serve(gc.Player(level=4, seed=5, playouts=30), size=4, stdin=io.StringIO(lines), stdout=again)
    assert answers.getvalue() == again.getvalue()
    assert answers.getvalue().endswith("= true\n\n")


class Loader:
    """A bot that notes when it is loaded, and for each move whether a game clock runs."""

    def __init__(self, failing: bool = False) -> None:
        self.calls: list[str] = []
        self._failing = failing

    def load(self) -> None:
        """Note it."""
        self.calls.append("load")
        if self._failing:
            raise OSError("no file")

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        """Play the first legal move."""
        self.calls.append("free" if limit.limit.clock is None else "clocked")
        return game.legal_moves()[0]


def test_a_bot_loads_before_its_clock_runs() -> None:
    bot = Loader()
    gc.play_match(bot, Corner(), games=2, size=3, seconds=60)
    loads = bot.calls.count("load")
    assert bot.calls[: loads + 1] == ["load"] * loads + ["free"]  # a move outside the games, as engines make
    assert set(bot.calls[loads + 1 :]) == {"clocked"}
    with pytest.raises(ValueError, match="crash: loader failed: OSError: no file"):
        gc.play_match(Loader(failing=True), Corner(), games=1, size=3)


def test_a_served_player_has_loaded_before_its_first_move() -> None:
    lines: list[str] = []
    bot = Loader(failing=True)
    engine = Engine(Options(width=4, height=4, bot=bot), lines.append)
    answered = threading.Event()
    answered.set()
    engine.start(answered)
    wait_until(lambda: bot.calls == ["load"] and lines)
    assert engine.genmove(BLACK) == "A1"


# --- Engines as objects ---


def test_close_ends_the_move_of_another_thread_and_the_fault_has_the_stderr() -> None:
    engine = gc.GtpEngine(f"{DOUBLE} hang 1", patience=HANG)
    faults: list[gc.EngineFault] = []

    def choose() -> None:
        with pytest.raises(gc.EngineFault) as caught:
            engine.choose(gc.Game("chinese", 9))
        faults.append(caught.value)

    thread = threading.Thread(target=choose)
    thread.start()
    wait_until(lambda: "about to hang" in engine._client.stderr)
    engine.close()
    thread.join(HANG)
    (fault,) = faults
    assert (fault.fault, fault.stderr) == (gc.Fault.CRASH, ("about to hang",))
    assert str(fault) == "it was closed (asked: 'genmove b') | stderr: about to hang"
    engine.close()


@pytest.mark.slow
def test_an_engine_follows_a_game_with_setup_handicap_and_undo() -> None:
    with gc.GtpEngine(f"{OURS} random --seed 1") as engine:
        assert (engine.name, engine.version) == ("gtp-capture", gc.__version__)
        assert "capture-rules" in engine.commands
        game = gc.Game("capture-2 suicide=legal", (5, 4))
        game.setup(["A1", "A2"], ["C3"], gc.WHITE)
        for _ in range(3):
            game.play(engine.choose(game, seconds=5))
            assert engine.send("capture-rules") == "capture-2 suicide=legal"
        game.undo()
        engine.choose(game)
        stones = {
            "black": set(engine.send("list_stones b").split()),
            "white": set(engine.send("list_stones w").split()),
        }
        assert stones["white"] > {"C3"}
        assert stones["black"] >= {"A1", "A2"}
        ended = gc.Game("chinese", 5, komi=1234567.25)
        ended.place_handicap(["C3", "B2"])
        assert ended.is_legal(engine.choose(ended))
        assert set(engine.send("list_stones b").split()) == {"C3", "B2"}
        assert "KM[1234567.25]" in engine.send("printsgf")
        assert ended.is_legal(engine.choose(ended, color="black"), "black")


@pytest.mark.slow
def test_an_engines_errors_are_typed() -> None:
    engine = gc.GtpEngine(f"{OURS} random")
    with pytest.raises(gc.EngineFault, match="unknown command") as refused:
        engine.send("nonsense")
    assert refused.value.fault is gc.Fault.REFUSAL
    with pytest.raises(ValueError, match="one line"):
        engine.send("name\nquit")
    for empty in ("", " ", "# comment"):
        with pytest.raises(ValueError, match="a command is not empty"):
            engine.send(empty, seconds=1)
    for use in (lambda time: engine.send("name", seconds=time), lambda time: gc.GtpEngine(OURS, patience=time)):
        for time in (float("inf"), -1.0):
            with pytest.raises(ValueError, match="a time of 0 s or more, and finite; not"):
                use(time)
    with pytest.raises(TypeError, match="a command is text"):
        gc.GtpEngine(5)  # type: ignore[arg-type]
    engine.close()
    assert engine.send("protocol_version") == "2"  # it starts again
    engine.close()
    with pytest.raises(gc.EngineFault) as missing:
        _ = gc.GtpEngine("/no/engine").name
    assert missing.value.fault is gc.Fault.CRASH


PROGRAMS = {
    "ends": "pass",
    "no GTP": "print(sys.stdin.readline(), flush=True); sys.stdin.read()",
    "refuses": 'print("? no\\n", flush=True); sys.stdin.read()',
    "silent": "sys.stdin.read()",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_is_no_engine_is_ended_and_leaves_no_pipe(name: str) -> None:
    command = f"{sys.executable} -c 'import sys; {PROGRAMS[name]}'"
    uses: list[Callable[[gc.GtpEngine], object]] = [
        lambda engine: engine.commands,
        lambda engine: engine.name,
        lambda engine: engine.choose(gc.Game()),
    ]
    before = set(threading.enumerate())
    for use in uses:
        engine = gc.GtpEngine(command, patience=0.5 if name == "silent" else HANG)
        with pytest.raises(gc.EngineFault):
            use(engine)
        assert not engine._client.running
    wait_until(lambda: set(threading.enumerate()) <= before)  # its threads end with its pipes
    del engine
    garbage.collect()  # an input that is still open is a ResourceWarning, which is an error here


def test_an_engine_whose_call_was_cancelled_starts_again_at_the_next_use() -> None:
    engine = gc.GtpEngine(f"{DOUBLE} hang 1", patience=HANG)

    async def cancelled() -> None:
        task = asyncio.create_task(gc.to_thread(engine.choose, gc.Game("chinese", 9)))
        await asyncio.to_thread(wait_until, lambda: "about to hang" in engine._client.stderr)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with engine:
        for _ in range(2):
            asyncio.run(cancelled())
            assert engine.send("protocol_version") == "1"
        # The answer may come before the event is seen.
        assert asyncio.run(gc.to_thread(engine.send, "protocol_version")) == "1"
        with gc.Stop() as stop:
            stop.set()
            with suppress(gc.EngineFault):
                engine.send("protocol_version", stop=stop)
        assert engine.send("protocol_version") == "1"


REPORTS = {
    "lz-analyze": "info move C3 visits 120 winrate 5312 prior 1500 lcb 5100 order 0 pv C3 D4 pass info move D4 "
    "visits 130 winrate 4700 prior 1200 lcb 4600 order 1 pv D4",
    "kata-analyze": "info move c3 visits 120 utility -0.01 winrate 0.5312 scoreMean 0.2 prior 0.15 lcb 0.51 order 0 pv "
    "C3 D4 pass pvVisits 120 3 info move D4 visits 130 winrate 0.47 prior 0.12 order 1 pv D4 rootInfo visits 250 "
    "winrate 0.5 ownership 0.1 -0.2",
}


@pytest.mark.parametrize("command", REPORTS)
def test_an_engine_analyses_in_the_dialects_of_others(command: str) -> None:
    words = [sys.executable, str(TESTS / "support" / "engine_double.py"), "honest"]
    game = gc.Game("chinese", 5)
    game.play("A1")
    with gc.GtpEngine([*words, f"--analysis={command}:nothing\ninfo move Z9\n{REPORTS[command]}"]) as engine:
        for _ in range(2):  # the engine has the game, and goes on
            analysis = stopped_analysis(engine, game)
            assert [(move.move, move.visits, move.line) for move in analysis] == [
                ("C3", 120, ("C3", "D4", "pass")),
                ("D4", 130, ("D4",)),
            ]
            assert [round(move.winrate, 4) for move in analysis] == [0.5312, 0.47]
            assert (analysis.color, analysis.best, analysis.winner) == (gc.WHITE, analysis.moves[0], None)
        assert engine.send("protocol_version") == "1"
    for wrong in (
        "info move Z9 visits 1",
        "info move A1 visits 1 winrate 0.5",
        "info visits 1",
        "info move C3 visits x",
    ):
        with gc.GtpEngine([*words, f"--analysis={command}:{wrong}"]) as engine:
            with pytest.raises(gc.EngineFault, match="it reported 'info") as caught:
                stopped_analysis(engine, game)
            assert caught.value.fault is gc.Fault.GARBAGE
    with pytest.raises(gc.EngineFault, match="it has no command kata-analyze or lz-analyze"):
        gc.GtpEngine(words).analyse(game)
    with pytest.raises(TypeError, match="a command is text such as 'gnugo --mode gtp', or a list of its words"):
        gc.GtpEngine([])


def stopped_analysis(engine: gc.GtpEngine, game: gc.Game) -> gc.Analysis:
    """The analysis of an engine, as a coroutine's thread gets it, ended once the engine has reported."""
    engine._client.stderr.clear()
    with gc.Stop() as stop, ThreadPoolExecutor(1) as pool:
        analysing = pool.submit(engine.analyse, game, seconds=HANG, stop=stop)
        wait_until(lambda: analysing.done() or "reported" in engine._client.stderr)
        stop.set()
        return analysing.result(HANG)


def test_this_program_is_an_engine_that_analyses_and_a_coroutine_may_await_it(compiled: None) -> None:
    game = set_up(ATARI, "first-capture", gc.WHITE)
    with gc.GtpEngine([*ENGINE, "--threads", "1"]) as engine:
        first = asyncio.run(gc.to_thread(engine.analyse, game, seconds=0.0))  # the first report has the proof
        other = set_up(ATARI, "first-capture", gc.WHITE)
        other.play("A1")

        async def both() -> list[gc.Analysis]:
            calls = (gc.to_thread(engine.analyse, position, seconds=0.0) for position in (game, other))
            return await asyncio.gather(*calls)  # the calls of one engine wait for each other

        again, after = asyncio.run(both())
    assert (first.winner, first.moves[0].move, first.moves[0].proof) == (gc.WHITE, "D3", "win")
    assert (again.moves[0].move, again.game == game, after.game == other) == ("D3", True, True)


def test_a_stop_event_ends_an_engine_and_a_match() -> None:
    with gc.Stop() as stop:
        pass
    engine = gc.GtpEngine(f"{DOUBLE} hang 1", patience=HANG)
    with pytest.raises(gc.EngineFault, match="it was closed") as caught:
        engine.choose(gc.Game("chinese", 9), stop=stop)
    assert caught.value.fault is gc.Fault.CRASH
    with pytest.raises(TypeError, match=r"stop is a threading\.Event"):
        engine.send("name", stop=True)  # type: ignore[arg-type]
    engine.close()
    assert gc.play_match(Endless(), Corner(), games=1, size=4, stop=stop).games == ()


def test_gnugo_is_an_object(gnugo: str) -> None:
    with gc.GtpEngine(f"{gnugo} --mode gtp --level 1") as other:
        assert other.name == "GNU Go"
        game = gc.Game("chinese", 5)
        for _ in range(4):
            game.play(other.choose(game, seconds=1))
        assert "A B C D E" in other.send("showboard")


# --- Packages of others ---


def wheel(folder: Path) -> Path:
    """A wheel with a bot and its entry point."""
    info, path = "corner_bot-1.dist-info", folder / "corner_bot-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("corner_bot.py", (TESTS / "library" / "bot.py").read_text())
        file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: corner-bot\nVersion: 1\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        entries = "corner = corner_bot:Corner\nbroken = corner_bot:Missing\n"
        file.writestr(f"{info}/entry_points.txt", f"[gtp_capture.players]\n{entries}")
        file.writestr(f"{info}/RECORD", "")
    return path


@pytest.mark.slow
def test_a_player_of_an_installed_package_is_a_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zipfile.ZipFile(wheel(tmp_path)).extractall(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert run("--player", "corner", "--size", "4", data="name\ngenmove b\n").stdout == "= corner\n\n= A1\n\n"
    broken = refusal(run("--player", "broken"))
    assert broken.startswith("gtp-capture: broken (corner_bot:Missing) cannot be loaded: AttributeError")
    unknown = refusal(run("--player", "nobody"))
    assert unknown == "--player: 'nobody' is not one of random, greedy, shape, mcts, corner, broken"
