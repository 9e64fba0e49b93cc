"""The exact solver of first-capture Go, on boards of up to 64 points."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK, WHITE, opponent
from ..util.limit import Limit
from . import bitboard, dfpn
from .result import POINTS, Verdict, why_not
from .static import ALL, safe_plays

MEBIBYTE: Final = 2**20
EPSILON: Final = 0.25
"""A child is searched until it looks this much harder than its best sibling."""
BUDGET: Final = 4_000, 256_000
"""Nodes between two looks at the clock, at first and later."""
__all__ = ["LOSES", "UNKNOWN", "WINS", "Solver", "SolverError", "Verdict", "why_not"]

UNKNOWN: Final = 0
WINS: Final = 1
LOSES: Final = -1

Successor: TypeAlias = tuple[int, tuple[int, int]]
"""A play and the stones of Black and White after it, as bits."""


class SolverError(ValueError):
    """This cannot be solved here; the message says why."""


class Solver:
    """Solves positions of one board size; what it has found serves the next question."""

    def __init__(
        self,
        width: int,
        height: int,
        memory: int = 256 * MEBIBYTE,
        threads: int = 1,
        switches: int = ALL,
        epsilon: float = EPSILON,
    ) -> None:
        """`memory`: bytes of the table. SolverError: too few, or too large a board; MemoryError: there is less."""
        self.width, self.height, self.threads = width, height, threads
        try:
            self.geometry = bitboard.geometry(width, height)
        except ValueError as error:
            raise SolverError(str(error)) from None
        buckets = memory // (8 * dfpn.WORDS * dfpn.BUCKET)
        if buckets < 1024:
            raise SolverError("the solver needs 1 MiB at least")
        self.table = np.zeros((1 << (buckets.bit_length() - 1)) * dfpn.WORDS * dfpn.BUCKET, np.uint64)
        self.zobrist = bitboard.hash_table(width, height)
        self._points = bitboard.bit_points(width, height)
        self._index = {p: i for i, p in enumerate(self._points)}
        self._switches, self._epsilon = switches, epsilon
        self._paths = np.zeros((threads, dfpn.DEPTH), np.int64)
        self._alone = np.zeros((1, dfpn.DEPTH), np.int64)
        self._frames = [np.zeros(dfpn.DEPTH, dfpn.FRAME).view(np.recarray) for _ in range(threads)]
        self._rooms = [dfpn.new_room() for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "solve") if threads > 1 else None
        self.nodes = 0
        """Positions looked at so far, over all questions."""
        self.numbers = (1, 1)
        """Proof and disproof number of the position last searched, as a sign of progress."""
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the nodes so far whenever a slice of the time is over."""

    def solve(
        self, board: Board, color: int, limit: Limit | None = None, *, length: bool = False, whole: bool = True
    ) -> Verdict:
        """Who wins with a colour to move, and a line; with `length`, in how many plies and a line of best play.

        Without `whole` the line is its first play alone, or none where the colour loses at no known length, which is
        quicker. `limit.playouts` counts nodes.
        SolverError: another size of board.
        """
        limit = limit or Limit()
        before, began = self.nodes, time.monotonic()
        stones = self.stones(board)
        result = self.result(stones, color, limit)
        if result == UNKNOWN:
            return Verdict(None, nodes=self.nodes - before, seconds=time.monotonic() - began)
        plies = self.shortest(stones, color, result, limit) if length else None
        lost = result == LOSES and plies is None and not whole
        line = () if lost else self._line(stones, color, result, plies, limit, whole)
        winner = color if result == WINS else opponent(color)
        return Verdict(winner, line, plies, self.nodes - before, time.monotonic() - began)

    def first_moves(self, board: Board, color: int, limit: Limit | None = None) -> Iterator[tuple[int, Verdict]]:
        """The verdict on every legal play that the limit permits, one after the other; symmetric ones cost nothing."""
        limit = limit or Limit()
        for play, after in self.plays(self.stones(board), color):
            if not limit.permits(play):
                continue
            before, began = self.nodes, time.monotonic()
            if self.captures(self.stones(board), color, play):
                winner: int | None = color
            else:
                result = self.result(after, opponent(color), limit)
                winner = {WINS: opponent(color), LOSES: color, UNKNOWN: None}[result]
            yield play, Verdict(winner, (play,), None, self.nodes - before, time.monotonic() - began)

    def result(self, stones: tuple[int, int], color: int, limit: Limit, attacker: int = 0, plies: int = 0) -> int:
        """WINS, LOSES or UNKNOWN for the colour to move; `stones` are bits of Black and White.

        `attacker` 1: whether it wins within so many plies; -1: whether it holds out for longer.
        """
        tasks = [self._task(stones, color, attacker, plies, thread) for thread in range(len(self._frames))]
        done = [False]

        def run(thread: int) -> None:
            self._run(tasks[thread], thread, limit, done)

        # Most questions are about positions that are told at sight or known: threads would only cost time.
        tasks[0].budget = BUDGET[0]
        self._search(tasks[0], 0, self._alone)
        if tasks[0].depth >= 0 and not limit.expired():
            if self._pool is None:
                run(0)
            else:
                for job in [self._pool.submit(run, thread) for thread in range(len(tasks))]:
                    job.result()
        self.nodes += sum(int(task.nodes) for task in tasks)
        self._paths[:] = 0
        for task in tasks:
            if task.prove == 0 or task.disprove == 0:
                return WINS if task.prove == 0 else LOSES
        return UNKNOWN

    def value(self, board: Board, color: int, limit: Limit) -> int:
        """WINS, LOSES or UNKNOWN for the colour to move. SolverError: another size of board."""
        return self.result(self.stones(board), color, limit)

    def progress(self) -> str:
        """How far the search has come, for a person who waits."""
        return f"to prove {self.numbers[0]}, to disprove {self.numbers[1]}"

    def stones(self, board: Board) -> tuple[int, int]:
        """The stones of Black and White as bits. SolverError: another size of board."""
        if (int(board.width), int(board.height)) != (self.width, self.height):
            raise SolverError(f"this solver is for {self.width}x{self.height}")
        return bitboard.stones_of(board, BLACK), bitboard.stones_of(board, WHITE)

    def safe_plays(self, stones: tuple[int, int], color: int) -> int:
        """The plays of a colour that do not lose at once, as bits; none where a capture is there."""
        own, opp = (np.uint64(s) for s in (stones if color == BLACK else stones[::-1]))
        return int(safe_plays(own, opp, self.geometry))

    def _task(self, stones: tuple[int, int], color: int, attacker: int, plies: int, thread: int) -> Any:
        task = np.zeros(1, dfpn.TASK).view(np.recarray)[0]
        task.black, task.white = stones
        task.side, task.attacker, task.plies = color - BLACK, attacker, plies
        task.switches, task.epsilon, task.thread, task.depth = self._switches, self._epsilon, thread, -1
        task.prove = task.disprove = 1
        return task

    def _search(self, task: Any, thread: int, paths: Any) -> None:
        dfpn.search(self._frames[thread], task, self.table, self.zobrist, self.geometry, self._rooms[thread], paths)

    def _run(self, task: Any, thread: int, limit: Limit, done: list[bool]) -> None:
        budget = BUDGET[0]
        while not (done[0] or limit.expired()):
            left = budget if limit.playouts is None else limit.playouts - int(task.nodes)
            if left <= 0:
                return
            # Not past a limit of nodes: how long a slice is depends on the clock, and what is found should not.
            task.budget = min(budget, left)
            before = limit.elapsed()
            self._search(task, thread, self._paths)
            if thread == 0:
                self.numbers = int(task.prove), int(task.disprove)
                self.watch(self.nodes + int(task.nodes) * len(self._frames))
            if task.prove == 0 or task.disprove == 0:
                done[0] = True
                return
            took = max(1e-6, limit.elapsed() - before)
            budget = int(min(2 * budget, BUDGET[1], max(256, budget * limit.left() / 2 / took)))

    def captures(self, stones: tuple[int, int], color: int, play: int) -> bool:
        """Whether a play captures."""
        g = self.geometry
        own, opp = (np.uint64(s) for s in (stones if color == BLACK else stones[::-1]))
        p = np.uint64(1 << self._index[play])
        empty = g[0] & ~(own | opp | p)
        return any(
            not int(bitboard.around(bitboard.flood(np.uint64(1 << i), opp, g), g) & empty)
            for i in range(POINTS)
            if int(bitboard.around(p, g) & opp) >> i & 1
        )

    def plays(self, stones: tuple[int, int], color: int) -> Iterator[Successor]:
        """The legal plays of a colour and the stones after each; captured ones stay, for the game is over."""
        g = self.geometry
        for i, point in enumerate(self._points):
            p = 1 << i
            if (stones[0] | stones[1]) & p:
                continue
            after = (stones[0] | p, stones[1]) if color == BLACK else (stones[0], stones[1] | p)
            own = np.uint64(after[color - BLACK])
            empty = g[0] & ~(np.uint64(after[0]) | np.uint64(after[1]))
            chain = bitboard.flood(np.uint64(p), own, g)
            if int(bitboard.around(chain, g) & empty) or self.captures(stones, color, point):
                yield point, after

    def shortest(self, stones: tuple[int, int], color: int, result: int, limit: Limit) -> int | None:
        """Plies to the end under best play; None where the limit came first."""
        for plies in range(1 if result == WINS else 0, self.width * self.height + 3, 2):
            found = self.result(stones, color, limit, result, plies)
            if found == UNKNOWN:
                return None
            if found == result:
                return plies
        raise AssertionError("a won position has a length")

    def _line(
        self, stones: tuple[int, int], color: int, result: int, plies: int | None, limit: Limit, whole: bool
    ) -> tuple[int, ...]:
        """Best play of both sides if the plies to the end are known, else the forced part of a winning line.

        The line breaks off where the limit comes first.
        """
        line: list[int] = []
        while True:
            following = self.best(stones, color, result, plies, limit)
            if following is None:
                return tuple(line)
            line.append(following[0])
            if not whole or self.captures(stones, color, following[0]):
                return tuple(line)
            stones, color, result = following[1], opponent(color), -result
            plies = None if plies is None else plies - 1

    def index(self, point: int) -> int:
        """The bit of a point."""
        return self._index[point]

    def best(
        self, stones: tuple[int, int], color: int, result: int, plies: int | None, limit: Limit
    ) -> Successor | None:
        """Best play and the stones after it; None if there is none or it was not found in time.

        A loser without known `plies` gets its only play that is not captured next, or None if it has a choice.
        """
        plays = list(self.plays(stones, color))
        for play, after in plays:
            if self.captures(stones, color, play):
                return play, after
        other = opponent(color)
        if result == LOSES:
            if plies is None:
                return self._forced(stones, color, plays)
            for play, after in plays:
                # The longest: the winner, to move after it, has no faster win.
                if plies < 3 or self.result(after, other, limit, WINS, plies - 3) == LOSES:
                    return play, after
            return None
        attacker, left = (0, 0) if plies is None else (LOSES, plies - 1)
        # Small budgets first: the winning play is most likely known, and the others may take long to refute.
        for nodes in (1, 100_000, None):
            bounded = replace(limit, playouts=nodes)
            for play, after in plays:
                if self.result(after, other, bounded, attacker, left) == LOSES:
                    return play, after
        return None

    def _forced(self, stones: tuple[int, int], color: int, plays: list[Successor]) -> Successor | None:
        """The only one of a loser's plays that is not captured next; any play if all are; None if there is a choice."""
        safe = self.safe_plays(stones, color)
        kept = [found for found in plays if not safe or safe >> self._index[found[0]] & 1]
        return kept[0] if kept and (len(kept) == 1 or not safe) else None

    def plies_after(self, board: Board, color: int, play: int, limit: Limit) -> int | None:
        """Plies to the end under best play of both sides, this legal play included; None if not found in time."""
        for found, after in self.plays(self.stones(board), color):
            if found == play:
                if self.captures(self.stones(board), color, play):
                    return 1
                result = self.result(after, opponent(color), limit)
                plies = None if result == UNKNOWN else self.shortest(after, opponent(color), result, limit)
                return None if plies is None else plies + 1
        return None
