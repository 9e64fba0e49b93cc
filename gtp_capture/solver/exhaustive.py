"""Capture games of several prisoners on tiny boards, solved by depth-first search with a table of what is known.

Without a ko rule such a game cannot repeat itself: every play adds one to the stones on the board and the prisoners
together. So a position is its stones, the prisoners and whose turn it is, all of which fit into one exact key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.rules import Ko, Passing, Rules
from ..go.vertex import BLACK, WHITE, opponent
from ..jit.kernel import inner, kernel
from ..util.limit import Limit
from . import bitboard
from .bitboard import GEOMETRY, ONE, ZERO, around, count, first_of, flood
from .result import Verdict
from .solver import LOSES, UNKNOWN, WINS, SolverError

TABLE: Final = numba.uint64[::1]
STATE: Final = numba.int64[::1]
"""Nodes so far, nodes at most, entries in the table."""
PRIME: Final = np.uint64(2**31 - 1)
FACTOR: Final = np.uint64(2654435769)
BUDGET: Final = 200_000
"""Nodes between two looks at the clock."""


@inner
def taken(p: Any, own: Any, opp: Any, g: Any) -> Any:
    """The opposing stones that a play captures."""
    empty = g[0] & ~(own | opp | p)
    found = ZERO
    rest = around(p, g) & opp
    while rest != ZERO:
        chain = flood(first_of(rest), opp, g)
        rest &= ~chain
        if around(chain, g) & empty == ZERO:
            found |= chain
    return found


@inner
def slot_of(table: Any, key: Any) -> Any:
    """Where a key is in the table, or would be; the lowest bit of an entry is its result."""
    scattered = key % PRIME * FACTOR  # below 2**63: the same in Python, where an overflow would be told
    slot: Any = np.int64(scattered % np.uint64(len(table)))
    while table[slot] != ZERO and table[slot] >> ONE != key:
        slot = slot + 1 if slot + 1 < len(table) else 0
    return slot


@kernel(
    numba.uint64, numba.uint64, numba.int64, numba.int64, numba.int64, numba.int64, numba.boolean, GEOMETRY, TABLE,
    STATE, returns=numba.int64,
)  # fmt: skip
def search(
    own: Any, opp: Any, mine: int, theirs: int, color: int, goal: int, suicide: bool, g: Any, table: Any, state: Any
) -> int:
    """WINS, LOSES or UNKNOWN for the side to move, with its stones and prisoners first; `color` 0 is Black's."""
    points = np.uint64(count(g[0]))
    stones, prisoners = own | opp << points, mine * goal + theirs
    if color == 1:
        stones, prisoners = opp | own << points, theirs * goal + mine
    key = (stones * np.uint64(goal * goal) + np.uint64(prisoners)) * np.uint64(2) + np.uint64(color + 1)
    slot = slot_of(table, key)
    if table[slot] != ZERO:
        return WINS if table[slot] & ONE == ONE else LOSES
    if state[0] >= state[1]:
        return UNKNOWN
    state[0] += 1
    empty = g[0] & ~(own | opp)
    attacks, quiet, risks = ZERO, ZERO, ZERO
    rest = empty
    while rest != ZERO:
        p = first_of(rest)
        rest ^= p
        captured = taken(p, own, opp, g)
        libs = around(flood(p, own | p, g), g) & (empty ^ p | captured)
        if mine + count(captured) >= goal:
            attacks, quiet, risks = p, ZERO, ZERO
            break
        if captured != ZERO:
            attacks |= p
        elif libs & (libs - ONE) != ZERO:
            quiet |= p
        elif libs != ZERO or suicide:
            risks |= p
    result = LOSES
    while attacks | quiet | risks != ZERO and result == LOSES:
        if attacks != ZERO:
            p = first_of(attacks)
            attacks ^= p
        elif quiet != ZERO:
            p = first_of(quiet)
            quiet ^= p
        else:
            p = first_of(risks)
            risks ^= p
        captured = taken(p, own, opp, g)
        won = mine + count(captured)
        if won >= goal:
            result = WINS
            break
        lost, kept = theirs, own | p
        chain = flood(p, kept, g)
        if around(chain, g) & (empty ^ p | captured) == ZERO:
            lost, kept = theirs + count(chain), kept ^ chain
        if lost < goal:
            result = -search(opp ^ captured, kept, lost, won, 1 - color, goal, suicide, g, table, state)
            if result == UNKNOWN:
                return UNKNOWN
    slot = slot_of(table, key)
    if 4 * state[2] < 3 * len(table):
        table[slot] = key << ONE | (ONE if result == WINS else ZERO)
        state[2] += 1
    return result


def why_not(rules: Rules, board: Board) -> str | None:
    """Why a position under these rules is not for this solver, or None where it is."""
    if rules.captures is None:
        return "the solver needs rules where captures win"
    if rules.passing is not Passing.FORBIDDEN or rules.ko is not Ko.NONE:
        return "where more than the next prisoner counts, the solver needs rules without passing and ko"
    points = int(board.width) * int(board.height)
    if 2 * points + 2 * math.log2(rules.captures) + 2 > 64:
        return f"where more than the next prisoner counts, {int(board.width)}x{int(board.height)} is too large"
    return None


class ExhaustiveSolver:
    """Solves positions of one board size under rules that `why_not` takes; what it has found serves the next one."""

    def __init__(self, rules: Rules, width: int, height: int, memory: int) -> None:
        """`memory`: bytes of the table. MemoryError: there is less."""
        assert rules.captures is not None
        self._goal, self._suicide = rules.captures, rules.suicide
        self._geometry = bitboard.geometry(width, height)
        self._table = np.zeros(memory // 8 | 1, np.uint64)
        self._state = np.zeros(3, np.int64)
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the nodes so far whenever a slice of the time is over."""

    @property
    def nodes(self) -> int:
        """Positions looked at so far, over all questions."""
        return int(self._state[0])

    def progress(self) -> str:
        """How far the search has come, for a person who waits."""
        return f"{self._state[2] / len(self._table):.0%} of the table used"

    def value(self, board: Board, color: int, limit: Limit) -> int:
        """WINS, LOSES or UNKNOWN for the colour to move. SolverError: the table is full."""
        own, opp = (np.uint64(bitboard.stones_of(board, c)) for c in (color, opponent(color)))
        mine, theirs = int(board.prisoners[color]), int(board.prisoners[opponent(color)])
        found = UNKNOWN
        while found == UNKNOWN and not limit.expired():
            self._state[1] = self.nodes + BUDGET
            args = (own, opp, mine, theirs, color - BLACK, self._goal, self._suicide, self._geometry)
            found = int(search(*args, self._table, self._state))
            self.watch(self.nodes)
            if found == UNKNOWN and 4 * self._state[2] >= 3 * len(self._table):
                raise SolverError(f"the table is full after {self.nodes} nodes: more --memory is needed")
        return found

    def solve(self, board: Board, color: int, limit: Limit) -> Verdict:
        """Find the winner with a colour to move, and the forced part of a winning line; lengths are not computed.

        SolverError: the table is full.
        """
        before, began = self.nodes, time.monotonic()
        result = self.value(board, color, limit)
        line: list[int] = []
        mover, expected = color, result
        while result != UNKNOWN and (found := self._best(board, mover, expected, limit)) is not None:
            line.append(found[0])
            board, mover, expected = found[1], opponent(mover), -expected
            if self._decided(board) is not None:
                break
        winner = {WINS: color, LOSES: opponent(color), UNKNOWN: None}[result]
        return Verdict(winner, tuple(line), None, self.nodes - before, time.monotonic() - began)

    def first_moves(self, board: Board, color: int, limit: Limit) -> Iterator[tuple[int, Verdict]]:
        """The verdict on every legal play of a colour, one after the other."""
        for play, after in self._plays(board, color):
            before, began = self.nodes, time.monotonic()
            winner = {WINS: color, LOSES: opponent(color), UNKNOWN: None}[self._value(after, color, limit)]
            yield play, Verdict(winner, (play,), None, self.nodes - before, time.monotonic() - began)

    def _plays(self, board: Board, color: int) -> Iterator[tuple[int, Board]]:
        """The legal plays of a colour, what captures most first, and the boards after them."""
        plays = [p for p in bd.points(board) if board.color[p] == 0 and bd.is_legal(board, p, color, self._suicide)]
        for p in sorted(plays, key=lambda p: -bd.captures_at(board, p, color)):
            after = bd.copy(board)
            bd.play(after, p, color)
            yield p, after

    def _decided(self, board: Board) -> int | None:
        return next((c for c in (BLACK, WHITE) if board.prisoners[c] >= self._goal), None)

    def _best(self, board: Board, color: int, expected: int, limit: Limit) -> tuple[int, Board] | None:
        """A play that keeps the result, and the board after it; None if there is none or it was not found in time.

        A loser gets its only play that the opponent's next one does not decide, or None if it has a choice.
        """
        if expected == LOSES:
            plays = list(self._plays(board, color))
            kept = [found for found in plays if not self._ends_next(found[1], opponent(color))]
            return (kept or plays)[0] if plays and len(kept) < 2 else None
        for play, after in self._plays(board, color):
            if self._value(after, color, limit) == expected:
                return play, after
        return None

    def _ends_next(self, board: Board, color: int) -> bool:
        """Whether a colour, to move, has a play that wins at once, or the game is decided already."""
        return self._decided(board) is not None or any(
            self._decided(after) == color for _, after in self._plays(board, color)
        )

    def _value(self, after: Board, color: int, limit: Limit) -> int:
        """WINS, LOSES or UNKNOWN for the colour that has just played."""
        decided = self._decided(after)
        if decided is None:
            return -self.value(after, opponent(color), limit)
        return WINS if decided == color else LOSES
