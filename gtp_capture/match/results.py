"""The results file of a match: a table in the format of gogui-analyze, with rows that are appended atomically.

A row contains the whole game; the SGF files are made from the games.
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
from .rows import COLUMNS, MatchGame

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
    """The games of a match, in memory and optionally in a file, which is locked until `close`."""

    path: Path | None
    properties: dict[str, str]
    """Header properties; resuming requires them to match."""
    parse: Callable[[str], MatchGame]
    """Parses a row of the file; raises ValueError if it cannot be a game of this match."""
    games: dict[int, MatchGame] = field(default_factory=dict)
    _lock: FileLock | None = None
    _known: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """The first faultless game of each pair of players and moves."""

    def open(self, resume: bool) -> None:
        """Create the file, or read its games. RequestError: it exists without `resume`, or holds another match."""
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
            if data:
                self._read(data)
            else:
                _write(self.path, "\n".join([*self._header(), TITLE, ""]))
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

    def add(self, game: MatchGame) -> MatchGame:
        """Add a game, and return it as a duplicate if it is one. RequestError: it cannot be written."""
        game = replace(game, duplicate=self._known.get(_key(game)) if game.faulty is None else None)
        if self.path is not None:
            _append(self.path, game.line().encode())
        self._remember(game)
        return game

    def _remember(self, game: MatchGame) -> None:
        self.games[game.number] = game
        if game.faulty is None:
            self._known.setdefault(_key(game), game.number)

    def _read(self, data: bytes) -> None:
        assert self.path is not None
        whole = data[: data.rfind(b"\n") + 1]  # a killed process may leave an unfinished last line
        lines = [self._decoded(number, line) for number, line in enumerate(whole.split(b"\n")[:-1], 1)]
        if TITLE not in lines:
            raise RequestError(f"{self.path} is not a results file of a match")
        title = lines.index(TITLE)
        self._compare(lines[:title])
        for number, line in enumerate(lines[title + 1 :], title + 2):
            try:
                game = self.parse(line)
                if game.number in self.games:
                    raise ValueError(f"game {game.number} is there twice")
            except ValueError as error:
                raise RequestError(f"{self.path}:{number} is not a valid row: {str(error)[:MAX_MESSAGE]}") from None
            self._remember(game)
        if len(whole) < len(data):
            os.truncate(self.path, len(whole))

    def _decoded(self, number: int, line: bytes) -> str:
        try:
            return line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            raise RequestError(f"{self.path}:{number} is not UTF-8") from None

    def _compare(self, header: list[str]) -> None:
        """Compare the properties of the file with the properties of this match. RequestError: one differs."""
        theirs, ours = (dict(line.partition(":")[::2] for line in lines) for lines in (header, self._header()))
        for name in sorted(ours.keys() | theirs.keys()):
            was, now = (lines.get(name, " nothing").strip() for lines in (theirs, ours))
            if was != now and name.removeprefix("# ") not in VOLATILE:
                difference = escaped(f"{name.removeprefix('# ')} is {was}, not {now}")
                raise RequestError(f"{self.path} holds another match: {difference}")

    def _header(self) -> list[str]:
        """The lines above the table: the properties, and an empty comment."""
        return [*(f"# {name}: {one_line(value)}" for name, value in sorted(self.properties.items())), "#"]


def _key(game: MatchGame) -> tuple[str, str, str]:
    """Return the key of a game; duplicates have equal keys."""
    return game.black, game.white, game.moves


def sgf_file(folder: Path, game: int) -> Path:
    """Return the SGF file of a game."""
    return folder / f"game-{game:05}.sgf"


def check_sgf(folder: Path, numbers: Iterable[int], games: Mapping[int, MatchGame]) -> None:
    """Check that the SGF files with these numbers are of the games that were played. RequestError: one is not."""
    try:
        for number in numbers:
            path = sgf_file(folder, number)
            if path.exists() and (number not in games or not _holds(path, games[number].sgf().encode())):
                raise RequestError(f"{path} is of another match: give an empty or new folder")
    except OSError as error:
        raise RequestError(f"{folder}: {error.strerror}") from None


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file can be read and has this content."""
    try:
        return read_bounded(path, len(data)) == data
    except UnreadableError:
        return False


def write_sgf(folder: Path, games: Iterable[MatchGame]) -> None:
    """Write the SGF files of games that have none yet. RequestError: one cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game in games:
            path = sgf_file(folder, game.number)
            if not path.exists():
                _write(path, game.sgf())
    except OSError as error:
        raise RequestError(f"{folder}: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())


def _append(path: Path, line: bytes) -> None:
    """Append a line, and sync it to disk; if a part of it cannot be written, the next match removes that part."""
    try:
        with path.open("ab", buffering=0) as file:
            write_whole(file.fileno(), line)
            os.fsync(file.fileno())
    except OSError as error:
        raise RequestError(f"{path}: {error.strerror}") from None
