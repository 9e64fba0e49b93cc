"""Checkpoints: a log of the largest results of a search, from which a later run goes on.

A result is a position's pn and dn, decided or not, and the nodes that they cost. The threads of a search note each
result that cost at least one SHARE-th of all nodes so far; after each slice the results go to the log. A later run
stores them in its table, which may be of another size, and searches again from the root: it comes to the same positions
as before, and what was less than a SHARE-th is lost. The search itself is the same with a checkpoint and without.

Logs of the search in jobs, which earlier versions made, have other records: the result of a job is the position with
its pn and dn, and those of its children. They are read too, and new records follow the old ones.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go.vertex import BLACK, opponent
from ..jit.kernel import kernel
from .bitboard import SYMMETRIES
from .dfpn import damped_sum, damping_of
from .log import Log, LogError
from .result import Stones
from .solver import Solver
from .table import INFINITE, TABLE, salt, store

SHARE: Final = 20_000
LEAST_NODES: Final = 1_000
"""Nodes of a result at the beginning, so that a short search does not write much."""
RECORD_ROWS: Final = 500
"""Results of a record, so that its line is not too long."""
OLD_NODES: Final = 1 << 20
"""What a position of an old log is said to have cost at least: so much that it stays in a table that is full."""
MOST_NODES: Final = 1 << 50


class Row(NamedTuple):
    """A result."""

    key: str
    """The key in the table, 32 hexadecimal digits."""
    pn: int
    dn: int
    nodes: int


class Checkpoint:
    """The log of a solver's search, in a file that is locked until `close`."""

    def __init__(self, solver: Solver, path: Path, about: dict[str, Any], root: tuple[Stones, int]) -> None:
        """Store the results of the file, if it exists, in the solver's table; from now on, results go to the file.

        `about`: the header; `root`: the stones and the side to move, for old logs. LogError: it cannot be used; it is
        as it was.
        """
        self._solver, self.path = solver, path
        self.nodes, self.seconds = 0, 0.0
        """Of earlier runs."""
        self.resumed = False
        """Whether the table has results of earlier runs."""
        self.failure: LogError | None = None
        """Why results could not be written, if the last ones could not; they are written with the next ones."""
        self._waiting: list[Row] = []
        """Results that are not written yet."""
        self._written = 0
        """Nodes of this run in the last record."""
        self._began, self._lock = time.monotonic(), threading.Lock()
        self._log = Log(path, about)
        try:
            self._resume(OldLog(solver, *root))
            self._log.begin()
        except BaseException:
            self._log.close()
            raise
        solver.keep_results(self._keep, self._least(0))

    def close(self) -> None:
        """Write the total of nodes and seconds, and unlock the file."""
        self._solver.keep_results(None)
        if self._solver.nodes > 0:
            self._write(self._solver.nodes)
        self._log.close()

    def _resume(self, old: OldLog) -> None:
        """Read the log. LogError: it is damaged, or another file."""
        rows: list[Row] = []
        try:
            for record in self._log.records():
                if "job" in record:
                    self.nodes += old.add(record)
                    continue
                rows += (row_of(each) for each in record["rows"])
                self.nodes, self.seconds = _number(record["nodes"]), float(record["seconds"])
            rows = [*old.rows(), *rows]
        except LogError:
            raise
        except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
            reason = str(error) if type(error) is ValueError else "a record is not one of a search"
            raise LogError(f"{self.path} is damaged: {reason}") from None
        self.resumed = bool(rows)
        store_rows(self._solver.table, rows)

    def _least(self, nodes: int) -> int:
        """Return the nodes of a result to note, after so many nodes of this run."""
        return max(LEAST_NODES, (self.nodes + nodes) // SHARE)

    def _keep(self, journal: Any, nodes: int) -> int:
        """Write the results of a slice, after so many nodes of this run; return the nodes of a result to note next."""
        filled = int(journal.filled)
        if filled:
            columns = (journal[name][:filled].tolist() for name in ("low", "high", "pn", "dn", "nodes"))
            rows = [Row(f"{high:016x}{low:016x}", *numbers) for low, high, *numbers in zip(*columns, strict=True)]
            with self._lock:
                self._waiting += rows
                self._write(nodes)
        return self._least(nodes)

    def _write(self, nodes: int) -> None:
        """Write what waits, at least the totals. A failure is kept: a full disk may have space later."""
        pn, dn = self._solver.numbers
        self._written = max(nodes, self._written)  # another thread may have counted later, and written first
        seconds = round(self.seconds + time.monotonic() - self._began, 3)
        totals = {"nodes": self.nodes + self._written, "seconds": seconds, "pn": pn, "dn": dn}
        try:
            while True:
                rows = self._waiting[:RECORD_ROWS]
                self._log.append({**totals, "rows": [row._asdict() for row in rows]})
                self._waiting = self._waiting[RECORD_ROWS:]
                if not self._waiting:
                    break
            self.failure = None
        except LogError as error:
            self.failure = error


def row_of(record: dict[str, Any]) -> Row:
    """Return a result of a record. ValueError: it is none that a search stores."""
    row = Row(**record)
    if type(row.key) is not str or len(row.key) != 32 or not row.key.isascii() or not row.key.isalnum():
        raise ValueError("a result has no key")
    int(row.key, 16)
    _check(_number(row.pn), _number(row.dn))
    if _number(row.nodes) > MOST_NODES:
        raise ValueError("a result has too many nodes")
    return row


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("a record has something else than a number")
    return value


def _check(pn: int, dn: int) -> None:
    """ValueError: a search stores no such numbers: if one is 0, the other is infinite."""
    if not (0 < pn < INFINITE and 0 < dn < INFINITE) and {pn, dn} != {0, INFINITE}:
        raise ValueError("it has numbers that no search produces")


def store_rows(table: Any, rows: Iterable[Row]) -> None:
    """Store results in a table, in this order."""
    numbers = np.array(
        [(int(row.key[16:], 16), int(row.key[:16], 16), row.pn, row.dn, row.nodes) for row in rows], np.uint64
    )
    store_all(table, numbers.reshape(-1, 5))


@kernel(TABLE, numba.uint64[:, ::1])
def store_all(table: Any, rows: Any) -> None:
    """Store results [rows, 5]: the halves of the key, pn, dn, nodes."""
    for i in range(rows.shape[0]):
        pn: Any = np.int64(rows[i, 2])
        dn: Any = np.int64(rows[i, 3])
        nodes: Any = np.int64(rows[i, 4])
        store(table, rows[i, 0], rows[i, 1], pn, dn, nodes)


class OldLog:
    """The results in a log of the search in jobs, as they were in its tree of positions."""

    def __init__(self, solver: Solver, stones: Stones, color: int) -> None:
        """Begin with the root: its stones and the side to move."""
        self._keys, self._points = solver.zobrist.keys, solver.width * solver.height
        self._damping = damping_of(solver.width, solver.height)
        self._color, self._root_stones = color, (stones[0] | stones[1]).bit_count()
        self._jobs: set[int] = set()
        self._rows: dict[str, Row] = {}
        self._searched: set[str] = set()
        """The positions of jobs; the numbers of others are from the jobs above them."""
        self._children: dict[str, tuple[int, list[str]]] = {}
        """The number of stones, and the children, of expanded positions."""

    def add(self, record: dict[str, Any]) -> int:
        """Add the result of a job; return its nodes. ValueError: it is malformed, or contradicts another one."""
        if (job := _number(record["job"])) in self._jobs:
            raise ValueError(f"job {job} is there twice")
        self._jobs.add(job)
        stones = int(record["black"], 16), int(record["white"], 16)
        occupied, children = stones[0] | stones[1], {_number(c[0]): (c[1], c[2]) for c in record["children"]}
        on_board = all(i < self._points and not occupied >> i & 1 for i in children)
        if stones[0] & stones[1] or occupied >> self._points or not on_board or type(record["expand"]) is not bool:
            raise ValueError(f"job {job} has no position of this board")
        color = self._color if (occupied.bit_count() - self._root_stones) % 2 == 0 else opponent(self._color)
        hashes = self._hashes(stones)
        key = _key(hashes, color - BLACK)
        self._set(key, record["pn"], record["dn"], _number(record["nodes"]))
        self._searched.add(key)
        below = {i: _key(hashes ^ self._keys[color - BLACK, i], opponent(color) - BLACK) for i in children}
        for i, child in below.items():
            if child not in self._searched or 0 in children[i]:
                self._set(child, *children[i], 0)
        if record["expand"]:
            self._children[key] = occupied.bit_count(), list(below.values())
        return _number(record["nodes"])

    def rows(self) -> list[Row]:
        """Return all results; those of expanded positions follow from their children."""
        found = self._rows
        for key, (_, children) in sorted(self._children.items(), key=lambda item: -item[1][0]):
            below = [found[child] for child in children]
            dn = damped_sum(sum(row.pn for row in below), max(row.pn for row in below), self._damping)
            if all(row.dn > 0 for row in below) and found[key].pn > 0 and dn < INFINITE - 1:
                found[key] = found[key]._replace(pn=min(row.dn for row in below), dn=max(1, int(dn)))
        return list(found.values())

    def _set(self, key: str, pn: Any, dn: Any, nodes: int) -> None:
        """Enter the numbers of a position. ValueError: they are malformed, or it is decided otherwise already."""
        _check(_number(pn), _number(dn))
        before = self._rows.get(key, Row(key, 1, 1, OLD_NODES))
        if 0 not in (before.pn, before.dn):
            self._rows[key] = Row(key, pn, dn, min(MOST_NODES, before.nodes + nodes))
        elif 0 in (pn, dn) and (pn, dn) != (before.pn, before.dn):
            raise ValueError("two results contradict each other")

    def _hashes(self, stones: Stones) -> Any:
        """Return the keys of a position's images, see `bitboard.zobrist_keys`."""
        points = [[i for i in range(self._points) if bits >> i & 1] for bits in stones]
        added = [self._keys[side, indices] for side, indices in enumerate(points)]
        return np.bitwise_xor.reduce(np.concatenate(added), axis=0)


def _key(hashes: Any, side: int) -> str:
    """Return the key of a position in the table, see `Row`."""
    best = int(hashes[:SYMMETRIES].argmin())
    mixed = int(salt(side, 0, 0))
    return f"{int(hashes[SYMMETRIES + best]) ^ mixed:016x}{int(hashes[best]) ^ mixed:016x}"
