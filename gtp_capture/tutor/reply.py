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
    """How a sentence stands out."""

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
    """A copy, which stays as it is."""
    numbers: Marks | None = None
    """Numbers and letters that are drawn instead of stones."""
    marked: bool = False
    """Whether the last stone and the stones in atari are marked."""


@dataclass(frozen=True, slots=True)
class WordList:
    """The words that can be typed: each with its arguments, and with its purpose."""

    entries: tuple[tuple[str, str], ...]


class Question(StrEnum):
    """The kind of a question, which the next input answers."""

    YES_NO = auto()
    NAME = auto()
    """The name of a file, yes for a name that the program chooses, or no."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work that takes long. It changes nothing: its result has to be delivered to the session.

    Whoever holds the session calls `run` in any thread, and then `Session.deliver` with the result. To stop it early,
    set the event, wait for its end, and call `Session.cancel` instead.
    """

    run: Callable[[threading.Event], Any]
    note: str = ""
    """A few words to show during the work; "" for none."""
    slow: bool = False
    """Whether it is help that may take seconds, and not a move or the check of an answer."""


class Refused(Exception):
    """An input cannot be met; the sentence that says so is named by its key."""

    def __init__(self, key: str, **fields: Any) -> None:
        super().__init__(key)
        self.key, self.fields = key, fields
