"""How a person did each problem, and when a problem that went wrong comes back, by Leitner's boxes.

Source: S. Leitner, So lernt man lernen, 1972. A card that goes wrong moves to the first box, one that goes right to the
next box, and each box waits longer than the box before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any, Final, Self

from ..util.fields import Fields

OTHERS: Final = 3
"""The number of other problems after which a problem of the first box comes back."""
BOXES: Final = 4
"""The number of boxes. A problem that goes right in the last box does not come back."""
LONGEST: Final = 20
"""The maximum number of characters of the name of a problem."""


class How(IntEnum):
    """How a problem was done; less is better."""

    AT_ONCE = 1
    """Solved alone by the first answer at each position."""
    TRIES = 2
    """Solved alone, after wrong answers."""
    HINT = 3
    """Solved with a hint."""
    SHOWN = 4
    """Played after its solution was shown."""
    LEFT = 5
    """Not solved: left out, or only tried."""

    @property
    def is_alone(self) -> bool:
        """Whether it was solved without help."""
        return self <= How.TRIES

    @property
    def is_solved(self) -> bool:
        """Whether it was solved: a problem that was shown is not."""
        return self <= How.HINT


@dataclass(slots=True)
class Card:
    """What is known about one problem."""

    how: How = How.LEFT
    """The best that was reached."""
    help: How = How.AT_ONCE
    """The worst since the problem was set, which is not done yet: AT_ONCE, TRIES, HINT or SHOWN."""
    lesson: int = 0
    """The lesson of the person in which `how` was reached; see `Boxes.lesson`."""
    box: int = 0
    """From 1 to BOXES; 0 if the problem does not come back."""
    due: int = 0
    """When it comes back: in the first box the count of problems `Boxes.count`, in others the lesson."""

    @classmethod
    def read(cls, state: Fields) -> Self:
        """Return the card of a state. FieldError: it is none."""
        return cls(
            How(state.whole("how", How.AT_ONCE, How.LEFT)),
            How(state.whole("help", How.AT_ONCE, How.LEFT)),
            state.whole("lesson"),
            state.whole("box", 0, BOXES),
            state.whole("due"),
        )


class Boxes:
    """The cards of a person by the name of the problem: `3.4` of lesson 3, `17` of the collection."""

    def __init__(self) -> None:
        self.cards: dict[str, Card] = {}
        self.lesson = 1
        """The number of the day on which the person learns, from 1."""
        self.count = 0
        """The number of problems that were done or left out so far."""

    @property
    def solved(self) -> set[str]:
        """The names of the problems that were solved."""
        return {name for name, card in self.cards.items() if card.how.is_solved}

    @property
    def alone(self) -> int:
        """The number of problems that were solved without help."""
        return sum(card.how.is_alone for card in self.cards.values())

    def is_played(self, name: str) -> bool:
        """Whether a problem was solved, or played after its solution was shown."""
        return name in self.cards and self.cards[name].how < How.LEFT

    def is_begun(self, name: str) -> bool:
        """Whether a problem was tried, and neither played to its end nor left out."""
        return name in self.cards and self.cards[name].how is How.LEFT and self.cards[name].box == 0

    def begin_lesson(self) -> None:
        """Begin the next day: the problems of the first box come back at once."""
        self.lesson += 1
        for card in self.cards.values():
            if card.box == 1:
                card.due = min(card.due, self.count)

    def lower(self, name: str, how: How) -> None:
        """Note a wrong answer, a hint, or that the solution was shown."""
        card = self._card(name)
        card.help = max(card.help, how)
        card.lesson = card.lesson or self.lesson

    def finish(self, name: str) -> bool:
        """Note that a problem was played to its end; return whether it is solved alone for the first time."""
        card = self._card(name)
        before, done = card.how, card.help
        if done < before:
            card.how, card.lesson = done, self.lesson
        self._file(card, right=done is How.AT_ONCE)
        return done.is_alone and not before.is_alone

    def leave_out(self, name: str) -> None:
        """Note that a problem was left without its solution."""
        card = self._card(name)
        card.lesson = card.lesson or self.lesson
        self._file(card, right=False)

    def due(self, is_wanted: Callable[[str], bool]) -> str | None:
        """Return the name of the problem that comes back now, of the lowest box; None if there is none."""
        due = [(card.box, card.due, name) for name, card in self.cards.items() if self._is_due(card)]
        return next((name for _, _, name in sorted(due) if is_wanted(name)), None)

    def state(self) -> dict[str, Any]:
        """Return a value for JSON."""
        cards = {name: asdict(card) for name, card in sorted(self.cards.items())}
        return {"lesson": self.lesson, "count": self.count, "cards": cards}

    @classmethod
    def read(cls, state: Fields) -> Self:
        """Return the boxes of a state. FieldError: these are none."""
        boxes, cards = cls(), state.fields("cards")
        boxes.lesson, boxes.count = state.whole("lesson", 1), state.whole("count")
        for name in cards.names():
            if len(name) > LONGEST:
                raise cards.error("has a name that is too long")
            boxes.cards[name] = Card.read(cards.fields(name))
        return boxes

    def _card(self, name: str) -> Card:
        return self.cards.setdefault(name, Card())

    def _is_due(self, card: Card) -> bool:
        return card.box > 0 and card.due <= (self.count if card.box == 1 else self.lesson)

    def _file(self, card: Card, *, right: bool) -> None:
        """Put a card into its next box."""
        was_due = self._is_due(card)
        self.count += 1
        card.help = How.AT_ONCE
        if not right:
            card.box, card.due = 1, self.count + OTHERS
        elif was_due:
            card.box = (card.box + 1) % (BOXES + 1)
            card.due = self.lesson + 2 ** max(0, card.box - 2)
        elif card.box == 1:
            card.due += 1  # the problem itself is none of the others
