"""Commands of servers and referees: KGS, CGOS and gomill's ringmaster; and KataGo's clocks, which OGS uses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from ...go import board as bd
from ...go.scoring import Status
from ...go.vertex import PASS, Color, opponent
from ...players.analysis import proven
from ...players.player import Decision
from ...util.files import escaped
from ...version import __version__
from ..engine import Engine
from ..protocol import Entry, GtpError, Table
from .arguments import Args, color, integer, number
from .capture import cputime

# --- KGS, and KataGo's clocks ---


KGS_TIMES: Final = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
"""The time systems of KGS, each with its number of values."""
KATA_TIMES: Final = {**KGS_TIMES, "fischer": 2, "fischer-capped": 4}


def kgs_time_settings(engine: Engine, args: Args) -> None:
    """Set the time system: none; absolute MAIN; canadian MAIN SECONDS STONES; byoyomi MAIN SECONDS PERIODS."""
    _set_times(engine, args, KGS_TIMES)


def kata_time_settings(engine: Engine, args: Args) -> None:
    """Set a time system of KGS, or fischer MAIN INCREMENT; fischer-capped MAIN INCREMENT MOST_MAIN MOST_PER_MOVE."""
    _set_times(engine, args, KATA_TIMES)


def kata_list_time_settings(engine: Engine, args: Args) -> str:
    """The time systems that kata-time_settings takes."""
    return " ".join(KATA_TIMES)


def _set_times(engine: Engine, args: Args, systems: Mapping[str, int]) -> None:
    """Set a time system. A negative maximum of a capped Fischer clock means that there is none."""
    system, values, clock = args[0].lower(), args[1:], engine.clock
    if len(values) != systems.get(system, -1):
        raise GtpError("syntax error")
    main, seconds = [number(text, 0) for text in (*values[:2], "0", "0")[:2]]
    match system:
        case "none":
            clock.set_time(0, 1, 0)
        case "byoyomi":
            clock.set_periods(main, seconds, integer(values[2]))
        case "fischer" | "fischer-capped":
            cap, per_move = [math.inf if number(text) < 0 else number(text) for text in (*values[2:], "-1", "-1")[:2]]
            if cap < main:
                raise GtpError("syntax error")
            clock.set_fischer(main, seconds, cap, per_move)
        case _:
            clock.set_time(main, seconds, integer(values[2]) if len(values) == 3 else 0)


def kgs_genmove_cleanup(engine: Engine, args: Args) -> str:
    """genmove after a dispute about dead stones: dead opposing stones are captured before the engine passes."""
    side = color(args[0])
    deadline = engine.deadline(side)
    decision = engine.decide(side, deadline)
    capture = _capturing(engine, side) if decision.move == PASS and engine.game.positions[-1].decided is None else 0
    return engine.commit(side, Decision(capture) if capture else decision, deadline)


def _capturing(engine: Engine, side: int) -> int:
    """Return the legal play on a liberty of dead opposing stones that captures the most stones; 0 without one."""
    board, game = engine.game.board, engine.game
    statuses = (game.statuses() or {}).items()
    dead = [p for p, status in statuses if status is Status.DEAD and board.color[p] == opponent(side)]
    plays = {q for p in dead for q in bd.liberties(board, p) if game.is_legal_point(q, side)}
    return max(sorted(plays), key=lambda q: bd.captures_at(board, q, side), default=0)


def nothing(engine: Engine, args: Args) -> None:
    """Accept a notice that has no effect."""


def opponent_name(engine: Engine, args: Args) -> None:
    """Report the opponent's name on the console."""
    engine.notify(escaped(f"opponent: {' '.join(args)}"))


# --- gomill ---


def genmove_ex(engine: Engine, args: Args) -> str:
    """genmove; with the word `claim`, return `claim` if the game is won or proven. No arguments: list such words."""
    if not args:
        return "claim"
    side = color(args[0])
    if "claim" not in args[1:]:
        return engine.genmove(side)
    decided = engine.game.positions[-1].decided
    if decided is not None and decided.winner == Color(side):
        return "claim"
    deadline = engine.deadline(side)
    decision = engine.decide(side, deadline)
    analyst = engine.player.as_analyst()
    if decided is None and analyst is not None and proven(analyst, engine.game, side):
        return "claim"
    return engine.commit(side, decision, deadline)


def explain_last_move(engine: Engine, args: Args) -> str:
    """The player's note on its last move."""
    return engine.last_note


def describe_engine(engine: Engine, args: Args) -> str:
    """Name, version, rules and limits, for a tournament's records."""
    options = engine.options
    limits = [f"level {options.level}"] if options.player == "mcts" else []
    limits += [f"{options.time_per_move:g} s a move"] if options.time_per_move else []
    limits += [f"{options.playouts} playouts"] if options.playouts else []
    parts = [str(engine.game.rules), engine.player.name or options.player, *limits]
    return f"gtp-capture {__version__}: {', '.join(parts)}"


MANY: Final = 1_000

TABLE: Final[Table[Engine]] = {
    "kgs-time_settings": Entry(kgs_time_settings, 1, 4),
    "kata-time_settings": Entry(kata_time_settings, 1, 5),
    "kata-list_time_settings": Entry(kata_list_time_settings),
    "kgs-genmove_cleanup": Entry(kgs_genmove_cleanup, 1, 1),
    "kgs-game_over": Entry(nothing),
    "cgos-opponent_name": Entry(opponent_name, 1, MANY),
    "cgos-opponent_rating": Entry(nothing, 1, 2),
    "cgos-gameover": Entry(nothing, 1, MANY),
    "gomill-genmove_ex": Entry(genmove_ex, 0, MANY),
    "gomill-explain_last_move": Entry(explain_last_move),
    "gomill-describe_engine": Entry(describe_engine),
    "gomill-cpu_time": Entry(cputime),
}
