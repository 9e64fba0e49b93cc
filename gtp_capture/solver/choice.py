"""The choice of an exact solver: df-pn if the next capture wins for either side, else a search of all plays."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from ..go.board import Board
from ..go.game import Game
from ..go.rules import Rules
from ..jit.warmup import check_room
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from .result import UNSOLVED, Solution, SolverError, has_length, next_capture_wins, why_unsupported

if TYPE_CHECKING:
    from .exact import ExactSolver

MEMORY: Final = 16 * MEBIBYTE
"""Bytes of the table of a df-pn search by default."""
LATER: Final = 128 * MEBIBYTE
"""Bytes of address space that a search takes besides its table, also for code that it loads later."""
EXHAUSTIVE_MEMORY: Final = 32 * MEBIBYTE
"""Bytes of the table of an exhaustive search by default: for the 3 million positions of a search for a problem."""


class SolverResources(NamedTuple):
    """What a solver gets, and what it is to find besides the winner and a line."""

    memory: int | None = None
    """Bytes of the table of a new solver; None: as many as `solver_for` gives."""
    threads: int = 1
    length: bool = False
    """Whether to find the plies too, where the next capture wins and they hold (`has_length`)."""
    first_moves: bool = False
    """Whether to find the winner after every play."""


def solve(
    game: Game,
    color: int,
    resources: SolverResources,
    deadline: Deadline,
    *,
    solver: ExactSolver | None = None,
    known: Solution = UNSOLVED,
) -> Solution:
    """Solve the position of a game with a colour to move within a limit.

    `solver`: by default a new one. `known`: what a book says; nothing is searched if that is all that `resources` asks
    for, and its plies and its winner stay if the search does not find them. SolverError: the solver's table is full, or
    as for `solver_for`.
    """
    board, began = game.board, time.monotonic()
    length = resources.length and next_capture_wins(game.rules, board) and has_length(game.rules)
    if known.winner is not None and not (length or resources.first_moves):
        return known
    solver = solver or solver_for(game.rules, board, resources.memory, resources.threads)
    before, solution = solver.nodes, solver.solve(board, color, deadline, length=length)
    winners = dict(solver.first_moves(board, color, deadline)) if resources.first_moves else None
    solution = known if solution.winner is None else replace(solution, plies=solution.plies or known.plies)
    return replace(solution, first_moves=winners, nodes=solver.nodes - before, seconds=time.monotonic() - began)


def solver_for(
    rules: Rules, board: Board, memory: int | None = None, threads: int = 1, *, nodes: int | None = None,
    knowledge: bool = True,
) -> ExactSolver:  # fmt: skip
    """Return the solver for positions like this one.

    `memory`: bytes of its table. `nodes`: bound of each search without another limit. Without `knowledge` it is a plain
    search, without ladders, symmetries and evaluation. SolverError: no solver supports the position. MemoryError: the
    system has less memory.
    """
    reason = why_unsupported(rules, board)
    if reason is not None:
        raise SolverError(reason)
    width, height = int(board.width), int(board.height)
    next_wins = next_capture_wins(rules, board)
    memory = memory or (MEMORY if next_wins else EXHAUSTIVE_MEMORY)
    check_room(LATER + memory)
    solver: ExactSolver
    # Each import loads machine code.
    if next_wins:
        from .solver import Solver

        solver = Solver(width, height, memory, threads, None if knowledge else 0)
    else:
        from .exhaustive import ExhaustiveSolver

        solver = ExhaustiveSolver(rules, width, height, memory)
    solver.bound = Limit(nodes=nodes).begin()
    return solver
