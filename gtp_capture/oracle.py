"""What perfect play says while a player thinks: the book of small boards, else the solver in a slice of the time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from .game import Game
from .search import book
from .search.limit import Limit
from .search.verdict import Verdict, why_not

SMALL: Final = 36
"""Points of a board where the solver nearly always finds the end: it may take half of the time there."""


class Part(NamedTuple):
    """What the solver may take of a limit."""

    time: float
    nodes: int
    """Positions for each playout, where playouts are what is limited; it comes to about the same."""


TINY: Final = 16
"""Points of a board where it is told how long the loser can hold out."""
PART_SMALL: Final = Part(0.5, 10)
PART_LARGE: Final = Part(0.2, 2)
UNLIMITED: Final = 0.3
"""Seconds where nothing is limited: whoever watches wants to see something soon."""


class Oracle:
    """Asks for the value of one position after another; what the solver has found stays for the next question."""

    def __init__(self, memory: int, threads: int) -> None:
        """`memory`: bytes for the solver's table."""
        self._memory, self._threads = memory, threads
        self._solver: Any = None

    def ask(self, game: Game, color: int, limit: Limit) -> Verdict | None:
        """Who wins with a colour to move, and the play to make; None where that is not found in a part of the limit.

        Who loses is told the play that holds out longest on tiny boards alone: against an opponent who errs, what
        a search likes best is worth more.
        """
        if why_not(game.rules, game.board) is not None:
            return None
        verdict = book.lookup(game.board, color) or self._part(game, color, limit)
        if verdict is None or verdict.winner is None or (verdict.winner == color and not verdict.line):
            return None
        tiny = game.width * game.height <= TINY
        return verdict if verdict.winner == color or tiny else replace(verdict, line=(), length=None)

    def solve(self, game: Game, color: int, limit: Limit) -> Verdict:
        """All that is found within the whole limit: who wins, a line, its plies; the caller knows `why_not`."""
        known = book.lookup(game.board, color) or Verdict(None)
        solver = self._ready(game)
        found: Verdict = solver.solve(game.board, color, limit, length=True) if solver is not None else known
        return known if found.winner is None else replace(found, length=found.length or known.length)

    def moves(self, game: Game, color: int, limit: Limit) -> Iterator[tuple[int, bool]]:
        """Every play of a colour of which it is found within the limit whether it wins."""
        if why_not(game.rules, game.board) is not None:
            return
        solver = self._ready(game)
        if solver is None:
            return
        for play, verdict in solver.first_moves(game.board, color, limit):
            if verdict.winner is not None:
                yield play, verdict.winner == color

    def _ready(self, game: Game) -> Any:
        from .search.kernel import COMPILED
        from .search.proof import Solver

        if not COMPILED:
            return None  # a thousand times slower, it would find nothing but hold up the search
        if self._solver is None or (self._solver.width, self._solver.height) != (game.width, game.height):
            self._solver = Solver(game.width, game.height, self._memory, self._threads)
        return self._solver

    def _part(self, game: Game, color: int, limit: Limit) -> Verdict | None:
        solver = self._ready(game)
        if solver is None:
            return None
        points = game.width * game.height
        part = PART_SMALL if points <= SMALL else PART_LARGE
        nodes = None if limit.playouts is None else limit.playouts * part.nodes
        seconds = None if limit.seconds is None else part.time * limit.left()
        if nodes is None and seconds is None:
            seconds = UNLIMITED
        slice_ = Limit(seconds, nodes, limit.stop)
        found: Verdict = solver.solve(game.board, color, slice_, whole=False)
        if found.winner is not None and points <= (SMALL if found.winner == color else TINY):
            found = solver.solve(game.board, color, slice_, length=True)
        return found
