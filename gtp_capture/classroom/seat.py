"""A seat of a class: the name of a child, and what it has done."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from ..players.levels import FIRST
from ..teach.sentences import ENGLISH
from ..teach.words import Voice
from ..tutor.reply import Refused
from .activity import Activity
from .table import Table

FREE: Final = Activity()
LONGEST: Final = 20
"""The maximum number of characters of a name."""
WRONG: Final = 3
"""The number of wrong answers in a row after which a child needs help."""
PATIENCE: Final = 120.0
"""Seconds without an action after which a child needs help."""
REMEMBERED: Final = 30
"""The number of last actions of a seat whose repetition is noticed."""
KEPT: Final = ("number", "name", "language", "key", "at_home")
"""The fields of a seat that are saved as they are."""


@dataclass(slots=True)
class Progress:
    """The progress of a child; see `tutor.session.Progress`."""

    level: int = FIRST
    done: set[int] = field(default_factory=set)
    """The numbers of the lessons that are done."""
    lesson_games: set[int] = field(default_factory=set)
    """The numbers of the lessons whose game is won."""
    solved: set[str] = field(default_factory=set)
    """The problems that are solved: `3.4` of lesson 3, `17` of the collection."""
    played: int = 0
    won: int = 0

    def lessons(self) -> list[int]:
        """See `tutor.session.Progress`."""
        return sorted(self.done)

    def games(self) -> list[int]:
        """See `tutor.session.Progress`."""
        return sorted(self.lesson_games)

    def record(self, level: int) -> None:
        """See `tutor.session.Progress`."""
        self.level = level

    def finish(self, lesson: int) -> None:
        """See `tutor.session.Progress`."""
        self.done.add(lesson)

    def win(self, lesson: int) -> None:
        """See `tutor.session.Progress`."""
        self.lesson_games.add(lesson)

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        sets = {"done": sorted(self.done), "lesson_games": sorted(self.lesson_games), "solved": sorted(self.solved)}
        return {"level": self.level, "played": self.played, "won": self.won, **sets}

    @classmethod
    def read(cls, state: dict[str, Any]) -> Progress:
        """Return the progress of a state."""
        sets = {name: {*state[name]} for name in ("done", "lesson_games", "solved")}
        return cls(state["level"], **sets, played=state["played"], won=state["won"])


@dataclass(slots=True, eq=False)
class Seat:
    """A child of the class."""

    number: int
    """From 1; 0 is the teacher's board."""
    name: str
    language: str = ENGLISH
    """The language of everything that is said to the child."""
    key: str = ""
    """A secret that names the device."""
    progress: Progress = field(default_factory=Progress)
    activity: Activity = FREE
    """The activity that the teacher has set."""
    table: Table | None = None
    at_home: bool = True
    """Whether the child sees what it may choose, and not its table."""
    asks: int | None = None
    """The seat that it has asked to play with it."""
    hand: bool = False
    """Whether it has raised its hand."""
    wrong: int = 0
    """Wrong answers in a row."""
    here: bool = False
    """Whether a device is connected."""
    since: float = float("-inf")
    """The time of the last action, or of the end of the last connection."""
    actions: dict[str, None] = field(default_factory=dict)
    """The last actions, by the text that names each."""
    changed: int = 0
    """The count of the class when the view changed last."""
    waits: bool = False
    """Whether it has not moved for PATIENCE."""

    @property
    def voice(self) -> Voice:
        """How all is said to it."""
        return voice_in(self.language)

    @property
    def is_free(self) -> bool:
        """Whether another child may ask this one to play."""
        return self.here and self.at_home and self.activity.kind == "free" and self.asks is None

    @property
    def mark(self) -> str:
        """Why help is needed: "hand", "wrong", "waits", or ""."""
        if self.hand:
            return "hand"
        return "wrong" if self.wrong >= WRONG else "waits" if self.waits else ""

    def is_repeated(self, name: str) -> bool:
        """Whether an action with this name was done; see `remember`."""
        return name in self.actions

    def remember(self, name: str) -> None:
        """Remember an action that was done."""
        self.actions[name] = None
        for old in [*self.actions][:-REMEMBERED]:
            del self.actions[old]

    def state(self) -> dict[str, Any]:
        """Return all but the table as a value for JSON."""
        own = {name: getattr(self, name) for name in KEPT}
        activity, actions = asdict(self.activity), [*self.actions]
        return {**own, "progress": self.progress.state(), "activity": activity, "actions": actions}

    @classmethod
    def read(cls, state: dict[str, Any]) -> Seat:
        """Return the seat of a state."""
        progress, activity = Progress.read(state["progress"]), Activity.read(state["activity"])
        own = {name: state[name] for name in KEPT}
        return cls(**own, progress=progress, activity=activity, actions=dict.fromkeys(state["actions"]))


def voice_in(language: str) -> Voice:
    """Return the voice of the pages of a class in a language."""
    return Voice(plain=True, taps=True, language=language)


def name_of(text: str) -> str:
    """Return a name as it is shown: one line of at most LONGEST letters and signs. Refused: nothing is left."""
    shown = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in unicodedata.normalize("NFC", text))
    name = " ".join(shown.split())
    if not name or len(name) > LONGEST:
        raise Refused("class.name", most=LONGEST)
    return name


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is free: with a number if it is taken, in any case."""
    known, number, found = {other.casefold() for other in taken}, 1, name
    while found.casefold() in known:
        number += 1
        found = f"{name[: LONGEST - len(str(number)) - 1].rstrip()} {number}"
    return found
