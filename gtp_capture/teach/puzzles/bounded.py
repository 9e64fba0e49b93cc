"""Exact results of positions of capture games: winner, winning plays, plies to the end, and a line of best play.

All bounds count nodes and never seconds, so a result that is found once is found in every run. The solvers, which load
Numba, are imported when one is made.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...go import board as bd
from ...go.board import Board
from ...go.rules import Rules
from ...go.vertex import BLACK, EMPTY, WHITE, opponent
from ...solver.result import LOSS, UNKNOWN, WIN, SolverError, unsupported, unsupported_multi_capture
from ...util.limit import Limit
from .problem import Start

if TYPE_CHECKING:
    from ...solver.exhaustive import ExhaustiveSolver

NODES: Final = 50_000
"""Nodes of a search by default."""
MEMORY: Final = 16 * 2**20
"""Bytes of the transposition table for first capture."""
EXHAUSTIVE_MEMORY: Final = 64 * 2**20
"""Bytes of the table for games of several prisoners, which must hold every position searched."""
POSITIONS: Final = 500
"""Positions of a search to a number of plies in games of several prisoners, each about 1 ms."""


class BoundedSolver(abc.ABC):
    """Solves positions of one board size under one set of rules. Results are for the side to move."""

    def __init__(self, rules: Rules, width: int, height: int, nodes: int) -> None:
        """`nodes`: bound of each search."""
        self.rules, self.width, self.height, self.nodes = rules, width, height, nodes

    @abc.abstractmethod
    def result(self, board: Board, color: int) -> int:
        """Return WIN, LOSS or UNKNOWN for a colour to move in a position that is not decided."""

    @abc.abstractmethod
    def wins_within(self, board: Board, color: int, plies: int) -> bool | None:
        """Return whether a colour, to move, wins within `plies` (an odd number); None if the bound was reached."""

    @abc.abstractmethod
    def loses_within(self, board: Board, color: int, plies: int) -> bool | None:
        """Return whether a colour, to move, loses within `plies` (an even number); None if the bound was reached."""

    def ends_in(self, board: Board, color: int, plies: int) -> bool:
        """Whether a colour, to move, wins in exactly `plies` (an odd number); false if the bound was reached."""
        if plies > 2 and self.wins_within(board, color, plies - 2) is not False:
            return False
        return self.wins_within(board, color, plies) is True

    def start_ends_in(self, start: Start, plies: int) -> bool:
        """The same of the side to move in a position."""
        return self.ends_in(start.board(), start.to_move, plies)

    @abc.abstractmethod
    def forget(self) -> None:
        """Empty the table, so that later results do not depend on earlier ones."""

    @property
    @abc.abstractmethod
    def searched(self) -> int:
        """Nodes so far."""

    def plays(self, board: Board, color: int) -> Iterator[tuple[int, Board]]:
        """Yield the legal plays of a colour and the board after each."""
        for p in bd.points(board):
            if board.color[p] == EMPTY and bd.is_legal(board, p, color, self.rules.suicide):
                yield p, bd.after(board, p, color)

    def winner(self, board: Board) -> int | None:
        """Return the colour that has enough prisoners; None if the game goes on."""
        return next((c for c in (BLACK, WHITE) if self.rules.won_by(int(board.prisoners[c]))), None)

    def result_after(self, after: Board, color: int) -> int:
        """Return WIN, LOSS or UNKNOWN for the colour that has just played."""
        winner = self.winner(after)
        if winner is not None:
            return WIN if winner == color else LOSS
        return -self.result(after, opponent(color))

    def results(self, board: Board, color: int) -> Iterator[tuple[int, int]]:
        """Yield plays of a colour, each with WIN, LOSS or UNKNOWN; plays that lose at once may be left out."""
        for play, after in self.plays(board, color):
            yield play, self.result_after(after, color)

    def winning_plays(self, board: Board, color: int, most: int | None = None) -> list[int] | None:
        """Return all plays that win; None if a result is missing, or if more than `most` win."""
        found = []
        for play, result in self.results(board, color):
            if result == UNKNOWN:
                return None
            if result == WIN:
                found.append(play)
            if most is not None and len(found) > most:
                return None
        return found

    def plies(self, board: Board, color: int, most: int) -> int | None:
        """Return the plies to the end of a decided position under best play; None if more than `most`, or not found.

        The winner minimises the plies, and the loser maximises them.
        """
        result = self.result(board, color)
        if result == UNKNOWN:
            return None
        within = self.wins_within if result == WIN else self.loses_within
        for plies in range(1 if result == WIN else 0, most + 1, 2):
            ended = within(board, color, plies)
            if ended is None:
                return None
            if ended:
                return plies
        return None

    def plies_after(self, after: Board, color: int, most: int) -> int | None:
        """Return the plies to the end after a play of a colour, not counting that play; None as for `plies`."""
        return 0 if self.winner(after) is not None else self.plies(after, opponent(color), most)

    def best_line(self, board: Board, color: int, plies: int) -> tuple[int, ...]:
        """Return best play to the end of a position that is decided in `plies`; shorter if a result is missing."""
        line: list[int] = []
        while plies > 0:
            found = next(
                ((p, after) for p, after in self.plays(board, color) if self._is_best(after, color, plies - 1)), None
            )
            if found is None:
                break
            line.append(found[0])
            board, color, plies = found[1], opponent(color), plies - 1
        return tuple(line)

    def _is_best(self, after: Board, color: int, plies: int) -> bool:
        """Whether the play before is best: the end is `plies` away, and the right colour wins."""
        winner = self.winner(after)
        if winner is not None:
            return plies == 0
        expected = WIN if plies % 2 else LOSS
        return self.result(after, opponent(color)) == expected and self.plies(after, opponent(color), plies) == plies


class FirstCaptureSolver(BoundedSolver):
    """Solves games where the next capture wins, by proof-number search."""

    def __init__(self, rules: Rules, width: int, height: int, nodes: int = NODES, *, knowledge: bool = True) -> None:
        """`knowledge`: whether the solver uses its ladders, zones and symmetries; without them it is a plain search."""
        from ...solver.solver import Solver
        from ...solver.task import Tuning

        super().__init__(rules, width, height, nodes)
        self._solver = Solver(width, height, MEMORY, tuning=Tuning() if knowledge else Tuning(0))
        self._limit = Limit(nodes=nodes).begin()
        self._bits = {p: 1 << i for i, p in enumerate(bd.points(bd.new(width, height)))}

    @property
    def searched(self) -> int:
        """See BoundedSolver."""
        return self._solver.nodes

    def forget(self) -> None:
        """See BoundedSolver."""
        self._solver.clear()

    def result(self, board: Board, color: int) -> int:
        """See BoundedSolver."""
        return self._solved(self._stones(board), color)

    def results(self, board: Board, color: int) -> Iterator[tuple[int, int]]:
        """See BoundedSolver; self-captures, which lose, are left out."""
        stones = self._stones(board)
        for play, after in self._solver.plays(stones, color):
            wins = self._solver.captures(stones, color, play)
            yield play, WIN if wins else -self._solved(after, opponent(color))

    def wins_within(self, board: Board, color: int, plies: int) -> bool | None:
        """See BoundedSolver."""
        found = self._solved(self._stones(board), color, WIN, plies)
        return None if found == UNKNOWN else found == WIN

    def loses_within(self, board: Board, color: int, plies: int) -> bool | None:
        """See BoundedSolver."""
        found = self._solved(self._stones(board), color, LOSS, plies)
        return None if found == UNKNOWN else found == LOSS

    def start_ends_in(self, start: Start, plies: int) -> bool:
        """See BoundedSolver; no board is made, because most positions that are tried fail."""
        black, white = (sum(self._bits[p] for p in points) for points in (start.black, start.white))
        stones, color = (black, white), start.to_move
        earlier = self._solved(stones, color, WIN, plies - 2) if plies > 2 else LOSS
        return earlier == LOSS and self._solved(stones, color, WIN, plies) == WIN

    def _solved(self, stones: tuple[int, int], color: int, attacker: int = 0, plies: int = 0) -> int:
        return self._solver.result(stones, color, self._limit, attacker, plies)

    def _stones(self, board: Board) -> tuple[int, int]:
        """Return the stones of a board as bits."""
        colors = bd.colors(board)
        black, white = (sum(bit for p, bit in self._bits.items() if colors[p] == color) for color in (BLACK, WHITE))
        return black, white


class SeveralPrisonersSolver(BoundedSolver):
    """Solves games where several prisoners win, by exhaustive search, which uses no knowledge besides the rules."""

    def __init__(self, rules: Rules, width: int, height: int, nodes: int = 8 * NODES) -> None:
        super().__init__(rules, width, height, nodes)
        self._spent = 0
        self._solver = self._new_solver()
        self._left = 0
        """Positions that the present search to a number of plies may still visit."""
        self._within: dict[_Key, bool] = {}

    @property
    def searched(self) -> int:
        """See BoundedSolver."""
        return self._spent + self._solver.nodes

    def forget(self) -> None:
        """See BoundedSolver."""
        self._spent += self._solver.nodes
        self._solver = self._new_solver()
        self._within = {}

    def _new_solver(self) -> ExhaustiveSolver:
        from ...solver.exhaustive import ExhaustiveSolver

        return ExhaustiveSolver(self.rules, self.width, self.height, EXHAUSTIVE_MEMORY)

    def result(self, board: Board, color: int) -> int:
        """See BoundedSolver."""
        deadline, before = Limit().begin(), self._solver.nodes

        def watch(nodes: int) -> None:
            if nodes - before >= self.nodes:
                deadline.stop.set()

        self._solver.watch = watch
        try:
            return self._solver.value(board, color, deadline)
        except SolverError:  # the table is full
            self.forget()
            return UNKNOWN

    def wins_within(self, board: Board, color: int, plies: int) -> bool | None:
        """See BoundedSolver."""
        self._left = POSITIONS
        return self._wins(board, color, plies)

    def loses_within(self, board: Board, color: int, plies: int) -> bool | None:
        """See BoundedSolver."""
        self._left = POSITIONS
        return self._outlasted(board, color, plies)

    def _wins(self, board: Board, color: int, plies: int) -> bool | None:
        """Return whether a colour, to move, wins within `plies`; None if a result is missing or the bound reached."""
        key = bd.colors(board), int(board.prisoners[BLACK]), int(board.prisoners[WHITE]), color, plies
        found = self._within.get(key)
        if found is None and self._left > 0:
            self._left -= 1
            found = self._search_within(board, color, plies)
            if found is not None:
                self._within[key] = found
        return found

    def _search_within(self, board: Board, color: int, plies: int) -> bool | None:
        unknown = False
        for _, after in self.plays(board, color):
            winner = self.winner(after)
            if winner == color:
                return True
            if winner is not None:
                continue
            # The result first, which is in the table, because a search to a number of plies takes longer.
            result = self.result(after, opponent(color)) if plies > 1 else LOSS
            found = None if result == UNKNOWN else result == LOSS and self._outlasted(after, opponent(color), plies - 1)
            if found:
                return True
            unknown |= found is None
        return None if unknown else False

    def _outlasted(self, board: Board, color: int, plies: int) -> bool | None:
        """Return whether a colour, to move, loses within `plies`; None if a result is missing."""
        for _, after in self.plays(board, color):
            winner = self.winner(after)
            if winner is None:
                found = False if plies < 2 else self._wins(after, opponent(color), plies - 1)
                if not found:
                    return found
            elif winner == color:
                return False
        return True


_Key = tuple[bytes, int, int, int, int]
"""The stones, the prisoners of Black and of White, the colour to move, and the plies."""


def why_unsupported(rules: Rules, width: int, height: int) -> str | None:
    """Return why no solver takes this board under these rules; None if one does."""
    board = bd.new(width, height)
    return unsupported(rules, board) if rules.captures == 1 else unsupported_multi_capture(rules, board)


def bounded_solver(rules: Rules, width: int, height: int, nodes: int | None = None) -> BoundedSolver:
    """Return the solver of a board and rules that `why_unsupported` accepts."""
    kind = FirstCaptureSolver if rules.captures == 1 else SeveralPrisonersSolver
    return kind(rules, width, height) if nodes is None else kind(rules, width, height, nodes)
