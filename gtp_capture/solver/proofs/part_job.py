"""A job of a proof in parts: it writes one part, in this process or in a worker that keeps its table between jobs.

The worker walks from each root of the job until the part has its greatest number of choices. It claims all positions
that are left then, and those that other parts prove or will prove. What it claims and what others may claim it returns.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ...util.limit import Limit
from ..job import kept_solver
from ..journal import store_all
from ..solver import Solver
from . import keyset
from .format import LEVEL
from .writer import StoppedError, Walk

KEY_COLUMNS: Final = 2
STONES_COLUMNS: Final = 2
USE_COLUMNS: Final = KEY_COLUMNS + STONES_COLUMNS


@dataclass(frozen=True, slots=True)
class Means:
    """What a worker needs besides its part."""

    writer: tuple[str, str, int]
    """The names of the proof that is written and of the worker: what it knows is kept between its jobs."""
    size: tuple[int, int]
    """Width and height."""
    memory: int
    """Bytes of the table of the process."""
    threads: int
    verdicts: Any
    """Decided positions for this table, see `verdicts`; None if it has them."""


@dataclass(frozen=True, slots=True)
class PartJob:
    """A part to write. All arrays are of unsigned 64-bit numbers."""

    number: int
    winner: int
    roots: Any
    """Positions with the winner's turn: the winner's stones and the loser's [roots, 2]."""
    most: int
    """Choices of the part; only the first root has its choice in any case."""
    known: Any
    """Keys of positions that other parts prove or will prove, and that the worker does not know yet [positions, 2]."""
    means: Means | None = None
    """For another process."""


class Written(NamedTuple):
    """A part, as a worker returns it."""

    number: int
    """Of the job."""
    choices: int
    roots: int
    """The first roots of the job, from which it walked; the others are left."""
    content: bytes
    """The gzipped bytes of the walks."""
    uses: Any
    """The positions that it claims: keys and stones [positions, 4]."""
    proven: Any
    """Keys of large positions that it proves, to be claimed by other parts [positions, 2]."""
    nodes: int
    """Searched again."""


class Known:
    """The keys of positions that other parts prove or will prove."""

    def __init__(self) -> None:
        self.keys = keyset.new_set(KEY_COLUMNS)
        self._count = 0

    def add(self, rows: Any) -> None:
        """Add keys [positions, 2]."""
        self._count += len(rows)
        while keyset.is_full(self.keys, self._count):
            self.keys = keyset.grown(self.keys)
        keyset.copy_keys(self.keys, rows)


class _Part:
    """The part that is being written."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._uses: list[Any] = []

    def write(self, data: bytes) -> None:
        self._chunks.append(data)

    def take(self, rows: Any) -> None:
        """Take rows of `writer_walk.USES`."""
        self._uses.append(rows)

    def content(self) -> bytes:
        return gzip.compress(b"".join(self._chunks), LEVEL, mtime=0)

    def rows(self) -> tuple[Any, Any]:
        """Return the positions that are used, and those that are proven, each once and in the order of the walk."""
        columns = "low", "high", "winner", "loser", "proven"
        table = np.stack([np.concatenate([rows[name] for rows in self._uses]) for name in columns], axis=1)
        used, proven = (_unique(table[table[:, -1] == kind]) for kind in (0, 1))
        return used[:, :USE_COLUMNS].copy(), proven[:, :KEY_COLUMNS].copy()


def _unique(rows: Any) -> Any:
    """Return the first row of each key, in order."""
    order = np.lexsort((rows[:, 1], rows[:, 0]))  # stable
    keys = rows[order, :KEY_COLUMNS]
    first = np.ones(len(rows), bool)
    first[1:] = np.any(keys[1:] != keys[:-1], axis=1)
    return rows[np.sort(order[first])]


def perform(
    solver: Solver, job: PartJob, known: Known, limit: Limit, watch: Callable[[int], None] = lambda choices: None
) -> Written:
    """Write a part with this solver; `watch` is called with its choices, from time to time.

    ProofError: the table is wrong. StoppedError: the limit was reached.
    """
    before, part = solver.nodes, _Part()
    known.add(job.known)
    walk = Walk(solver, job.winner, limit, job.most, known.keys)
    done = 0
    for winner, loser in job.roots.tolist():
        if walk.progress.choices >= job.most:
            break
        walk.enter((winner, loser), True)
        for choices in walk.write(part, part.take):
            watch(choices)
            solver.watch(solver.nodes)
            if limit.expired():
                raise StoppedError
        done += 1
    uses, proven = part.rows()
    return Written(job.number, int(walk.progress.choices), done, part.content(), uses, proven, solver.nodes - before)


_known: dict[tuple[str, str, int], Known] = {}
"""What the workers of this process know of the proof that they write; see `Means.writer`."""


def work(job: PartJob) -> Written | None:
    """Write a part in this process; None if the job was cancelled.

    MemoryError: the table cannot be allocated. ProofError: the table is wrong.
    """
    means, limit = job.means, Limit()
    assert means is not None
    known = _known.pop(means.writer, None) or Known()
    for other in [writer for writer in list(_known) if writer[0] != means.writer[0]]:
        _known.pop(other, None)
    with kept_solver(means.size, means.memory, means.threads, limit) as solver:
        if means.verdicts is not None:
            store_all(solver.table, means.verdicts)
        try:
            written = perform(solver, job, known, limit)
        except StoppedError:
            return None
    _known[means.writer] = known
    return written
