"""The log of a run of `solve`, from which a later run goes on if this one is stopped or killed.

The file is gzipped. It has a line of JSON with FORMAT, the subject, the totals of all runs and the results of
positions, then the entries of the transposition table that cost most, each as its place and its words. It is replaced
as a whole, at most once in SAVE_SECONDS, so a killed run loses no more than this time. The checksum of gzip finds
damage. The entries are not verified: a result rests on the log until a proof is written and checked.
"""

from __future__ import annotations

import errno
import gzip
import json
import os
import time
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
from filelock import FileLock, Timeout

from ..util.atomic_file import atomic_write
from ..util.files import RequestError, UnreadableError, open_regular
from .table import ENTRY_WORDS, LEAF, effort_of

FORMAT: Final = "gtp-capture solve log 1"
SAVE_SECONDS: Final = 60.0
SHARE: Final = 0.02
"""Maximum part of the time that saving takes; so a large table is saved less often."""
ENTRIES: Final = 100_000
"""Maximum entries of the table in a log."""
MOST_BYTES: Final = 1 << 26
"""Maximum bytes of a log, unpacked."""
CHUNK: Final = 1 << 20
"""Words of the table that are read at a time."""


class Log:
    """A log in a file, which is locked until `close`."""

    def __init__(self, path: Path, about: dict[str, Any], table: Any = None) -> None:
        """Lock the file and read it, if it exists; store its entries in the table.

        RequestError: another run uses it, it cannot be read, it is damaged, or it is about something else.
        """
        self.path, self._about, self._table = path, about, table
        self.nodes, self.seconds = 0, 0.0
        """Nodes and seconds of earlier runs."""
        self.results: list[dict[str, Any]] = []
        """Results of positions, to which a run adds its own; `save` writes all."""
        self.resumed = False
        """Whether an earlier run has written the file."""
        self.failure: OSError | None = None
        """Why the last `save` failed; None if it succeeded."""
        self._began = self._saved = time.monotonic()
        self._pause = SAVE_SECONDS
        self._lock = FileLock(f"{path}.lock")
        try:
            if not path.parent.is_dir():  # the lock would create it
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self._lock.acquire(timeout=0)
            if path.exists():
                self._read()
        except (UnreadableError, RequestError) as error:
            self._lock.release()
            raise error if isinstance(error, RequestError) else RequestError(f"{path}: {error}") from None
        except Timeout:
            raise RequestError(f"{path} is in use by another run") from None
        except (OSError, NotImplementedError) as error:
            raise RequestError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

    def close(self, nodes: int = 0) -> None:
        """Save, after a number of nodes of this run, and unlock the file."""
        self.save(nodes)
        self._lock.release()

    def update(self, nodes: int) -> None:
        """Save if the last time is long enough ago; called after each slice of a search with the nodes of this run."""
        if time.monotonic() - self._saved >= self._pause:
            self.save(nodes)

    def save(self, nodes: int) -> None:
        """Write the file, after a number of nodes of this run. A failure is kept: a full disk may have space later."""
        began = time.monotonic()
        totals = {"nodes": self.nodes + nodes, "seconds": round(self.seconds + began - self._began, 3)}
        header = {"format": FORMAT, **self._about, **totals, "results": self.results}
        try:
            with atomic_write(self.path) as raw, gzip.GzipFile("", "wb", 6, raw, 0) as file:
                file.write(json.dumps(header).encode() + b"\n")
                if self._table is not None:
                    file.write(largest_entries(self._table).astype("<u8").tobytes())
            self.failure = None
        except OSError as error:
            self.failure = error
        self._saved = time.monotonic()
        self._pause = max(SAVE_SECONDS, (self._saved - began) / SHARE)

    def _read(self) -> None:
        """Read the file. RequestError: it is damaged, or about something else."""
        try:
            with open_regular(self.path) as raw, gzip.GzipFile(fileobj=raw, mode="rb") as file:
                line, _, rest = file.read(MOST_BYTES).partition(b"\n")
                whole = not file.read(1)
            header = json.loads(line)
            self.nodes, self.seconds, self.results = int(header["nodes"]), float(header["seconds"]), header["results"]
            entries = np.frombuffer(rest, "<u8").reshape(-1, 1 + ENTRY_WORDS).astype(np.uint64)
            if header["format"] != FORMAT or not whole or not isinstance(self.results, list):
                raise ValueError
        except gzip.BadGzipFile as error:
            if "CRC" not in str(error):
                raise RequestError(f"{self.path} is not a log of solve") from None
            raise self.damaged() from None
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, RecursionError):
            raise self.damaged() from None
        for name, ours in self._about.items():
            if header.get(name) != ours:
                raise RequestError(f"{self.path} is the log of another run: {name} is {header.get(name)}, not {ours}")
        if self._table is not None:
            places = entries[:, 0]
            if np.any(places % ENTRY_WORDS != 0) or np.any(places >= self._table.size):
                raise self.damaged()
            for i in range(ENTRY_WORDS):
                self._table[places.astype(np.int64) + i] = entries[:, 1 + i]
        self.resumed = True

    def damaged(self) -> RequestError:
        """Return the error for a file whose contents no run can have written."""
        return RequestError(f"{self.path} is damaged: delete it, and solve again")


def largest_entries(table: Any) -> Any:
    """Return the ENTRIES entries of a table that cost most: [entry, 1 + ENTRY_WORDS], the place and words of each."""
    counts = np.zeros(256, np.int64)
    for start in range(0, table.size, CHUNK):
        counts += np.bincount(_efforts(table, start), minlength=256)
    least = int(np.argmax(np.cumsum(counts[::-1])[::-1] <= ENTRIES))  # the entries of this effort and more fit
    chunks = [np.zeros((0, 1 + ENTRY_WORDS), np.uint64)]
    for start in range(0, table.size, CHUNK):
        places = start + ENTRY_WORDS * np.flatnonzero(_efforts(table, start) >= max(least, LEAF + 1))
        words = [table[places + i] for i in range(ENTRY_WORDS)]
        chunks.append(np.stack([places.astype(np.uint64), *words], 1))
    return np.concatenate(chunks)[:ENTRIES]  # a search may have added some meanwhile


def _efforts(table: Any, start: int) -> Any:
    """Return the efforts of the entries in a chunk of a table."""
    return effort_of(table[start + 1 : start + CHUNK : ENTRY_WORDS])
