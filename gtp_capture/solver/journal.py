"""Journals: the numbers of large subtrees that a search stores, to be stored in the tables of other processes too.

Numbers of subtrees that are not decided pay too: with them, two workers search 1.2 times the nodes of one, without them
1.3 (geometric means of nine boards).
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import inner, kernel
from .table import TABLE, store

JOURNAL: Final = numba.uint64[:, ::1]
COLUMNS: Final = 5
"""Of a row: the two halves of the key, pn, dn, and the nodes that they cost. The first row: see `new_journal`."""
NEVER: Final = 1 << 62


def new_journal(rows: int, least: int = NEVER) -> Any:
    """Return an empty journal of subtrees that cost at least so many nodes.

    Its first row has this number and the number of rows that are filled.
    """
    journal = np.zeros((rows + 1, COLUMNS), np.uint64)
    journal[0, 0] = least
    return journal


@inner
def note(journal: Any, low: Any, high: Any, pn: int, dn: int, nodes: int) -> None:
    """Note numbers that are stored in the table. If the journal is full, the subtrees that cost least are dropped."""
    row: Any = np.int64(journal[0, 1]) + 1
    if row == journal.shape[0]:
        row = np.int64(1)
        journal[0, 0] *= np.uint64(2)
        for i in range(1, journal.shape[0]):
            if journal[i, 4] >= journal[0, 0]:
                for column in range(COLUMNS):
                    journal[row, column] = journal[i, column]
                row += 1
        journal[0, 1] = np.uint64(row - 1)
    if row < journal.shape[0]:
        journal[0, 1] = np.uint64(row)
        journal[row, 0], journal[row, 1] = low, high
        journal[row, 2], journal[row, 3], journal[row, 4] = np.uint64(pn), np.uint64(dn), np.uint64(nodes)


@kernel(TABLE, JOURNAL)
def store_all(table: Any, rows: Any) -> None:
    """Store the numbers of another process in a table; `rows` are those of a journal without the first."""
    for i in range(rows.shape[0]):
        pn: Any = np.int64(rows[i, 2])
        dn: Any = np.int64(rows[i, 3])
        nodes: Any = np.int64(rows[i, 4])
        store(table, rows[i, 0], rows[i, 1], pn, dn, nodes)


def taken(journal: Any, most: int, least: int) -> Any:
    """Return at most so many rows of a journal, those that cost most, and empty it, with a new `least` cost."""
    rows = journal[1 : int(journal[0, 1]) + 1]
    if most == 0:
        rows = rows[:0]
    elif len(rows) > most:
        rows = rows[np.argpartition(rows[:, 4], len(rows) - most)[len(rows) - most :]]
    journal[0, :2] = least, 0
    return rows.copy()


class News:
    """The last numbers of all processes, to be sent to each of them once."""

    def __init__(self, capacity: int) -> None:
        """Keep at least this number of rows, once there are so many."""
        self._rows = np.zeros((2 * capacity, COLUMNS), np.uint64)
        self._capacity, self._filled, self.end = capacity, 0, 0

    def add(self, rows: Any) -> None:
        """Add the rows of a journal; older ones are dropped if there are too many."""
        rows = rows[: self._capacity]
        if self._filled + len(rows) > len(self._rows):
            self._rows[: self._capacity] = self._rows[self._filled - self._capacity : self._filled]
            self._filled = self._capacity
        self._rows[self._filled : self._filled + len(rows)] = rows
        self._filled += len(rows)
        self.end += len(rows)

    def since(self, end: int) -> Any:
        """Return the rows that were added since there were `end` of them, as far as they are kept."""
        return self._rows[self._filled - min(self._filled, self.end - end) : self._filled].copy()
