"""Solver of capture games of several prisoners on tiny boards: depth-first search with a table of exact keys.

Without a ko rule no position repeats: every play adds one to the stones on the board and the prisoners together. So a
position is its stones, the prisoners and the side to move, all of which fit into one 64-bit key without loss.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE, opponent
from ..jit.kernel import inner, kernel
from ..util.limit import Deadline
from . import bitboard
from .bitboard import GEOMETRY, ONE, ZERO, adjacent, flood, lowest_bit, popcount
from .result import (
    LOSS,
    UNKNOWN,
    WIN,
    Solution,
    SolverError,
    next_capture_wins,
    unsupported,
    unsupported_multi_capture,
    winner_of,
)
from .solver import Solver

PRIME: Final = np.uint64(2**31 - 1)
FACTOR: Final = np.uint64(2654435769)
BUDGET: Final = 200_000
"""Nodes between two tests of the limit."""


class Node(NamedTuple):
    """A position, seen from the side to move."""

    own: Any
    opp: Any
    prisoners: Any
    """Prisoners of the side to move."""
    lost: Any
    """Prisoners of the other side."""
    color: Any
    """The side to move: 0 Black, 1 White."""


class Problem(NamedTuple):
    """The game to solve, and the progress of the search."""

    goal: Any
    """Prisoners that win."""
    suicide: Any
    """Whether suicide is legal."""
    geometry: Any
    progress: Any
    """See PROGRESS."""


PROGRESS: Final = np.dtype([("nodes", "i8"), ("max_nodes", "i8"), ("entries", "i8")], align=True)
"""Nodes so far, the number at which to stop, and entries in the table."""
NODE: Final = numba.types.NamedTuple([numba.uint64] * 2 + [numba.int64] * 3, Node)
PROBLEM: Final = numba.types.NamedTuple([numba.int64, numba.boolean, GEOMETRY, numba.from_dtype(PROGRESS)], Problem)


@inner
def captured_by(p: Any, own: Any, opp: Any, g: Any) -> Any:
    """Return the opposing stones that a play captures."""
    empty = g.full & ~(own | opp | p)
    found = ZERO
    rest = adjacent(p, g) & opp
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), opp, g)
        rest &= ~chain
        if beside & empty == ZERO:
            found |= chain
    return found


@inner
def key_of(node: Node, problem: Problem) -> Any:
    """Return the exact key of a position."""
    points, goal = np.uint64(popcount(problem.geometry.full)), problem.goal
    stones, prisoners = node.own | node.opp << points, node.prisoners * goal + node.lost
    if node.color == 1:
        stones, prisoners = node.opp | node.own << points, node.lost * goal + node.prisoners
    return (stones * np.uint64(goal * goal) + np.uint64(prisoners)) * np.uint64(2) + np.uint64(node.color + 1)


@inner
def slot_of(table: Any, key: Any) -> Any:
    """Return the index of a key in the table, or of the empty slot for it."""
    scattered = key % PRIME * FACTOR  # below 2**63: plain Python warns of an overflow
    slot: Any = np.int64(scattered % np.uint64(len(table)))
    while table[slot] != ZERO and table[slot] >> ONE != key:
        slot = slot + 1 if slot + 1 < len(table) else 0
    return slot


@inner
def ordered_plays(node: Node, problem: Problem) -> tuple[Any, Any, Any]:
    """Return three sets of plays, to try in this order: captures, safe plays, self-ataris; or one winning play."""
    g = problem.geometry
    own, opp = node.own, node.opp
    empty = g.full & ~(own | opp)
    captures, quiet, risky = ZERO, ZERO, ZERO
    rest = empty
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        captured = captured_by(p, own, opp, g)
        if node.prisoners + popcount(captured) >= problem.goal:
            return p, ZERO, ZERO
        _chain, beside = flood(p, own | p, g)
        liberties = beside & (empty ^ p | captured)
        if captured != ZERO:
            captures |= p
        elif liberties & (liberties - ONE) != ZERO:
            quiet |= p
        elif liberties != ZERO or problem.suicide:
            risky |= p
    return captures, quiet, risky


@inner
def successor(node: Node, p: Any, problem: Problem) -> Node:
    """Return the position after a play, seen from the other side."""
    g = problem.geometry
    captured = captured_by(p, node.own, node.opp, g)
    own, opp, lost = node.own | p, node.opp ^ captured, node.lost
    chain, beside = flood(p, own, g)
    if beside & ~(own | opp) == ZERO:
        own, lost = own ^ chain, lost + popcount(chain)
    return Node(opp, own, lost, node.prisoners + popcount(captured), 1 - node.color)


@kernel(NODE, PROBLEM, numba.uint64[::1], returns=numba.int64)
def search(node: Node, problem: Problem, table: Any) -> int:
    """Return WIN, LOSS or UNKNOWN for the side to move.

    An entry of the table is a key, shifted to the left by one bit, and the result in that bit; 0 if it is empty.
    """
    progress = problem.progress
    key = key_of(node, problem)
    slot = slot_of(table, key)
    if table[slot] != ZERO:
        return WIN if table[slot] & ONE == ONE else LOSS
    if progress.nodes >= progress.max_nodes:
        return UNKNOWN
    progress.nodes += 1
    captures, quiet, risky = ordered_plays(node, problem)
    result = LOSS
    while captures | quiet | risky != ZERO and result == LOSS:
        p = lowest_bit(captures if captures != ZERO else quiet if quiet != ZERO else risky)
        captures, quiet, risky = captures & ~p, quiet & ~p, risky & ~p
        following = successor(node, p, problem)
        if following.lost >= problem.goal:
            result = WIN
        elif following.prisoners < problem.goal:
            result = -search(following, problem, table)
            if result == UNKNOWN:
                return UNKNOWN
    slot = slot_of(table, key)
    if 4 * progress.entries < 3 * len(table):
        table[slot] = key << ONE | (ONE if result == WIN else ZERO)
        progress.entries += 1
    return result


def solver_for(game: Game, memory: int, threads: int) -> Solver | ExhaustiveSolver:
    """Return a solver of a game's rules and board: an ExhaustiveSolver if one capture does not decide it.

    SolverError: no solver supports them. MemoryError: the system has less memory.
    """
    next_wins = not game.rules.is_capture_game or next_capture_wins(game.rules, game.board)
    reason = (unsupported if next_wins else unsupported_multi_capture)(game.rules, game.board)
    if reason is not None:
        raise SolverError(reason)
    if next_wins:
        return Solver(game.width, game.height, memory, threads)
    return ExhaustiveSolver(game.rules, game.width, game.height, memory)


class ExhaustiveSolver:
    """Solves positions of one board size under rules that `unsupported_multi_capture` accepts; the table is kept."""

    def __init__(self, rules: Rules, width: int, height: int, memory: int) -> None:
        """Allocate a table of `memory` bytes. MemoryError: the system has less."""
        assert rules.captures is not None
        self._goal, self._suicide = rules.captures, rules.suicide
        self._table = np.zeros(memory // 8 | 1, np.uint64)
        self._progress = np.zeros(1, PROGRESS).view(np.recarray)[0]
        g = bitboard.geometry(width, height)
        self._problem = Problem(rules.captures, rules.suicide, bitboard.kernel_geometry(g), self._progress)
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the nodes so far after each slice."""

    @property
    def nodes(self) -> int:
        """Positions searched so far, by all calls."""
        return int(self._progress.nodes)

    def progress(self) -> str:
        """Return the state of the search, for a progress display."""
        return f"{self._progress.entries / len(self._table):.0%} of the table used"

    def value(self, board: Board, color: int, deadline: Deadline) -> int:
        """Return WIN, LOSS or UNKNOWN for the colour to move. SolverError: the table is full."""
        own, opp = (np.uint64(bitboard.stone_bits(board, c)) for c in (color, opponent(color)))
        taken, lost = int(board.prisoners[color]), int(board.prisoners[opponent(color)])
        found = UNKNOWN
        while found == UNKNOWN and not deadline.expired():
            self._progress.max_nodes = self.nodes + BUDGET
            found = int(search(Node(own, opp, taken, lost, color - BLACK), self._problem, self._table))
            self.watch(self.nodes)
            if found == UNKNOWN and 4 * self._progress.entries >= 3 * len(self._table):
                raise SolverError(f"the table is full after {self.nodes} nodes: more --memory is needed")
        return found

    def solve(self, board: Board, color: int, deadline: Deadline) -> Solution:
        """Find the winner with a colour to move, and the forced part of a winning line; the plies are not computed.

        SolverError: the table is full.
        """
        before, began = self.nodes, time.monotonic()
        result = self.value(board, color, deadline)
        line: list[int] = []
        mover, expected = color, result
        while result != UNKNOWN and (found := self._best(board, mover, expected, deadline)) is not None:
            line.append(found[0])
            board, mover, expected = found[1], opponent(mover), -expected
            if self._decided(board) is not None:
                break
        return Solution(winner_of(result, color), tuple(line), None, self.nodes - before, time.monotonic() - began)

    def first_moves(self, board: Board, color: int, deadline: Deadline) -> Iterator[tuple[int, Solution]]:
        """Yield each legal play of a colour with its solution."""
        for play, after in self._plays(board, color):
            before, began = self.nodes, time.monotonic()
            winner = winner_of(self._value(after, color, deadline), color)
            yield play, Solution(winner, (play,), None, self.nodes - before, time.monotonic() - began)

    def _plays(self, board: Board, color: int) -> Iterator[tuple[int, Board]]:
        """Yield the legal plays of a colour and the boards after them, the largest captures first."""
        plays = [p for p in bd.points(board) if board.color[p] == 0 and bd.is_legal(board, p, color, self._suicide)]
        for p in sorted(plays, key=lambda p: -bd.captures_at(board, p, color)):
            yield p, bd.after(board, p, color)

    def _decided(self, board: Board) -> int | None:
        return next((c for c in (BLACK, WHITE) if board.prisoners[c] >= self._goal), None)

    def _best(self, board: Board, color: int, expected: int, deadline: Deadline) -> tuple[int, Board] | None:
        """Return a play that keeps the result, and the board after it; None if there is none in time.

        For a loss, the only play after which the opponent cannot win at once, or None if there is a choice.
        """
        if expected == LOSS:
            plays = list(self._plays(board, color))
            kept = [found for found in plays if not self._ends_next(found[1], opponent(color))]
            return (kept or plays)[0] if plays and len(kept) < 2 else None
        for play, after in self._plays(board, color):
            if self._value(after, color, deadline) == expected:
                return play, after
        return None

    def _ends_next(self, board: Board, color: int) -> bool:
        """Return whether the game is decided, or a colour, to move, can win at once."""
        return self._decided(board) is not None or any(
            self._decided(after) == color for _, after in self._plays(board, color)
        )

    def _value(self, after: Board, color: int, deadline: Deadline) -> int:
        """Return WIN, LOSS or UNKNOWN for the colour that has just played."""
        decided = self._decided(after)
        if decided is None:
            return -self.value(after, opponent(color), deadline)
        return WIN if decided == color else LOSS
