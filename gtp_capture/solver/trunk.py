"""The trunk of a search in jobs: best-first proof-number search over the first plies, in one process; without Numba.

A node is a position, the same for all images under a symmetry, so the trunk is a graph in which transpositions are
shared. Its leaves are searched by jobs (`job`). As in `dfpn`, pn and dn are those of the side to move, and the child
with the least dn is the one to search. `select` finds a leaf, `record` takes the result of a job.

Sources: Allis, van der Meulen and van den Herik (1994) for proof-number search; Wu et al. (2013) for jobs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..go.symmetry import symmetries
from ..go.vertex import BLACK, opponent
from .dfpn import damping_of
from .result import LOSS, POINTS, UNKNOWN, WIN, Stones

ANY: Final = -1
"""The bits of all processes."""
INFINITE: Final = 1 << 60
"""An infinite pn or dn."""
FIRST_BUDGET: Final = 4_000
"""Nodes of the first job."""
LAST_BUDGET: Final = 100_000_000
"""Nodes of the largest job, about half a minute."""
STEPS: Final = 100
"""A job has at most one STEPS-th of the nodes so far, so that the jobs do not become too many."""
WORKER_STEPS: Final = 50
"""All running jobs together have at most one WORKER_STEPS-th of the nodes so far: they are lost if the search ends."""
EXPANSION: Final = 8.0
"""A leaf is expanded when it has cost this many times the budget of a job."""


class TrunkError(ValueError):
    """The result of a job contradicts another one, or is malformed; the message gives the reason."""


class Node:
    """A position of the trunk."""

    __slots__ = ("children", "dn", "free", "home", "key", "parents", "pn", "spent")

    def __init__(self, key: int) -> None:
        self.key = key
        """The canonical position: the stones of Black, then from bit POINTS on those of White."""
        self.pn, self.dn = 1, 1
        self.children: list[Node] | None = None
        """None for a leaf."""
        self.parents: list[Node] = []
        self.free = ANY
        """The processes, as bits, for which `select` finds a leaf here: not decided, and without a running job."""
        self.home = ANY
        """For a leaf, the process whose table knows it, as a bit."""
        self.spent = 0
        """Nodes of the jobs at this leaf."""

    @property
    def result(self) -> int:
        """WIN, LOSS or UNKNOWN for the side to move."""
        return WIN if self.pn == 0 else LOSS if self.dn == 0 else UNKNOWN

    def refresh(self, damping: float) -> bool:
        """Compute the numbers of an expanded node from its children; return whether anything changed.

        dn is a damped sum of the children's pn, see `dfpn`.
        """
        least, total, most, free = INFINITE, 0, 0, 0
        for child in self.children or ():
            dn, pn = child.dn, child.pn
            if dn < least:
                least = dn
            if pn > most:
                most = pn
            total += pn
            free |= child.free
        if least == 0:
            pn, dn, free = 0, INFINITE, 0
        elif least == INFINITE:
            pn, dn, free = INFINITE, 0, 0
        else:
            pn, dn = least, min(INFINITE - 1, most + int(damping * (total - most)))
        same = (pn, dn, free) == (self.pn, self.dn, self.free)
        self.pn, self.dn, self.free = pn, dn, free
        return not same


@dataclass(frozen=True, slots=True)
class Child:
    """A position after a play, as a job returns it."""

    index: int
    """The bit of the play."""
    pn: int
    dn: int


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a job: the numbers of a leaf and of the plays worth trying there."""

    number: int
    """Of the job."""
    stones: Stones
    pn: int
    """0 if the side to move wins; then `dn` is not used."""
    dn: int
    nodes: int
    seconds: float
    children: tuple[Child, ...] = ()
    """Of a leaf that is not decided; images of one another are there once."""


class Trunk:
    """The positions of a search in jobs, from a root on."""

    def __init__(self, width: int, height: int, stones: Stones, color: int, workers: int = 1) -> None:
        """Begin with a root, which is a leaf."""
        self.width, self.height, self.color, self.workers = width, height, color, workers
        self._damping = damping_of(width, height)
        self._images = [_inverse(symmetry) for symmetry in symmetries(width, height)]
        self._bits = [[[1 << i + shift for i in image] for image in self._images] for shift in (0, POINTS)]
        self._root_stones = (stones[0] | stones[1]).bit_count()
        self.jobs = 0
        """Results recorded."""
        self.last = 0
        """The highest number of a job."""
        self.nodes = 0
        """Nodes of all these jobs."""
        self.positions: dict[int, Node] = {}
        self._running: dict[Node, tuple[int, int]] = {}
        """The leaves with a running job, and their numbers without the virtual loss."""
        self.root = self.node(stones)

    def key(self, stones: Stones) -> int:
        """Return the key of a position: the least of its images."""
        return min(self._all_images(stones))

    def node(self, stones: Stones) -> Node:
        """Return the node of a position, a new leaf if there is none."""
        key = self.key(stones)
        return self.positions.setdefault(key, Node(key))

    def stones(self, node: Node) -> Stones:
        """Return the stones of a node's canonical position."""
        return node.key & (1 << POINTS) - 1, node.key >> POINTS

    def to_move(self, node: Node) -> int:
        """Return the colour to move."""
        odd = node.key.bit_count() - self._root_stones & 1
        return opponent(self.color) if odd else self.color

    def budget(self) -> int:
        """Return the nodes of the next job."""
        return max(FIRST_BUDGET, min(LAST_BUDGET, self.nodes // max(STEPS, WORKER_STEPS * self.workers)))

    def select(self, start: Node, place: int) -> Node | None:
        """Return the leaf below a node to search next, None if all are running.

        A leaf that was searched before is left to the process whose table knows it, if this one has another to search.
        """
        if not start.free:
            return None
        allowed = 1 << place if start.free & 1 << place else ANY
        node = start
        while node.children is not None:
            best, least = node, INFINITE + 1
            for child in node.children:
                if child.dn < least and child.free & allowed:
                    best, least = child, child.dn
            node = best
        return node

    def enter(self, leaf: Node, place: int) -> None:
        """Mark a leaf as running; until `leave` its dn counts more (virtual loss), so that the workers spread."""
        self._running[leaf] = leaf.pn, leaf.dn
        leaf.free, leaf.home = 0, 1 << place
        leaf.dn += leaf.dn // 8 + 1
        self._update(leaf)

    def leave(self, leaf: Node) -> None:
        """Undo `enter`: the job has ended, or its worker was lost."""
        pn, dn = self._running.pop(leaf)
        if leaf.result == UNKNOWN:
            leaf.pn, leaf.dn, leaf.free = pn, dn, leaf.home
        self._update(leaf)

    def forget(self, place: int) -> None:
        """Let other processes search the leaves of one that is gone."""
        for leaf in list(self.positions.values()):
            if leaf.home == 1 << place:
                leaf.home = ANY
                if leaf.free and leaf.children is None:
                    leaf.free = ANY
                    self._update(leaf)

    def record(self, found: Finding, expand: bool) -> None:
        """Take the result of a job. TrunkError: it is malformed, or contradicts an earlier one."""
        node = self.check(found)
        self.jobs, self.last, self.nodes = self.jobs + 1, max(self.last, found.number), self.nodes + found.nodes
        node.spent += found.nodes
        if node.children is None:
            self._set(node, found.pn, found.dn)
            if expand and node.result == UNKNOWN:
                self._expand(node, found)
        elif found.pn == 0 or found.dn == 0:
            self._set(node, found.pn, found.dn)
        self._update(node)

    def wants_expansion(self, found: Finding) -> bool:
        """Return whether a leaf is to be expanded with this result, rather than searched again."""
        node = self.positions.get(self.key(found.stones))
        return node is not None and node.spent + found.nodes >= EXPANSION * self.budget()

    def check(self, found: Finding) -> Node:
        """Return the node of a result. TrunkError: the result is malformed."""
        node = self.positions.get(self.key(found.stones))
        if node is None or self.stones(node) != found.stones:
            raise TrunkError(f"job {found.number} is for a position that is not searched")
        occupied = found.stones[0] | found.stones[1]
        plays = {child.index for child in found.children}
        legal = all(0 <= i < self.width * self.height and not occupied >> i & 1 for i in plays)
        numbers = [(found.pn, found.dn), *((child.pn, child.dn) for child in found.children)]
        sane = all(pn >= 0 and dn >= 0 and pn + dn > 0 for pn, dn in numbers)
        undecided = found.pn > 0 and found.dn > 0
        if not legal or not sane or len(plays) < len(found.children) or (undecided and not plays) or found.nodes < 0:
            raise TrunkError(f"job {found.number} returned a malformed result")
        return node

    def _expand(self, node: Node, found: Finding) -> None:
        """Give a leaf its children. TrunkError: a child is decided otherwise already."""
        side = self.to_move(node) - BLACK
        images, children = self._all_images(found.stones), {}
        for child in found.children:
            key = min(image | bits[child.index] for image, bits in zip(images, self._bits[side], strict=True))
            known = self.positions.get(key)
            if known is None:
                known = self.positions[key] = Node(key)
                self._set(known, child.pn, child.dn)
            elif child.pn == 0 or child.dn == 0:
                self._set(known, child.pn, child.dn)
                self._update(known)
            children[key] = known
        node.children = list(children.values())
        for known in node.children:
            known.parents.append(node)
        node.refresh(self._damping)

    def _set(self, node: Node, pn: int, dn: int) -> None:
        """Set the numbers of a node. TrunkError: it is decided otherwise already."""
        result = WIN if pn == 0 else LOSS if dn == 0 else UNKNOWN
        if UNKNOWN not in (node.result, result) and node.result != result:
            stones = self.stones(node)
            raise TrunkError(f"two results contradict each other at the position {stones[0]:x} {stones[1]:x}")
        if node.result == UNKNOWN:
            node.pn, node.dn = (0, INFINITE) if result == WIN else (INFINITE, 0) if result == LOSS else (pn, dn)
            if result != UNKNOWN:
                node.free = 0

    def _update(self, node: Node) -> None:
        """Compute the numbers of the nodes above a node that changed, ply by ply."""
        changed = [node]
        while changed:
            above = {id(parent): parent for child in changed for parent in child.parents if parent.result == UNKNOWN}
            changed = [parent for parent in above.values() if parent.refresh(self._damping)]

    def _all_images(self, stones: Stones) -> list[int]:
        """Return the images of a position under all symmetries, each as a key."""
        points = [[i for i in range(self.width * self.height) if bits >> i & 1] for bits in stones]
        return [
            sum(black[i] for i in points[0]) | sum(white[i] for i in points[1])
            for black, white in zip(*self._bits, strict=True)
        ]


def _inverse(symmetry: tuple[int, ...]) -> tuple[int, ...]:
    """Return, for each point of the board, the index of its image."""
    found = [0] * len(symmetry)
    for image, source in enumerate(symmetry):
        found[source] = image
    return tuple(found)
