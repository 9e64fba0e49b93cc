"""Play one game between two GTP engines and adjudicate it by our rules."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ..go import scoring
from ..go.clock import Clock
from ..go.game import Game
from ..go.position import Move, Outcome, Termination
from ..go.rules import Rules
from ..go.vertex import BLACK, COLOR_LETTERS, COLOR_NAMES, RESIGN, WHITE, format_vertex, opponent
from ..go.words import digits
from .process import SHOWN, EngineClient, EngineFault, Fault

MOVE_LIMIT: Final = "move limit"
CAUSES: Final = (*(str(t) for t in Termination), *(str(f) for f in Fault), MOVE_LIMIT)
"""All causes of the end of a game."""
FREE_SECONDS: Final = 0.1
"""Seconds of each `play` and `time_left` that are not charged to an engine's clock."""
RECTANGULAR: Final = "rectangular_boardsize"
QUERY: Final = "query_boardsize"
"""Commands that not every engine has: KataGo's for a board that is not square, and GNU Go's that returns its side."""
_DRAW: Final = re.compile(r"0+(\.0*)?|DRAW|JIGO", re.IGNORECASE | re.ASCII)
_WIN: Final = re.compile(
    r"([BW])\+(?:(\d{1,5}\.?\d{0,3}|\.\d{1,3})|(R)(?:ES(?:IGN(?:ATION)?)?)?|(T)(?:IME)?|(F)(?:ORFEIT)?)",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a game, the same for both sides."""

    rules: Rules
    width: int
    height: int
    komi: float | None = None
    """Points for White; None for the default of the rules."""
    clock: tuple[float, float, int] | None = None
    """Main time, byo-yomi time and byo-yomi stones of GTP's time_settings; None for no limit."""
    margin: float = 0.25
    """Grace period (s) before a time loss; covers pipe latency."""
    patience: float = 60.0
    """Seconds to wait for a response, in addition to the time for a move, before the fault SILENCE."""
    max_moves: int = 1000
    """Moves after which a game ends without a result."""

    def game(self) -> Game:
        """Start a new game; where dead stones are not proven, the engines agree about the score."""
        game = Game(self.rules, (self.width, self.height), komi=self.komi)
        game.find_statuses = scoring.all_proven
        return game


@dataclass(slots=True)
class AdjudicatedGame:
    """A game and its adjudication."""

    game: Game
    """The legal moves."""
    opening: int = 0
    """Number of moves that belong to the opening."""
    winner: int | None = None
    cause: str = ""
    """One of CAUSES."""
    result: str = "?"
    """`B+R`, `W+3.5`, `0` for a draw, `?` for an unknown result."""
    faulty: int | None = None
    """The colour of the engine at fault."""
    message: str = ""
    """Description of the fault, and the last lines of the engine's stderr."""
    seconds: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """Wall-clock time of each colour: its moves, and the charged part of `play` and `time_left`."""
    slowest: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """Seconds for the slowest move of each colour."""

    @property
    def engines_count(self) -> bool:
        """Whether the engines' scores decide: two passes have ended the game, and its dead stones are unproven."""
        outcome = self.game.outcome
        passed = outcome is not None and outcome.termination is Termination.TWO_PASSES
        return passed and self.game.rules.is_scored and self.game.score() is None

    def end(self, outcome: Outcome, agreed: Callable[[], str]) -> None:
        """Record the end of the game by its rules; `agreed` gives the score if the rules cannot decide it."""
        self.cause = str(outcome.termination)
        self.winner = None if outcome.winner is None else int(outcome.winner)
        if outcome.termination is Termination.TWO_PASSES:
            self.result = agreed() if self.engines_count else scoring.result(self.game.score() or 0.0)
            self.winner = {"B": BLACK, "W": WHITE}.get(self.result[0])
        elif outcome.winner is not None:
            self.result = f"{COLOR_LETTERS[int(outcome.winner)]}+R"

    def forfeit(self, color: int, fault: Fault, message: str) -> None:
        """Record that a colour lost by a fault."""
        self.winner, self.faulty = opponent(color), color
        self.cause, self.message = str(fault), message
        self.result = f"{COLOR_LETTERS[self.winner]}+R"


def play_game(
    engines: Mapping[int, EngineClient], conditions: Conditions, opening: Sequence[Move] = ()
) -> AdjudicatedGame:
    """Play and adjudicate a game. An engine at fault loses and is closed; the other one stays usable."""
    adjudicated = AdjudicatedGame(conditions.game(), len(opening))
    charged = dict.fromkeys(engines, 0.0)
    try:
        for color, engine in engines.items():
            with _faults_of(color):
                prepare(engine, conditions)
        for move in opening:
            adjudicated.game.play_point(move.point, move.color)
            for color in engines:
                charged[color] += _send_play(engines, color, move, conditions)
        _play_on(engines, conditions, adjudicated, charged)
    except EngineFault as error:
        faulty = error.color
        assert faulty is not None  # each call of an engine is inside of `_faults_of`
        engines[faulty].close(0)
        said = " | ".join(engines[faulty].stderr)
        # An illegal move begins with its colour already.
        fault = str(error) if error.fault is Fault.ILLEGAL else f"{COLOR_NAMES[faulty]}: {error}"
        message = fault + (f" | stderr: {said}" if said else "")
        adjudicated.forfeit(faulty, error.fault, message)
    return adjudicated


def prepare(engine: EngineClient, conditions: Conditions) -> None:
    """Set an engine up for a new game, and start it if needed. EngineFault: it misbehaves."""
    patience = conditions.patience
    engine.start(patience)
    new_game(engine, conditions)
    if conditions.clock is not None:
        if not engine.warmed_up:
            # A warm-up move outside the game, so that the clock does not include what the first move loads. It follows
            # A1, which no opening book answers, so that the engine searches, and searches another position than the
            # first one of the game.
            engine.send("play b A1", patience)
            engine.ask("genmove w", patience)
            engine.ask("clear_board", patience)
        send_if_known(engine, "time_settings {:g} {:g} {}".format(*conditions.clock), patience)
    engine.warmed_up = True


def new_game(engine: EngineClient, conditions: Conditions) -> None:
    """Set board, rules and komi of an engine that runs; rules only if it knows `capture-rules`.

    EngineFault: it misbehaves, or cannot play on this board or by these rules.
    """
    patience, width, height = conditions.patience, conditions.width, conditions.height
    line = f"boardsize {width}" if width == height else f"boardsize {width} {height}"
    if width != height and engine.knows(RECTANGULAR, patience):
        line = f"{RECTANGULAR} {width} {height}"
    engine.ask(line, patience)
    if engine.knows(QUERY, patience):
        # GNU Go takes the first number of `boardsize 9 7`, and answers with success.
        sides = re.findall(r"\d+", engine.ask(QUERY, patience))
        if len(sides) in (1, 2) and (int(sides[0]), int(sides[-1])) != (width, height):
            board = f"{sides[0]}x{sides[-1]}"
            raise EngineFault(Fault.REFUSAL, f"it cannot play on {width}x{height}: {line!r} has set a board of {board}")
    engine.ask("clear_board", patience)
    if "capture-rules" in engine.commands:
        engine.ask(f"capture-rules {conditions.rules}", patience)
    send_if_known(engine, f"komi {digits(conditions.game().komi)}", patience)


def _play_on(
    engines: Mapping[int, EngineClient], conditions: Conditions, adjudicated: AdjudicatedGame, charged: dict[int, float]
) -> None:
    """Play from the opening to the end; `charged` holds the seconds already charged to the next move of each colour."""
    game, clock = adjudicated.game, Clock()
    if conditions.clock is not None:
        clock.set_time(*conditions.clock)
    outcome = game.outcome
    while outcome is None:
        if len(game.moves) >= conditions.max_moves:
            adjudicated.cause = MOVE_LIMIT
            return
        color = game.to_move
        with _faults_of(int(color)):
            point = _ask_for_move(engines[int(color)], int(color), conditions, clock, adjudicated, charged[int(color)])
        game.play_point(point, color)
        outcome, other = game.outcome, opponent(int(color))
        try:
            charged[other] = _send_play(engines, other, game.moves[-1], conditions)
        except EngineFault:
            if outcome is None or adjudicated.engines_count:
                raise
            engines[other].close(0)  # the game is decided, whatever this engine does now
    adjudicated.end(outcome, lambda: _agreed_score(engines, conditions))


def _ask_for_move(
    engine: EngineClient, color: int, conditions: Conditions, clock: Clock, adjudicated: AdjudicatedGame, charged: float
) -> int:
    """Ask an engine for its legal move: a point, PASS or RESIGN. `charged` seconds of its time are used already."""
    left = clock.flag(color)
    letter, game = COLOR_LETTERS[color].lower(), adjudicated.game
    if left is not None and clock.main > 0:
        seconds, stones = clock.left(color)
        start = time.monotonic()
        line = f"time_left {letter} {max(0.0, seconds - charged):.2f} {stones}"
        send_if_known(engine, line, conditions.patience)
        charged += _beyond_free(start)
    allowed = 0.0 if left is None else left + conditions.margin
    start = time.monotonic()
    answer = engine.ask(f"genmove {letter}", max(0.0, allowed - charged) + conditions.patience)
    took = time.monotonic() - start + charged
    adjudicated.seconds[color] += took
    adjudicated.slowest[color] = max(adjudicated.slowest[color], took)
    if left is not None and took > allowed:
        before = f" ({charged:.3f} s of it before genmove)" if charged else ""
        raise EngineFault(Fault.TIME, f"{took:.3f} s for a move{before}, with {left:.3f} s left")
    clock.spend(color, took)
    return legal_point(game, color, answer)


def legal_point(game: Game, color: int, answer: str) -> int:
    """Return the point of an answer to `genmove`, PASS or RESIGN. EngineFault: it is not a legal move."""
    try:
        point = RESIGN if answer.lower() == "resign" else game.point(answer)
    except ValueError:
        raise EngineFault(Fault.GARBAGE, f"{answer[:SHOWN]!r} is not a move") from None
    if (reason := game.why_illegal_point(point, color)) is not None:
        raise EngineFault(Fault.ILLEGAL, f"{COLOR_NAMES[color]} {game.vertex(point)}: {reason}")
    return point


def _send_play(engines: Mapping[int, EngineClient], color: int, move: Move, conditions: Conditions) -> float:
    """Send the opponent's move to an engine. Return the seconds to charge to its clock."""
    if move.point == RESIGN:
        return 0.0
    with _faults_of(color):
        vertex = format_vertex(move.point, conditions.width)
        start = time.monotonic()
        engines[color].ask(f"play {COLOR_LETTERS[int(move.color)].lower()} {vertex}", conditions.patience)
    return _beyond_free(start)


def _beyond_free(start: float) -> float:
    """The seconds since `start` beyond FREE_SECONDS; they are charged because an engine may search in this time."""
    return max(0.0, time.monotonic() - start - FREE_SECONDS)


def send_if_known(engine: EngineClient, command: str, patience: float) -> None:
    """Send a command if the engine lists it, and ignore the response."""
    if command.partition(" ")[0] in engine.commands:
        engine.send(command, patience)


def _agreed_score(engines: Mapping[int, EngineClient], conditions: Conditions) -> str:
    """The score that both engines report if it is the same, else `?`; for games whose dead stones are unproven."""
    said = []
    for color, engine in engines.items():
        with _faults_of(color):
            response = engine.send("final_score", conditions.patience)
        said.append(canonical(response.text) if response.ok else None)
    return said[0] if said[0] is not None and said[0] == said[1] else "?"


@contextmanager
def _faults_of(color: int) -> Iterator[None]:
    """Note the colour of an EngineFault that is raised inside the block."""
    try:
        yield
    except EngineFault as error:
        error.color = color
        raise


def canonical(text: str) -> str | None:
    """Return a score in our notation, with `B+R`, `B+T` and `B+F` for wins without points; None if it is not a score.

    `W+88.0` is `W+88`; `0.0`, `B+0`, `Draw` and `Jigo` are `0`; `B+Resign` is `B+R`.
    """
    word = text.partition(" ")[0]
    if _DRAW.fullmatch(word):
        return "0"
    if (win := _WIN.fullmatch(word)) is None:
        return None
    color, points, *ends = win.groups()
    if points is None:
        return f"{color}+{next(filter(None, ends))}".upper()
    return scoring.result(float(points) * (1 if color in "Bb" else -1))
