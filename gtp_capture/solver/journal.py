"""Journals: the results of large subtrees that a search stores, to be stored in the tables of other workers too."""

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
    """Return an empty journal of results that cost at least so many nodes.

    Its first row has this number and the number of rows that are filled; when all are filled, nothing more is noted.
    """
    journal = np.zeros((rows + 1, COLUMNS), np.uint64)
    journal[0, 0] = least
    return journal


@inner
def note(journal: Any, low: Any, high: Any, pn: int, dn: int, nodes: int) -> None:
    """Note numbers that are stored in the table."""
    row = np.int64(journal[0, 1]) + 1
    if (pn == 0 or dn == 0) and row < journal.shape[0]:
        journal[0, 1] = np.uint64(row)
        journal[row, 0], journal[row, 1] = low, high
        journal[row, 2], journal[row, 3], journal[row, 4] = np.uint64(pn), np.uint64(dn), np.uint64(nodes)


@kernel(TABLE, JOURNAL)
def store_all(table: Any, rows: Any) -> None:
    """Store the results of another worker in a table; `rows` are those of a journal without the first."""
    for i in range(rows.shape[0]):
        pn: Any = np.int64(rows[i, 2])
        dn: Any = np.int64(rows[i, 3])
        nodes: Any = np.int64(rows[i, 4])
        store(table, rows[i, 0], rows[i, 1], pn, dn, nodes)


def taken(journal: Any, most: int) -> Any:
    """Empty a journal; return its rows, at most so many, those that cost most."""
    rows = journal[1 : int(journal[0, 1]) + 1]
    if len(rows) > most:
        rows = rows[np.argpartition(rows[:, 4], len(rows) - most)[len(rows) - most :]]
    journal[0, 1] = 0
    return rows.copy()
