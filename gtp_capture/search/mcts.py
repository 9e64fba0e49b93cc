"""The tree search from Python: memory, threads, slices of time, and what the tree says at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..playout.ladder import new_boards, new_candidates
from ..playout.static import LOST
from ..playout.uniform import rng
from ..util.limit import Limit, run_in_slices
from . import kernel as tree
from . import nodes as nd
from . import priors

MEASURED: Final = 0.05
"""Part of the time after which the rate of playouts is known well enough to stop early."""
ROOT: Final = 1
"""Where a new tree begins; index 0 means none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move at the root."""

    move: int
    visits: int
    winrate: float
    """For the colour that plays it, 0 to 1; exactly 0 or 1 where proven."""
    proven: int
    """nd.WON or LOST for the colour that plays it, or 0."""
    length: int
    """Plies to the end after the move as far as the tree knows them; fewer if the winner plays better."""

    @property
    def order(self) -> tuple[int, int, int, float]:
        """Sort key from bad to good: the shortest known win is best, the longest known loss is the best of the lost."""
        by_length = -self.length if self.proven == nd.WON else self.length if self.proven == LOST else 0
        return self.proven, by_length, self.visits, self.winrate


class Tree:
    """A search tree, kept from move to move."""

    def __init__(self, memory: int, threads: int, seed: int, learned: bool = True) -> None:
        """`memory`: bytes; `learned`: whether it begins with what was learned of plays, where there is anything."""
        capacity = max(100_000, memory // nd.BYTES)
        self._nodes = nd.new_nodes(capacity)
        self._threads = threads
        self._sharp = tree.SHARP if learned else tree.PLAIN
        self._scratch = [
            (rng(seed, i), np.zeros(tree.RECORD_LENGTH, np.int16), new_boards(), new_candidates())
            for i in range(threads)
        ]
        self._pool = ThreadPoolExecutor(threads, "search") if threads > 1 else None
        self._arenas: list[Any] = []
        self._lost: dict[int, int] = {}
        """Nodes whose side to move is known to lose, with its best play if that is known, else 0."""
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        for field in self._nodes:
            field[ROOT] = 0
        self._lost = {}
        self._divide(ROOT + 1)

    @property
    def size(self) -> int:
        """Nodes in use."""
        return sum(int(arena[0]) - start for arena, start in zip(self._arenas, self._starts, strict=True))

    def child(self, root: int, move: int) -> int | None:
        """The node after a move, if the tree has it."""
        children = self._children(root)
        found = np.flatnonzero(self._nodes.move[children] == move)
        return children.start + int(found[0]) if len(found) else None

    def keep_only(self, root: int) -> int:
        """Make room: drop what does not hang below a node, or all where memory lacks for a copy; where the node is."""
        try:
            target = nd.new_nodes(len(self._nodes.link))
            used = int(nd.copy_subtree(self._nodes, root, target, len(target.link) // 2))
        except MemoryError:
            self.clear()
            return ROOT
        self._nodes = target
        self._lost = {ROOT: self._lost[root]} if root in self._lost else {}
        self._divide(used)
        return ROOT

    @property
    def crowded(self) -> bool:
        """Whether so much is in use that the next search may need room."""
        return any(
            arena[0] - start > (arena[1] - start) // 2 for arena, start in zip(self._arenas, self._starts, strict=True)
        )

    def search(
        self,
        root: int,
        board: Board,
        rules: Any,
        color: int,
        last: int,
        passes: int,
        allowed: Collection[int],
        limit: Limit,
    ) -> int:
        """Think about a position that stands at node `root`; how many playouts that took.

        `allowed` are the moves that the game permits there, which knows more of repetition than the search. Where the
        limit permits fewer, the node is a new one, and all of them are looked at, also where another move wins at once.
        """

        if rules.captures == 1:
            kind = self._sharp if rules.sharp else tree.BLUNT
        else:
            kind = tree.MIXED if rules.captures > 0 else tree.ORDINARY

        def runner(index: int) -> Callable[[int], int]:
            work = bd.copy(board)
            parameters = np.array(kind, np.float64)
            parameters[1] *= 1 + index % 2  # so that two threads do not read the same line all the time
            state, record, boards, candidates = self._scratch[index]

            def run(count: int) -> int:
                return int(
                    tree.search(
                        self._nodes,
                        self._arenas[index],
                        root,
                        board,
                        work,
                        rules,
                        state,
                        record,
                        parameters,
                        priors.weights(),
                        boards,
                        candidates,
                        color,
                        last,
                        passes,
                        count,
                    )
                )

            return run

        if limit.only is not None and not self._nodes.link[root]:
            self._plant(root, board, rules, color, last, allowed)
        done = runner(0)(1)
        self._forbid(root, allowed)
        finished = self._decided_check(root, limit)
        rest = None if limit.playouts is None else max(0, limit.playouts - done)
        if self._pool is None:
            return done + run_in_slices(runner(0), limit.with_playouts(rest), finished)
        share = None if rest is None else rest // self._threads
        jobs = [
            self._pool.submit(run_in_slices, runner(i), limit.with_playouts(share), finished)
            for i in range(self._threads)
        ]
        return done + sum(job.result() for job in jobs)

    def lose(self, root: int, move: int = 0) -> None:
        """Note that the side to move at a node is proven to lose, with its best play if that is known.

        All its moves count as proven losses from now on; a search still finds out which of them resists best.
        """
        self._lost[root] = move

    def judge(self, root: int, move: int, wins: bool, plies: int) -> None:
        """Enter the proven result of a move; `plies`: at most so many to the end after it. A win settles the node."""
        nodes, child = self._nodes, self.child(root, move)
        if child is None or nodes.proven[child]:
            return
        nodes.proven[child], nodes.length[child] = (nd.WON, plies) if wins else (LOST, 0)
        if wins and not nodes.proven[root]:
            nodes.proven[root], nodes.length[root] = LOST, plies + 1

    def candidates(self, root: int) -> list[Candidate]:
        """The moves at a node, best first."""
        children = self._children(root)
        n = self._nodes
        lost = root in self._lost
        fields = (field[children].tolist() for field in (n.move, n.visits, n.wins, n.proven, n.length))
        found = []
        for move, visits, wins, proven, length in zip(*fields, strict=True):
            if lost and not proven:  # no end in sight yet, so it holds out longer than what the tree has refuted
                found.append(Candidate(move, visits, 0.0, LOST, nd.ENDLESS))
            else:
                rate = (proven + 1) / 2 if proven else wins / visits if visits else 0.0
                found.append(Candidate(move, visits, rate, proven, length))
        found.sort(key=lambda c: c.order, reverse=True)
        if lost:
            found.sort(key=lambda c: c.move != self._lost[root])
        return found

    def verdict(self, root: int) -> bool | None:
        """Whether the colour to move at a node is proven to win, or to lose; None where neither is."""
        proven = int(self._nodes.proven[root])
        return False if root in self._lost else None if proven == 0 else proven == LOST

    def _children(self, root: int) -> slice:
        """Where the children of a node lie."""
        first = nd.first_child(self._nodes, root)
        return slice(first, first + nd.child_count(self._nodes, root))

    def _divide(self, used: int) -> None:
        """Give each thread an equal part of the free nodes."""
        part = (len(self._nodes.link) - used) // self._threads
        self._starts = [used + i * part for i in range(self._threads)]
        self._arenas = [np.array([start, start + part], np.int64) for start in self._starts]

    def _plant(self, root: int, board: Board, rules: Any, color: int, last: int, moves: Collection[int]) -> None:
        """Give a new node these children, whatever they are worth."""
        first = used = int(self._arenas[0][0])
        for move in sorted(moves):
            prior = priors.plain_prior(board, rules, move, color, last) if move > 0 else 0.0
            used = nd.add_child(self._nodes, used, move, prior, tree.MIXED[2])
        self._arenas[0][0] = used
        self._nodes.link[root] = (first << 16) | (used - first)

    def _forbid(self, root: int, allowed: Collection[int]) -> None:
        """Mark moves that the game forbids here as losing, so that they are never tried."""
        children = self._children(root)
        self._nodes.proven[children][np.isin(self._nodes.move[children], list(allowed), invert=True)] = LOST

    def _decided_check(self, root: int, limit: Limit) -> Callable[[], bool]:
        """A question to ask between slices: is the result proven, or can no time left change the choice?"""
        nodes = self._nodes
        begin_visits, began = int(nodes.visits[root]), limit.elapsed()

        def decided() -> bool:
            if nodes.proven[root]:
                return True
            children = self._children(root)
            open_ = nodes.visits[children][nodes.proven[children] == 0]
            if limit.watched:
                return False
            if len(open_) == 1 and (limit.seconds is not None or limit.playouts is not None):
                return True
            if len(open_) == 0 or limit.seconds is None:
                return False
            searched = limit.elapsed() - began
            if searched < MEASURED * limit.seconds:
                return False
            ordered = np.sort(open_)
            rate = (int(nodes.visits[root]) - begin_visits) / max(searched, 1e-3)
            return bool(ordered[-1] - ordered[-2] > rate * limit.left())

        return decided
