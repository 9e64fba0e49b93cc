"""The interface of the exact solvers: who wins a position, in how many plies, by which line, and with which plays.

A solver implements `search`, which decides a single position; all other answers follow from it here.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK, WHITE, opponent, vertices
from ..util.limit import Deadline, Limit
from . import bitboard
from .result import LOSS, UNKNOWN, WIN, Solution, SolverError, winner_of


class Node(NamedTuple):
    """A position, seen from the side to move. Stones are bits, see `bitboard`."""

    own: Any
    opp: Any
    prisoners: Any
    """Prisoners of the side to move; 0 where the next capture wins."""
    lost: Any
    """Prisoners of the other side."""
    side: Any
    """The side to move: 0 Black, 1 White."""

    @property
    def color(self) -> int:
        """The colour to move."""
        return BLACK + int(self.side)


class Play(NamedTuple):
    """A legal play, and the position after it."""

    point: int
    node: Node
    winner: int | None
    """The colour that has enough prisoners after the play; None if the game goes on."""


class ExactSolver(abc.ABC):
    """Solves positions of one board size; the table is kept between calls.

    Each call takes a limit; without one, each search is limited by `bound`.
    """

    table: Any

    def __init__(self, width: int, height: int, captures: int = 1, *, suicide: bool = False) -> None:
        """`captures`: prisoners that win. SolverError: the board is too large."""
        self.width, self.height, self.captures, self.suicide = width, height, captures, suicide
        self.geometry = bitboard.geometry(width, height)
        self._bits = {p: 1 << i for i, p in enumerate(vertices(width, height))}
        self.nodes = 0
        """Positions evaluated by all calls so far."""
        self.bound = Limit().begin()
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the number of nodes so far after each slice of a search."""

    @abc.abstractmethod
    def search(self, node: Node, deadline: Deadline | None = None, attacker: int = 0, plies: int = 0) -> int:
        """Return WIN, LOSS or UNKNOWN for the side to move in a position that is not decided.

        With `attacker` 1, a WIN is a win within `plies`, and anything else is a LOSS; with `attacker` -1, a LOSS is a
        loss within `plies`, and anything else is a WIN.
        SolverError: the table is full, and the limit is not in nodes.
        """

    def begin(self, board: Board) -> None:
        """Prepare for a position: clear a table that is full of positions of another game."""
        return

    @abc.abstractmethod
    def clear(self) -> None:
        """Empty the table; the next search is like the first search of a new solver."""

    @abc.abstractmethod
    def progress(self) -> str:
        """Return the state of the search, for a progress display."""

    def node(self, board: Board, color: int) -> Node:
        """Return a position with a colour to move. SolverError: another size of board."""
        if (int(board.width), int(board.height)) != (self.width, self.height):
            raise SolverError(f"this solver is for {self.width}x{self.height}")
        black, white = (bd.stones_of(board, side) for side in (BLACK, WHITE))
        node = self.node_of(black, white, color)
        if self.captures == 1:
            return node
        return node._replace(prisoners=int(board.prisoners[color]), lost=int(board.prisoners[opponent(color)]))

    def node_of(self, black: Iterable[int], white: Iterable[int], color: int) -> Node:
        """Return the position without prisoners that has stones on these points."""
        stones = [sum(self._bits[p] for p in points) for points in (black, white)]
        return Node(stones[color - BLACK], stones[WHITE - color], 0, 0, color - BLACK)

    def value(self, board: Board, color: int, deadline: Deadline | None = None) -> int:
        """Return WIN, LOSS or UNKNOWN for a colour to move."""
        return self.search(self.node(board, color), deadline)

    def solve(
        self, board: Board, color: int, deadline: Deadline | None = None, *, length: bool = False, whole: bool = True
    ) -> Solution:
        """Find the winner with a colour to move, and a line; with `length`, the plies too, and a line of best play.

        Without `whole`, which is quicker, the line is its first play only, or empty for a loss of unknown length.
        """
        return self.solution(self.node(board, color), deadline, self._longest if length else None, whole=whole)

    def solution(
        self, node: Node, deadline: Deadline | None = None, most: int | None = None, *, whole: bool = True
    ) -> Solution:
        """Return the solution of a position; the plies are computed if they are at most `most`."""
        deadline = deadline or self.bound
        before, began = self.nodes, time.monotonic()
        result = self.search(node, deadline)
        plies = None if most is None or result == UNKNOWN else self._plies(node, result, deadline, most)
        lineless = result == UNKNOWN or (result == LOSS and plies is None and not whole)
        line = () if lineless else self._line(node, result, plies, deadline, whole)
        winner = winner_of(result, node.color)
        return Solution(winner, line, plies, self.nodes - before, time.monotonic() - began)

    def first_moves(
        self, board: Board, color: int, deadline: Deadline | None = None
    ) -> Iterator[tuple[int, int | None]]:
        """Yield each legal play that the limit permits with the winner after it; None if it is not found."""
        deadline = deadline or self.bound
        for play in self.plays(self.node(board, color)):
            if deadline.limit.permits(play.point):
                yield play.point, winner_of(self.result_of(play, deadline), color)

    def plays(self, node: Node) -> Iterator[Play]:
        """Yield the legal plays of the side to move."""
        own, opp, prisoners, lost, side = node
        g, captures = self.geometry, self._captures(node.own, node.opp)
        for point, p in self._bits.items():
            if (own | opp) & p:
                continue
            captured = captures.get(p, 0)
            chain, beside = bitboard.flood(p, own | p, g)
            dead = 0 if beside & ~(own | p | opp ^ captured) else chain
            if dead and not self.suicide:
                continue
            taken, given = prisoners + captured.bit_count(), lost + dead.bit_count()
            winner = node.color if taken >= self.captures else None
            if given >= self.captures:
                winner = opponent(node.color)
            yield Play(point, Node(opp ^ captured, (own | p) ^ dead, given, taken, 1 - side), winner)

    def play(self, node: Node, point: int) -> Play:
        """Return the legal play at a point."""
        return next(play for play in self.plays(node) if play.point == point)

    def result_of(self, play: Play, deadline: Deadline | None = None) -> int:
        """Return WIN, LOSS or UNKNOWN for the side that has made a play."""
        if play.winner is not None:
            return LOSS if play.winner == play.node.color else WIN
        return -self.search(play.node, deadline)

    def winning_plays(self, node: Node, most: int | None = None) -> list[Play] | None:
        """Return all plays that win; None if a result is not found, or if more than `most` win."""
        winning = []
        for play in self.plays(node):
            result = self.result_of(play)
            if result == UNKNOWN:
                return None
            if result == WIN:
                winning.append(play)
            if most is not None and len(winning) > most:
                return None
        return winning

    def safe_plays(self, node: Node) -> list[Play]:
        """Return the plays after which the other side cannot win at once; none if the side to move can."""
        plays = list(self.plays(node))
        if any(play.winner == node.color for play in plays):
            return []
        return [play for play in plays if play.winner is None and not self._wins_at_once(play.node)]

    def wins_in(self, node: Node, plies: int) -> bool:
        """Return whether the side to move wins in exactly `plies` (an odd number); false if a search is not decided."""
        if plies > 2 and self.search(node, None, WIN, plies - 2) != LOSS:
            return False
        return self.search(node, None, WIN, plies) == WIN

    def length(self, node: Node, deadline: Deadline | None = None, most: int | None = None) -> int | None:
        """Return the plies to the end under best play; None if there are more than `most`, or if they are not found.

        The winner minimises the plies, and the loser maximises them.
        """
        result = self.search(node, deadline)
        return None if result == UNKNOWN else self._plies(node, result, deadline, most or self._longest)

    def _plies(self, node: Node, result: int, deadline: Deadline | None, most: int) -> int | None:
        """Return the length of a decided position."""
        for plies in range(1 if result == WIN else 0, most + 1, 2):
            within = self.search(node, deadline, result, plies)
            if within in (result, UNKNOWN):
                return None if within == UNKNOWN else plies
        assert most < self._longest, "a decided position has a length"
        return None

    def length_after(self, play: Play, deadline: Deadline | None = None, most: int | None = None) -> int | None:
        """Return the plies to the end after a play, not counting it; None as for `length`."""
        return 0 if play.winner is not None else self.length(play.node, deadline, most)

    @property
    def _longest(self) -> int:
        """An upper bound of the plies of a game: each play adds one to the stones and prisoners together."""
        return self.width * self.height + 2 * self.captures

    def _captures(self, own: int, opp: int) -> dict[int, int]:
        """Return the points where a side captures, each with the stones captured there, as bits."""
        g, rest, captures = self.geometry, opp, dict[int, int]()
        empty = g.full & ~(own | opp)
        while rest:
            chain, beside = bitboard.flood(rest & -rest, opp, g)
            rest &= ~chain
            liberties = beside & empty
            if not liberties & (liberties - 1):
                captures[liberties] = captures.get(liberties, 0) | chain
        return captures

    def _wins_at_once(self, node: Node) -> bool:
        """Return whether the side to move can capture enough."""
        captured = self._captures(node.own, node.opp).values()
        return any(node.prisoners + chains.bit_count() >= self.captures for chains in captured)

    def _line(self, node: Node, result: int, plies: int | None, deadline: Deadline, whole: bool) -> tuple[int, ...]:
        """Return best play of both sides if `plies` are known, else the forced part of a winning line.

        If the limit is reached first, return the part of the line before the loser's first free choice.
        """
        turns: list[tuple[int, int, Node]] = []  # the plays, and the results and positions before them
        while (best := self.best(node, result, plies, deadline)) is not None:
            turns.append((best.point, result, node))
            if not whole or best.winner is not None:
                return tuple(point for point, _, _ in turns)
            node, result, plies = best.node, -result, None if plies is None else plies - 1
        forced = turns if plies == 0 else takewhile(lambda turn: turn[1] == WIN or self._forced(turn[2]), turns)
        return tuple(point for point, _, _ in forced)

    def best(self, node: Node, result: int, plies: int | None, deadline: Deadline) -> Play | None:
        """Return the best play; None if there is none or the limit was reached first.

        In a loss without known `plies`, the best play is the one that `_forced` returns.
        """
        plays = list(self.plays(node))
        for play in plays:
            if play.winner == node.color:
                return play
        if result == LOSS and plies is None:
            return self._forced(node)
        left = 0 if plies is None else plies - 1
        if result == LOSS:
            # Among equal defences the first is one that saves a chain from capture: it shows why other plays are lost.
            saving = self._captures(node.opp, node.own)
            plays.sort(key=lambda play: self._bits[play.point] not in saving)
            # The longest defence: the winner, to move after it, has no faster win.
            return next((p for p in plays if self._resists(p, left, deadline)), None)
        # Small budgets first: most likely the table has the winning play, and other plays may take long to refute.
        for nodes in (4_000, 100_000, deadline.limit.nodes):
            within = deadline.limited(nodes=nodes)
            for play in plays:
                if play.winner is None and self.search(play.node, within, 0 if plies is None else LOSS, left) == LOSS:
                    return play
        return None

    def _resists(self, play: Play, plies: int, deadline: Deadline) -> bool:
        """Return whether the game lasts at least `plies` after a play of the loser."""
        return play.winner is None and (plies < 2 or self.search(play.node, deadline, WIN, plies - 2) == LOSS)

    def _forced(self, node: Node) -> Play | None:
        """Return the only play that does not lose at once, or the first play if all do; None if several do not."""
        plays, safe = list(self.plays(node)), self.safe_plays(node)
        return (safe or plays)[0] if plays and len(safe) < 2 else None
