"""The verdicts on all first moves of a position, found by several processes, here or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from typing import Any

from ..go.game import Game
from ..go.vertex import opponent
from ..util.executor import cancellation_check, run_jobs
from ..util.limit import Limit

Stones = tuple[int, int]
"""Of Black and White, as bits."""


@dataclass(frozen=True, slots=True)
class Question:
    """Who wins a position: what a solver elsewhere needs to know."""

    width: int
    height: int
    stones: Stones
    color: int
    """To move."""
    memory: int
    """Bytes of the table."""
    threads: int


def answer(question: Question) -> tuple[int, int]:
    """Solve a position here, with a table of its own: the result for the colour to move, and the nodes.

    The result is UNKNOWN only where nobody waits for it any more.
    """
    from .solver import Solver

    solver = Solver(question.width, question.height, question.memory, question.threads)
    limit, nobody_waits = Limit(), cancellation_check()

    def look(nodes: int) -> None:
        if nobody_waits():
            limit.stop.set()

    solver.watch = look
    return solver.result(question.stones, question.color, limit), solver.nodes


def first_moves(
    solver: Any, game: Game, limit: Limit, place: Callable[[], AbstractContextManager[Executor]]
) -> dict[int, int | None]:
    """Who wins after each legal play of the colour to move; None where the limit came first.

    What the solver here knows, or finds in a moment, and what the position before tells by its symmetry is asked
    nobody else. Each solver elsewhere gets as much memory and as many threads; their nodes are added to those of the
    solver here. ExecutorError: nobody can be asked; MemoryError: they have not so much.
    """
    from .bitboard import images
    from .solver import LOSES, UNKNOWN, WINS

    stones, color, other = solver.stones(game.board), game.to_move, opponent(game.to_move)
    symmetries = images(game.width, game.height)
    winner = {WINS: other, LOSES: color, UNKNOWN: None}
    found: dict[int, int | None] = {}
    plays: dict[Stones, list[int]] = {}
    for play, after in solver.plays(stones, color):
        found[play] = color if solver.captures(stones, color, play) else None
        if found[play] is None:
            plays.setdefault(min(_turned(after, image) for image in symmetries), []).append(play)
    known = {after: winner[solver.result(after, other, replace(limit, playouts=1))] for after in plays}
    size, room = (game.width, game.height), (solver.table.nbytes, solver.threads)
    questions = [Question(*size, after, other, *room) for after in plays if known[after] is None]
    with closing(run_jobs(place, answer, questions, limit.expired)) as answers:
        for question, (result, nodes) in answers if questions else ():
            known[question.stones] = winner[result]
            solver.nodes += nodes
            solver.watch(solver.nodes)
    return found | {play: known[after] for after, same in plays.items() for play in same}


def _turned(stones: Stones, image: list[int]) -> Stones:
    """The stones under a symmetry, as `images` gives it."""
    black, white = (sum(1 << to for i, to in enumerate(image) if bits >> i & 1) for bits in stones)
    return black, white
