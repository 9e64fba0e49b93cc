"""A search in jobs: the trunk chooses positions, workers search them, and each result goes to a log at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from typing import Any, Final

from ..util.lanes import Done, Lane, MakeLanes, first_done, run_on_lanes
from ..util.limit import Limit
from .job import ROWS, Answer, Job, work
from .journal import News
from .log import Log, LogError
from .result import UNKNOWN
from .trunk import Child, Finding, Node, Trunk, TrunkError

_NUMBERS: Final = ("job", "pn", "dn", "nodes")

NEWS_ROWS: Final = 8 * ROWS
"""Subtrees that are kept for the processes; one with a long job may miss some."""


class Search:
    """A search of a position, and of its first moves, by several workers."""

    def __init__(self, trunk: Trunk, memory: int, threads: int, log: Log | None = None) -> None:
        """Each process has a table of this memory, in bytes, and each of its workers this number of threads."""
        self.trunk, self._log, self._memory, self._threads = trunk, log, memory, threads
        self.watch: Callable[[int], None] = lambda nodes: None
        """Called with the nodes of all jobs after each job."""
        self.learn: Callable[[Any], object] | None = None
        """Called with the numbers of the largest subtrees of a job, see `journal`."""
        self._wait: Callable[[Done[Answer]], Future[Answer] | None] = first_done
        self._wanted: list[Node] = []
        """The nodes to decide."""
        self._limit = Limit()
        self._running: dict[int, Node] = {}
        """The leaves that workers search, by the numbers of the jobs."""
        self._next = 1
        self._places: dict[str, int] = {}
        """The number of each process with workers."""
        self._news = News(NEWS_ROWS)
        self._told: dict[str, int] = {}
        """For each process, how many of them it was sent."""

    def resume(self) -> None:
        """Read the log and begin to write to it. LogError: it cannot be used; it is as it was."""
        if self._log is None:
            return
        try:
            numbers: set[int] = set()
            for record in self._log.records():
                found, expand = parsed(record)
                if found.number in numbers:
                    raise ValueError(f"job {found.number} is there twice")
                numbers.add(found.number)
                self.trunk.record(found, expand)
        except LogError:
            raise
        except ValueError as error:
            raise LogError(f"{self._log.path} is damaged: {error}") from None
        self._log.begin()
        self._next = self.trunk.last + 1

    def run(self, targets: Iterable[Node], make_lanes: MakeLanes, limit: Limit) -> None:
        """Search until all these nodes are decided or the limit is reached.

        ExecutorError: no worker can be used. MemoryError: a worker cannot allocate its table. TrunkError: a worker
        returned a malformed result. LogError: the log cannot be written.
        """
        self._wanted, self._limit = list(targets), limit
        if self.left():
            with make_lanes() as lanes:
                run_on_lanes(lanes, work, self, self._wait)
        self._running.clear()

    def left(self) -> bool:
        """See `lanes.Work`."""
        self._wanted = [node for node in self._wanted if node.result == UNKNOWN]
        return bool(self._wanted) and not self._limit.expired()

    def progress(self) -> str:
        """Return the state of the search, for a progress display."""
        root = self.trunk.root
        return f"{self.trunk.jobs:,} jobs, to prove {root.pn:,}, to disprove {root.dn:,}"

    def job(self, lane: Lane) -> Job | None:
        """Return a job at the best leaf for a lane, with the news that its process lacks; see `lanes.Work`."""
        place = self._places[lane.place]
        leaf = self._choose(place)
        if leaf is None:
            return None
        self.trunk.enter(leaf, place)
        number = self._next
        self._next, self._running[number] = number + 1, leaf
        trunk, news = self.trunk, None
        several = len(self._places) > 1
        if several:
            news, self._told[lane.place] = self._news.since(self._told[lane.place]), self._news.end
        rows = ROWS // trunk.workers if several or self.learn is not None else 0
        means = self._memory, self._threads, news, rows
        size = trunk.width, trunk.height
        return Job(number, size, trunk.stones(leaf), trunk.to_move(leaf), trunk.budget(), *means)

    def _choose(self, place: int) -> Node | None:
        """Return the leaf that a process is to search; None if there is none."""
        for node in sorted(self._wanted, key=lambda node: min(node.pn, node.dn)):
            leaf = self.trunk.select(node, place)
            if leaf is not None:
                return leaf
        return None

    def take(self, lane: Lane, job: Job, answer: Answer) -> None:
        """Check a result, log it, and enter it into the trunk. TrunkError: it is not a result of this job."""
        if not isinstance(answer, Answer) or (answer.found.number, answer.found.stones) != (job.number, job.stones):
            raise TrunkError(f"a worker returned something else than the result of job {job.number}")
        found, trunk = answer.found, self.trunk
        trunk.check(found)
        trunk.leave(self._running.pop(job.number))
        expand = trunk.wants_expansion(found)
        trunk.record(found, expand)
        if self._log is not None:
            self._log.append(as_record(found, expand))
        if self.learn is not None:
            self.learn(answer.news)
        if len(self._places) > 1:
            self._news.add(answer.news)
        self.watch(trunk.nodes)

    def welcome(self, lanes: Collection[Lane]) -> None:
        """Take note which lanes there are now; the table of a process that is gone is lost."""
        places = dict.fromkeys(lane.place for lane in lanes)
        for place in self._places.keys() - places.keys():
            self.trunk.forget(self._places.pop(place))
            del self._told[place]
        for place in places:
            if place not in self._places:
                taken = self._places.values()
                self._places[place] = next(number for number in itertools.count() if number not in taken)
                self._told[place] = 0
        self.trunk.workers = max(1, len(lanes))

    def lost(self, lane: Lane, job: Job) -> None:
        """Take note that a lane is gone: the leaf of its job is free again."""
        self.trunk.leave(self._running.pop(job.number))


def as_record(found: Finding, expand: bool) -> dict[str, Any]:
    """Return a result as a record of the log; stones as hexadecimal numbers, bits as in `bitboard`."""
    children = [[child.index, child.pn, child.dn] for child in found.children]
    return {
        "job": found.number, "black": f"{found.stones[0]:x}", "white": f"{found.stones[1]:x}", "pn": found.pn,
        "dn": found.dn, "nodes": found.nodes, "seconds": round(found.seconds, 4), "expand": expand,
        "children": children,
    }  # fmt: skip


def parsed(record: dict[str, Any]) -> tuple[Finding, bool]:
    """Return the result in a record, and whether its leaf is expanded. ValueError: it is not a record of a result."""
    try:
        job, pn, dn, nodes = (record[name] for name in _NUMBERS)
        stones = int(record["black"], 16), int(record["white"], 16)
        children = tuple(Child(*numbers) for numbers in record["children"])
        seconds, expand = float(record["seconds"]), record["expand"]
    except (KeyError, TypeError, ValueError):
        raise ValueError("a record is not the result of a job") from None
    numbers = [job, pn, dn, nodes, *(n for child in children for n in (child.index, child.pn, child.dn))]
    if any(type(n) is not int for n in numbers) or type(expand) is not bool:
        raise ValueError("a record is not the result of a job")
    return Finding(job, stones, pn, dn, nodes, seconds, children), expand
