"""The results of a match: a table that gogui-analyze reads, of which every row is written whole or not at all.

A row holds the whole game, so the SGF files are made from it and can be made again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from .referee import Conditions
from .rows import COLUMNS, NONE, Row, to_sgf
from .text import one_line

TITLE: Final = "#" + "\t".join(COLUMNS)
"""The line above the rows."""
LONGEST: Final = 300
"""Characters of a message about a row, which quotes what is in it."""


class ResultsError(Exception):
    """A results file cannot be used; the message says why, in one printable line."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


@dataclass(slots=True)
class Results:
    """The rows of a match, kept in a file where one is named. Close it, or others cannot use the file."""

    path: Path | None
    properties: dict[str, str]
    """What stands above the table; what another match has differently may not go on in this file."""
    volatile: frozenset[str] = frozenset({"Date", "Host"})
    """Properties that may differ."""
    check: Callable[[Row], None] = lambda row: None
    """Raises ValueError for a row of the file that cannot be a game of this match."""
    rows: dict[int, Row] = field(default_factory=dict)
    _lock: FileLock | None = None
    _known: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def open(self, resume: bool) -> None:
        """Make the file, or read what it holds. ResultsError: it is there and may not be, or is another match's."""
        if self.path is None:
            return
        self._lock = FileLock(f"{self.path}.lock")
        try:
            self._lock.acquire(timeout=0)
            data = self.path.read_bytes() if self.path.exists() else b""
            if data and not resume:
                raise ResultsError(f"{self.path} exists: --resume goes on with it")
            self._read(data)
        except Timeout:
            raise ResultsError(f"another match is writing {self.path}") from None
        except OSError as error:
            raise ResultsError(f"{self.path}: {error.strerror}") from None

    def before(self) -> dict[str, str]:
        """The properties that the file has already, as far as they can be read; its check is for `open`."""
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace") if self.path is not None else ""
        except OSError:
            return {}
        head = text.partition("#GAME")[0].splitlines()
        return {name: value.strip() for name, _, value in (line[2:].partition(":") for line in head)}

    def close(self) -> None:
        """Let others use the file."""
        if self._lock is not None:
            self._lock.release()

    def add(self, row: Row) -> Row:
        """Keep a row; what is kept, with the earlier game of the same moves. ResultsError: it cannot be written."""
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
        """The number of the earlier game with the same moves, or -; a game with a fault is no duplicate."""
        return str(self._known.get(row.plays, NONE)) if row.faulty == NONE else NONE

    def _read(self, data: bytes) -> None:
        assert self.path is not None
        # What a killed process left unfinished is no line; a head without its end holds no games.
        whole = data[: data.rfind(b"\n") + 1]
        lines = [self._decoded(number, line) for number, line in enumerate(whole.split(b"\n")[:-1], 1)]
        title = next((place for place, line in enumerate(lines) if line.startswith("#GAME")), None)
        if title is None:
            if not self._begins(data):
                raise ResultsError(f"{self.path} holds no match")
            replace_file(self.path, self._head())
            return
        if lines[title] != TITLE:
            raise ResultsError(f"{self.path} has other columns than this version writes")
        self._compare(self._properties(lines[:title]))
        for number, line in enumerate(lines[title + 1 :], title + 2):
            try:
                self._take(Row.parse(line))
            except ValueError as error:
                raise ResultsError(f"{self.path}:{number} is no result: {str(error)[:LONGEST]}") from None
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))

    def _decoded(self, number: int, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError:
            raise ResultsError(f"{self.path}:{number} is not UTF-8") from None

    def _take(self, row: Row) -> None:
        """Keep a row of the file. ValueError: it cannot be one; the message says why."""
        if row.game in self.rows:
            raise ValueError(f"game {row.game} is there twice")
        self.check(row)
        if row.dup != (dup := self._duplicate(row)):
            raise ValueError(f"DUP is {row.dup or 'empty'}, not {dup}")
        self._remember(row)

    def _properties(self, lines: list[str]) -> dict[str, str]:
        """The properties above the table, of which an empty comment is the last line."""
        found: dict[str, str] = {}
        for number, line in enumerate(lines, 1):
            name, colon, value = line.removeprefix("# ").partition(":")
            last = number == len(lines)
            if (line != "#") if last else (not line.startswith("# ") or not colon or name in found):
                raise ResultsError(f"{self.path}:{number} is no property of a match")
            if not last:
                found[name] = value.strip()
        return found

    def _begins(self, data: bytes) -> bool:
        """Whether data is the beginning of our head, as a killed process may leave it."""
        ours, theirs = self._head().split(b"\n"), data.split(b"\n")
        free = tuple(f"# {name}:".encode() for name in self.volatile)
        last = len(theirs) - 1
        if last >= len(ours) or not (ours[last].startswith(theirs[last]) or theirs[last].startswith(free)):
            return False
        whole = zip(ours, theirs[:last], strict=False)
        return all(a == b or (a.startswith(free) and b.startswith(free)) for a, b in whole)

    def _compare(self, theirs: dict[str, str]) -> None:
        for name in sorted((self.properties.keys() | theirs.keys()) - self.volatile):
            was, now = theirs.get(name, "nothing"), one_line(self.properties.get(name, "nothing"))
            if was != now:
                raise ResultsError(f"{self.path} holds another match: {name} is {was}, not {now}")

    def _head(self) -> bytes:
        """The lines above the rows."""
        properties = [f"# {name}: {one_line(value)}" for name, value in sorted(self.properties.items())]
        return "\n".join([*properties, "#", TITLE, ""]).encode()


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that it is either what it was or what it is to be. OSError: it is what it was."""
    aside = path.with_name(f"{path.name}.new")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def write_sgf(folder: Path, rows: Iterable[Row], conditions: Conditions) -> None:
    """Write the SGF files of the games that have none yet. ResultsError: it cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in rows:
            path = folder / f"game-{row.game:05}.sgf"
            if not path.exists():
                replace_file(path, to_sgf(row, conditions))
    except OSError as error:
        raise ResultsError(f"{folder}: {error.strerror}") from None


def _append(path: Path, line: bytes) -> None:
    """Add a line with a single write, and do not return before it is on the disk."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            end = os.fstat(descriptor).st_size
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, end)
                raise ResultsError(f"{path}: the disk is full")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
