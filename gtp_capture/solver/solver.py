"""The df-pn solver of games that the next capture wins, on boards of up to 128 points.

The search itself is in `dfpn`. This module runs it in slices of time and in threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any, Final

import numpy as np

from ..go.board import Board
from ..go.vertex import BLACK
from ..jit.bitsets import kernels_for, words_of
from ..jit.kernel import COMPILED as COMPILED
from ..util.limit import Deadline
from ..util.memory import MEBIBYTE, Allocation
from . import bitboard, dfpn
from .dfpn import damping_for, features_for
from .exact import ExactSolver, Node
from .result import LOSS, UNKNOWN, WIN, SolverError
from .table import ENTRY_BYTES, ENTRY_WORDS, new_table, touch
from .task import DEPTH, Root, new_frames, new_memory, new_task

FIRST_BUDGET: Final = 500
"""Nodes of the first slice of a search; the limit is tested after each slice. In memory that was never used, 4,000
nodes take 60 ms on 9x9."""
BUDGET: Final = 256_000
"""Maximum nodes of a later slice."""


NODES_PER_SECOND: Final = 4_000_000
"""Nodes that one thread searches at most, for the size of the table."""
NODES_PER_ENTRY: Final = 4
"""Nodes of a search for each entry of its table. With a larger table a search decides no more, and is not faster."""
TABLES: Final = tuple(size * MEBIBYTE for size in (8, 16, 32, 64))
"""Sizes of the table in bytes. The size after them is all of the solver's memory."""


def table_for(deadline: Deadline, resources: Allocation) -> int:
    """Return the bytes of the solver's table for a search: memory that the limit lets it use, in a few sizes.

    The positions of a search are spread over the whole table, so a large one takes memory at once.
    """
    by_time = None if deadline.limit.seconds is None else deadline.left() * NODES_PER_SECOND * resources.threads
    nodes = min((n for n in (by_time, deadline.limit.nodes) if n is not None), default=None)
    most = resources.memory // 4
    return next((s for s in TABLES if nodes is not None and nodes * ENTRY_BYTES / NODES_PER_ENTRY <= s < most), most)


class Solver(ExactSolver):
    """Solves positions of one board size by proof-number search."""

    def __init__(
        self, width: int, height: int, memory: int = 256 * MEBIBYTE, threads: int = 1, features: int | None = None
    ) -> None:
        """Allocate tables of at most `memory` bytes. `features`: see `static`; None: see `dfpn.features_for`.

        SolverError: less than 1 MiB, or the board is too large. MemoryError: the system has less.
        """
        super().__init__(width, height)
        if memory < MEBIBYTE:
            raise SolverError("the solver needs 1 MiB at least")
        self.memory = memory
        self.words = words_of(width * height)
        """Words of a set of points, see `jit.bitsets`."""
        self._kernel = kernels_for(dfpn, self.words).search
        self._features = features_for(width, height) if features is None else features
        self._damping = damping_for(width, height)
        self.table = new_table(memory)
        self.untouched = touch(self.table)
        """The steps that are left of the first use of the table's memory, for callers with a limit."""
        self.zobrist = bitboard.zobrist_keys(width, height, self.words)
        self._make_threads(threads)
        self._cleared = 0
        """Positions evaluated until the table was cleared."""
        self._last_stones: tuple[int, int] = (0, 0)
        """Black's and White's stones at the last call of `begin`, as bits."""
        self.numbers = (1, 1)
        """pn and dn of the position searched last, for a progress display."""

    def _make_threads(self, threads: int) -> None:
        """Make what this solver shares with no other one: its threads, and the memory of each."""
        self.threads = threads
        self._paths = np.zeros((threads, DEPTH), np.int64)
        self._single_path = np.zeros((1, DEPTH), np.int64)
        self._frames = [new_frames(self.words) for _ in range(threads)]
        self._memories = [new_memory(self.table, self.zobrist, self.geometry, self.words) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "solve") if threads > 1 else None
        self._tasks: list[Any] = []
        """Tasks of the running search, one for each thread."""

    def sharing(self) -> Solver:
        """Return a solver with one thread for other positions at the same time; both use this solver's table."""
        other = copy(self)
        other._make_threads(1)
        return other

    def begin(self, board: Board) -> None:
        """See ExactSolver. The entries that cost most would never be replaced in a full table.

        It is another game if less than half of the stones of the last call are on this board.
        """
        stones = self.node(board, BLACK)[:2]
        kept = sum((old & new).bit_count() for old, new in zip(self._last_stones, stones, strict=True))
        full = self.nodes - self._cleared > self.table.size // ENTRY_WORDS
        if full and 2 * kept < sum(old.bit_count() for old in self._last_stones):
            self.clear()
        self._last_stones = stones

    def clear(self) -> None:
        """See ExactSolver."""
        self.table[:] = 0
        self._cleared = self.nodes

    def search(self, node: Node, deadline: Deadline | None = None, attacker: int = 0, plies: int = 0) -> int:
        """See ExactSolver. With a limit of 0 nodes, the result comes from the table and one ply of search."""
        for task in self._searched(root_of(node, attacker, plies), deadline or self.bound):
            if task.pn == 0 or task.dn == 0:
                return WIN if task.pn == 0 else LOSS
        return UNKNOWN

    def new_task(self, root: Root, thread: int = 0) -> Any:
        """Return the task of one thread, at its beginning."""
        return new_task(root, self._features, self._damping, thread, self.words)

    def progress(self) -> str:
        """See ExactSolver."""
        return f"to prove {self.numbers[0]}, to disprove {self.numbers[1]}"

    def _searched(self, root: Root, deadline: Deadline) -> list[Any]:
        """Search a root until it is decided or the limit is reached; return the task of each thread."""
        self._tasks = tasks = [self.new_task(root, thread) for thread in range(self.threads)]
        # Most positions are decided by a few nodes, for which starting threads would take longer than the search.
        most = deadline.limit.nodes
        tasks[0].budget = FIRST_BUDGET if most is None else min(FIRST_BUDGET, most)
        self._kernel(self._frames[0], tasks[0], self._memories[0], self._single_path)
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
            self._kernel(self._frames[thread], task, self._memories[thread], self._paths)
            if thread == 0:
                self.numbers = int(task.pn), int(task.dn)
                self.watch(self._nodes_so_far())
            if task.pn == 0 or task.dn == 0:
                done[0] = True
                return
            took = max(1e-6, deadline.elapsed() - before)
            budget = int(min(2 * budget, BUDGET, max(256, budget * deadline.left() / 2 / took)))


def root_of(node: Node, attacker: int = 0, plies: int = 0) -> Root:
    """Return a position and a goal as the root of a search."""
    black, white = (node.own, node.opp) if node.side == 0 else (node.opp, node.own)
    return Root(black, white, node.side, attacker, plies)
