"""Checkpoints: a solver's transposition table in a file, for a later run to continue. Layout: see `save`.

An entry has one half of a key; of the other half only the bucket is known. In a table of another size this may leave
several buckets. The entry is put into each of them: one finds it, and new positions replace the others.
"""

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
from .table import BUCKET, BUCKET_WORDS, INFINITE, LEAF, MAX_BUCKETS, NUMBER_BITS, TABLE, WORDS, bucket_of, replace

MAGIC: Final = b"gtp-capture solver table 2\n"
RECORD_WORDS: Final = 1 + WORDS
"""64-bit words of an entry in a file: the index of its bucket, and the entry."""
CHUNK: Final = 1 << 20
"""Entries written or read at a time."""


class CheckpointError(ValueError):
    """The file is not a checkpoint for this solver; the message gives the reason."""


@kernel(TABLE, numba.uint64[:, ::1], numba.uint64)
def restore(table: Any, records: Any, buckets: Any) -> None:
    """Store the entries of a table of `buckets` buckets in a table of any size."""
    high_half, one = np.uint64(32), np.uint64(1)
    for i in range(records.shape[0]):
        bucket, value = records[i, 0], records[i, 2]
        # The least and the greatest low half of a key that leads to this bucket, see `bucket_of`.
        least = ((bucket << high_half) + buckets - one) // buckets
        greatest = ((bucket + one << high_half) + buckets - one) // buckets - one
        for start in range(bucket_of(table, least), bucket_of(table, greatest) + 1, BUCKET_WORDS):
            replace(table, start, records[i, 1] ^ value, value)


def save(solver: Solver, path: Path) -> None:
    """Write the table: MAGIC, a line of JSON with width, height and buckets, then the entries of searched positions.

    The file is replaced when the new one is whole. OSError: it cannot be written.
    """
    entries = solver.table.reshape(-1, WORDS)
    with atomic_write(path) as file:
        file.write(MAGIC + json.dumps([solver.width, solver.height, len(entries) // BUCKET]).encode() + b"\n")
        for start in range(0, len(entries), CHUNK):
            part = entries[start : start + CHUNK]
            kept = np.flatnonzero(part[:, 1] >> np.uint64(2 * NUMBER_BITS) > LEAF)
            buckets = (start + kept).astype(np.uint64) // np.uint64(BUCKET)
            file.write(np.column_stack([buckets, part[kept]]).tobytes())


def load(solver: Solver, path: Path) -> int:
    """Fill a solver's table; return the number of entries, whose numbers are not verified.

    CheckpointError: another board, or not a checkpoint. UnreadableError: not a regular file, or it cannot be opened.
    OSError: it cannot be read.
    """
    with open_regular(path) as file:
        magic = file.readline(len(MAGIC))
        if magic != MAGIC:
            other = magic[:-2] == MAGIC[:-2]
            raise CheckpointError(f"{path.name} is {'from another version' if other else 'not a checkpoint'}")
        buckets = _buckets(file.readline(100), solver)
        if buckets is None:
            raise CheckpointError(f"{path.name} is not for a {solver.width}x{solver.height} board")
        record, count = 8 * RECORD_WORDS, 0
        while data := file.read(CHUNK * record):
            records = np.frombuffer(data[: len(data) // record * record], np.uint64).reshape(-1, RECORD_WORDS)
            if not (_plausible(records[:, 2]) and np.all(records[:, 0] < buckets)):
                raise CheckpointError(f"{path.name} is damaged: it has numbers that no search produces")
            restore(solver.table, records.copy(), buckets)
            count += len(records)
    return count


def _buckets(line: bytes, solver: Solver) -> int | None:
    """Return the buckets of the table in a file; None if its line of JSON is not for this solver's board."""
    try:
        width, height, buckets = json.loads(line)
    except (ValueError, TypeError):
        return None
    fits = [width, height] == [solver.width, solver.height] and type(buckets) is int and 0 < buckets <= MAX_BUCKETS
    return buckets if fits else None


def _plausible(values: Any) -> bool:
    """Return whether a search can have stored these: in a result, one number is infinite and the other is 0."""
    mask = np.uint64(INFINITE)
    pn, dn = values & mask, values >> np.uint64(NUMBER_BITS) & mask
    effort = values >> np.uint64(2 * NUMBER_BITS)
    known = ((pn == 0) & (dn == mask)) | ((pn == mask) & (dn == 0))
    unknown = (pn > 0) & (pn < mask) & (dn > 0) & (dn < mask)
    return bool(np.all((known | unknown) & (effort >= 1) & (effort <= 63)))
