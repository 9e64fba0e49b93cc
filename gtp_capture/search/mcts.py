"""The search tree as Python code uses it: memory, threads, time slices, and the statistics of a node's moves."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.rules import DEFAULT, Rules
from ..go.vertex import BLACK, PASS
from ..jit.records import Turn, record, rules_record
from ..network.network import shipped
from ..playout.ladder import LONGEST
from ..util.limit import Deadline, Limit, run_in_slices
from . import kernel
from .children import set_policy
from .nodes import (
    BYTES,
    ENDLESS,
    EXCLUDED,
    PROVEN_LOSS,
    PROVEN_WIN,
    add_child,
    child_count,
    copy_subtree,
    first_child,
    is_crowded,
    link,
    new_nodes,
)
from .parameters import Parameters, choose_parameters, measured_rate

MEASURED: Final = 0.05
"""Part of the time after which the playout rate is measured well enough to stop early."""
ALL: Final = 2 * LONGEST + 1
"""Plies of the longest ladder that can be read."""
ENOUGH: Final = 400_000
"""Nodes (13 MB) that a tree keeps in any case, so that it still has the earlier positions after an undo."""
ROOT: Final = 1
"""Index of the first root; 0 means no node."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move at the root."""

    move: int
    visits: int
    winrate: float
    """For the colour that plays it, 0 to 1; exactly 0 or 1 if and only if proven."""
    proven: int
    """PROVEN_WIN or PROVEN_LOSS for the colour that plays it, or 0."""
    length: int
    """Plies to the end after the move in the tree's proof; the winner may have a shorter one."""
    policy: float
    """Probability by the network's policy; 0 if the move has no node."""

    @property
    def is_endless(self) -> bool:
        """Whether the move is lost, but the tree has no refutation of it."""
        return self.length == ENDLESS

    @property
    def order(self) -> tuple[int, int, int, float]:
        """Sort key from bad to good: a shorter proven win and a longer proven loss are better."""
        by_length = -self.length if self.proven == PROVEN_WIN else self.length if self.proven == PROVEN_LOSS else 0
        return self.proven, by_length, self.visits, self.winrate


def turn_of(board: Board, rules: Rules, komi: float, color: int, last: int = 0, passes: int = 0) -> Turn:
    """Return a position with a colour to move for a search; `last`: the point of the last play, or 0."""
    return Turn(board, rules_record(rules, komi), color, last, passes)


@dataclass(slots=True)
class ProvenMoves:
    """Results of a solver about a node that the nodes themselves do not store."""

    lost: bool = False
    """Whether the side to move loses; the search goes on, for the move that resists longest."""
    best: int = 0
    """The best play of a side that loses, or 0."""
    moves: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The results and lengths of moves that have no node."""


class Tree:
    """A search tree, kept from move to move."""

    def __init__(
        self,
        memory: int,
        threads: int,
        seed: int,
        *,
        reads: int = ALL,
        network: Any = None,
        playout_share: float | None = None,
    ) -> None:
        """`memory`: bytes; `reads`: see `choose_parameters`; `network`, `playout_share`: None selects by rules."""
        self._capacity = max(100_000, memory // BYTES)
        self._nodes = new_nodes(self._capacity)
        self._threads = threads
        self._reads, self._network, self._playout_share = reads, network, playout_share
        self._workers = [kernel.new_worker(seed, i) for i in range(threads)]
        self._pool = ThreadPoolExecutor(threads, "search") if threads > 1 else None
        self._enough = ENOUGH
        """Nodes in use from which `crowded` is true."""
        self._proven_moves: dict[int, ProvenMoves] = {}
        """Results of a solver, by the index of the node."""
        self.clear()

    def clear(self) -> None:
        """Remove all nodes, and give back memory that a small tree does not need."""
        if self.size > ENOUGH:
            self._nodes = new_nodes(self._capacity)
        self._enough = ENOUGH
        for values in self._nodes:
            values[ROOT] = 0
        self._proven_moves = {}
        self._divide(ROOT + 1)

    @property
    def size(self) -> int:
        """Nodes in use."""
        return sum(int(w.arena.next - w.arena.start) for w in self._workers)

    def child(self, root: int, move: int) -> int | None:
        """Return the node after a move, or None if it is not in the tree."""
        children = self._children(root)
        places = np.flatnonzero(self._nodes.move[children] == move)
        return children.start + int(places[0]) if len(places) else None

    def follow(self, root: int, move: int) -> int | None:
        """Return the node after a move that was played, or None if it is not in the tree.

        If the last search excluded the move and counted it as lost, this makes it an open move again.
        """
        child = self.child(root, move)
        if child is not None:
            self._release(slice(child, child + 1))
        return child

    def keep_only(self, root: int) -> int:
        """Free memory: keep only a node and its descendants, or nothing if a copy needs too much memory.

        Returns the new index of the node.
        """
        try:
            target = new_nodes(self._capacity)
            used = copy_subtree(self._nodes, root, target, self._capacity // 2)
        except MemoryError:
            self.clear()
            return ROOT
        self._nodes, self._enough = target, max(ENOUGH, 2 * used)
        self._proven_moves = {ROOT: self._proven_moves[root]} if root in self._proven_moves else {}
        self._divide(used)
        return ROOT

    @property
    def crowded(self) -> bool:
        """Whether `keep_only` is due: nodes are scarce, or most of them belong to moves that were not played.

        At least half of the nodes are new since the last copy, so copies take little time compared with the search.
        """
        return self.size > self._enough or any(is_crowded(worker.arena) for worker in self._workers)

    def search(self, root: int, turn: Turn, allowed: Collection[int], deadline: Deadline) -> int:
        """Search the position of node `root` within a limit; return the number of playouts.

        `allowed`: the legal moves by the rules of the whole game, which include superko; other moves count as lost. If
        the limit permits only some moves, the node must be new, and all permitted moves are searched, even if another
        move wins at once.
        """
        turn = turn._replace(board=record(turn.board), color=int(turn.color))  # compiled code takes no class, no enum
        if deadline.limit.only is not None and not self._nodes.link[root]:
            self._add_children(root, turn, allowed)
        done = self._runner(0, root, turn)(1)
        self._exclude(root, allowed)
        finished = self._decided_check(root, deadline)
        rest = None if deadline.limit.playouts is None else max(0, deadline.limit.playouts - done)
        if self._pool is None:
            return done + run_in_slices(self._runner(0, root, turn), deadline.limited(playouts=rest), finished)
        share = None if rest is None else rest // self._threads
        jobs = [
            self._pool.submit(run_in_slices, self._runner(i, root, turn), deadline.limited(playouts=share), finished)
            for i in range(self._threads)
        ]
        return done + sum(job.result() for job in jobs)

    def _runner(self, index: int, root: int, turn: Turn) -> Callable[[int], int]:
        """Return a function that runs a number of playouts in one thread."""
        parameters, network = self._evaluation(turn.rules)

        def run(count: int) -> int:
            return int(kernel.search(self._nodes, root, turn, parameters, self._workers[index], network, count))

        return run

    def _evaluation(self, rules: Any) -> tuple[Parameters, Any]:
        """Return the parameters and the network for a rules record."""
        parameters = choose_parameters(rules, self._reads)
        if self._playout_share is not None:
            parameters = parameters._replace(playout_share=self._playout_share)
        return parameters, shipped(ordinary=rules.captures == 0) if self._network is None else self._network

    def set_lost(self, root: int, move: int = 0) -> None:
        """Record that the side to move at a node is proven to lose, with its best play if that is known.

        All its moves then count as proven losses; a search still orders them by how long they resist.
        """
        known = self._proven_moves.setdefault(root, ProvenMoves())
        known.lost, known.best = True, move

    def set_proven(self, root: int, move: int, wins: bool, plies: int) -> None:
        """Record the proven result of a move, at most `plies` before the end; a win also proves the node."""
        nodes, child = self._nodes, self.child(root, move)
        result = (PROVEN_WIN, plies) if wins else (PROVEN_LOSS, 0)
        if child is None:
            self._proven_moves.setdefault(root, ProvenMoves()).moves[move] = result
        elif nodes.proven[child]:
            return
        else:
            nodes.proven[child], nodes.length[child] = result
        if wins and not nodes.proven[root]:
            nodes.proven[root], nodes.length[root] = PROVEN_LOSS, plies + 1

    def candidates(self, root: int) -> list[Candidate]:
        """Return the moves at a node, best first, except moves that the last search from this node did not allow."""
        children = self._children(root)
        n = self._nodes
        known = self._proven_moves.get(root, ProvenMoves())
        fields = (field[children].tolist() for field in (n.move, n.visits, n.wins, n.proven, n.length, n.policy))
        candidates = []
        for move, visits, wins, proven, length, policy in zip(*fields, strict=True):
            if length == EXCLUDED:
                continue
            if known.lost and not proven:  # no refutation in the tree yet: ordered before moves that have one
                candidates.append(Candidate(move, visits, 0.0, PROVEN_LOSS, ENDLESS, policy))
            else:
                rate = (proven + 1) / 2 if proven else measured_rate(wins, visits)
                candidates.append(Candidate(move, visits, rate, proven, length, policy))
        for move, (proven, length) in known.moves.items():
            candidates.append(Candidate(move, 0, (proven + 1) / 2, proven, length, 0.0))
        candidates.sort(key=lambda c: c.order, reverse=True)
        if known.lost:
            candidates.sort(key=lambda c: c.move != known.best)
        return candidates

    def proven(self, root: int) -> bool | None:
        """Return True if the colour to move at a node is proven to win, False if it is proven to lose, else None."""
        proven = int(self._nodes.proven[root])
        lost = root in self._proven_moves and self._proven_moves[root].lost
        return False if lost else None if proven == 0 else proven == PROVEN_LOSS

    def _children(self, root: int) -> slice:
        """Return the range of a node's children."""
        first = first_child(self._nodes, root)
        return slice(first, first + child_count(self._nodes, root))

    def _divide(self, used: int) -> None:
        """Give each thread an equal part of the free nodes."""
        part = (self._capacity - used) // self._threads
        for i, worker in enumerate(self._workers):
            start = used + i * part
            worker.arena.start, worker.arena.next, worker.arena.end = start, start, start + part

    def _add_children(self, root: int, turn: Turn, moves: Collection[int]) -> None:
        """Add these moves as children of a new node, without the static tests."""
        arena = self._workers[0].arena
        first = end = int(arena.next)
        for move in sorted(moves, key=lambda move: (move == PASS, move)):
            end = add_child(self._nodes, end, move)
        if first < end:
            parameters, network = self._evaluation(turn.rules)
            set_policy(self._nodes, first, end, turn, parameters.flatness, self._workers[0], network)
        arena.next = end
        self._nodes.link[root] = link(first, end - first)

    def _exclude(self, root: int, allowed: Collection[int]) -> None:
        """Mark all moves that are not in `allowed` as losses, so that they are never selected.

        The first playout may have won by such a move. This win is taken back.
        """
        children, nodes = self._children(root), self._nodes
        self._release(children)
        others = np.isin(nodes.move[children], list(allowed), invert=True)
        if (nodes.proven[children][others] == PROVEN_WIN).any():
            nodes.proven[root] = 0
        nodes.proven[children][others], nodes.length[children][others] = PROVEN_LOSS, EXCLUDED

    def _release(self, children: slice) -> None:
        """Undo `_exclude` for a range of nodes."""
        proven, length = self._nodes.proven[children], self._nodes.length[children]
        proven[length == EXCLUDED] = 0
        length[length == EXCLUDED] = 0

    def _decided_check(self, root: int, deadline: Deadline) -> Callable[[], bool]:
        """Return a predicate that is true if the root is proven, or no other move can get more visits in time."""
        nodes = self._nodes
        begin_visits, began = int(nodes.visits[root]), deadline.elapsed()
        forced = np.count_nonzero(nodes.proven[self._children(root)] == 0) == 1

        def decided() -> bool:
            if nodes.proven[root]:
                return True
            children = self._children(root)
            open_ = nodes.visits[children][nodes.proven[children] == 0]
            if deadline.limit.watched:
                return False
            if len(open_) == 1:
                # With playouts as the only limit, one open move ends the search only if it was so from the beginning.
                # If the search itself has decided the others, the moment of this check would change the tree.
                return deadline.limit.seconds is not None or (deadline.limit.playouts is not None and forced)
            if len(open_) == 0 or deadline.limit.seconds is None:
                return False
            searched = deadline.elapsed() - began
            if searched < MEASURED * deadline.limit.seconds:
                return False
            ordered = np.sort(open_)
            rate = (int(nodes.visits[root]) - begin_visits) / max(searched, 1e-3)
            return bool(ordered[-1] - ordered[-2] > rate * deadline.left())

        return decided


def rehearse() -> None:
    """Search one small position, and load the networks; called when a session has loaded this module.

    At the first call of a kernel Numba finds out the types of its arguments, and imports numpy.ma for that. This takes
    10 ms, and 60 ms in a session, where Python's garbage collector then visits all objects of Numba.
    """
    for ordinary in (False, True):
        shipped(ordinary)
    board = bd.new(5, 5)
    turn = Turn(board, rules_record(Rules.of(DEFAULT), 0.0), BLACK)
    Tree(0, 1, 1).search(ROOT, turn, bd.points(board), Limit(playouts=2).begin())
