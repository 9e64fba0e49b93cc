"""The choice of an exact solver: df-pn if the next capture wins for either side, else a search of all plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..go.board import Board
from ..go.rules import Rules
from ..jit.warmup import check_room
from ..util.limit import Limit
from ..util.memory import MEBIBYTE
from .result import SolverError, next_capture_wins, why_unsupported

if TYPE_CHECKING:
    from .exact import ExactSolver

MEMORY: Final = 16 * MEBIBYTE
"""Bytes of the table of a df-pn search by default."""
LATER: Final = 128 * MEBIBYTE
"""Bytes of address space that a search takes besides its table, also for code that it loads later."""
EXHAUSTIVE_MEMORY: Final = 32 * MEBIBYTE
"""Bytes of the table of an exhaustive search by default: for the 3 million positions of a search for a problem."""


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
