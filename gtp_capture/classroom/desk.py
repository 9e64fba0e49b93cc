"""A desk of a class: a session, the one or two children who sit there, and what has happened for each of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Self

from ..go.game import Game
from ..go.vertex import BLACK, WHITE
from ..teach.event import ClueGiven, Event, Want
from ..teach.puzzles.theme import THEMES
from ..tutor.reading import Command, Input
from ..tutor.session import Reply, Session, Situation, Work
from ..util.fields import Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDesk:
    """The part of a desk that the file of a class keeps, so that the desk can be made again from it."""

    seats: tuple[int, ...]
    theme: str
    """The theme of the problems of the session."""
    session: Fields
    """See `tutor.lesson.restored`."""
    moved: int
    """The count of the class at the last change."""
    game: int | None
    """The number of the game in the records of the class."""
    counted: bool
    """Whether the result of this game is part of what the children have done."""

    @classmethod
    def read(cls, state: Fields, most_moved: int) -> Self:
        """Return the desk of a state. FieldError: it is none."""
        seats = tuple(state.wholes("seats", 1))
        if len(seats) not in (1, 2):
            raise state.error("is neither one seat nor two", "seats")
        return cls(
            seats=seats,
            theme=state.choice("theme", ("", *THEMES)),
            session=state.fields("session"),
            moved=state.whole("moved", 0, most_moved),
            game=None if state.is_null("game") else state.whole("game", 1),
            counted=state.flag("counted"),
        )


class Desk:
    """A session with the children who sit at the desk. The server runs its work."""

    def __init__(self, session: Session, seats: tuple[int, ...], theme: str = "") -> None:
        """`theme`: of the problems of the session."""
        self.session, self.seats, self.theme = session, seats, theme
        self.events: dict[int, list[Event]] = {seat: [] for seat in seats}
        """What has happened since the last input, for each seat."""
        self.told = dict.fromkeys(seats, 0)
        """The count of the class at the last change of the events of each seat."""
        self.work: Work | None = None
        """Work that is to be done, or is being done."""
        self.started = False
        """Whether the work is being done."""
        self.recipients = seats
        """The seats that get the answer to the last input."""
        self.stop = threading.Event()
        self.wish: int | None = None
        """The seat of a pair that has asked to take its last move back, until the other one answers or plays."""
        self.wished = 0
        """The count of the class when it asked: an answer from a view before that is to another question."""
        self.moved, self.since = 0, 0.0
        """The count of the class, and the time, at the last change."""
        self._kept: Mapping[str, Any] | None = None
        """The state of the session; None if it was not asked for since the last change."""
        self.recorded: tuple[int, Game] | None = None
        """The number of the game in the records of the class, and the game itself."""

    @property
    def is_pair(self) -> bool:
        """Whether two children sit here."""
        return len(self.seats) == 2

    def situation(self, name: str = "") -> Situation:
        """Return what there is now, for a child of a pair by its name, or for all who sit here."""
        return self.session.situation(self.colors_of(name) if name else self.session.people)

    def colors_of(self, name: str) -> Set[int]:
        """Return the colours that a child plays."""
        return {self.color_of(name)} if self.is_pair else self.session.people

    def color_of(self, name: str) -> int:
        """Return the colour of a child of a pair."""
        assert self.session.setup is not None
        return BLACK if self.session.setup.names[0] == name else WHITE

    def state(self) -> dict[str, Any]:
        """Return the desk as a value for JSON."""
        if self._kept is None:
            self._kept = self.session.state()
        game = self.recorded and self.recorded[0]
        return {"seats": self.seats, "theme": self.theme, "moved": self.moved, "game": game, "session": self._kept}

    def forget_state(self) -> None:
        """Let the next call of `state` ask the session again."""
        self._kept = None

    def begin(self) -> Reply | None:
        """Begin the session; see `handle_input`."""
        return self._apply_reply(self.session.begin(), self.seats)

    def handle_input(self, given: Input, recipients: tuple[int, ...]) -> Reply | None:
        """Give an input to the session, whose answer is for some of the seats. None: the children go home.

        The clues to a problem stay until there is another input than the wish for the next one.
        """
        self.wish = None
        for seat in recipients:
            before = self.events[seat] if given == Command("hint") else []
            self.events[seat] = [
                event for event in before if isinstance(event, ClueGiven) and event.clue.kind != "none"
            ]
        return self._apply_reply(self.session.handle_input(given), recipients)

    def finish_work(self, result: Any) -> Reply | None:
        """Go on with the result of the work; see `handle_input`."""
        return self._apply_reply(self.session.finish_work(result), self.recipients)

    def abandon(self) -> None:
        """Stop the work, and forget it."""
        if self.work is not None:
            self.stop.set()
            self.session.cancel()
            self.work = None

    def _apply_reply(self, reply: Reply, recipients: tuple[int, ...]) -> Reply | None:
        self.recipients = recipients
        for seat in recipients:
            self.events[seat] += reply.events
        self.work, self.started, self._kept = reply.work, False, None
        self.stop = threading.Event()
        if reply.over or (reply.following is not None and reply.following.wanted.want is Want.LESSON):
            return None  # the list of the lessons is part of the child's home
        if reply.following is not None:
            self.session = reply.following
            return self.begin()
        return reply
