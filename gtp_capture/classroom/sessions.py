"""What children work with: the searches, the collection of problems, and the sessions that are made of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE
from ..players import levels
from ..teach.course.lessons import lesson
from ..teach.puzzles.problem import Problem
from ..tutor.game import GameSession
from ..tutor.lesson import ContentsSession, restored
from ..tutor.problem import ProblemSession
from ..tutor.searches import Searches
from ..tutor.session import Resources, Session
from ..tutor.setup import GameSetup
from ..util.fields import Fields
from .activity import ADAPT, Activity
from .seat import Seat


class SessionFactory:
    """Makes the session of each activity."""

    def __init__(self, searches: Searches, problems: Sequence[Problem]) -> None:
        """`problems`: the collection."""
        self.searches = searches
        self.collection = problems
        """The problems by their numbers."""
        easiest = sorted(problems, key=lambda problem: (problem.difficulty.grade, problem.depth))
        self._problems = {str(problem.number): problem for problem in easiest}

    def problems(self, theme: str) -> dict[str, Problem]:
        """Return the problems of a theme, or all for "": the easiest first, by the number in the collection."""
        return {name: problem for name, problem in self._problems.items() if theme in ("", problem.theme)}

    def session(self, activity: Activity, seat: Seat) -> Session:
        """Return the session of an activity, which has not begun."""
        if activity.kind == "lesson":
            course, at = lesson(activity.lesson), activity.page - 1
            pages = len(course.pages)
            numbers = sorted(before - pages + 1 for before in course.order[: course.order.index(at)] if before >= pages)
            solved = [n for n in numbers if seat.progress.boxes.is_played(course.names[n - 1])]
            begun = {"at": at, "moves": [], "solved": solved, "is_solved": at < pages, "clues": 0, "repeats": ""}
            return restored(Fields({"kind": "lesson", "lesson": activity.lesson, **begun}), self._resources(seat))
        if activity.kind == "problems":
            chosen, boxes = self.problems(activity.theme), seat.progress.boxes
            first = next((name for name in chosen if not boxes.is_played(name)), next(iter(chosen)))
            return ProblemSession([*chosen.values()], int(first), self._resources(seat))
        setup = self._setup(activity, seat, frozenset({BLACK}), (seat.name, seat.name))
        return GameSession(setup, self._resources(seat))

    def pair_game(self, game: Activity, black: Seat, white: Seat) -> Session:
        """Return a game of two children."""
        setup = self._setup(game, black, frozenset({BLACK, WHITE}), (black.name, white.name))
        session = GameSession(setup, self._resources(black))
        session.custom = True
        return session

    def own_board(self, game: Activity, seat: Seat) -> Session:
        """Return a board on which one person plays both colours."""
        return GameSession(self._setup(game, seat, frozenset({BLACK, WHITE}), ("", "")), self._resources(seat))

    def restored(self, state: Fields, theme: str, seats: Sequence[Seat]) -> Session:
        """Return the session of a state, for the children of its desk. FieldError: it is damaged, or not theirs."""
        session = restored(state, self._resources(seats[0]), [*self.problems(theme).values()])
        names = [*session.setup.names] if session.setup is not None and len(session.people) == 2 else []
        is_own = sorted(names) == sorted(seat.name for seat in seats) if len(seats) == 2 else not names
        if not is_own or len(session.people) == 0 or isinstance(session, ContentsSession):
            raise state.error("is no session of these seats")
        return session

    def _resources(self, seat: Seat) -> Resources:
        return Resources(self.searches, None, seat.progress, boxes=seat.progress.boxes)

    def _setup(self, game: Activity, seat: Seat, people: frozenset[int], names: tuple[str, str]) -> GameSetup:
        adapts = game.level == ADAPT
        level = seat.progress.level if adapts else levels.level(game.level)
        rules, size = Rules.parse(game.rules), game.size
        return GameSetup(rules, size, size, people, names, level=level, adapt=adapts and len(people) == 1)
