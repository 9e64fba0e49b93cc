"""What a solver has found, in a file, so that a run survives being killed and goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np

from ..jit.kernel import kernel
from ..util.atomic_file import atomic_write
from ..util.files import open_regular
from .dfpn import INFINITE, NUMBER_BITS, TABLE, WORDS, effort_of, store, unpack
from .solver import Solver

MAGIC: Final = b"gtp-capture solver table 1\n"
CHUNK: Final = 1 << 20
"""Entries written or read at a time."""


class CheckpointError(ValueError):
    """This file holds nothing that this solver could go on from; the message says why."""


@kernel(TABLE, numba.uint64[:, ::1])
def restore(table: Any, entries: Any) -> None:
    """Put stored entries into a table of any size."""
    for i in range(entries.shape[0]):
        value = entries[i, 2]
        prove, disprove = unpack(value)
        store(table, entries[i, 0] ^ value, entries[i, 1] ^ value, prove, disprove, 1 << (effort_of(value) - 1))


def save(solver: Solver, path: Path) -> None:
    """Write the table; the file that was there stays until the new one is whole. OSError: it cannot be written."""
    entries = solver.table.reshape(-1, WORDS)
    with atomic_write(path) as file:
        file.write(MAGIC + json.dumps([solver.width, solver.height]).encode() + b"\n")
        for start in range(0, len(entries), CHUNK):
            part = entries[start : start + CHUNK]
            file.write(part[part[:, 2] != 0].tobytes())


def load(solver: Solver, path: Path) -> int:
    """Fill a solver's table; the number of entries, whose numbers are taken on trust.

    CheckpointError: another board, or no such file at all. UnreadableError: no regular file, or it cannot be opened.
    OSError: it cannot be read.
    """
    with open_regular(path) as file:
        if file.readline(len(MAGIC)) != MAGIC:
            raise CheckpointError(f"{path.name} is no checkpoint")
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
                raise CheckpointError(f"{path.name} is damaged: it has numbers that no search gives")
            restore(solver.table, np.ascontiguousarray(entries).copy())
            count += len(entries)
    return count


def _plausible(values: Any) -> bool:
    """Whether a search may have stored these: a result is infinite on one side and 0 on the other."""
    mask = np.uint64(INFINITE)
    prove, disprove = values & mask, values >> np.uint64(NUMBER_BITS) & mask
    effort = values >> np.uint64(2 * NUMBER_BITS)
    known = ((prove == 0) & (disprove == mask)) | ((prove == mask) & (disprove == 0))
    unknown = (prove > 0) & (prove < mask) & (disprove > 0) & (disprove < mask)
    return bool(np.all((known | unknown) & (effort >= 1) & (effort <= 63)))
