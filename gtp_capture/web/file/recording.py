"""All that a child can see at a page or a problem, recorded from the class page itself.

A `Recorder` is a class with one child. In each position that the child can reach it gives each answer that can be given
there, and keeps the view that follows. So a file needs no rule of the game: whatever is tapped, the answer is in it.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ...classroom import child
from ...classroom.activity import Activity
from ...classroom.desk import Desk
from ...classroom.room import Classroom
from ...classroom.seat import Seat
from ...teach.event import ClueGiven, Event, Judged, Task, Want
from ...teach.puzzles.problem import Problem
from ...tutor.lesson import LessonSession
from ...tutor.problem import NO_CLUE, ProblemSession, TaskSession, TaskState
from ...tutor.reading import Command
from ...tutor.searches import Searches
from ...tutor.session import Resources
from ...util.fields import Fields
from .. import view

SEAT: Final = 1
KEPT: Final = ("screen", "title", "task", "turn", "said", "board", "replay", "buttons", "question", "number")
"""The parts of a view that a file needs."""
LEADING: Final = ("next", "back")
"""Commands that lead to another task."""
View = dict[str, Any]


class UndecidedError(ValueError):
    """It is not known whether an answer that can be given is right. The message names the answer."""


class Answer(NamedTuple):
    """What follows an action."""

    view: View
    place: int
    """The number of the place that is reached."""
    right: bool | None
    """Whether an answer was right; None if nothing was judged, as after an illegal play."""


@dataclass(slots=True)
class Place:
    """A position of a task that can be reached, with what follows each action there."""

    solved: bool
    points: dict[str, Answer] = field(default_factory=dict)
    """By the vertex: every point of the board, unless the task is solved or waits for no point."""
    numbers: list[Answer] = field(default_factory=list)
    """From 0 on; empty unless the task waits for a number."""
    words: dict[str, list[Answer]] = field(default_factory=dict)
    """By the command of a button. A hint has several answers, each of which says more; the last one stays."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A page or a problem."""

    want: Want
    lesson: int
    """The lesson; 0 for a problem of a collection."""
    name: str
    """`3.4` for a problem of lesson 3, `17` for one of a collection; see also `page_name`."""
    start: View
    places: list[Place]
    """The first one is the start."""


class _Reached(NamedTuple):
    """A place by what leads to it: the right plays and the replies so far, and whether the task is solved."""

    moves: tuple[str, ...]
    solved: bool

    @classmethod
    def of(cls, session: TaskSession) -> _Reached:
        """Return the place of a session."""
        return cls(tuple(session.state()["moves"]), session.finished)


START: Final = _Reached((), False)


class Recorder:
    """A class of one child, who tries everything."""

    def __init__(self, searches: Searches, language: str) -> None:
        self._searches = searches
        self._room = Classroom(Activity(), searches, (), random.Random(0), language=language)
        self._seat = self._room.seats[SEAT] = Seat(SEAT, "", language=language)
        self._actions = itertools.count()

    def lesson(self, number: int, wanted: Container[str] | None = None) -> Iterator[Recording]:
        """Yield the pages and problems of a lesson in its order; `wanted`: the names of some, None for all."""
        session = LessonSession(number, self._resources())
        self._sit(session)
        for at in session.lesson.order:
            untouched = TaskState([], [], is_solved=False, clues=0)._asdict()
            session.restore(Fields({"at": at, **untouched}))
            if wanted is None or _name(session.task.task) in wanted:
                yield self._recorded(session)

    def problem(self, problems: Sequence[Problem], number: int) -> Recording:
        """Return a problem by its number among several. ProblemError, UndecidedError: it cannot be judged."""
        session = ProblemSession(problems, number, self._resources())
        self._sit(session)
        return self._recorded(session)

    def _resources(self) -> Resources:
        return Resources(self._searches, None, self._seat.progress)

    def _sit(self, session: TaskSession) -> None:
        self._room.sit(Desk(session, (SEAT,)))
        self._work()

    def _work(self) -> None:
        """Do the work of the session until there is none."""
        for desk, work in iter(lambda: next(iter(self._room.work()), (None, None)), (None, None)):
            assert desk is not None
            assert work is not None
            self._room.finish_work(desk, work, work.run(threading.Event()))

    def _recorded(self, session: TaskSession) -> Recording:
        """Return the task that is set."""
        task = session.current
        assert task is not None
        self._return(session, START, 0)
        self._room.apply_reply(self._desk, self._desk.handle_input(Command("again"), (SEAT,)))
        start, reached = self._view(), [_Reached.of(session)]
        places = [self._place(session, at, reached) for at in reached]  # each place adds those that follow it
        return Recording(task.want, task.lesson, _name(task), start, places)

    def _place(self, session: TaskSession, at: _Reached, reached: list[_Reached]) -> Place:
        """Try everything at a place, and add the places that are reached and were not known."""

        def answer(action: Mapping[str, Any], clues: int = 0) -> Answer:
            self._return(session, at, clues)
            child.act(self._room, self._seat, action, self._room.count, str(next(self._actions)))
            self._work()
            after = _Reached.of(session)
            if after not in reached:
                reached.append(after)
            judged = next((event for event in self._events if isinstance(event, Judged)), None)
            if judged is not None and judged.right is None:
                raise UndecidedError(f"it is not known whether {judged.answer} is right")
            return Answer(self._view(), reached.index(after), None if judged is None else judged.right)

        place = Place(at.solved)
        self._return(session, at, 0)
        now = session.situation()
        if now.takes_point:
            shown = self._view()["board"]["points"]
            place.points = {point["vertex"]: answer({"point": point["vertex"]}) for point in shown}
        elif now.takes_number:
            place.numbers = [answer({"number": number}) for number in range(view.MOST_NUMBER + 1)]
        for name, refusal in now.actions.items():
            if refusal is not None or name in LEADING:
                continue
            place.words[name] = [answer({"word": name})]
            while name == "hint" and self._more_clues():
                place.words[name].append(answer({"word": name}, len(place.words[name])))
        return place

    def _more_clues(self) -> bool:
        """Whether a clue was given now that is not the last one."""
        *_, last = self._events
        return isinstance(last, ClueGiven) and last.clue != NO_CLUE

    def _return(self, session: TaskSession, at: _Reached, clues: int) -> None:
        """Go back to a place; `clues` were given there."""
        state = {**session.state(), "solved": [], "moves": [*at.moves], "is_solved": at.solved, "clues": clues}
        if isinstance(session, LessonSession):
            session.restore(Fields(state))
        else:
            session.task.again()
            session.restore_task(TaskState(**{name: state[name] for name in TaskState._fields}))

    @property
    def _desk(self) -> Desk:
        assert self._seat.desk is not None
        return self._seat.desk

    @property
    def _events(self) -> list[Event]:
        return self._desk.events[SEAT]

    def _view(self) -> View:
        shown: View = {key: value for key, value in view.child(self._room, self._seat).items() if key in KEPT}
        if shown["replay"] is not None:
            shown["replay"]["key"] = 0  # the page counts its own
        return shown


def page_name(lesson: int, number: int) -> str:
    """Return the name of a page of a lesson."""
    return f"{lesson}.page {number}"


def _name(task: Task) -> str:
    return page_name(task.lesson, task.number) if task.want is Want.PAGE else task.name
