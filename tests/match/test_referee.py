"""The referee: every end of a game, every fault of an engine, and the clock."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_capture import PRESETS, Game, Rules, Termination
from gtp_capture.go import sgf
from gtp_capture.go.position import Move
from gtp_capture.go.scoring import result
from gtp_capture.go.vertex import BLACK, RESIGN, WHITE, Color, parse_color, parse_vertex
from gtp_capture.match import referee
from gtp_capture.match.entrants import probe
from gtp_capture.match.games import Contender
from gtp_capture.match.process import EngineClient, EngineFault, Fault, Response
from gtp_capture.match.referee import (
    CAUSES,
    FREE_SECONDS,
    MOVE_LIMIT,
    AdjudicatedGame,
    Conditions,
    canonical,
    play_game,
    prepare,
)
from gtp_capture.util.files import RequestError
from tests.support.process import DOUBLE, ENGINE, HANG, command_line

from ..support.fuzz import LETTERS, Twin, count

OURS = command_line(ENGINE)


def conditions(
    rules: str | Rules = "first-capture", size: int = 5, patience: float = HANG, **rest: object
) -> Conditions:
    value = PRESETS[rules] if isinstance(rules, str) else rules
    return Conditions(value, size, size, patience=patience, **rest)  # type: ignore[arg-type]


@contextmanager
def engines(black: str | EngineClient, white: str | EngineClient) -> Iterator[dict[int, EngineClient]]:
    sides = zip((BLACK, WHITE), (black, white), strict=True)
    players: dict[int, EngineClient] = {c: EngineClient(side) if isinstance(side, str) else side for c, side in sides}
    try:
        yield players
    finally:
        for engine in players.values():
            engine.close(0)


def script(*moves: str) -> str:
    return f"{DOUBLE} script {' '.join(moves)}"


def judged(
    black: str | EngineClient, white: str | EngineClient, under: Conditions, opening: tuple[Move, ...] = ()
) -> AdjudicatedGame:
    with engines(black, white) as players:
        return play_game(players, under, opening)


# --- How games end ---

ENDS = [
    pytest.param("first-capture", ["B1", "A2"], ["A1"], "capture", "B+R", id="the first capture"),
    pytest.param("first-capture", ["C3", "pass"], ["D4"], "handed over a stone", "W+R", id="a stone handed over"),
    pytest.param("first-capture", ["C3", "resign"], ["D4"], "resignation", "W+R", id="a resignation"),
    pytest.param("tromp-taylor", ["C3", "pass"], ["pass"], "two passes", "B+17.5", id="two passes and the score"),
    pytest.param("tromp-taylor", ["pass"], ["pass"], "two passes", "W+7.5", id="nothing but komi"),
]


@pytest.mark.parametrize(("rules", "black", "white", "cause", "result"), ENDS)
def test_a_game_ends_by_its_rules(rules: str, black: list[str], white: list[str], cause: str, result: str) -> None:
    adjudicated = judged(script(*black), script(*white), conditions(rules))
    assert (adjudicated.cause, adjudicated.result, adjudicated.faulty) == (cause, result, None)
    assert len(adjudicated.game.moves) == len(black) + len(white)


def test_one_of_two_prisoners_does_not_end_the_game() -> None:
    adjudicated = judged(script("B1", "A2", "C3", "resign"), script("A1", "D4", "E5"), conditions("capture-2"))
    assert (adjudicated.cause, adjudicated.result) == ("resignation", "W+R")
    assert adjudicated.game.prisoners(BLACK) == 1


@dataclass(eq=False)
class Recorder(EngineClient):
    """An engine of this process that plays at random, and keeps on sgfmill's board what it has played or was sent."""

    chance: random.Random
    rules: Rules
    moves: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__("recorder")

    def start(self, seconds: float) -> None:
        self.commands = frozenset()

    def send(self, command: str, seconds: float) -> Response:
        name, *args = command.split()
        match name:
            case "boardsize":
                self.twin = Twin(int(args[0]), self.rules.pass_stones > 0)
                self.game, self.moves = Game(self.rules, int(args[0])), []
            case "play":
                self.add(args[0], args[1])
            case "genmove":
                legal = self.game.legal_moves(args[0])
                if not legal or self.chance.random() < 0.02:
                    return Response(True, "resign")
                answer = "pass" if legal[-1] == "pass" and self.chance.random() < 0.3 else self.chance.choice(legal)
                self.add(args[0], answer)
                return Response(True, answer)
            case "final_score":
                return Response(True, f"B+{len(self.moves)}")
        return Response(True, "")

    def add(self, color: str, vertex: str) -> None:
        self.moves.append((color, vertex))
        self.game.play(vertex, color)
        self.twin.play(color, vertex)


@pytest.mark.parametrize(
    "name", [*PRESETS, "capture-2 suicide=legal ko=positional", "aga scoring=area", "capture-5 passing=free"]
)
def test_both_engines_have_the_referees_game_at_its_end(name: str) -> None:
    rules, ends = Rules.parse(name), set()
    for seed in range(12):
        chance = random.Random(seed)
        engines = {color: Recorder(chance, rules) for color in (BLACK, WHITE)}
        side = chance.choice((2, 3, 4, 5))
        adjudicated = play_game(engines, conditions(rules, side, max_moves=60))
        game = adjudicated.game
        ends.add(adjudicated.cause)
        sent = [(m.color[0], m.vertex) for m in game.moves if m.point != RESIGN]
        for engine in engines.values():
            board, *prisoners = engine.twin.boards[-1]
            assert engine.moves == sent, (adjudicated.cause, seed)
            assert prisoners == [game.prisoners(color) for color in (BLACK, WHITE)]
            assert [len(game.stones(c)) for c in (BLACK, WHITE)] == [count(board, c) for c in "bw"]
            for color, (row, column) in board.list_occupied_points():
                assert game[f"{LETTERS[column]}{row + 1}"] == parse_color(color)
        assert adjudicated.faulty is None
        assert (adjudicated.result == "?") == (adjudicated.cause == MOVE_LIMIT)
    assert rules.is_capture_game or ends >= {"two passes", "resignation"}


def test_a_fault_after_the_deciding_move_does_not_change_the_result() -> None:
    adjudicated = judged(script("pass"), f"{DOUBLE} stubborn", conditions())
    assert (adjudicated.cause, adjudicated.result, adjudicated.faulty) == ("handed over a stone", "W+R", None)


def test_a_colour_without_a_legal_play_loses() -> None:
    for seed in range(1000):
        game, rng = Game("first-capture", 3), random.Random(seed)
        while game.outcome is None:
            game.play_point(rng.choice(game.legal_plays()))
        if game.outcome.termination is Termination.NO_LEGAL_PLAY:
            break
    moves = [game.vertex(move.point) for move in game.moves]
    adjudicated = judged(script(*moves[::2]), script(*moves[1::2]), conditions(size=3))
    assert adjudicated.cause == "no legal play"
    assert adjudicated.winner == int(game.moves[-1].color)


def test_a_game_at_the_move_limit_has_no_result() -> None:
    adjudicated = judged(DOUBLE, DOUBLE, conditions(size=9, max_moves=7))
    assert (adjudicated.cause, adjudicated.result, adjudicated.winner) == (MOVE_LIMIT, "?", None)
    assert len(adjudicated.game.moves) == 7


def test_the_engines_score_a_game_with_unproven_dead_stones() -> None:
    # The engine doubles answer final_score with 1, which is not a score.
    adjudicated = judged(script("C3", "D3", "pass"), script("B2", "pass"), conditions("japanese", 9))
    assert (adjudicated.cause, adjudicated.result) == ("two passes", "?")


def test_two_passes_without_scoring_are_a_draw_whatever_the_engines_say() -> None:
    rules = Rules.parse("capture-3 passing=free")
    adjudicated = judged(script("C3", "pass", "--score=B+5"), script("pass", "--score=B+5"), conditions(rules))
    assert (adjudicated.cause, adjudicated.result, adjudicated.winner) == ("two passes", "0", None)
    assert b"RE[0]" in sgf.dump(adjudicated.game)


AGREED = [
    ("B+3.5", "b+3.50", "B+3.5"),
    ("0", "Draw", "0"),
    ("0.0", "Jigo", "0"),
    ("B+0", "W+0.0", "0"),
    ("B+Resign", "B+R", "B+R"),
    ("W+T", "W+Time", "W+T"),
    ("W+F", "w+forfeit", "W+F"),
    ("W+3.5 (upper bound)", "W+3.5", "W+3.5"),
    ("W+88", "W+87", "?"),
    ("W+88", "B+88", "?"),
    ("B+R", "B+3", "?"),
    ("B+", "B+", "?"),
    ("B+nan", "B+nan", "?"),
    ("B+1e9", "B+1e9", "?"),
    ("B+-3", "B+-3", "?"),
    ("Bx5", "Bx5", "?"),
    ("", "", "?"),
]


@pytest.mark.slow
def test_scores_are_compared_as_numbers() -> None:
    # White's stone on B2 looks dead, but our rules do not prove it.
    under = conditions("japanese", 9)
    for black, white, agreed in (("W+88", "W+88.0", "W+88"), ("B+R", "B+3", "?")):
        adjudicated = judged(
            script("C3", "D3", "pass", f"--score={black}"), script("B2", "pass", f"--score={white}"), under
        )
        assert (adjudicated.cause, adjudicated.result, adjudicated.faulty) == ("two passes", agreed, None)
        assert adjudicated.winner == {"B": BLACK, "W": WHITE}.get(agreed[0])
    for black, white, agreed in AGREED:
        said = canonical(black)
        assert (said if said == canonical(white) else None) == (None if agreed == "?" else agreed), (black, white)


@given(st.floats(-1e5, 1e5).map(lambda x: round(2 * x) / 2), st.sampled_from(["{:g}", "{:.1f}", "{:.2f}"]))
def test_a_score_has_one_notation(lead: float, form: str) -> None:
    written = f"{'B' if lead > 0 else 'W'}+{form.format(abs(lead))}"
    assert canonical(written.lower()) == canonical(written)
    assert canonical(written) == result(lead) == canonical(result(lead)) or abs(lead) > 99_999


def test_a_scored_game_against_gnugo_at_a_whole_komi_has_a_result(gnugo: str, compiled: None) -> None:
    black = f"{gnugo} --mode gtp --chinese-rules --level 1 --seed 1"
    white = f"{OURS} --rules chinese --playouts 50 --threads 1 --seed 1"
    with engines(black, white) as players:
        adjudicated = play_game(players, conditions("chinese", komi=7.0))
        said = [engine.ask("final_score", HANG) for engine in players.values()]
    assert adjudicated.cause == "two passes", adjudicated.message
    assert said[0] != said[1]
    assert adjudicated.result == said[1] == canonical(said[0])


def test_an_opening_is_sent_to_both_engines_and_is_part_of_the_game() -> None:
    opening = (Move(Color.BLACK, parse_vertex("B1", 5, 5), 5), Move(Color.WHITE, parse_vertex("A1", 5, 5), 5))
    with engines(f"{OURS} --player random", script()) as players:
        adjudicated = play_game(players, conditions(), opening)
        stones = players[BLACK].ask("showboard", HANG)
    assert adjudicated.opening == 2
    assert stones.replace("Black (X)", "").count("X") == 2
    assert adjudicated.game.moves[:2] == list(opening)


# --- Faults ---

FAULTS = [
    ("hang", Fault.SILENCE, "no answer to 'genmove w'"),
    ("half", Fault.SILENCE, "no answer"),
    ("silent", Fault.SILENCE, "no answer to 'name'"),
    ("crash", Fault.CRASH, "exit code 3"),
    ("die", Fault.CRASH, "exit code" if sys.platform == "win32" else "SIGKILL"),
    ("mute", Fault.CRASH, "it closed its output"),
    ("stillborn", Fault.CRASH, "no such option: --level"),
    ("garbage", Fault.GARBAGE, "Traceback (most recent call last):"),
    ("flood", Fault.GARBAGE, "xxxx"),
    ("endless", Fault.GARBAGE, "without an end"),
    ("binary", Fault.GARBAGE, "it said"),
    ("twice", Fault.GARBAGE, ""),  # on a busy machine the second response is taken for that of the next command
    ("nonsense", Fault.GARBAGE, "'Z99' is not a move"),
    ("empty", Fault.GARBAGE, "'' is not a move"),
    ("illegal", Fault.ILLEGAL, "the point is not empty"),
    ("refuse", Fault.REFUSAL, "I do not feel like it"),
    ("stubborn", Fault.REFUSAL, "'play b A1' was answered"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "fault", "words"), FAULTS, ids=[mode for mode, _, _ in FAULTS])
def test_a_fault_loses_the_game_and_the_other_engine_continues(mode: str, fault: Fault, words: str) -> None:
    with engines(DOUBLE, f"{DOUBLE} {mode}") as players:
        for _ in range(2 if mode in ("hang", "crash") else 1):  # the engine is started again, and repeats its fault
            players[BLACK].start(HANG)
            if mode not in ("silent", "stillborn"):
                players[WHITE].start(HANG)
            adjudicated = play_game(players, conditions(patience=3 if fault == Fault.SILENCE else HANG))
            assert (adjudicated.cause, adjudicated.faulty, adjudicated.winner) == (fault, WHITE, BLACK)
            assert adjudicated.result == "B+R"
            assert re.match(r"white [A-E]\d: " if fault is Fault.ILLEGAL else "white: ", adjudicated.message)
            assert words in adjudicated.message
            assert not players[WHITE].running
            assert players[BLACK].running
        if mode not in ("silent", "stillborn", "stubborn"):
            assert f"stderr: about to {mode}" in adjudicated.message


def test_a_command_that_cannot_be_started_is_a_crash() -> None:
    adjudicated = judged(DOUBLE, "no-such-engine --really", conditions())
    assert adjudicated.cause == Fault.CRASH
    assert "no-such-engine" in adjudicated.message


def test_every_fault_and_every_end_is_a_cause() -> None:
    assert {str(fault) for _, fault, _ in FAULTS} | {str(Fault.TIME)} == {str(f) for f in Fault}
    assert len(CAUSES) == len(set(CAUSES))
    assert {e.values[3] for e in ENDS} <= set(CAUSES)


def test_an_engine_that_ignores_quit_is_ended_by_force() -> None:
    engine = EngineClient(f"{DOUBLE} deaf")
    prepare(engine, conditions())
    assert engine.close(0.3) is False
    assert not engine.running
    with pytest.raises(EngineFault, match="not running"):
        engine.send("name", 1)


# --- Time ---


class Timed:
    """Games on a clock that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(referee, "time", SimpleNamespace(monotonic=lambda: self.now))

    def judged(
        self, black: dict[str, float], white: dict[str, float], under: Conditions, opening: tuple[Move, ...] = ()
    ) -> AdjudicatedGame:
        """Play a game between doubles; each command takes the seconds named here, `genmove 3` the third genmove."""
        return judged(Thinker(self, black), Thinker(self, white), under, opening)


class Thinker(EngineClient):
    def __init__(self, timed: Timed, seconds: dict[str, float]) -> None:
        super().__init__(DOUBLE)
        self._timed, self._seconds, self._sent = timed, seconds, Counter[str]()

    def send(self, command: str, seconds: float) -> Response:
        name = command.split()[0]
        self._sent[name] += 1
        self._timed.now += self._seconds.get(name, 0) + self._seconds.get(f"{name} {self._sent[name]}", 0)
        return super().send(command, seconds)


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Timed:
    return Timed(monkeypatch)


def test_a_move_may_exceed_the_time_by_the_margin_only(timed: Timed) -> None:
    late = {"genmove 3": 0.6}  # its first move is the warm-up
    good = timed.judged({}, late, conditions(size=9, clock=(0, 0.2, 1), margin=0.5, max_moves=10))
    assert (good.cause, good.faulty) == (MOVE_LIMIT, None)
    assert good.slowest[WHITE] == pytest.approx(0.6)
    lost = timed.judged({}, late, conditions(size=9, clock=(0, 0.2, 1), margin=0.3))
    assert (lost.cause, lost.faulty, lost.result) == (Fault.TIME, WHITE, "B+R")
    assert "with 0.200 s left" in lost.message


def test_the_warm_up_searches_no_position_of_the_game() -> None:
    said = []

    class Recorder(EngineClient):
        def send(self, command: str, seconds: float) -> Response:
            said.append(command)
            return super().send(command, seconds)

    engine = Recorder(DOUBLE)
    try:
        prepare(engine, conditions(clock=(0, 1, 1)))
        prepare(engine, conditions(clock=(0, 1, 1)))  # it is warm
    finally:
        engine.close(0)
    assert [c for c in said if c.startswith(("play", "genmove"))] == ["play b A1", "genmove w"]
    assert said[said.index("genmove w") + 1] == "clear_board"


def test_main_time_adds_up_over_the_game(timed: Timed) -> None:
    slow = {"genmove": 0.1}
    lost = timed.judged(slow, {}, conditions(size=9, clock=(0.3, 0, 0), margin=0.05))
    assert (lost.cause, lost.faulty, len(lost.game.moves)) == (Fault.TIME, BLACK, 6)
    good = timed.judged(slow, {}, conditions(size=9, clock=(30, 0, 0), max_moves=9))
    assert good.cause == MOVE_LIMIT
    assert good.seconds == pytest.approx({BLACK: 0.5, WHITE: 0.0})


@pytest.mark.parametrize(("command", "clock"), [("play", (0, 0.2, 1)), ("time_left", (0.2, 0, 0))])
def test_time_spent_before_genmove_is_charged(command: str, clock: tuple[float, float, int], timed: Timed) -> None:
    lost = timed.judged({}, {command: 0.8}, conditions(size=9, clock=clock, margin=0.1))
    assert (lost.cause, lost.faulty, lost.result) == (Fault.TIME, WHITE, "B+R")
    assert "s of it before genmove" in lost.message
    assert lost.seconds[WHITE] == lost.slowest[WHITE] == pytest.approx(0.8 - FREE_SECONDS)


def test_thinking_about_the_opening_is_charged_to_the_first_move(timed: Timed) -> None:
    opening = tuple(Move(Color(c), parse_vertex(v, 9, 9), 9) for c, v in ((BLACK, "E5"), (WHITE, "D5"), (BLACK, "F5")))
    lost = timed.judged({}, {"play": 0.3}, conditions(size=9, clock=(0, 0.2, 1)), opening)
    assert (lost.cause, lost.faulty, len(lost.game.moves)) == (Fault.TIME, WHITE, 3)
    assert lost.seconds[WHITE] == pytest.approx(3 * (0.3 - FREE_SECONDS))


def test_a_short_time_in_play_is_not_charged(timed: Timed) -> None:
    under = conditions(size=9, clock=(60, 0, 0), max_moves=20)
    for took, charged in ((FREE_SECONDS, 0.0), (2 * FREE_SECONDS, FREE_SECONDS)):
        assert timed.judged({}, {"play": took}, under).seconds[WHITE] == pytest.approx(10 * charged)


def test_our_engine_keeps_the_time_limit() -> None:
    under = conditions(size=9, clock=(0, 3, 1), max_moves=6)
    adjudicated = judged(f"{OURS} --player greedy", f"{OURS} --player random", under)
    assert adjudicated.faulty is None, adjudicated.message


# --- Sizes, unaware engines ---


def test_a_board_that_is_not_square() -> None:
    with engines(f"{OURS} --player random --seed 1", f"{OURS} --player random --seed 2") as players:
        adjudicated = play_game(players, Conditions(PRESETS["first-capture"], 4, 6))
    assert adjudicated.faulty is None, adjudicated.message
    assert adjudicated.winner is not None


@pytest.mark.parametrize(
    ("board", "wrong"),
    [("9", "9x9"), ("7", "7x7"), ("9 7", ""), ("9x7", ""), ("7 9", "7x9"), ("", ""), ("who knows", "")],
)
def test_an_engine_that_has_set_another_board_is_refused_before_the_first_game(board: str, wrong: str) -> None:
    def begin(command: str) -> list[str]:
        warnings: list[str] = []
        probe(Contender("", command), Conditions(PRESETS["first-capture"], 9, 7, patience=20), warnings)
        return warnings

    asked = f"{DOUBLE} honest '--board={board}'"
    if not wrong:
        assert begin(asked) == []
        return
    with pytest.raises(
        RequestError, match=f"refusal: it cannot play on 9x7: 'boardsize 9 7' has set a board of {wrong}"
    ):
        begin(asked)
    adjudicated = judged(DOUBLE, asked, Conditions(PRESETS["first-capture"], 9, 7, patience=20))
    assert (adjudicated.cause, adjudicated.faulty) == (Fault.REFUSAL, WHITE)


def test_an_engine_that_says_nothing_of_its_board_is_named() -> None:
    warnings: list[str] = []
    silent = f"{DOUBLE} plain"
    probe(Contender("", silent), Conditions(PRESETS["first-capture"], 9, 7, patience=20), warnings)
    assert warnings == [
        f"{silent} may not know a board of 9x7: it has neither rectangular_boardsize nor query_boardsize"
    ]
    probe(Contender("", silent), Conditions(PRESETS["first-capture"], 9, 9, patience=20), warnings)
    assert len(warnings) == 1


def test_gnugo_cannot_play_on_a_board_that_is_not_square(gnugo: str) -> None:
    with pytest.raises(RequestError, match="it cannot play on 9x7: 'boardsize 9 7' has set a board of 9x9"):
        probe(Contender("", f"{gnugo} --mode gtp"), Conditions(PRESETS["first-capture"], 9, 7, patience=20), [])


def test_a_game_of_gnugo_ends_at_the_first_capture(gnugo: str) -> None:
    with engines(f"{gnugo} --mode gtp --level 1 --seed 1", f"{OURS} --player greedy --seed 1") as players:
        for _ in range(3):
            adjudicated = play_game(players, conditions(size=7))
            assert adjudicated.faulty is None, adjudicated.message
            assert adjudicated.cause in ("capture", "handed over a stone", "resignation")
            assert adjudicated.winner is not None
