"""Checkpoints: a solver's transposition table in a file, for a later run to continue. Layout: see `save`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import kernel
from ..util.atomic_file import atomic_write
from ..util.files import open_regular
from .solver import Solver
from .table import INFINITE, NUMBER_BITS, TABLE, WORDS, effort_of, numbers_of, store

MAGIC: Final = b"gtp-capture solver table 1\n"
CHUNK: Final = 1 << 20
"""Entries written or read at a time."""


class CheckpointError(ValueError):
    """The file is not a checkpoint for this solver; the message gives the reason."""


@kernel(TABLE, numba.uint64[:, ::1])
def restore(table: Any, entries: Any) -> None:
    """Store the entries of a checkpoint in a table of any size."""
    for i in range(entries.shape[0]):
        value = entries[i, 2]
        pn, dn = numbers_of(value)
        store(table, entries[i, 0] ^ value, entries[i, 1] ^ value, pn, dn, 1 << (effort_of(value) - 1))


def save(solver: Solver, path: Path) -> None:
    """Write the table: MAGIC, a line of JSON with width and height, then the entries that are not empty, see `table`.

    The file is replaced when the new one is whole. OSError: it cannot be written.
    """
    entries = solver.table.reshape(-1, WORDS)
    with atomic_write(path) as file:
        file.write(MAGIC + json.dumps([solver.width, solver.height]).encode() + b"\n")
        for start in range(0, len(entries), CHUNK):
            part = entries[start : start + CHUNK]
            file.write(part[part[:, 2] != 0].tobytes())


def load(solver: Solver, path: Path) -> int:
    """Fill a solver's table; return the number of entries, whose numbers are not verified.

    CheckpointError: another board, or not a checkpoint. UnreadableError: not a regular file, or it cannot be opened.
    OSError: it cannot be read.
    """
    with open_regular(path) as file:
        if file.readline(len(MAGIC)) != MAGIC:
            raise CheckpointError(f"{path.name} is not a checkpoint")
        try:
            size = json.loads(file.readline(100))
        except ValueError:
            size = None
        if size != [solver.width, solver.height]:
            raise CheckpointError(f"{path.name} is not for a {solver.width}x{solver.height} board")
        entry, count = 8 * WORDS, 0
        while data := file.read(CHUNK * entry):
            entries = np.frombuffer(data[: len(data) // entry * entry], np.uint64).reshape(-1, WORDS)
            if not _plausible(entries[:, 2]):
                raise CheckpointError(f"{path.name} is damaged: it has numbers that no search produces")
            restore(solver.table, np.ascontiguousarray(entries).copy())
            count += len(entries)
    return count


def _plausible(values: Any) -> bool:
    """Return whether a search can have stored these: in a result, one number is infinite and the other is 0."""
    mask = np.uint64(INFINITE)
    pn, dn = values & mask, values >> np.uint64(NUMBER_BITS) & mask
    effort = values >> np.uint64(2 * NUMBER_BITS)
    known = ((pn == 0) & (dn == mask)) | ((pn == mask) & (dn == 0))
    unknown = (pn > 0) & (pn < mask) & (dn > 0) & (dn < mask)
    return bool(np.all((known | unknown) & (effort >= 1) & (effort <= 63)))
