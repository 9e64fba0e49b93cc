"""`--level adapt`: a level that follows the results of a person, and the file that remembers the level.

The level goes up by one after a game that the person wins, and down by one after a loss, so that the person wins about
half of the games.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..util.atomic_file import atomic_write
from ..util.files import RequestError, UnreadableError, read_bounded
from .levels import FULL

MARK: Final = "gtp-capture profile"
"""The key that tells a profile from other files; its value is the version of the format."""
VERSION: Final = 1
MOST_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Profile:
    """The file that remembers one person: the level, the lessons done, and the lessons whose game is won."""

    path: Path

    def level(self) -> int | None:
        """Return the level to begin with; None if the file does not exist. RequestError: the file is no profile."""
        return self._read().get("level")

    def lessons(self) -> list[int]:
        """Return the lessons done, in order. RequestError: the file is no profile."""
        return sorted({*self._read().get("lessons", [])})

    def games(self) -> list[int]:
        """Return the lessons whose game is won, in order. RequestError: the file is no profile."""
        return sorted({*self._read().get("games", [])})

    def record(self, level: int) -> None:
        """Set the level of the next game. RequestError: the file cannot be read or written."""
        self._change("level", level)

    def finish(self, lesson: int) -> None:
        """Add a lesson to those done. RequestError: the file cannot be read or written."""
        if lesson not in (done := self.lessons()):
            self._change("lessons", sorted([*done, lesson]))

    def win(self, lesson: int) -> None:
        """Add a lesson to those whose game is won. RequestError: the file cannot be read or written."""
        if lesson not in (won := self.games()):
            self._change("games", sorted([*won, lesson]))

    def _change(self, name: str, value: int | list[int]) -> None:
        """Set an entry. The file is read again before, so that the entries of another process stay."""
        entries = {MARK: VERSION, **self._read(), name: value}
        try:
            with atomic_write(self.path) as file:
                file.write(json.dumps(entries, indent=2).encode() + b"\n")
        except OSError as error:
            raise self._error(error.strerror or str(error)) from None

    def _read(self) -> dict[str, Any]:
        """Return the entries of the file; no entry if the file does not exist."""
        try:
            if not self.path.exists():
                if not self.path.parent.is_dir():
                    raise FileNotFoundError("there is no such folder")
                return {}
            entries = json.loads(read_bounded(self.path, MOST_BYTES))
        except (UnreadableError, OSError) as error:
            raise self._error(str(error)) from None
        except (ValueError, RecursionError):
            entries = None
        if not _is_sound(entries):
            raise self._error("not a profile of gtp-capture")
        return dict(entries)

    def _error(self, reason: str) -> RequestError:
        return RequestError(f"profile {self.path}: {reason}")


def _is_sound(entries: Any) -> bool:
    """Whether these are the entries of a profile: a level from 1 to FULL, and lists of the numbers of lessons."""
    if not isinstance(entries, dict) or entries.get(MARK) != VERSION:
        return False
    level, lists = entries.get("level", 1), [entries.get(name, []) for name in ("lessons", "games")]
    if not (type(level) is int and 1 <= level <= FULL and entries.keys() <= {MARK, "level", "lessons", "games"}):
        return False
    return all(isinstance(numbers, list) and all(type(lesson) is int for lesson in numbers) for numbers in lists)
