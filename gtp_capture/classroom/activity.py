"""The activities that a teacher sets: a lesson, problems, a game, a game of two children, or free choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from ..go.rules import DEFAULT, PRESETS, Rules
from ..players import levels
from ..teach.course import lessons
from ..teach.puzzles.theme import THEMES
from ..util.fields import Fields

ADAPT: Final = "adapt"
"""The level that follows the results of each child."""
GAMES: Final = tuple(PRESETS)
"""The rules that a teacher can choose; others can be given by name."""
KINDS: Final = ("free", "lesson", "problems", "game", "pairs")
LEAST: Final = 2
MOST: Final = 13
"""The largest side of a board whose points can be tapped."""
NUMBERS: Final = ("lesson", "page", "last", "size")
TEXTS: Final = ("kind", "theme", "rules", "level")
LONGEST: Final = 10_000
"""The maximum number of characters of a text of an activity in a state."""


@dataclass(frozen=True, slots=True)
class Activity:
    """An activity; fields that do not belong to its kind are ignored."""

    kind: str = "free"
    """"pairs": games of two children; a child without a partner plays against the computer."""
    lesson: int = 1
    page: int = 1
    """The page of a lesson, or after its pages the problem, with which it begins."""
    last: int = 0
    """The last page, or the last problem, of a lesson; 0: it goes on to its end."""
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
            last = len(lesson.pages if self.page <= len(lesson.pages) else lesson.exercises)
            if self.last and not self.first <= self.last <= last:
                raise ValueError(self)
        if not LEAST <= self.size <= MOST:
            raise ValueError(self)
        Rules.parse(self.rules)
        if self.level != ADAPT:
            levels.level(self.level)

    @property
    def is_at_problems(self) -> bool:
        """Whether the lesson begins with a problem, and not with a page."""
        return self.kind == "lesson" and self.page > len(lessons.lesson(self.lesson).pages)

    @property
    def first(self) -> int:
        """The number of the page, or of the problem, with which the lesson begins."""
        return self.page - len(lessons.lesson(self.lesson).pages) if self.is_at_problems else self.page

    @property
    def end(self) -> int | None:
        """The last page or problem, as a number of `Lesson.order`; None if the lesson goes on to its end."""
        if self.kind != "lesson" or not self.last:
            return None
        return self.page - self.first + self.last - 1

    @property
    def problems(self) -> tuple[str, ...]:
        """The names of the problems that are set of a lesson: all of it, if it has no last one."""
        names = lessons.lesson(self.lesson).names if self.kind == "lesson" else ()
        if not self.last:
            return names
        return names[self.first - 1 : self.last] if self.is_at_problems else ()

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Activity:
        """Return the activity of a value for JSON. ValueError: it is none."""
        fields: dict[str, Any] = {name: int(value[name]) for name in NUMBERS if _is_number(value.get(name))}
        fields |= {name: value[name] for name in TEXTS if isinstance(value.get(name), str)}
        if len(fields) != len({*value} & {*NUMBERS, *TEXTS}):
            raise ValueError(value)
        return cls(**fields)

    @classmethod
    def kept(cls, state: Fields) -> Activity:
        """Return the activity of a state. FieldError: it is none."""
        numbers = {name: state.whole(name, 0, 999) for name in NUMBERS}
        texts = {name: state.text(name, LONGEST) for name in TEXTS}
        try:
            return cls.read({**numbers, **texts})
        except ValueError:
            raise state.error("is no activity") from None


FREE: Final = Activity()


def _is_number(value: object) -> bool:
    """Whether a value is a whole number of at most three digits, or its text."""
    text = str(value) if type(value) in (int, str) else ""
    return text.isascii() and text.isdigit() and len(text) <= 3
