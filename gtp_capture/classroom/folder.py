"""The folder of a class: its state, its games, and its results; nothing else is read or written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from ..util.atomic_file import atomic_write
from ..util.files import RequestError, escaped, read_bounded

MARK: Final = "gtp-capture class"
"""The key that tells a state from other files; its value is the version of the format."""
VERSION: Final = 1
MOST_BYTES: Final = 10_000_000
GAME_BYTES: Final = 100_000


class FolderError(RequestError, ValueError):
    """The folder cannot be used; the message names it and gives the reason."""


class Folder:
    """A folder: `class.json`, `results.csv`, `games/1.sgf` and so on. It is locked until `close`."""

    def __init__(self, path: Path) -> None:
        """FolderError: it cannot be made, or another class is using it."""
        self._path, self._results = path, ""
        try:
            (path / "games").mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path / "class.lock")
            self._lock.acquire(timeout=0)
        except Timeout:
            raise self._error("another class is using it") from None
        except OSError as error:
            raise self._error(error.strerror or str(error)) from None

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def read(self) -> tuple[dict[str, Any], dict[int, bytes]] | None:
        """Return the state and the games, or None if there are none yet. FolderError: they cannot be read."""
        file = self._path / "class.json"
        if not file.exists():
            return None
        try:
            state = json.loads(read_bounded(file, MOST_BYTES))
            if not isinstance(state, dict) or state.get(MARK) != VERSION:
                raise self._error("class.json is not a class of gtp-capture")
            names = {path: re.fullmatch(r"(\d{1,6})\.sgf", path.name) for path in (self._path / "games").iterdir()}
            games = {int(name[1]): read_bounded(path, GAME_BYTES) for path, name in names.items() if name}
        except FolderError:
            raise
        except (OSError, ValueError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else "class.json is not a class of gtp-capture"
            raise self._error(reason or str(error)) from None
        return state, dict(sorted(games.items()))

    def write(self, state: dict[str, Any], games: dict[int, bytes], results: str) -> None:
        """Write the state, games that are over as SGF, and the results as CSV. OSError: they cannot be written."""
        if results != self._results:
            with atomic_write(self._path / "results.csv") as file:
                file.write(results.encode("utf-8-sig"))
            self._results = results
        for number, game in games.items():
            with atomic_write(self._path / "games" / f"{number}.sgf") as file:
                file.write(game)
        with atomic_write(self._path / "class.json") as file:
            file.write(json.dumps({MARK: VERSION, **state}, separators=(",", ":")).encode())

    def _error(self, reason: str) -> FolderError:
        return FolderError(escaped(f"folder {self._path}: {reason}"))
