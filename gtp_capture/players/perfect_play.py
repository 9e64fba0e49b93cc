"""What perfect play says while a player thinks: the book of small boards, else the solver in a slice of the time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..go.game import Game
from ..solver.book import lookup as book
from ..solver.result import Verdict, why_not
from ..util.limit import Limit

if TYPE_CHECKING:
    from ..util.memory import Allocation

SMALL: Final = 36
"""Points of a board where the solver nearly always finds the end: it may take half of the time there."""


class Part(NamedTuple):
    """What the solver may take of a limit."""

    time: float
    nodes: int
    """Positions for each playout, where playouts are what is limited; it comes to about the same."""


TINY: Final = 16
"""Points of a board where it is told how long the loser can hold out."""
EASY: Final = 20_000
"""Nodes spent on each play before any play gets more."""
PART_SMALL: Final = Part(0.5, 10)
PART_LARGE: Final = Part(0.2, 2)
UNLIMITED: Final = 0.3
"""Seconds where nothing is limited: whoever watches wants to see something soon."""


class Oracle:
    """Asks for the value of one position after another; what the solver has found stays for the next question."""

    def __init__(self, room: Callable[[], Allocation], ready: Callable[[Limit], bool]) -> None:
        """`room`: what the solver shares with a tree; `ready` waits for compiled code within a limit: whether it came.

        The room is found when the solver is made, after the compiled code has taken its memory. The book alone answers
        while the code is not there.
        """
        self._room, self._compiled_within = room, ready
        self._solver: Any = None

    def ask(self, game: Game, color: int, limit: Limit, moves: Collection[int]) -> Verdict | None:
        """Who wins with a colour to move, and the play to make; None where that is not found in a part of the limit.

        None also where the winning play is not among `moves`, the ones that are asked about.

        Who loses is told the play that holds out longest on tiny boards alone: against an opponent who errs, what
        a search likes best is worth more.
        """
        if why_not(game.rules, game.board) is not None:
            return None
        verdict = book.lookup(game.board, color) or self._part(game, color, limit)
        if verdict is None or verdict.winner is None:
            return None
        if verdict.winner == color and (not verdict.line or verdict.line[0] not in moves):
            return None
        tiny = game.width * game.height <= TINY
        return verdict if verdict.winner == color or tiny else replace(verdict, line=(), length=None)

    def solve(self, game: Game, color: int, limit: Limit, *, length: bool = True) -> Verdict:
        """Find the winner, a line and, with `length`, the plies to the end within the whole limit.

        The winner is None where it is not found, or where the solver does not take the position (`why_not`).
        """
        if why_not(game.rules, game.board) is not None:
            return Verdict(None)
        known = book.lookup(game.board, color) or Verdict(None)
        solver = self._ready(game, limit)
        if solver is None or (known.winner is not None and not length):
            return known
        found: Verdict = solver.solve(game.board, color, limit, length=length)
        return known if found.winner is None else replace(found, length=found.length or known.length)

    def moves(self, game: Game, color: int, limit: Limit) -> Iterator[tuple[int, bool]]:
        """Yield each play that the limit permits with whether it wins, as far as that is found within the limit."""
        solver = self._ready(game, limit) if why_not(game.rules, game.board) is None else None
        if solver is None:
            return
        told: set[int] = set()
        for nodes in (EASY, None):  # the easy ones first: one hard play must not keep all others waiting
            for play, verdict in solver.first_moves(game.board, color, limit.with_playouts(nodes)):
                if verdict.winner is not None and play not in told:
                    told.add(play)
                    yield play, verdict.winner == color

    def plies(self, game: Game, color: int, plays: Iterable[int], limit: Limit) -> dict[int, int]:
        """The plies to the end under best play of both sides after each play, this one included, where computed."""
        solver = self._ready(game, limit) if why_not(game.rules, game.board) is None else None
        if solver is None:
            return {}
        found = {play: solver.plies_after(game.board, color, play, limit) for play in plays}
        return {play: plies for play, plies in found.items() if plies is not None}

    def _ready(self, game: Game, limit: Limit) -> Any:
        """The solver for this board; None if its code is not there within the limit."""
        if not self._compiled_within(limit):
            return None
        from ..jit.kernel import COMPILED
        from ..solver.solver import Solver

        if not COMPILED:
            return None  # a thousand times slower, it would find nothing but hold up the search
        if self._solver is None or (self._solver.width, self._solver.height) != (game.width, game.height):
            room = self._room()
            self._solver = Solver(game.width, game.height, room.memory // 4, room.threads)
        return self._solver

    def _part(self, game: Game, color: int, limit: Limit) -> Verdict | None:
        solver = self._ready(game, limit)
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
