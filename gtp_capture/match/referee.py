"""One game between two engines: the referee follows both, and it is he who knows the rules."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..go.game import Game, IllegalMoveError
from ..go.position import Move, Outcome, Termination
from ..go.rules import Rules
from ..go.vertex import BLACK, COLOR_NAMES, RESIGN, WHITE, format_vertex, opponent
from ..gtp.clock import Clock
from .process import SHOWN, Engine, EngineFault, Fault
from .score import canonical, score

MOVE_LIMIT: Final = "move limit"
CAUSES: Final = (*(str(t) for t in Termination), *(str(f) for f in Fault), MOVE_LIMIT)
"""Why a game can be over."""
FREE_SECONDS: Final = 0.1
"""Seconds of each command between two moves (`play`, `time_left`) that are not charged to an engine's clock."""
_LETTERS: Final = {BLACK: "b", WHITE: "w"}


@dataclass(frozen=True, slots=True)
class Conditions:
    """What both sides play under."""

    rules: Rules
    width: int
    height: int
    komi: float | None = None
    """None: what the rules give."""
    clock: tuple[float, float, int] | None = None
    """Main time, byo-yomi and its stones, as in GTP's time_settings; None for no limit."""
    margin: float = 0.25
    """Seconds over the time that are not yet called lost, for what happens between engine and referee."""
    patience: float = 60.0
    """Seconds without an answer, beyond the time for the move, after which an engine counts as silent."""
    max_moves: int = 1000
    """After which a game has no result."""

    def game(self) -> Game:
        """A new game."""
        return Game(self.rules, self.width, self.height, komi=self.komi)


@dataclass(slots=True)
class Verdict:
    """How a game went."""

    game: Game
    """With every legal move that was made."""
    opening: int = 0
    """How many of the moves were given."""
    winner: int | None = None
    cause: str = ""
    """One of CAUSES."""
    result: str = "?"
    """B+R, W+3.5, 0 for a draw; ? where nobody can tell."""
    faulty: int | None = None
    """The colour that did something wrong."""
    message: str = ""
    """What it did, and the last that it said on its console."""
    seconds: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """Of each colour, by the wall clock: its moves, and what it used beyond FREE_SECONDS in `play` and `time_left`."""
    slowest: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """Seconds for the slowest move of each colour."""
    cpu: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """Seconds of processor time, where an engine tells."""

    def end(self, outcome: Outcome, agreed: Callable[[], str]) -> None:
        """Note how the game ended by its rules; `agreed` gives the score where the rules leave it to the engines."""
        self.cause, self.winner = str(outcome.termination), outcome.winner
        if outcome.termination is Termination.TWO_PASSES:
            lead = self.game.score()
            self.result = score(lead) if lead is not None else agreed()
            self.winner = {"B": BLACK, "W": WHITE}.get(self.result[0])
        elif outcome.winner is not None:
            self.result = f"{_LETTERS[outcome.winner].upper()}+R"

    def blame(self, color: int, fault: Fault, message: str) -> None:
        """Note that a colour lost by a fault."""
        self.winner, self.faulty = opponent(color), color
        self.cause, self.message = str(fault), message
        self.result = f"{_LETTERS[self.winner].upper()}+R"


class _Lost(Exception):
    """A colour has done something wrong."""

    def __init__(self, color: int, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.color, self.fault = color, fault


def play(engines: Mapping[int, Engine], conditions: Conditions, opening: Sequence[Move] = ()) -> Verdict:
    """Play a game from an opening and judge it. A faulty engine loses, and is left ended; the other can go on."""
    verdict = Verdict(conditions.game(), len(opening))
    started: dict[int, float] = {}
    owed = dict.fromkeys(engines, 0.0)
    try:
        for color, engine in engines.items():
            with _Watch(color):
                prepare(engine, conditions)
                started[color] = _cpu_time(engine, conditions)
        for move in opening:
            verdict.game.play(move.point, move.color)
            for color in engines:
                owed[color] += _tell(engines, color, move, conditions)
        _play_on(engines, conditions, verdict, owed)
        for color, engine in engines.items():
            _account(engine, conditions, verdict, color, started[color])
    except _Lost as lost:
        engine = engines[lost.color]
        engine.close(0)
        said = " | ".join(engine.stderr)
        message = f"{COLOR_NAMES[lost.color]}: {lost}" + (f" | stderr: {said}" if said else "")
        verdict.blame(lost.color, lost.fault, message)
    return verdict


def prepare(engine: Engine, conditions: Conditions) -> None:
    """Have an engine ready for a new game, started if need be. EngineFault: it does not get there."""
    patience, width, height = conditions.patience, conditions.width, conditions.height
    engine.start(patience)
    if width == height:
        engine.ask(f"boardsize {width}", patience)
    else:
        name = "rectangular_boardsize" if "rectangular_boardsize" in engine.commands else "boardsize"
        engine.ask(f"{name} {width} {height}", patience)
    engine.ask("clear_board", patience)
    _send_if_known(engine, f"komi {conditions.game().komi:g}", patience)
    if conditions.clock is not None:
        if not engine.practised:
            # Under a clock nothing may be loaded for the first time: two moves that do not count.
            vertex = engine.ask("genmove b", patience)
            engine.send(f"play w {'B1' if vertex.upper() == 'A1' else 'A1'}", patience)
            engine.ask("clear_board", patience)
        _send_if_known(engine, "time_settings {:g} {:g} {}".format(*conditions.clock), patience)
    engine.practised = True


def _play_on(engines: Mapping[int, Engine], conditions: Conditions, verdict: Verdict, owed: dict[int, float]) -> None:
    """Play the moves after the opening, to the end; `owed` are the seconds that each colour has used before them."""
    game, clock = verdict.game, Clock()
    if conditions.clock is not None:
        clock.set_time(*conditions.clock)
    outcome = game.outcome
    while outcome is None:
        if len(game.moves) >= conditions.max_moves:
            verdict.cause = MOVE_LIMIT
            return
        color = game.to_move
        point = _ask_for_move(engines[color], color, conditions, clock, verdict, owed[color])
        try:
            game.play(point, color)
        except IllegalMoveError as error:
            raise _Lost(color, Fault.ILLEGAL, str(error)) from None
        outcome = game.outcome
        if outcome is None:
            owed[opponent(color)] = _tell(engines, opponent(color), Move(color, point), conditions)
    verdict.end(outcome, lambda: _agreed_score(engines, conditions))


def _ask_for_move(
    engine: Engine, color: int, conditions: Conditions, clock: Clock, verdict: Verdict, owed: float
) -> int:
    """The point, PASS or RESIGN that an engine answers in its time, of which it has used `owed` seconds before."""
    left = clock.flag(color)
    letter, game = _LETTERS[color], verdict.game
    if left is not None and clock.main > 0:
        seconds, stones = clock.left(color)
        start = time.monotonic()
        told = f"time_left {letter} {max(0.0, seconds - owed):.2f} {stones}"
        _send_if_known(engine, told, conditions.patience, color)
        owed += _charge(start)
    with _Watch(color):
        allowed = 0.0 if left is None else left + conditions.margin
        start = time.monotonic()
        answer = engine.ask(f"genmove {letter}", max(0.0, allowed - owed) + conditions.patience)
        took = time.monotonic() - start + owed
    verdict.seconds[color] += took
    verdict.slowest[color] = max(verdict.slowest[color], took)
    if left is not None and took > allowed:
        before = f" ({owed:.3f} s of it before genmove)" if owed else ""
        raise _Lost(color, Fault.TIME, f"{took:.3f} s for a move{before}, with {left:.3f} s left")
    clock.spend(color, took)
    if answer.lower() == "resign":
        return RESIGN
    try:
        return game.point(answer)
    except ValueError:
        raise _Lost(color, Fault.GARBAGE, f"{answer[:SHOWN]!r} is no move") from None


def _tell(engines: Mapping[int, Engine], color: int, move: Move, conditions: Conditions) -> float:
    """Let an engine know of a move that it did not make itself. Returns the seconds to charge to its clock."""
    if move.point == RESIGN:
        return 0.0
    with _Watch(color):
        vertex = format_vertex(move.point, conditions.width)
        start = time.monotonic()
        engines[color].ask(f"play {_LETTERS[move.color]} {vertex}", conditions.patience)
    return _charge(start)


def _charge(start: float) -> float:
    """The seconds since the start of a command that are not free: an engine may not think there instead."""
    return max(0.0, time.monotonic() - start - FREE_SECONDS)


def _send_if_known(engine: Engine, command: str, patience: float, color: int | None = None) -> None:
    """Send what an engine may do without; what it answers does not matter."""
    if command.partition(" ")[0] in engine.commands:
        with _Watch(color):
            engine.send(command, patience)


def _cpu_time(engine: Engine, conditions: Conditions) -> float:
    """The processor time that an engine says it has used, or 0."""
    if "cputime" not in engine.commands:
        return 0.0
    try:
        seconds = float(engine.ask("cputime", conditions.patience))
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) else 0.0


def _account(engine: Engine, conditions: Conditions, verdict: Verdict, color: int, started: float) -> None:
    """Note the processor time of a game. It is over: an engine that fails now has not lost it, and is started anew."""
    try:
        verdict.cpu[color] = max(0.0, _cpu_time(engine, conditions) - started)
    except EngineFault:
        engine.close(0)


def _agreed_score(engines: Mapping[int, Engine], conditions: Conditions) -> str:
    """The score where dead stones are a matter of opinion: what both engines say, if it is the same."""
    said = []
    for color, engine in engines.items():
        with _Watch(color):
            answer = engine.send("final_score", conditions.patience)
        said.append(canonical(answer.text) if answer.ok else None)
    return said[0] if said[0] is not None and said[0] == said[1] else "?"


class _Watch:
    """Says of which colour the engine is that does something wrong inside the block."""

    def __init__(self, color: int | None) -> None:
        self.color = color

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, EngineFault) and self.color is not None:
            raise _Lost(self.color, error.fault, str(error)) from None
