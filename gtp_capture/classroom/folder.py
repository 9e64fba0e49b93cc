"""The folder of a class: its state, its games, and its results; nothing else is read or written.

`class.json` is the one authority: it has the games that are over until their files are written, and is written before
them. So the games and the results can be made from it again, whenever the program is killed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from filelock import FileLock, Timeout

from ..go.sgf_tree import SgfError, read_tree
from ..util.atomic_file import atomic_write, sync_folder, unfinished_files
from ..util.fields import LARGEST, FieldError, Fields
from ..util.files import RequestError, UnreadableError, escaped, read_bounded
from .kept import LONGEST_GAME, Kept

T = TypeVar("T")
MARK: Final = "gtp-capture class"
"""The key that tells a state from other files; its value is the version of the format."""
VERSION: Final = 3
MOST_BYTES: Final = 10_000_000
STATE: Final = "class.json"
COPY: Final = "class.json.before"
"""The state before the last change."""
RESULTS: Final = "results.csv"
GAMES: Final = "games"
LOCK: Final = "class.lock"
_GAME: Final = re.compile(r"([1-9]\d*)\.sgf", re.ASCII | re.IGNORECASE)
_OF_SYSTEM: Final = re.compile(r"\..*|desktop\.ini|thumbs\.db", re.IGNORECASE)
"""Files that systems make in any folder."""


class FolderError(RequestError, ValueError):
    """The folder cannot be used; the message names it and gives the reason."""


class Folder:
    """A folder: `class.json`, `results.csv`, `games/1.sgf` and so on. It is locked until `close`."""

    def __init__(self, path: Path) -> None:
        """FolderError: it cannot be made, has other files and no class, or another class is using it."""
        self._path = path
        self._known = dict[str, bytes]()
        """The files that this process has written, by their names."""
        self.is_locked = False
        """Whether another class cannot use it: some network drives have no locks."""
        self._lock = FileLock(path / LOCK, mode=0o600)
        try:
            self._make()
        except OSError as error:
            raise self._error(_reason(error)) from None
        try:
            # The library warns before it takes the presence of a file for a lock; the file may be of a past class.
            with warnings.catch_warnings(action="error"):
                self._lock.acquire(timeout=0)
            self.is_locked = True
        except Timeout:
            raise self._error("another class is using it") from None
        except (OSError, UserWarning):  # the file is there, so it is the lock that fails
            pass
        if self.is_locked:
            self._clean()

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def open(self, make: Callable[[Kept | None], T]) -> T:
        """Return what `make` makes of the class that is kept here; None if there is none yet.

        FolderError: it is damaged. If the state before the last change can be used, the message says how to do it.
        """
        state, copy = self._path / STATE, self._path / COPY
        if not os.path.lexists(state) and not os.path.lexists(copy):
            return make(None)
        games = self._games()
        try:
            self._known[STATE], kept = _read(state, games)
            return make(kept)
        except FieldError as error:
            reason = f"{STATE} cannot be used: {error}"
        try:
            make(_read(copy, games)[1])
        except FieldError:
            raise self._error(reason) from None
        raise self._error(f"{reason}; rename {COPY} to {STATE} to go on with the class before the last change")

    def write(self, state: Mapping[str, Any], results: str) -> None:
        """Write a state of `Classroom.state`, then the games in it that have no file yet, and the results as CSV.

        OSError: some of them cannot be written; all others are.
        """
        content = json.dumps({MARK: VERSION, **state}, separators=(",", ":")).encode()
        before = self._known.get(STATE)
        files = {} if before in (None, content) else {COPY: before}
        files |= {STATE: content, **{f"{GAMES}/{number}.sgf": sgf.encode() for number, sgf in state["games"].items()}}
        files[RESULTS] = results.encode("utf-8-sig")  # the last, because a spreadsheet that shows the file may hold it
        failures = [self._failure(name, data) for name, data in files.items()]
        if first := next(filter(None, failures), None):
            raise first

    def _make(self) -> None:
        """Make what is missing of the folder, for this account alone. OSError, FolderError: it is not possible."""
        path = self._path
        if not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir(mode=0o700)
            sync_folder(path.parent)
        if not any(os.path.lexists(path / name) for name in (STATE, COPY)) and (other := self._other()):
            raise self._error(f"it has other files ({other}) and no class: give a new folder, such as {path / 'class'}")
        (path / GAMES).mkdir(mode=0o700, exist_ok=True)
        (path / LOCK).touch(mode=0o600)

    def _other(self) -> str:
        """Return the name of a file that no class without a state has; "" if there is none. OSError."""
        own = {LOCK, *(file.name for file in self._unfinished())}
        games = self._path / GAMES
        if games.is_dir() and all(map(_is_of_system, games.iterdir())):
            own.add(GAMES)
        others = (file.name for file in self._path.iterdir() if file.name not in own and not _is_of_system(file))
        return min(others, default="")

    def _unfinished(self) -> list[Path]:
        """Return the unfinished files that a killed class has left; those of games are not among them. OSError."""
        return unfinished_files(self._path, "|".join(map(re.escape, (STATE, COPY, RESULTS))))

    def _clean(self) -> None:
        """Remove the new files that a killed class has left behind; only this class writes here now."""
        with suppress(OSError):
            for file in (*self._unfinished(), *unfinished_files(self._path / GAMES, _GAME.pattern)):
                with suppress(OSError):
                    file.unlink()

    def _games(self) -> dict[int, bytes]:
        """Return the games that have a file, by number. FolderError: one of them cannot be read."""
        games, name = dict[int, bytes](), GAMES
        try:
            for file in (self._path / GAMES).iterdir():
                if number := _GAME.fullmatch(file.name):
                    name = f"{GAMES}/{file.name}"
                    if len(number[1]) >= len(str(LARGEST)):
                        raise UnreadableError("the number is too large")
                    games[int(number[1])] = sgf = read_bounded(file, LONGEST_GAME)
                    read_tree(sgf)
        except (OSError, UnreadableError, SgfError) as error:
            raise self._error(f"{name}: {_reason(error)}") from None
        return dict(sorted(games.items()))

    def _failure(self, name: str, content: bytes) -> OSError | None:
        """Write a file that this process has not written like that already; return why that is not possible."""
        if self._known.get(name) == content:
            return None
        path = self._path / name
        try:
            if path.exists() and not path.is_file():  # writing into a pipe may never end
                raise OSError(errno.EINVAL, f"{name} is not a regular file")
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with atomic_write(path, private=True) as file:
                file.write(content)
        except OSError as error:
            return error
        self._known[name] = content
        return None

    def _error(self, reason: str) -> FolderError:
        return FolderError(escaped(f"folder {self._path}: {reason}"))


def _read(file: Path, games: Mapping[int, bytes]) -> tuple[bytes, Kept]:
    """Return a state with the class that it is. FieldError: it is none."""
    try:
        data = read_bounded(file, MOST_BYTES)
        state = json.loads(data)
    except UnreadableError as error:
        raise FieldError(str(error)) from None
    except (ValueError, RecursionError):
        raise FieldError("it is not JSON") from None
    if not isinstance(state, dict) or MARK not in state:
        raise FieldError("it is not a class of gtp-capture")
    if (type(state[MARK]), state[MARK]) != (int, VERSION):
        raise FieldError("it is a class of another version of gtp-capture")
    return data, Kept.read(Fields(state), games)


def _is_of_system(path: Path) -> bool:
    return _OF_SYSTEM.fullmatch(path.name) is not None


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
