"""The parts of a reply: sentences, boards, a question, and long work, all as values that any screen can show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any, Final

from ..go.game import Game
from ..go.vertex import BLACK, WHITE

SIGNS: Final = {BLACK: "●", WHITE: "○"}
"""The stones in sentences; a screen that cannot show these characters replaces them."""
Marks = Mapping[int, tuple[int | str, int]]
"""A number or a letter by its point, with the colour of its stone, or EMPTY."""


class Tone(StrEnum):
    """The emphasis of a sentence."""

    PLAIN = auto()
    STRONG = auto()
    RIGHT = auto()
    WRONG = auto()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in the language and the voice of the session."""

    text: str
    key: str = ""
    """Its key in the table of sentences; "" if `teach.words` made it from a fact."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The values of the fields in the template of the key."""
    tone: Tone = Tone.PLAIN
    place: str = ""
    """The vertex that a hint is about, which a screen may mark on the board; "" for none."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A board."""

    game: Game
    """A copy of the game, which later moves do not change."""
    numbers: Marks | None = None
    """Numbers and letters to draw on points, in place of what the points have."""
    marked: bool = False
    """Whether the last stone and the stones in atari are marked."""


@dataclass(frozen=True, slots=True)
class WordList:
    """The words that can be typed, each with its arguments and with its purpose."""

    entries: tuple[tuple[str, str], ...]


class Question(StrEnum):
    """The kind of a question, which the next input answers."""

    YES_NO = auto()
    NAME = auto()
    """The name of a file, yes for a name that the program chooses, or no."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work that takes long and does not change the session.

    The caller of the session calls `run` in any thread, and then `Session.deliver` with its result. To stop the work
    early, the caller sets the event, waits until `run` returns, and calls `Session.cancel` instead.
    """

    run: Callable[[threading.Event], Any]
    note: str = ""
    """A few words to show during the work; "" for none."""
    slow: bool = False
    """Whether the work is help that may take seconds, and not a move or the check of an answer."""


class Refused(Exception):
    """An input is refused; `key` and `fields` are those of the sentence that says why."""

    def __init__(self, key: str, **fields: Any) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields
