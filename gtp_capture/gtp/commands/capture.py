"""Our own commands, all named capture-..., and cputime."""

from __future__ import annotations

import time
from typing import Final

from ...go import board as bd
from ...go.game import Game, GameError
from ...go.rules import Rules, RulesError
from ...go.vertex import BLACK, COLOR_NAMES, EMPTY, WHITE, format_line
from ...jit.warmup import State
from ...solver.result import unsupported
from ...teach import words
from ...teach.explain import explanation
from ...teach.explain import hint as best
from ...teach.review.judge import SECONDS, Budget, review_game
from ...util.limit import Limit
from ..engine import Engine
from ..protocol import Entry, GtpError, Table, refusing
from .arguments import Args, color, number

SOLVE_SECONDS: Final = 5.0
OVER: Final = "the game is over"
"""What commands about the next move say after the end."""


def atari(engine: Engine, args: Args) -> str:
    """The chains in atari, a line each: colour, the last liberty, the stones."""
    game = engine.game
    return "\n".join(
        f"{COLOR_NAMES[c]} {game.vertex(bd.last_liberty(game.board, p))} "
        + " ".join(game.vertex(s) for s in bd.stones(game.board, p))
        for c in (BLACK, WHITE)
        for p in game.atari(c)
    )


def outcome(engine: Engine, args: Args) -> str:
    """Winner and cause, or that the game goes on."""
    return engine.result_line()


def rules(engine: Engine, args: Args) -> str:
    """Show the rules of the game, or change them before its first move: a preset, changes as `ko=simple`, or both."""
    if args:
        base = [str(engine.game.rules)] if "=" in args[0] else []
        with refusing(RulesError):
            engine.use_rules(Rules.parse(" ".join([*base, *args])))
    return str(engine.game.rules)


def opening(engine: Engine, args: Args) -> str:
    """Set the opening, empty or crosscut, and start a new game; returns its stones as colours and vertices."""
    if args[0] not in ("empty", "crosscut"):
        raise GtpError("choose empty or crosscut")
    before = engine.options.crosscut
    try:
        engine.change(crosscut=args[0] == "crosscut")
        engine.resize(engine.game.width, engine.game.height)
    except GameError as error:
        engine.change(crosscut=before)
        raise GtpError(str(error)) from None
    game = engine.game
    stones = [p for p in bd.points(game.board) if game.board.color[p] != EMPTY]
    return " ".join(f"{COLOR_NAMES[int(game.board.color[p])]} {game.vertex(p)}" for p in stones)


def hint(engine: Engine, args: Args) -> str:
    """The best move of a colour (default: the colour to move), and a reason."""
    game = engine.game
    side = color(args[0]) if args else game.to_move
    hinted = best(engine.analyst, game, int(side), engine.analysis_deadline())
    return no_hint(game) if hinted is None else words.hint(hinted)


def no_hint(game: Game) -> str:
    """Why there is no hint. It is not an error, because GoGui shows an error in a dialog."""
    return OVER if game.outcome is not None else "there is no play"


def explain(engine: Engine, args: Args) -> str:
    """Whether the last move loses by force, how it is punished, and which move lost the game."""
    with refusing(ValueError):
        return words.explanation(explanation(engine.analyst, engine.game, engine.analysis_deadline()))


def cputime(engine: Engine, args: Args) -> str:
    """Processor time used so far in seconds; gogui-twogtp reads it before and after a game."""
    return f"{time.process_time():.3f}"


def solve(engine: Engine, args: Args) -> str:
    """Solve the position within some seconds (default 5): winner, plies to the end or `?`, a line; or `unknown`.

    With known plies the line is best play of both sides, else the forced part of a winning line: `B C3 W D4 ...`.
    """
    game = engine.game
    seconds = number(args[0], 0) if args else SOLVE_SECONDS
    if game.outcome is not None:
        raise GtpError(OVER)
    reason = unsupported(game.rules, game.board)
    if reason is not None:
        raise GtpError(f"cannot solve: {reason}")
    deadline = Limit(seconds).begin(engine.stop)
    # This waits for the compiler too, because without compiled code only the books can answer.
    engine.warmup.wait(seconds, engine.stop)
    solution = engine.analyst.perfect_play.solve(game, int(game.to_move), deadline)
    if solution.winner is None:
        return "unknown"
    plies = "?" if solution.plies is None else str(solution.plies)
    line = format_line(int(game.to_move), map(game.vertex, solution.line))
    return f"{COLOR_NAMES[solution.winner]} {plies} {line}".rstrip()


def review(engine: Engine, args: Args) -> str:
    """Judge all moves of the game within some seconds (default 5): a line for each remark, then the summary."""
    if not engine.game.moves:
        raise GtpError("no moves to review")
    seconds = number(args[0], 0) if args else SECONDS
    engine.warmup.wait(seconds, engine.stop)  # as for capture-solve
    reviewed = review_game(engine.analyst, engine.game, Budget(Limit(seconds).begin(engine.stop)))
    lines = [*words.review_lines(reviewed)]
    if reviewed.judged < reviewed.undecided and engine.warmup.state is State.COMPILING:
        lines.append(f"The search is still being compiled, about {engine.warmup.seconds_left():.0f} s more.")
    return "\n".join(lines)


TABLE: Final[Table[Engine]] = {
    "capture-atari": Entry(atari),
    "capture-outcome": Entry(outcome),
    "capture-rules": Entry(rules, 0, 20),
    "capture-opening": Entry(opening, 1, 1),
    "capture-hint": Entry(hint, 0, 1),
    "capture-explain": Entry(explain),
    "capture-solve": Entry(solve, 0, 1),
    "capture-review": Entry(review, 0, 1),
    "cputime": Entry(cputime),
}
