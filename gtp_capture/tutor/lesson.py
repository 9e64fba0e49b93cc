"""The course: its contents, and a lesson with pages to read, problems, and the game at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ..go.game import Game
from ..go.vertex import BLACK
from ..teach.course import lessons
from ..teach.course.lessons import Quiz
from ..teach.puzzles.examiner import FileExaminer
from ..teach.puzzles.problem import Problem
from .game import GameSession, Seats, seats_of
from .problem import ProblemSession, ProblemTask, ReadTask, TaskSession
from .reading import Wanted
from .reply import Refused, Tone
from .session import HELP, QUIT, Resources, Session, Word


class ContentsSession(Session):
    """The list of lessons, of which the person chooses one."""

    WORDS: ClassVar[Mapping[str, Word]] = {"help": HELP, "quit": QUIT}
    game = Game()

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {"kind": "contents"}

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        text = self.voice.text("course.list")
        return Wanted(text, text, number=True)

    def start(self) -> None:
        """List the lessons, and mark which are done and whose game is won."""
        profile = self.resources.profile
        done, won = ([], []) if profile is None else (profile.lessons(), profile.games())
        for number in lessons.numbers():
            key = "course.lesson" + ".done" * (number in done) + ".won" * (number in won)
            self.say(key, number=number, title=lessons.title(number, self.voice.language))
        self.say("course.list")

    def answer(self, value: int) -> None:
        """Begin a lesson."""
        numbers = lessons.numbers()
        if value not in numbers:
            raise Refused("course.no_lesson", last=numbers[-1])
        self.following = LessonSession(value, self.resources)


class LessonSession(TaskSession):
    """A lesson: its pages, its problems, and then its game, which is the session that follows."""

    def __init__(self, number: int, resources: Resources) -> None:
        self.lesson = lessons.lesson(number, resources.voice.language)
        super().__init__(resources, len(self.lesson.exercises))
        self.last = len(self.lesson.pages) + self.count - 1
        """The index of the last task."""
        self._set(0)

    def _set(self, at: int) -> None:
        """Set the task with an index: a page, or after the last page a problem."""
        self.at, pages = at, self.lesson.pages
        if at < len(pages):
            self.task = ReadTask(self, pages[at], pages[at].text)
            return
        text, task = self.lesson.exercises[at - len(pages)]
        if isinstance(task, Quiz):
            self.task = ReadTask(self, task, text)
        else:
            self.task = ProblemTask(self, FileExaminer(task), text)

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {"kind": "lesson", "lesson": self.lesson.number, "at": self.at, **self.task_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with a state of this lesson."""
        self._set(state["at"])
        self.restore_task(state)

    def start(self) -> None:
        """Say the title, and the task."""
        self.say("course.title", Tone.STRONG, number=self.lesson.number, title=self.lesson.title)
        self.introduce()

    def introduce(self) -> None:
        """See TaskSession."""
        pages = self.lesson.pages
        if self.at < len(pages):
            page = pages[self.at]
            self.say("course.page", Tone.STRONG, number=self.at + 1, count=len(pages), title=page.title)
        else:
            number = self.at - len(pages) + 1
            self.say("course.problem", Tone.STRONG, number=number, count=self.count)
        self.task.introduce()

    def task_solved(self) -> None:
        """See TaskSession. The last problem ends the lesson at once, because the person may leave now."""
        self.solved.add(self.at - len(self.lesson.pages) + 1)
        if self.at == self.last:
            self.record(lambda profile: profile.finish(self.lesson.number))
        self.say("course.go_on")

    def go_on(self) -> None:
        """Set the next task; after the last one the game of the lesson follows."""
        if self.at < self.last:
            self._show(self.at + 1)
            return
        if self.task.solved:
            self.say("course.done", Tone.RIGHT, number=self.lesson.number)
        self.tell(self.lesson.goal.text)
        self.following = LessonGame(self.lesson.number, self.resources)

    def set_problem(self, number: int) -> None:
        """See TaskSession."""
        self._show(len(self.lesson.pages) + number - 1)

    def _show(self, at: int) -> None:
        self._set(max(0, at))
        self.introduce()

    def _list(self) -> None:
        self.following = ContentsSession(self.resources)

    WORDS: ClassVar[Mapping[str, Word]] = {
        **{name: word for name, word in TaskSession.WORDS.items() if name not in ("help", "quit")},
        "next": TaskSession.WORDS["next"]._replace(group="course"),
        "back": Word(lambda session, rest: session._show(session.at - 1), group="course"),
        "lessons": Word(lambda session, rest: session._list(), group="course"),
        "help": HELP,
        "quit": QUIT,
    }


class LessonGame(GameSession):
    """The game of a lesson. The session that follows it shows the contents of the course."""

    def __init__(self, number: int, resources: Resources) -> None:
        goal = lessons.lesson(number).goal
        people = frozenset({BLACK})
        super().__init__(
            Seats(goal.rules, goal.size, goal.size, people, handicap=goal.handicap, level=goal.level), resources
        )
        self.lesson = number

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {**super().state(), "kind": "lesson game", "lesson": self.lesson}

    def ended(self, won: bool) -> None:
        """Remember a game that is won, and say how to go on."""
        if won:
            self.record(lambda profile: profile.win(self.lesson))
            self.say("course.won", Tone.RIGHT, number=self.lesson)
        self.say("course.lessons")

    def resume(self) -> None:
        """Answer Enter: after the end of the game, go on to the contents of the course."""
        if self.game.is_over:
            self._list()
        else:
            super().resume()

    def _list(self) -> None:
        self.following = ContentsSession(self.resources)

    WORDS: ClassVar[Mapping[str, Word]] = {
        **GameSession.WORDS,
        "lessons": Word(lambda session, rest: session.if_given_up(session._list), group="course", at_end=True),
    }


def restored(state: dict[str, Any], resources: Resources, problems: Sequence[Problem] = ()) -> Session:
    """Return the session that had a state of `Session.state`; the caller calls its `begin`.

    `problems`: the problems of a ProblemSession, which its state does not have.
    """
    kind = state["kind"]
    if kind == "problem":
        return ProblemSession(problems, state["number"], resources, state)
    if kind == "contents":
        return ContentsSession(resources)
    session: LessonSession | GameSession
    if kind == "lesson":
        session = LessonSession(state["lesson"], resources)
    else:
        game = kind == "game"
        session = GameSession(seats_of(state), resources) if game else LessonGame(state["lesson"], resources)
    session.restore(state)
    return session
