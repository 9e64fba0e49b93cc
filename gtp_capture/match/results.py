"""The results file of a match: a table in the format of gogui-analyze, with rows that are appended atomically.

A row contains the whole game; the SGF files are made from the rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ..util.atomic_file import atomic_write
from ..util.files import RequestError, UnreadableError, escaped, read_bounded, write_whole
from .process import one_line
from .referee import Conditions
from .rows import COLUMNS, NONE, Row, to_sgf

TITLE: Final = "#" + "\t".join(COLUMNS)
"""The line with the names of the columns."""
MOST_BYTES: Final = 2_000_000_000
"""Maximum size of a results file; a row has some thousand bytes."""
MAX_MESSAGE: Final = 300
"""Characters of a message about a row; it may quote the row."""


VOLATILE: Final = frozenset({"Date", "Host"})
"""Names of properties that may differ when resuming."""


@dataclass(slots=True)
class Results:
    """The rows of a match, in memory and optionally in a file, which is locked until `close`."""

    path: Path | None
    properties: dict[str, str]
    """Header properties; resuming requires them to match."""
    check: Callable[[Row], None] = lambda row: None
    """Called for each row of the file; raises ValueError if it cannot be a game of this match."""
    rows: dict[int, Row] = field(default_factory=dict)
    _lock: FileLock | None = None
    _known: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def open(self, resume: bool) -> None:
        """Create the file, or read its rows. RequestError: it exists without `resume`, or holds another match."""
        if self.path is None:
            return
        if not self.path.parent.is_dir():  # FileLock would make it
            raise RequestError(f"{self.path}: no such folder")
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self._lock.acquire(timeout=0)
            data = read_bounded(self.path, MOST_BYTES) if self.path.exists() else b""
            if data and not resume:
                raise RequestError(f"{self.path} exists: use --resume to continue it")
            self._read(data)
        except Timeout:
            raise RequestError(f"another match is writing {self.path}") from None
        except UnreadableError as error:
            raise RequestError(f"{self.path}: {error}") from None
        except OSError as error:
            raise RequestError(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Release the lock on the file."""
        if self._lock is not None:
            self._lock.release()

    def add(self, row: Row) -> Row:
        """Add a row, and return it with DUP filled in. RequestError: it cannot be written."""
        row = replace(row, dup=self._duplicate(row))
        if self.path is not None:
            _append(self.path, row.line().encode())
        self._remember(row)
        return row

    def _remember(self, row: Row) -> None:
        self.rows[row.game] = row
        if row.faulty == NONE:
            self._known.setdefault(row.plays, row.game)

    def _duplicate(self, row: Row) -> str:
        """The number of an earlier game with the same moves, or -; games with a fault are never duplicates."""
        return str(self._known.get(row.plays, NONE)) if row.faulty == NONE else NONE

    def _read(self, data: bytes) -> None:
        assert self.path is not None
        # A killed process may leave an unfinished last line, or a header without its end and thus without games.
        whole = data[: data.rfind(b"\n") + 1]
        lines = [self._decoded(number, line) for number, line in enumerate(whole.split(b"\n")[:-1], 1)]
        if TITLE not in lines:
            if not self._is_partial_header(data):
                raise RequestError(f"{self.path} is not a results file of a match")
            _write(self.path, self._header())
            return
        title = lines.index(TITLE)
        self._compare(self._properties(lines[:title]))
        for number, line in enumerate(lines[title + 1 :], title + 2):
            try:
                self._take(Row.parse(line))
            except ValueError as error:
                raise RequestError(f"{self.path}:{number} is not a valid row: {str(error)[:MAX_MESSAGE]}") from None
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))

    def _decoded(self, number: int, line: bytes) -> str:
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            raise RequestError(f"{self.path}:{number} is not UTF-8") from None

    def _take(self, row: Row) -> None:
        """Check and add a row of the file. ValueError: it is not a valid row of this match."""
        if row.game in self.rows:
            raise ValueError(f"game {row.game} is there twice")
        self.check(row)
        self._remember(row)

    def _properties(self, lines: list[str]) -> dict[str, str]:
        """Parse the properties above the table; the last of the lines is an empty comment."""
        found: dict[str, str] = {}
        for number, line in enumerate(lines, 1):
            name, colon, value = line.removeprefix("# ").partition(":")
            last = number == len(lines)
            if (line != "#") if last else (not line.startswith("# ") or not colon or name in found):
                raise RequestError(f"{self.path}:{number} is not a property of a match")
            if not last:
                found[name] = value.strip()
        return found

    def _is_partial_header(self, data: bytes) -> bool:
        """Whether data is the beginning of our header, as a killed process may leave it."""
        ours, theirs = self._header().split(b"\n"), data.split(b"\n")
        free = tuple(f"# {name}:".encode() for name in VOLATILE)
        last = len(theirs) - 1
        if last >= len(ours) or not (ours[last].startswith(theirs[last]) or theirs[last].startswith(free)):
            return False
        whole = zip(ours, theirs[:last], strict=False)
        return all(a == b or (a.startswith(free) and b.startswith(free)) for a, b in whole)

    def _compare(self, theirs: dict[str, str]) -> None:
        for name in sorted((self.properties.keys() | theirs.keys()) - VOLATILE):
            was, now = theirs.get(name, "nothing"), one_line(self.properties.get(name, "nothing"))
            if was != now:
                raise RequestError(f"{self.path} holds another match: {escaped(f'{name} is {was}, not {now}')}")

    def _header(self) -> bytes:
        """The lines above the rows."""
        properties = [f"# {name}: {one_line(value)}" for name, value in sorted(self.properties.items())]
        return "\n".join([*properties, "#", TITLE, ""]).encode()


def sgf_file(folder: Path, game: int) -> Path:
    """Return the SGF file of a game."""
    return folder / f"game-{game:05}.sgf"


def check_sgf(folder: Path, games: Iterable[int], rows: Mapping[int, Row], conditions: Conditions) -> None:
    """Check that the SGF files of these games are not those of another match. RequestError: one is, or is unreadable.

    `rows` has the games that were played.
    """
    try:
        for game in games:
            path = sgf_file(folder, game)
            if path.exists() and (game not in rows or not _holds(path, to_sgf(rows[game], conditions))):
                raise RequestError(f"{path} is of another match: give an empty or new folder")
    except OSError as error:
        raise RequestError(f"{folder}: {error.strerror}") from None


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file can be read and has this content."""
    try:
        return read_bounded(path, len(data)) == data
    except UnreadableError:
        return False


def write_sgf(folder: Path, rows: Iterable[Row], conditions: Conditions) -> None:
    """Write the SGF files of games that have none yet. RequestError: one cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            path = sgf_file(folder, row.game)
            if not path.exists():
                _write(path, to_sgf(row, conditions))
    except OSError as error:
        raise RequestError(f"{folder}: {error.strerror}") from None


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as file:
        file.write(data)


def _append(path: Path, line: bytes) -> None:
    """Append a line with a single write, and sync it to disk."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            end = os.fstat(descriptor).st_size
            try:
                write_whole(descriptor, line)
            except OSError:
                os.ftruncate(descriptor, end)
                raise
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror}") from None
