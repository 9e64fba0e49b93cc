"""The oracle: the exact values of all actions of positions, for agents that are trained or measured."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Literal, cast, overload

from ..go.game import Game, GameError, IllegalMoveError
from ..go.position import Move
from ..go.vertex import PASS, action_of
from ..players.player import MOST_THREADS, all_cores
from ..solver import result
from ..solver.choice import solver_for
from ..solver.result import LOSS, UNKNOWN, WIN
from ..util import arguments
from ..util.limit import Deadline
from .engine import bytes_of, load_solver
from .results import side_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..solver.exact import ExactSolver
    from ..solver.solver import Solver

    Values = npt.NDArray[np.int8]
    Plies = npt.NDArray[np.int16]

SECONDS: Final = 5.0
"""Time for the actions of a position by default, as for `solve`."""
MEMORY: Final = 64
"""MiB of the table by default."""
Kind = tuple[bool, object, tuple[int, int], int]

_kept: Final[dict[Kind, ExactSolver]] = {}
"""The solver of the last call, whose table the next call of the same kind uses. A call takes it out, so that no two
calls use it at the same time."""


@overload
def action_values(
    games: Game | Sequence[Game], plies: Literal[False] = False, *, seconds: float | None = SECONDS,
    threads: int | None = None, memory: int = MEMORY, stop: threading.Event | None = None,
) -> npt.NDArray[np.int8]: ...  # fmt: skip
@overload
def action_values(
    games: Game | Sequence[Game], plies: Literal[True], *, seconds: float | None = SECONDS,
    threads: int | None = None, memory: int = MEMORY, stop: threading.Event | None = None,
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]: ...  # fmt: skip
def action_values(
    games: Game | Sequence[Game],
    plies: bool = False,
    *,
    seconds: float | None = SECONDS,
    threads: int | None = None,
    memory: int = MEMORY,
    stop: threading.Event | None = None,
) -> npt.NDArray[np.int8] | tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """Return the exact value of each action of positions, for the colour to move: an array of int8.

    The shape is (points + 1,) for a game, and (positions, points + 1) for a sequence of games with one set of rules and
    one size. The actions are the points, row by row from the top left, then the pass. 1: the action wins under best
    play of both sides. -1: it loses. 0: the limit came first, or the action is illegal.
    With `plies` a second array of the same shape, int16, has the moves to the end under best play (the winner's fewest,
    the loser's most), counting the action: 0 where the value is 0, and where `solve` does not compute them.

    The positions are solved in `threads` (default: one for each core), which share a table of `memory` MiB, so one call
    for many positions takes much less time than `solve` for each of them. `seconds`: the limit for each position; None:
    no limit. After `stop` the values that are left are 0.
    Supports the positions that `solve` supports. Source: see `solve`; no book is used.
    GameError: a game is over, or its rules or its board are not supported. ValueError: games of different rules or
    sizes; a number out of range. TypeError: not games, or not a whole number. MemoryError: the system has less.
    """
    import numpy as np

    several = _listed(games)
    with_plies = arguments.flag("plies", plies)
    deadline = Deadline(seconds, stop=stop)
    used = all_cores() if threads is None else arguments.whole("threads", threads, 1, MOST_THREADS)
    most = arguments.whole("memory", memory, 1)
    points = several[0].width * several[0].height if several else 0
    values, lengths = np.zeros((len(several), points + 1), np.int8), np.zeros((len(several), points + 1), np.int16)
    for next_wins in (True, False):
        chosen = [i for i, game in enumerate(several) if result.next_capture_wins(game.rules, game.board) is next_wins]
        if chosen:
            load_solver(several[chosen[0]])
            jobs = [(several[i], values[i], lengths[i] if with_plies else None) for i in chosen]
            _solve_all(jobs, next_wins, used, most, deadline)
    if isinstance(games, Game):
        return (values[0], lengths[0]) if with_plies else values[0]
    return (values, lengths) if with_plies else values


def is_optimal(
    game: Game, move: str | Move, *, seconds: float | None = SECONDS, stop: threading.Event | None = None
) -> bool | None:
    """Return whether no other move has a better result; None if the limit came first.

    In a lost position every move is optimal.
    `move`: a vertex, or a `Move` of the colour to move, such as one of `moves` of a game.
    `seconds`, `stop` and errors: as for `action_values`. IllegalMoveError: the move is illegal, or the other colour's.
    ValueError: not a vertex of this board, or a resignation.
    """
    action = _action_of_move(game, move)
    values = action_values(game, seconds=seconds, stop=stop)
    if values[action] == WIN:
        return True
    if values[action] == UNKNOWN or (values[action] == LOSS and _unknown(game, values) and WIN not in values):
        return None
    return WIN not in values


def regret(
    game: Game, move: str | Move, *, seconds: float | None = SECONDS, stop: threading.Event | None = None
) -> float | None:
    """Return the plies by which a move wins later, or loses sooner, than the best one; infinite if it loses a win.

    None: the limit came first, or the rules have no plies (see `solve`).
    `move`, `seconds`, `stop` and errors: as for `is_optimal`.
    """
    action = _action_of_move(game, move)
    values, plies = action_values(game, True, seconds=seconds, stop=stop)
    value = values[action]
    if value == LOSS and WIN in values:
        return math.inf
    if value == UNKNOWN or _unknown(game, values):
        return None
    same = plies[values == value]
    if not same.all():
        return None
    return float(plies[action] - same.min() if value == WIN else same.max() - plies[action])


def _unknown(game: Game, values: Values) -> bool:
    """Return whether the value of a legal action was not found."""
    return int((values != UNKNOWN).sum()) < len(game.legal_moves())


def _action_of_move(game: Game, move: str | Move) -> int:
    """Return the action of a legal move. Errors as for `is_optimal`."""
    side_of(game, None)
    if isinstance(move, Move):
        if move.color != game.to_move:
            raise IllegalMoveError(f"{move.color} {move.vertex}: {game.to_move} is to move")
        move = move.vertex
    if (reason := game.why_illegal(move)) is not None:
        raise IllegalMoveError(f"{game.to_move} {move}: {reason}", reason)
    if move.lower() == "resign":
        raise ValueError("a resignation is not an action, and has no value")
    return action_of(game.point(move), game.width, game.height)


def _listed(games: object) -> list[Game]:
    """Return games as a list. Errors as for `action_values`."""
    if isinstance(games, str) or not isinstance(games, Game | Sequence):
        raise TypeError(f"a Game or a sequence of games is needed, not {type(games).__name__}")
    listed: list[Any] = [games] if isinstance(games, Game) else list(games)
    for game in listed:
        side_of(game, None)
        if (game.rules, game.size) != (listed[0].rules, listed[0].size):
            raise ValueError("the games of one call have the same rules and the same size")
        if (reason := result.why_unsupported(game.rules, game.board)) is not None:
            raise GameError(reason)
    return listed


Job = tuple[Game, "Values", "Plies | None"]


def _solve_all(jobs: list[Job], next_wins: bool, threads: int, memory: int, deadline: Deadline) -> None:
    """Fill in the rows of all jobs. The threads share the table of one solver."""
    game = jobs[0][0]
    kind = next_wins, game.rules, game.size, memory
    solver = _kept.pop(kind, None)
    if solver is None:
        _kept.clear()
        try:
            solver = solver_for(game.rules, game.board, bytes_of(memory))
        except MemoryError:
            raise MemoryError(f"a solver cannot get {memory} MiB") from None
    solvers = SimpleQueue[Any]()
    solvers.put(solver)
    several = min(threads, len(jobs)) if next_wins else 1  # only the table of df-pn can be shared
    for _ in range(several - 1):
        solvers.put(cast("Solver", solver).sharing())

    def work(job: Job) -> None:
        if not deadline.stop.is_set():
            own = solvers.get()
            try:
                _fill(own, job, deadline.limit.begin(deadline.stop))
            finally:
                solvers.put(own)

    if several == 1:
        for job in jobs:
            work(job)
    else:
        _in_threads(work, jobs, several, deadline)
    _kept[kind] = solver


def _in_threads(work: Any, jobs: list[Job], threads: int, deadline: Deadline) -> None:
    """Do all jobs in threads; ^C ends them at once."""
    with ThreadPoolExecutor(threads, "oracle") as pool:
        try:
            for _ in pool.map(work, jobs):
                pass
        except BaseException:
            deadline.stop.set()
            raise


def _fill(solver: ExactSolver, job: Job, deadline: Deadline) -> None:
    """Enter the value of each legal action of a position, and its plies if there is a row for them."""
    game, values, lengths = job
    width, height = game.size
    plays = game.legal_plays()
    node = solver.node(game.board, int(game.to_move))
    solver.begin(game.board)
    known = {play.point: play for play in solver.plays(node)}
    counts = lengths is not None and result.has_length(game.rules) and solver.captures == 1
    # A pass, and a suicide that the solver leaves out, give the opponent a prisoner, and the next one wins.
    for point in (*plays, *([PASS] if game.rules.may_pass else [])):
        action, play = action_of(point, width, height), known.get(point)
        values[action] = LOSS
        if play is not None:
            values[action] = UNKNOWN
            with suppress(result.SolverError):  # the table is full
                values[action] = solver.result_of(play, deadline)
        if lengths is not None and counts and values[action] != UNKNOWN:
            left = solver.length_after(play, deadline) if play is not None else 0
            lengths[action] = 0 if left is None else 1 + left
