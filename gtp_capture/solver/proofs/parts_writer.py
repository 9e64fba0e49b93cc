"""Writes a proof in parts of bounded size, and their manifest, here or in workers; `manifest` describes them.

The parts are the walk of one proof, cut where a part has its greatest number of choices: the positions that it has not
reached then become roots of later parts. At a cut the writer forgets the choices written, except positions with LARGE
choices or more below them, to which later parts refer. So its memory is that of one part, plus about a hundredth of the
whole. Smaller positions may be proven in several parts: with 13 parts, 6x6 takes 13 % more choices.

After a search in jobs, its workers write the parts: their tables know most positions. Each part is a job (`part_job`),
and this process keeps account of the positions that are open (`parts`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

from ...util.lanes import MakeLanes, run_on_lanes
from ...util.limit import Limit
from ..solver import Solver
from .part_job import Known, Means, PartJob, Written, perform, work
from .parts import Parts


def write_parts(parts: Parts, solver: Solver) -> None:
    """Write all parts with this solver.

    OSError: a file cannot be written. ProofError: the table is wrong.
    """
    known = Known()
    while (job := parts.job("")) is not None:
        parts.take("", job, perform(solver, job, known, Limit(), lambda choices: parts.watch(parts.choices + choices)))


class Crew(NamedTuple):
    """Workers to write parts."""

    make_lanes: MakeLanes
    size: tuple[int, int]
    """Width and height."""
    memory: int
    """Bytes of each worker's table."""
    threads: int
    """Of each worker, as in its search: it keeps the table for the same number."""
    verdicts: Any
    """Decided positions for the tables, see `verdicts`."""

    def means(self) -> Means:
        """Return the means of the workers for a proof, whose name is new."""
        return Means(uuid.uuid4().hex, self.size, self.memory, self.threads, self.verdicts)


def write_parts_in_workers(parts: Parts, crew: Crew) -> None:
    """Write all parts in workers.

    ExecutorError: no worker can be used. MemoryError: a worker cannot allocate its table. OSError: a file cannot be
    written. ProofError: a table is wrong. TrunkError: a worker returned something malformed.
    """
    with crew.make_lanes() as lanes:
        run_on_lanes(lanes, work, Writing(parts, crew))


class Writing:
    """The work of a crew, see `lanes.Work`."""

    def __init__(self, parts: Parts, crew: Crew) -> None:
        self._parts = parts
        self._means = crew.means()
        self._equipped: set[str] = set()
        """Lanes that have the verdicts."""

    def welcome(self, lanes: Collection[str]) -> None:
        """Take note of the lanes there are now."""
        for lane in self._equipped - set(lanes):
            self.lost(lane)
        self._parts.workers = max(1, len(lanes))

    def left(self) -> bool:
        """Return whether there are positions that no part proves yet."""
        return self._parts.left()

    def job(self, lane: str) -> PartJob | None:
        """Return the next part for a lane, with the verdicts for a new one."""
        job = self._parts.job(lane)
        if job is None:
            return None
        means = replace(self._means, verdicts=None) if lane in self._equipped else self._means
        self._equipped.add(lane)
        return replace(job, means=means)

    def take(self, lane: str, job: PartJob, result: Written | None) -> None:
        """Write a part to its file."""
        self._parts.take(lane, job, result)

    def lost(self, lane: str, job: PartJob | None = None) -> None:
        """Take note that a worker has forgotten all, and its job, if it had one, was not done."""
        self._equipped.discard(lane)
        self._parts.lost(lane, job)
