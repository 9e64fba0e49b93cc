"""The activities that a teacher sets: a lesson, problems, a game, or free choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from ..go.rules import DEFAULT, Rules
from ..players import levels
from ..teach.course import lessons
from ..teach.puzzles.theme import THEMES

ADAPT: Final = "adapt"
"""The level that follows the results of each child."""
KINDS: Final = ("free", "lesson", "problems", "game")
LEAST: Final = 2
MOST: Final = 13
"""The largest side of a board whose points can be tapped."""


@dataclass(frozen=True, slots=True)
class Activity:
    """An activity; fields that do not belong to its kind are ignored."""

    kind: str = "free"
    lesson: int = 1
    page: int = 1
    """The page of a lesson, or after its pages the problem, with which it begins."""
    theme: str = ""
    """The theme of problems; "" for all."""
    rules: str = DEFAULT
    size: int = 5
    level: str = ADAPT

    def __post_init__(self) -> None:
        """ValueError: there is no such activity."""
        if self.kind not in KINDS or self.theme not in ("", *THEMES):
            raise ValueError(self)
        if self.kind == "lesson":
            lesson = lessons.lesson(self.lesson) if self.lesson in lessons.numbers() else None
            if lesson is None or not 1 <= self.page <= len(lesson.pages) + len(lesson.exercises):
                raise ValueError(self)
        if not LEAST <= self.size <= MOST:
            raise ValueError(self)
        Rules.parse(self.rules)
        if self.level != ADAPT:
            levels.level(self.level)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Activity:
        """Return the activity of a value for JSON. ValueError: it is none."""
        fields: dict[str, Any] = {
            name: int(value[name]) for name in ("lesson", "page", "size") if _is_number(value.get(name))
        }
        fields |= {
            name: value[name] for name in ("kind", "theme", "rules", "level") if isinstance(value.get(name), str)
        }
        if len(fields) != len({*value} & {*asdict(cls())}):
            raise ValueError(value)
        return cls(**fields)


def _is_number(value: object) -> bool:
    """Whether a value is a whole number of at most three digits, or its text."""
    text = str(value) if type(value) in (int, str) else ""
    return text.isascii() and text.isdigit() and len(text) <= 3
