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

from ...util.lanes import HERE, Lane, MakeLanes, run_on_lanes
from ...util.limit import Limit
from ..solver import Solver
from .part_job import Known, Means, PartJob, Written, perform, work
from .parts import Parts


def write_parts(parts: Parts, solver: Solver) -> None:
    """Write all parts with this solver.

    OSError: a file cannot be written. ProofError: the table is wrong.
    """
    known, here = Known(), Lane(HERE, 0)
    while (job := parts.job(here)) is not None:
        written = perform(solver, job, known, Limit(), lambda choices: parts.watch(parts.choices + choices))
        parts.take(here, job, written)


class Crew(NamedTuple):
    """Workers to write parts."""

    make_lanes: MakeLanes
    size: tuple[int, int]
    """Width and height."""
    memory: int
    """Bytes of the table of each process."""
    threads: int
    """Of each worker, as in its search: a process keeps the table for the same number."""
    verdicts: Any
    """Decided positions for the tables, see `verdicts`."""

    def means(self, proof: str, lane: Lane) -> Means:
        """Return the means of a worker for a proof of this name."""
        return Means((proof, *lane), self.size, self.memory, self.threads, self.verdicts)


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
        self._parts, self._crew, self._proof = parts, crew, uuid.uuid4().hex
        self._lanes: Collection[Lane] = ()
        self._equipped: set[str] = set()
        """The processes that have the verdicts."""

    def welcome(self, lanes: Collection[Lane]) -> None:
        """Take note of the lanes there are now; a process that is gone has forgotten all."""
        for lane in self._lanes:
            if lane not in lanes:
                self._parts.forgot(lane)
        self._lanes = lanes
        self._equipped &= {lane.place for lane in lanes}
        self._parts.workers = max(1, len(lanes))

    def left(self) -> bool:
        """Return whether there are positions that no part proves yet."""
        return self._parts.left()

    def job(self, lane: Lane) -> PartJob | None:
        """Return the next part for a lane, with the verdicts for a new process."""
        job = self._parts.job(lane)
        if job is None:
            return None
        means = self._crew.means(self._proof, lane)
        if lane.place in self._equipped:
            means = replace(means, verdicts=None)
        self._equipped.add(lane.place)
        return replace(job, means=means)

    def take(self, lane: Lane, job: PartJob, result: Written | None) -> None:
        """Write a part to its file."""
        self._parts.take(lane, job, result)

    def lost(self, lane: Lane, job: PartJob) -> None:
        """Take note that a lane is gone: its job was not done."""
        self._parts.lost(lane, job)
