"""The exhaustive solver of games of several prisoners on tiny boards: depth-first search with a table of exact keys.

Without a ko rule no position repeats: every play adds one to the stones on the board and the prisoners together. So a
position is its stones, the prisoners and the side to move, all of which fit into one 64-bit key without loss.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go.rules import Rules
from ..jit.kernel import inner, kernel
from ..util.limit import Deadline
from ..util.memory import sparse_zeros
from . import bitboard
from .bitboard import ONE, ZERO, adjacent, flood, geometry_type, lowest_bit, popcount
from .exact import ExactSolver, Node
from .result import LOSS, UNKNOWN, WIN, SolverError

PRIME: Final = np.uint64(2**31 - 1)
FACTOR: Final = np.uint64(2654435769)
BUDGET: Final = 200_000
"""Nodes between two tests of the limit."""


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
PROBLEM: Final = numba.types.NamedTuple(
    [numba.int64, numba.boolean, geometry_type(1), numba.from_dtype(PROGRESS)], Problem
)


@inner
def captured_by(p: Any, own: Any, opp: Any, g: Any) -> Any:
    """Return the opposing stones that a play captures."""
    empty = g.full & ~(own | opp | p)
    captured = ZERO
    rest = adjacent(p, g) & opp
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), opp, g)
        rest &= ~chain
        if beside & empty == ZERO:
            captured |= chain
    return captured


@inner
def key_of(node: Node, problem: Problem) -> Any:
    """Return the exact key of a position."""
    points, goal = np.uint64(popcount(problem.geometry.full)), problem.goal
    stones, prisoners = node.own | node.opp << points, node.prisoners * goal + node.lost
    if node.side == 1:
        stones, prisoners = node.opp | node.own << points, node.lost * goal + node.prisoners
    return (stones * np.uint64(goal * goal) + np.uint64(prisoners)) * np.uint64(2) + np.uint64(node.side + 1)


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
    return Node(opp, own, lost, node.prisoners + popcount(captured), 1 - node.side)


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


@kernel(NODE, PROBLEM, numba.uint64[::1], numba.int64, numba.int64, returns=numba.int64)
def search_within(node: Node, problem: Problem, table: Any, attacker: int, plies: int) -> int:
    """Return the result of `ExactSolver.search` with a number of plies for the side to move, UNKNOWN at `max_nodes`.

    The attacker tries only the plays that `search` finds to win.
    """
    progress, unknown = problem.progress, False
    if progress.nodes >= progress.max_nodes:
        return UNKNOWN
    progress.nodes += 1
    captures, quiet, risky = ordered_plays(node, problem)
    while captures | quiet | risky != ZERO:
        p = lowest_bit(captures if captures != ZERO else quiet if quiet != ZERO else risky)
        captures, quiet, risky = captures & ~p, quiet & ~p, risky & ~p
        following = successor(node, p, problem)
        if following.lost >= problem.goal:
            return WIN
        if following.prisoners >= problem.goal:  # suicide
            continue
        if attacker < 0 and plies < 2:
            return WIN
        result = WIN
        if attacker > 0 and plies > 1:
            result = -search(following, problem, table)
        if result == WIN:
            result = -search_within(following, problem, table, -attacker, plies - 1)
        if result == WIN:
            return WIN
        unknown |= result == UNKNOWN
    return UNKNOWN if unknown else LOSS


class ExhaustiveSolver(ExactSolver):
    """Solves positions of one board size under rules that `unsupported_multi_capture` accepts."""

    def __init__(self, rules: Rules, width: int, height: int, memory: int) -> None:
        """Allocate a table of `memory` bytes. MemoryError: the system has less."""
        assert rules.captures is not None
        super().__init__(width, height, rules.captures, suicide=rules.suicide)
        self._size = memory // 8 | 1
        self._progress = np.zeros(1, PROGRESS).view(np.recarray)[0]
        geometry = bitboard.kernel_geometry(self.geometry)
        self._problem = Problem(rules.captures, rules.suicide, geometry, self._progress)
        self.clear()

    def clear(self) -> None:
        """See ExactSolver."""
        self.table = sparse_zeros(self._size, np.uint64, large_pages=True)
        self._progress.entries = 0

    def progress(self) -> str:
        """See ExactSolver."""
        return f"{self._progress.entries / self._size:.0%} of the table used"

    def search(self, node: Node, deadline: Deadline | None = None, attacker: int = 0, plies: int = 0) -> int:
        """See ExactSolver. A full table is emptied at the next call."""
        deadline, progress = deadline or self.bound, self._progress
        most, begun, budget, result = deadline.limit.nodes, self.nodes, BUDGET, UNKNOWN
        position = Node(np.uint64(node.own), np.uint64(node.opp), *node[2:])
        if self._is_full:
            self.clear()
        while result == UNKNOWN and not deadline.expired() and (most is None or self.nodes < begun + most):
            progress.max_nodes = self.nodes + budget if most is None else min(self.nodes + budget, begun + most)
            if attacker:
                result = int(search_within(position, self._problem, self.table, attacker, plies))
                budget *= 2  # each slice begins anew
            else:
                result = int(search(position, self._problem, self.table))
            self.nodes = int(progress.nodes)
            self.watch(self.nodes)
            if result == UNKNOWN and most is None and self._is_full:
                raise SolverError(f"the table is full after {self.nodes} nodes: more --memory is needed")
        return result

    @property
    def _is_full(self) -> bool:
        return bool(4 * self._progress.entries >= 3 * self._size)
