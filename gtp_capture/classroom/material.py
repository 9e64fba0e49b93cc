"""What children work with: the searches, the collection of problems, and the sessions that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE
from ..players import levels
from ..teach.course.lessons import lesson
from ..teach.puzzles.problem import Problem
from ..tutor.game import GameSession, Seats
from ..tutor.lesson import LessonSession, restored
from ..tutor.problem import ProblemSession
from ..tutor.searches import Searches
from ..tutor.session import Resources, Session
from .activity import ADAPT, Activity
from .seat import Seat, voice_in
from .table import Table


class Material:
    """Makes the session of each activity."""

    def __init__(self, searches: Searches, problems: Sequence[Problem]) -> None:
        """`problems`: the collection."""
        self._searches = searches
        easiest = sorted(enumerate(problems, 1), key=lambda found: (found[1].difficulty.grade, found[1].depth))
        self._problems = {str(number): problem for number, problem in easiest}

    def problems(self, theme: str) -> dict[str, Problem]:
        """Return the problems of a theme, or all for "": the easiest first, by the number in the collection."""
        return {name: problem for name, problem in self._problems.items() if theme in ("", problem.theme)}

    def task_name(self, table: Table) -> str:
        """Return the name of the problem that is set; see `Progress.solved`."""
        session = table.session
        if isinstance(session, LessonSession):
            return f"{session.lesson.number}.{session.at - len(session.lesson.pages) + 1}"
        assert isinstance(session, ProblemSession)
        return [*self.problems(table.theme)][session.number - 1]

    def session(self, activity: Activity, seat: Seat) -> Session:
        """Return the session of an activity, which has not begun."""
        if activity.kind == "lesson":
            read = activity.page <= len(lesson(activity.lesson).pages)
            at = {"at": activity.page - 1, "moves": [], "solved": [], "is_solved": read, "clues": 0}
            return restored({"kind": "lesson", "lesson": activity.lesson, **at}, self._resources(seat))
        if activity.kind == "problems":
            chosen = self.problems(activity.theme)
            first = next((n for n, name in enumerate(chosen, 1) if name not in seat.progress.solved), 1)
            return ProblemSession([*chosen.values()], first, self._resources(seat))
        seats = self._seats(activity, seat, frozenset({BLACK}), (seat.name, seat.name))
        return GameSession(seats, self._resources(seat))

    def pair_game(self, game: Activity, black: Seat, white: Seat, language: str) -> GameSession:
        """Return a game of two children. What is said to both is in their language, or else in a given one."""
        seats = self._seats(game, black, frozenset({BLACK, WHITE}), (black.name, white.name))
        both = black.language if black.language == white.language else language
        session = GameSession(seats, self._resources(black, both))
        session.custom = True
        return session

    def own_board(self, game: Activity, seat: Seat) -> GameSession:
        """Return a board on which one person plays both colours."""
        return GameSession(self._seats(game, seat, frozenset({BLACK, WHITE}), ("", "")), self._resources(seat))

    def restored(self, state: Mapping[str, Any], theme: str, seat: Seat) -> Session:
        """Return the session of a state, for the first child of its table."""
        return restored(dict(state), self._resources(seat), [*self.problems(theme).values()])

    def _resources(self, seat: Seat, language: str = "") -> Resources:
        return Resources(self._searches, None, seat.progress, voice_in(language or seat.language))

    def _seats(self, game: Activity, seat: Seat, people: frozenset[int], names: tuple[str, str]) -> Seats:
        adapts = game.level == ADAPT
        level = seat.progress.level if adapts else levels.level(game.level)
        rules, size = Rules.parse(game.rules), game.size
        return Seats(rules, size, size, people, names, level=level, adapt=adapts and len(people) == 1)
