"""A table of a class: a session, the one or two children who sit there, and what was said to each of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final

from ..go.game import Game
from ..go.vertex import BLACK, WHITE
from ..tutor.game import GameSession
from ..tutor.lesson import ContentsSession, LessonSession
from ..tutor.problem import ProblemSession, TaskSession
from ..tutor.reading import Input
from ..tutor.reply import Picture, Question, Sentence, WordList, Work
from ..tutor.session import Reply, Session

Part = Sentence | Picture | WordList
WRONG: Final = ("lesson.wrong", "lesson.wrong.open", "lesson.not_at_once", "course.wrong")
"""Keys of sentences about a wrong answer."""
SOLVED: Final = ("lesson.solved", "course.right")
"""Keys of sentences about a solved problem."""


UNTOUCHED: Final = {"kind": "problem", "moves": [], "solved": [], "is_solved": False, "clues": 0}
"""The state of problems before the first one is checked, without its number."""


class Table:
    """A session with the children who sit at the table. The server runs its work."""

    def __init__(self, session: Session, seats: tuple[int, ...], theme: str = "") -> None:
        """`theme`: of the problems of the session."""
        self.session, self.seats, self.theme = session, seats, theme
        self.said: dict[int, list[Part]] = {seat: [] for seat in seats}
        """What the last input was answered, for each seat."""
        self.question: Question | None = None
        self.work: Work | None = None
        """Work that is to be done, or is being done."""
        self.started = False
        """Whether the work is being done."""
        self.hearers = seats
        """The seats that hear the answer to the last input."""
        self.stop = threading.Event()
        self.moved, self.since = 0, 0.0
        """The count of the class, and the time, at the last change."""
        self.kept: Mapping[str, Any] = {}
        """The last state of the session that was asked for."""
        if isinstance(session, ProblemSession):
            self.kept = {**UNTOUCHED, "number": session.number}
        self.is_kept = False
        """Whether it is still the state of the session."""
        self.recorded: tuple[int, Game] | None = None
        """The number of the game in the records of the class, and the game itself."""

    @property
    def is_ready(self) -> bool:
        """Whether there is a board: the first problem of a collection has to be checked before."""
        return not isinstance(self.session, ProblemSession) or hasattr(self.session, "task")

    @property
    def is_pair(self) -> bool:
        """Whether two children sit here."""
        return len(self.seats) == 2

    @property
    def is_page(self) -> bool:
        """Whether a page of a lesson is read, which has no task."""
        wanted = self.session.wanted
        return isinstance(self.session, TaskSession) and not wanted.width and not wanted.number

    @property
    def is_finished(self) -> bool:
        """Whether the game is over, or the task is done."""
        session = self.session
        if isinstance(session, TaskSession):
            return self.is_ready and session.task.solved
        return session.game.outcome is not None

    @property
    def wants_point(self) -> bool:
        """Whether a point of the board is an answer now."""
        free = self.is_ready and self.work is None and self.question is None
        return free and not self.is_finished and self.session.wanted.width > 0

    @property
    def wants_number(self) -> bool:
        """Whether a number is an answer now."""
        free = self.is_ready and self.work is None and self.question is None
        return free and not self.is_finished and self.session.wanted.number

    def color_of(self, name: str) -> int:
        """Return the colour of a child of a pair."""
        assert isinstance(self.session, GameSession)
        return BLACK if self.session.seats.names[0] == name else WHITE

    def state(self) -> dict[str, Any]:
        """Return the table as a value for JSON."""
        if self.is_ready and not self.is_kept:
            self.kept, self.is_kept = self.session.state(), True
        game = self.recorded and self.recorded[0]
        return {"seats": self.seats, "theme": self.theme, "moved": self.moved, "game": game, "session": self.kept}

    def begin(self) -> Reply | None:
        """Begin the session; see `take`."""
        return self._show(self.session.begin(), self.seats)

    def take(self, given: Input, hearers: tuple[int, ...]) -> Reply | None:
        """Give an input to the session, and show the answer to some of the seats. None: the children go home."""
        for seat in hearers:
            self.said[seat] = []
        return self._show(self.session.take(given), hearers)

    def deliver(self, result: Any) -> Reply | None:
        """Go on with the result of the work; see `take`."""
        return self._show(self.session.deliver(result), self.hearers)

    def abandon(self) -> None:
        """Stop the work, and forget it."""
        if self.work is not None:
            self.stop.set()
            self.session.cancel()
            self.work = None

    def _show(self, reply: Reply, hearers: tuple[int, ...]) -> Reply | None:
        self.hearers = hearers
        for seat in hearers:
            self.said[seat] += reply.said
        self.question, self.work, self.started, self.is_kept = reply.question, reply.work, False, False
        self.stop = threading.Event()
        if reply.over or isinstance(reply.following, ContentsSession):
            return None
        if reply.following is not None:
            self.session = reply.following
            for seat in hearers:
                self.said[seat] = [part for part in self.said[seat] if isinstance(part, Sentence)]
            return self.begin()
        return reply


def doing(session: Session) -> tuple[str, dict[str, Any]]:
    """Return what a session is about: a key of the table of sentences, and its fields."""
    if isinstance(session, LessonSession):
        pages = len(session.lesson.pages)
        page = session.at < pages
        number, count = (session.at + 1, pages) if page else (session.at - pages + 1, len(session.lesson.exercises))
        key = "class.doing.page" if page else "class.doing.exercise"
        return key, {"lesson": session.lesson.number, "number": number, "count": count}
    if isinstance(session, ProblemSession):
        return "class.doing.problem", {"number": session.number, "count": len(session.problems)}
    assert isinstance(session, GameSession)
    return "class.doing.game", {"rules": session.game.rules, "size": "{}x{}".format(*session.game.size)}
