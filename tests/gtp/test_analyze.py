"""The analysis commands: format and content of the reports, and their end by any line."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gtp_capture import Game
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.jit.warmup import State, Warmup, loaded
from gtp_capture.players import analysis
from gtp_capture.players.analysis import move_analyses, study
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.search.mcts import ROOT, Tree
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from ..support.forks import script
from ..support.live import Live
from ..support.process import wait_until

pytestmark = pytest.mark.usefixtures("compiled")

QUICK = ("--seed", "1", "--threads", "1")
NUMBER = {"lz": r"\d+", "kata": r"[01]\.\d+"}


def infos(line: str, dialect: str = "lz", more: str = "") -> list[dict[str, str]]:
    """Parse the moves of a report; any deviation from the format fails."""
    number = NUMBER[dialect]
    vertex = r"(?:[A-HJ-Z]\d+|pass)"
    one = (
        rf"info move (?P<move>{vertex}) visits (?P<visits>\d+) winrate (?P<winrate>{number}) prior (?P<prior>{number}) "
        rf"lcb (?P<lcb>{number}) order (?P<order>\d+)(?: proven (?P<proven>win|loss))? "
        rf"pv (?P<pv>{vertex}(?: {vertex})*){more}"
    )
    line = re.split(" rootInfo | ownership ", line)[0]
    assert re.fullmatch(rf"{one}(?: .*)?", line), line
    moves = [m.groupdict() for m in re.finditer(rf"{one}(?= info|$)", line)]
    assert len(moves) == line.count("info ")
    return moves


def visited(report: list[dict[str, str]]) -> int:
    """Return the visits of all moves of a report."""
    return sum(int(info["visits"]) for info in report)


def first_info(engine: Live, *lines: str) -> str:
    """Send lines, the last of which starts an analysis; return its first report."""
    engine.send(*lines)
    while not (line := engine.line()).startswith("info"):
        pass
    return line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "dialect", "least"),
    [("analyze B 10", "lz", 0), ("lz-analyze b interval 10", "lz", 0),
     ("kata-analyze interval 10 rootInfo true minmoves 1", "kata", 1)],
)  # fmt: skip
def test_an_analysis_streams_growing_reports(command: str, dialect: str, least: int) -> None:
    """`least`: the number of moves that are listed even if they have fewer than ten visits."""
    with Live(*QUICK, "--size", "9") as engine:
        engine.send("play w B2", "play w B3", command)
        assert [engine.line() for _ in range(5)] == ["= ", "", "= ", "", "= "]
        first = second = infos(engine.line(), dialect)
        while visited(second) <= visited(first):
            second = infos(engine.line(), dialect)
        for report in (first, second):
            assert [int(info["order"]) for info in report] == list(range(len(report)))
            assert all(info["pv"].split()[0] == info["move"] for info in report)
            assert all(int(info["visits"]) >= 10 for info in report[least:])
            scale = 10_000 if dialect == "lz" else 1
            assert all(0 <= float(info[key]) <= scale for info in report for key in ("winrate", "prior", "lcb"))
            assert sum(float(info["prior"]) for info in report) <= scale * 1.01
        engine.send("name")
        assert engine.answer()[-1:] != ["= gtp-capture"]
        assert engine.answer() == ["= gtp-capture"]


@pytest.mark.slow
def test_a_proven_win_is_marked_and_listed_first() -> None:
    with Live(*QUICK, "--size", "5") as engine:
        line = first_info(engine, "play b A2", "play w A1", "play w C3", "play w C4", "kata-analyze b 5")
        best = infos(line, "kata")[0]
        assert (best["move"], best["proven"], float(best["winrate"])) == ("B1", "win", 1.0)
        assert int(best["visits"]) >= 10


def stop(engine: Live) -> None:
    """End the running analysis."""
    engine.send("name")
    engine.answer()
    assert engine.answer() == ["= gtp-capture"]


@pytest.mark.slow
def test_allow_avoid_and_maxmoves_restrict_the_reported_moves() -> None:
    with Live(*QUICK, "--size", "9") as engine:
        seen = []
        for words in ("allow b C3,B2 1 minmoves 2", "avoid b C3 1 avoid w E5 3", "maxmoves 3"):
            line = first_info(engine, f"lz-analyze b 10 {words}")
            while len(infos(line)) < 2:
                line = engine.line()
            seen.append([info["move"] for info in infos(line)])
            stop(engine)
    allowed, avoiding, three = seen
    assert set(allowed) == {"C3", "B2"}
    assert avoiding
    assert "C3" not in avoiding
    assert 0 < len(three) <= 3


@pytest.mark.slow
def test_avoiding_the_winning_move_affects_only_that_analysis() -> None:
    with Live(*QUICK, "--size", "7") as engine:
        # B1 captures; E5 and D4 do not.
        line = first_info(engine, "play b A2", "play w A1", "play b E6", "play w C4", "lz-analyze b 10 avoid b B1 1")
        assert "B1" not in {info["move"] for info in infos(line)}
        while len(report := infos(line)) < 5:
            line = engine.line()
        stop(engine)
        assert any(info["proven"] != "loss" for info in report)
        assert infos(first_info(engine, "lz-analyze b 10"))[0]["move"] == "B1"
        stop(engine)
        # White to move: every move but the avoided save loses.
        line = first_info(engine, "lz-analyze w 10 avoid w B1 1 minmoves 3")
        assert "B1" not in {info["move"] for info in infos(line)}
        stop(engine)
        assert engine.ask("genmove b") == "B1"


@pytest.mark.slow
def test_analysis_of_the_other_colour_is_not_reused_for_the_own_move() -> None:
    """Black to move must play B1; White would capture there if it were White's turn."""
    with Live(*QUICK, "--size", "6", "--playouts", "2000") as engine:
        first_info(engine, "play b A1", "play w A2", "play b D3", "play w D4", "lz-analyze w 5")
        stop(engine)
        assert engine.ask("genmove b") == "B1"


@pytest.mark.slow
def test_pv_visits_and_root_info_are_reported_on_request() -> None:
    with Live(*QUICK, "--size", "9") as engine:
        line = first_info(engine, "kata-analyze b 20 pvVisits true rootInfo true")
        for info in infos(line, "kata", r" pvVisits (?P<counts>\d+(?: \d+)*)"):
            counts = [int(count) for count in info["counts"].split()]
            assert len(counts) == len(info["pv"].split())
            assert counts[0] == int(info["visits"])
            assert counts == sorted(counts, reverse=True)
        root = re.search(r" rootInfo visits (\d+) winrate ([01]\.\d+)$", line)
        assert root is not None
        assert int(root[1]) >= sum(int(info["visits"]) for info in infos(line, "kata", r" pvVisits [\d ]+"))


def test_genmove_with_analysis_plays_an_allowed_move() -> None:
    with Live(*QUICK, "--size", "5", "--genmove-analyze", "--playouts", "200") as engine:
        engine.ask("play w C3")
        for command, vertex in (("kata-genmove_analyze", "A1"), ("cgos-genmove_analyze", "A5")):
            engine.send(f"{command} b 10 allow b {vertex} 1")
            assert engine.answer()[-1] == f"play {vertex}"
        engine.send("lz-genmove_analyze b 10 allow b A1 1")
        assert engine.answer() == ["? no move is left"]


def test_an_unknown_key_is_an_error_and_nothing_is_played() -> None:
    commands = ("analyze", "lz-analyze 1", "kata-analyze b", "cgos-genmove_analyze b", "kata-genmove_analyze b")
    unknown = ("ownershipStdev true", "movesOwnership true", "pvEdgeVisits true", "MINMOVES 1", "allow b", "1 1")
    wrong = ("rootInfo yes", "ownership 1", "maxmoves 0", "pvVisits")
    lines = [f"{c} pvVisits false {key}\n" for key in unknown + wrong for c in commands]
    *answers, stones, end = script("".join([*lines, "list_stones b\n"]), *QUICK).stdout.decode().split("\n\n")
    keys = "? syntax error: the keys are allow, avoid, interval, maxmoves, minmoves, ownership, pvVisits and rootInfo"
    assert answers == [keys if key in unknown else "? syntax error" for key in unknown + wrong for _ in commands]
    assert (stones, end) == ("= ", "")


@pytest.mark.slow
def test_ownership_is_reported_under_rules_that_score() -> None:
    with Live(*QUICK, "--size", "5", "--rules", "chinese") as engine:
        wall = [f"play b {vertex}" for vertex in ("A3", "B3", "C3", "D3", "E3", "A2", "B2")]
        line = first_info(engine, *wall, "kata-analyze b 10 ownership true")
        black = [float(v) for v in line.partition(" ownership ")[2].split()]
        stop(engine)
        line = first_info(engine, "kata-analyze w 10 ownership true")
        white = [float(v) for v in line.partition(" ownership ")[2].split()]
    assert len(black) == len(white) == 25
    assert min(black[10:15]) > 0.5  # Black's wall, the third row of five
    assert max(white[10:15]) < -0.5
    with Live(*QUICK, "--size", "5") as engine:
        line = first_info(engine, "kata-analyze b 10 ownership true")
        assert "ownership" not in line


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dialect"), [("genmove_analyze", "lz"), ("kata-genmove_analyze", "kata")])
def test_genmove_with_analysis_ends_with_the_move(name: str, dialect: str) -> None:
    with Live(*QUICK, "--genmove-analyze", "--playouts", "20000", "--no-opening-book") as engine:
        first_info(engine, "lz-analyze b 5")  # loads the search
        engine.send("name")
        engine.answer()
        engine.answer()
        engine.send(f"{name} b 10")
        # Sabaki sends this to end the command; the move is chosen normally.
        engine.send("protocol_version")
        first, *lines, last = engine.answer()
        assert first == "= "
        assert lines
        assert all(infos(line, dialect) for line in lines)
        move = re.fullmatch(r"play ([A-HJ]\d)", last)
        assert move is not None
        assert infos(lines[-1], dialect)[0]["move"] == move[1]
        assert engine.answer() == ["= 2"]
        assert engine.ask("known_command " + name) == "true"
        engine.send(f"play w {move[1]}")
        assert engine.answer() == ["? illegal move"]


def test_genmove_with_analysis_is_always_executed_and_listed_on_request_only() -> None:
    names = {"genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"}
    asked = "".join(f"known_command {name}\n{name} b 5\n" for name in sorted(names))
    for options, known in ([], "false"), (["--genmove-analyze"], "true"):
        done = script(asked, "--player", "random", *options).stdout.decode()
        assert re.fullmatch(rf"(= {known}\n\n= \nplay [A-HJ]\d\n\n){{3}}", done)
        listed = set(script("list_commands\n", *options).stdout.decode().split())
        assert names & listed == (names if options else set())


@pytest.mark.slow
def test_cgos_genmove_analyze_answers_json_and_the_move() -> None:
    done = script("cgos-genmove_analyze b\nfinal_score\n", *QUICK, "--playouts", "300", "--no-opening-book")
    head, analysis, play = done.stdout.decode().split("\n\n")[0].split("\n")
    assert head == "= "
    report = json.loads(analysis)
    best = report["moves"][0]
    assert play == f"play {best['move']}"
    assert 0 < report["winrate"] < 1
    assert report["visits"] == 300
    assert best["pv"].split()[0] == best["move"]


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["lz-", "cgos-"])
def test_genmove_with_analysis_plays_from_the_opening_book(prefix: str) -> None:
    done = script(f"{prefix}genmove_analyze b 10\n", *QUICK, "--size", "9")
    assert b"opening book" in done.stderr
    head, *lines, play = done.stdout.decode().removesuffix("\n\n").split("\n")
    assert head == "= "
    assert re.fullmatch(r"play [A-HJ]\d", play)
    # Nothing was searched, so no move is analysed.
    assert [json.loads(line)["moves"] for line in lines] == ([[]] if prefix == "cgos-" else [])
    book = play.removeprefix("play ")
    asked = f"{prefix}genmove_analyze b 10 avoid b {book} 1\n"
    assert f"play {book}\n" not in script(asked, *QUICK, "--playouts", "20").stdout.decode()


@pytest.mark.parametrize("command", ["analyze B", "lz-analyze", "kata-analyze w 50", "7 analyze b 1"])
def test_an_analysis_with_queued_lines_behind_it_stops_at_once(command: str) -> None:
    done = script(f"name\n{command}\nname\n", *QUICK)
    head = "=7 " if command.startswith("7") else "= "
    assert re.fullmatch(rf"= gtp-capture\n\n{head}\n(info .*\n)?\n= gtp-capture\n\n", done.stdout.decode())


@pytest.mark.slow
def test_an_analysis_that_begins_while_the_search_is_compiled_reports_once_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "once_not_compiled.py").write_text(
        "from pathlib import Path\nfrom gtp_capture.jit.cache import NotCompiledError\n"
        "if not (mark := Path(__file__).with_name('mark')).exists():\n    mark.touch()\n    raise NotCompiledError\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    warmup, game = Warmup(print, ("once_not_compiled",)), Game("first-capture", 9)
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), warmup)
    warmup.start()
    wait_until(lambda: warmup.state is not State.LOADING)  # a process tries to compile the module
    wait_for_analyses(player, game)


def test_a_round_in_which_a_busy_machine_leaves_no_time_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "FIRST_ROUND", 1e-6)
    player = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())
    wait_for_analyses(player, Game("first-capture", 9))


def wait_for_analyses(player: MctsPlayer, game: Game) -> None:
    """Study a position without a limit until there are analyses of its moves."""
    stop = threading.Event()
    thread = threading.Thread(target=study, args=(player, game, BLACK, Limit().begin(stop)))
    thread.start()
    try:
        wait_until(lambda: move_analyses(player, game, BLACK))
    finally:
        stop.set()
        thread.join()


def test_analysis_after_the_end_of_the_game_reports_its_result() -> None:
    """Sabaki's graph would end in a dash otherwise; it leaves out passes."""
    for player in ((), ("--player", "random")):
        lines = "play b pass\nanalyze w 1\nanalyze b 1\nkata-analyze w 1\nundo\n"
        got = script(lines, *([] if player else QUICK), *player).stdout.decode().split("\n\n")
        for answer, dialect, winrate in zip(got[1:4], ("lz", "lz", "kata"), (10_000, 0, 1), strict=True):
            (info,) = infos(answer.removeprefix("= \n"), dialect)
            assert float(info["winrate"]) == winrate
            assert info["proven"] == ("win" if winrate else "loss")
            assert re.fullmatch(r"[A-HJ]\d", info["move"])
            assert int(info["visits"]) >= 10


def test_wrong_arguments_are_an_error_and_not_a_stream() -> None:
    wrong = ["x", "b 5 ownership", "b interval x", "b 5 avoid b Z99 1", "b 5 allow c C3 1", "b 5 avoid b C3 0"]
    lines = "".join(f"lz-analyze {args}\n" for args in [*wrong, "b 5 avoid w C3 x", "b minmoves x"])
    assert script(lines, *QUICK).stdout == b"? syntax error\n\n" * 8


def test_every_move_of_a_solved_position_is_marked_as_the_solver_proves() -> None:
    with Live(*QUICK, "--size", "4") as engine:
        line = first_info(engine, "play b B2", "play w C3", "lz-analyze b 10")
        for _ in range(200):
            proofs = {info["move"]: info["proven"] for info in infos(line)}
            if len(proofs) > 5 and all(proofs.values()):
                break
            line = engine.line()
    solver, game = Solver(4, 4, 2**24), Game("first-capture", 4)
    for color, vertex in ((BLACK, "B2"), (WHITE, "C3")):
        game.play(vertex, color)
    truth = {
        game.vertex(p): "win" if winner == BLACK else "loss" for p, winner in solver.first_moves(game.board, BLACK)
    }
    assert proofs == {move: truth[move] for move in proofs}
    assert set(proofs.values()) == set(truth.values())


@pytest.mark.slow
def test_a_loss_in_the_book_is_marked_from_the_first_report() -> None:
    """The book has the result, a loss for White, without its plies."""
    with Live(*QUICK, "--size", "5") as engine:
        line = first_info(engine, "play b C3", "kata-analyze w 10")
        most = 0
        while most <= 100:  # the search still looks for the best resistance
            report = infos(line, "kata")
            assert {(info["proven"], float(info["winrate"])) for info in report} == {("loss", 0.0)}
            most = max(int(info["visits"]) for info in report)
            line = engine.line()
        stop(engine)
        assert engine.ask("capture-solve").startswith("black ")


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_in_ordinary_go_no_move_is_proven_lost_because_the_search_leaves_it_out(rules: str) -> None:
    game, player = Game(rules, 7), MctsPlayer(PlayerSettings(seed=1, threads=1, memory=64 * 2**20), loaded())
    game.play("D4")
    player.choose(game, WHITE, Limit(playouts=300).begin())
    moves = move_analyses(player, game, WHITE)
    assert len(moves) > 3
    assert {info.proof for info in moves} == {None}


@pytest.mark.parametrize(("playouts", "best"), [(3, None), (30, "C4")])
def test_lost_moves_are_not_listed_before_the_others_were_visited(playouts: int, best: str | None) -> None:
    game, tree = Game("first-capture", 9), Tree(2**20, 1, 1)
    game.setup(black=["C3"], white=["C2", "B3", "D3"], to_move=BLACK)
    turn = Turn(game.board, rules_record(game.rules, 0.0), BLACK)
    tree.search(ROOT, turn, game.legal_plays(), Limit(playouts=playouts).begin())
    tree.set_proven(ROOT, game.point("A1"), wins=False, plies=1)
    analyst: Any = SimpleNamespace(node=lambda *asked: (tree, ROOT))
    moves = move_analyses(analyst, game, BLACK)
    assert [info.move for info in moves[:1]] == ([] if best is None else [best])
