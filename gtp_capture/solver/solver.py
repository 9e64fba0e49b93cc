"""The exact solver of first capture on boards of up to 128 points: winner, shortest win, and a line of best play.

The search itself is in `dfpn`. This module runs it in slices of time and in threads, and derives the plies to the end
and the line from the results of several searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK, WHITE, opponent
from ..jit.bitsets import words_of
from ..jit.kernel import COMPILED
from ..util.limit import Deadline, Limit
from ..util.memory import MEBIBYTE
from . import bitboard, dfpn, static
from .bitboard import Geometry, kernel_geometry
from .dfpn import tuned
from .result import LOSS, UNKNOWN, WIN, Solution, SolverError, own_first, winner_of
from .result import Stones as Stones
from .table import WORDS, new_table
from .task import DEPTH, Root, Tuning, new_frames, new_memory, new_task

TUNING: Final = Tuning()
FIRST_BUDGET: Final = 500
"""Nodes of the first slice of a search; the limit is tested after each slice. In memory that was never used, 4,000 take
60 ms on 9x9."""
BUDGET: Final = 256_000
"""Maximum nodes of a later slice."""

Successor: TypeAlias = tuple[int, Stones]
"""A play and the stones after it."""


class Kernels(NamedTuple):
    """The kernels that take sets of points."""

    words: int
    """Words of a set."""
    search: Callable[[Any, Any, Any, Any], None]
    """See `dfpn.search`."""
    safe_plays: Callable[[int, int, Geometry], int]
    """See `static.safe_plays`."""


def kernels_for(width: int, height: int) -> Kernels:
    """Return the kernels for a board size: for sets of points of one word, or of two, loaded at their first use."""
    words = words_of(width * height)
    if words == 1 or not COMPILED:
        return Kernels(words, dfpn.search, _safe_plays)
    from . import wide

    return Kernels(words, wide.search, wide.safe_plays)


def _safe_plays(own: int, opp: int, g: Geometry) -> int:
    number: Callable[[int], Any] = np.uint64 if COMPILED else int
    return int(static.safe_plays(number(own), number(opp), kernel_geometry(g)))


class Solver:
    """Solves positions of one board size; the transposition table is kept between calls."""

    def __init__(
        self,
        width: int,
        height: int,
        memory: int = 256 * MEBIBYTE,
        threads: int = 1,
        tuning: Tuning = TUNING,
        table: Any = None,
    ) -> None:
        """Allocate tables of at most `memory` bytes, or share the table of another solver of this board size.

        SolverError: less than 1 MiB, or the board is too large. MemoryError: the system has less.
        """
        self.width, self.height, self.threads, self.memory = width, height, threads, memory
        try:
            self.geometry = bitboard.geometry(width, height)
        except ValueError as error:
            raise SolverError(str(error)) from None
        if memory < MEBIBYTE:
            raise SolverError("the solver needs 1 MiB at least")
        self._kernels = kernels_for(width, height)
        self.words = self._kernels.words
        """Words of a set of points, see `jit.bitsets`."""
        self._tuning = tuned(tuning, width, height)
        self.table = new_table(memory) if table is None else table
        self.zobrist = bitboard.zobrist_keys(width, height, self.words)
        self._points = bitboard.bit_points(width, height)
        self._index = {p: i for i, p in enumerate(self._points)}
        self._paths = np.zeros((threads, DEPTH), np.int64)
        self._single_path = np.zeros((1, DEPTH), np.int64)
        self._frames = [new_frames(self.words) for _ in range(threads)]
        self._memories = [new_memory(self.table, self.zobrist, self.geometry, self.words) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "solve") if threads > 1 else None
        self.nodes = 0
        """Positions evaluated by all calls so far."""
        self._tasks: list[Any] = []
        """Tasks of the running search, one for each thread."""
        self._keep: Callable[[Any], None] | None = None
        self._cleared = 0
        """Positions evaluated until the table was cleared."""
        self._begun: Stones = (0, 0)
        self.numbers = (1, 1)
        """pn and dn of the position searched last, for a progress display."""
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the nodes so far after each slice."""

    def begin(self, board: Board) -> None:
        """Clear a table that is full of positions of another game: those that cost most would never leave it.

        It is another game if less than half of the stones of the last call are still there.
        """
        stones = self.stones(board)
        kept = sum((old & new).bit_count() for old, new in zip(self._begun, stones, strict=True))
        full = self.nodes - self._cleared > self.table.size // WORDS
        if full and 2 * kept < sum(old.bit_count() for old in self._begun):
            self.clear()
        self._begun = stones

    def keep_won_positions(self, keep: Callable[[Any], None], least: int) -> None:
        """Call a function after each slice of a search with the `task.Journal` of its thread.

        The journal has the won positions that cost at least `least` nodes.
        """
        self._keep = keep
        for memory in self._memories:
            memory.journal.least, memory.journal.filled = least, 0

    def clear(self) -> None:
        """Forget all positions; the next search is as that of a new solver."""
        self.table[:] = 0
        self._cleared = self.nodes

    def solve(
        self, board: Board, color: int, deadline: Deadline | None = None, *, length: bool = False, whole: bool = True
    ) -> Solution:
        """Find the winner with a colour to move, and a line; with `length`, the plies too, and a line of best play.

        Without `whole`, which is quicker, the line is its first play only, or empty for a loss of unknown length.
        SolverError: another size of board.
        """
        deadline = deadline or Limit().begin()
        before, began = self.nodes, time.monotonic()
        stones = self.stones(board)
        result = self.result(stones, color, deadline)
        if result == UNKNOWN:
            return Solution(None, nodes=self.nodes - before, seconds=time.monotonic() - began)
        plies = self.shortest(stones, color, result, deadline) if length else None
        lost = result == LOSS and plies is None and not whole
        line = () if lost else self._line(stones, color, result, plies, deadline, whole)
        winner = color if result == WIN else opponent(color)
        return Solution(winner, line, plies, self.nodes - before, time.monotonic() - began)

    def first_moves(self, board: Board, color: int, deadline: Deadline | None = None) -> Iterator[tuple[int, Solution]]:
        """Yield each legal play that the limit permits with its solution; symmetric ones are in the table already."""
        deadline = deadline or Limit().begin()
        stones = self.stones(board)
        for play, after in self.plays(stones, color):
            if not deadline.limit.permits(play):
                continue
            before, began = self.nodes, time.monotonic()
            if self.captures(stones, color, play):
                winner: int | None = color
            else:
                winner = winner_of(self.result(after, opponent(color), deadline), opponent(color))
            yield play, Solution(winner, (play,), None, self.nodes - before, time.monotonic() - began)

    def result(self, stones: Stones, color: int, deadline: Deadline, attacker: int = 0, plies: int = 0) -> int:
        """Return WIN, LOSS or UNKNOWN for the colour to move.

        `attacker` 1: whether it wins within `plies`; -1: whether it does not lose within `plies`. With a limit of 0
        nodes, what the table and one ply of search tell.
        """
        for task in self._searched(Root(*stones, color - BLACK, attacker, plies), deadline):
            if task.pn == 0 or task.dn == 0:
                return WIN if task.pn == 0 else LOSS
        return UNKNOWN

    def new_task(self, root: Root, thread: int = 0) -> Any:
        """Return the task of one thread, at its beginning."""
        return new_task(root, self._tuning, thread, self.words)

    def value(self, board: Board, color: int, deadline: Deadline) -> int:
        """Return WIN, LOSS or UNKNOWN for the colour to move. SolverError: another size of board."""
        return self.result(self.stones(board), color, deadline)

    def progress(self) -> str:
        """Return the state of the search, for a progress display."""
        return f"to prove {self.numbers[0]}, to disprove {self.numbers[1]}"

    def stones(self, board: Board) -> Stones:
        """Return the stones as bits. SolverError: another size of board."""
        if (int(board.width), int(board.height)) != (self.width, self.height):
            raise SolverError(f"this solver is for {self.width}x{self.height}")
        return bitboard.stone_bits(board, BLACK), bitboard.stone_bits(board, WHITE)

    def safe_plays(self, stones: Stones, color: int) -> int:
        """Return the plays of a colour that do not lose at once, as bits; 0 if there is a capture."""
        return self._kernels.safe_plays(*own_first(stones, color), self.geometry)

    def _searched(self, root: Root, deadline: Deadline) -> list[Any]:
        """Search a root until it is decided or the limit is reached; return the task of each thread."""
        self._tasks = tasks = [self.new_task(root, thread) for thread in range(self.threads)]
        # Most positions are decided by a few nodes, for which starting threads would take longer than the search.
        most = deadline.limit.nodes
        tasks[0].budget = FIRST_BUDGET if most is None else min(FIRST_BUDGET, most)
        self._kernels.search(self._frames[0], tasks[0], self._memories[0], self._single_path)
        if tasks[0].depth >= 0 and most != 0 and not deadline.expired():
            self._search(tasks, deadline)
        self.nodes, self._tasks = self._nodes_so_far(), []
        self._paths[:] = 0
        return tasks

    def _nodes_so_far(self) -> int:
        return self.nodes + sum(int(task.nodes) for task in self._tasks)

    def _search(self, tasks: list[Any], deadline: Deadline) -> None:
        """Run each task in a thread of its own until one is decided or the limit is reached."""
        done = [False]
        if self._pool is None:
            self._run(tasks[0], deadline, done)
            return
        for job in [self._pool.submit(self._run, task, deadline, done) for task in tasks]:
            job.result()

    def _run(self, task: Any, deadline: Deadline, done: list[bool]) -> None:
        budget, thread, most = FIRST_BUDGET, int(task.thread), deadline.limit.nodes
        while not (done[0] or deadline.expired()):
            left = budget if most is None else most - int(task.nodes)
            if left <= 0:
                return
            # A limit of nodes is exact, so that the result does not depend on the clock.
            task.budget = min(budget, left)
            before = deadline.elapsed()
            self._kernels.search(self._frames[thread], task, self._memories[thread], self._paths)
            if thread == 0:
                self.numbers = int(task.pn), int(task.dn)
                self.watch(self._nodes_so_far())
            if self._keep is not None:
                self._keep(self._memories[thread].journal)
                self._memories[thread].journal.filled = 0
            if task.pn == 0 or task.dn == 0:
                done[0] = True
                return
            took = max(1e-6, deadline.elapsed() - before)
            budget = int(min(2 * budget, BUDGET, max(256, budget * deadline.left() / 2 / took)))

    def captures(self, stones: Stones, color: int, play: int) -> bool:
        """Return whether a play captures."""
        g = self.geometry
        own, opp = own_first(stones, color)
        p = 1 << self._index[play]
        empty, near = g.full & ~(own | opp | p), bitboard.adjacent(p, g) & opp
        chains = (bitboard.flood(1 << i, opp, g) for i in range(near.bit_length()) if near >> i & 1)
        return any(not beside & empty for _chain, beside in chains)

    def plays(self, stones: Stones, color: int) -> Iterator[Successor]:
        """Yield the legal plays of a colour and the stones after each; captured stones stay: the game is over."""
        g = self.geometry
        for i, point in enumerate(self._points):
            p = 1 << i
            if (stones[0] | stones[1]) & p:
                continue
            after = (stones[0] | p, stones[1]) if color == BLACK else (stones[0], stones[1] | p)
            empty = g.full & ~(after[0] | after[1])
            _chain, beside = bitboard.flood(p, after[color - BLACK], g)
            if beside & empty or self.captures(stones, color, point):
                yield point, after

    def shortest(self, stones: Stones, color: int, result: int, deadline: Deadline) -> int | None:
        """Return the plies to the end of a decided position under best play; None if the limit was reached first."""
        for plies in range(1 if result == WIN else 0, self.width * self.height + 3, 2):
            found = self.result(stones, color, deadline, result, plies)
            if found == UNKNOWN:
                return None
            if found == result:
                return plies
        raise AssertionError("a won position has a length")

    def _line(
        self, stones: Stones, color: int, result: int, plies: int | None, deadline: Deadline, whole: bool
    ) -> tuple[int, ...]:
        """Return best play of both sides if `plies` are known, else the forced part of a winning line.

        If the limit is reached first, the part of that line before the loser's first free choice.
        """
        line: list[int] = []
        forced, free = 0, False
        while True:
            free = free or (result == LOSS and self._forced(stones, color, list(self.plays(stones, color))) is None)
            following = self.best(stones, color, result, plies, deadline)
            if following is None:
                return tuple(line if plies == 0 else line[:forced])
            line.append(following[0])
            forced = forced if free else len(line)
            if not whole or self.captures(stones, color, following[0]):
                return tuple(line)
            stones, color, result = following[1], opponent(color), -result
            plies = None if plies is None else plies - 1

    def index(self, point: int) -> int:
        """Return the bit of a point."""
        return self._index[point]

    def best(self, stones: Stones, color: int, result: int, plies: int | None, deadline: Deadline) -> Successor | None:
        """Return the best play and the stones after it; None if there is none or the limit was reached first.

        For a loss without known `plies`, the only play that is not captured next, or None if there is a choice.
        """
        plays = list(self.plays(stones, color))
        for play, after in plays:
            if self.captures(stones, color, play):
                return play, after
        other = opponent(color)
        if result == LOSS:
            # Of equal defences one that saves a chain from capture, which shows why another one is lost.
            plays.sort(key=lambda found: not self.captures(stones, other, found[0]))
            if plies is None:
                return self._forced(stones, color, plays)
            for play, after in plays:
                # The longest defence: the winner, to move after it, has no faster win.
                if plies < 3 or self.result(after, other, deadline, WIN, plies - 3) == LOSS:
                    return play, after
            return None
        attacker, left = (0, 0) if plies is None else (LOSS, plies - 1)
        # Small budgets first: most likely the table has the winning play, and other plays may take long to refute.
        for nodes in (4_000, 100_000, None):
            bounded = deadline.limited(nodes=nodes)
            for play, after in plays:
                if self.result(after, other, bounded, attacker, left) == LOSS:
                    return play, after
        return None

    def _forced(self, stones: Stones, color: int, plays: list[Successor]) -> Successor | None:
        """Return the only play of a loss that is not captured next, the first if all are; None if there is a choice."""
        safe = self.safe_plays(stones, color)
        kept = [found for found in plays if not safe or safe >> self._index[found[0]] & 1]
        return kept[0] if kept and (len(kept) == 1 or not safe) else None

    def plies_after(self, board: Board, color: int, play: int, deadline: Deadline) -> int | None:
        """Return the plies to the end under best play, this legal play included; None if not found in time."""
        for found, after in self.plays(self.stones(board), color):
            if found == play:
                if self.captures(self.stones(board), color, play):
                    return 1
                result = self.result(after, opponent(color), deadline)
                plies = None if result == UNKNOWN else self.shortest(after, opponent(color), result, deadline)
                return None if plies is None else plies + 1
        return None
