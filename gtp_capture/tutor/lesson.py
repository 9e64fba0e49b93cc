"""The course: its contents, and a lesson with pages to read, problems, and the game at its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final

from ..go.game import Game
from ..go.vertex import BLACK
from ..teach import event as ev
from ..teach.course import lessons
from ..teach.course.lessons import Lesson, Quiz
from ..teach.event import Noted, Notice, Refusal, RefusedError, Task, Want, Wanted
from ..teach.puzzles.examiner import FileExaminer
from ..teach.puzzles.files import numbers
from ..teach.puzzles.problem import Problem
from ..util.fields import Fields
from .game import GameSession
from .leitner import LONGEST
from .problem import PlayTask, ProblemSession, ReadTask, TaskSession, TaskState
from .session import HELP, QUIT, Resources, Session, SessionCommand
from .setup import GameSetup, setup_of

KINDS: Final = ("problem", "contents", "lesson", "game", "lesson game")
"""The kinds of sessions in a state."""


class ContentsSession(Session):
    """The list of lessons, of which the person chooses one."""

    COMMANDS: ClassVar[Mapping[str, SessionCommand]] = {"help": HELP, "quit": QUIT}
    game = Game()

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {"kind": "contents"}

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return Wanted(Want.LESSON)

    def start(self) -> None:
        """List the lessons, and mark which are done and whose game is won."""
        profile = self.resources.profile
        done, won = ([], []) if profile is None else (profile.lessons(), profile.games())
        self.report(ev.ContentsListed(tuple(done), tuple(won)))

    def answer(self, value: int) -> None:
        """Begin a lesson."""
        numbers = lessons.numbers()
        if value not in numbers:
            raise RefusedError(Refusal.NO_LESSON, last=numbers[-1])
        self.following = LessonSession(value, self.resources)


class LessonSession(TaskSession):
    """A lesson: its pages, its problems, and then its game, which is the session that follows."""

    def __init__(self, number: int, resources: Resources) -> None:
        self.lesson = lessons.lesson(number)
        super().__init__(resources, range(1, len(self.lesson.exercises) + 1))
        self._set(self.lesson.order[0])

    def _set(self, at: int) -> None:
        """Set a task by its number in the order of the lesson; see `Lesson.order`."""
        self.at, self.repeats = at, ""
        self.task = _set_task(self.lesson, task_at(self.lesson, at))

    def _pass_by(self, at: int) -> None:
        """Set a task on the way through the lesson: a problem that was solved on this way stays solved."""
        self._set(at)
        if self.task.task.want is not Want.PAGE and self.task.task.number in self.solved:
            self.task.solve()
        self.introduce()

    def _set_repeated(self, name: str) -> None:
        """Set a problem that comes back, of this lesson or another one; its place in this lesson stays."""
        number, exercise = map(int, name.split("."))
        lesson = lessons.lesson(number)
        self.task, self.repeats = _set_task(lesson, task_at(lesson, len(lesson.pages) + exercise - 1)), name

    def can_repeat(self, name: str) -> bool:
        """See TaskSession."""
        return _is_exercise(name) and name != self.task.task.name

    def actions(self, colors: Collection[int]) -> dict[str, Refusal | None]:
        """See Session."""
        is_first = self.at == self.lesson.order[0] and not self.repeats
        return {"back": Refusal.NOT_NOW if is_first else None, **super().actions(colors)}

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {"kind": "lesson", "lesson": self.lesson.number, "at": self.at, **self.task_state()}

    def restore(self, state: Fields) -> None:
        """Go on with a state of this lesson. FieldError: it is damaged."""
        self._set(state.whole("at", 0, len(self.lesson.order) - 1))
        if name := state.text("repeats", LONGEST):
            if not _is_exercise(name):
                raise state.error("is no problem of a lesson", "repeats")
            self._set_repeated(name)
        problem = self.task.examiner.problem if isinstance(self.task, PlayTask) else None
        self.restore_task(TaskState.read(state, self.count, problem, by_file=True))

    def start(self) -> None:
        """Say the title, and the task."""
        self.report(ev.LessonBegan(self.lesson.number))
        self.introduce()

    def task_solved(self) -> None:
        """See TaskSession. The last problem ends the lesson at once, because the person may leave now."""
        task = self.task.task
        if task.lesson == self.lesson.number:
            self.solved.add(task.number)
        if self._is_done(task.lesson):
            self.record(lambda profile: profile.finish(task.lesson))
        self.report(ev.NextOffered(lesson=True))

    def _is_done(self, number: int) -> bool:
        """Whether a lesson is done: no problem of it was left out; if that is not recorded, the last one is solved."""
        if self.boxes is None:
            return self.at == self.lesson.order[-1] and self.task.solved
        return all(map(self.boxes.is_played, lessons.lesson(number).names))

    def go_on(self) -> None:
        """Set the next task, before a problem one that comes back; the game of the lesson is the last one."""
        self.leave_task()
        following = self._task_from_here(1)
        is_page = following is not None and following < len(self.lesson.pages)
        if not is_page and (due := self.problem_due()) is not None:
            self._set_repeated(due)
            self.report(Noted(Notice.PROBLEM_REPEATED))
            self.introduce()
            return
        if following is not None:
            self._pass_by(following)
            return
        if self._is_done(self.lesson.number):
            self.report(ev.LessonDone(self.lesson.number))
        self.report(ev.GoalSet(self.lesson.number))
        self.following = LessonGame(self.lesson.number, self.resources)

    def set_problem(self, number: int) -> None:
        """See TaskSession."""
        self._set(len(self.lesson.pages) + number - 1)
        self.introduce()

    def _task_from_here(self, steps: int) -> int | None:
        """Return the task some steps after this one, or before it; None beyond the ends of the lesson."""
        place = self.lesson.order.index(self.at) + steps
        return self.lesson.order[place] if 0 <= place < len(self.lesson.order) else None

    def _back(self) -> None:
        """Set the task before this one; after a problem that has come back, the task before it."""
        before = self.at if self.repeats else self._task_from_here(-1)
        self._pass_by(self.at if before is None else before)

    def _list(self) -> None:
        self.following = ContentsSession(self.resources)

    COMMANDS: ClassVar[Mapping[str, SessionCommand]] = {
        **{name: command for name, command in TaskSession.COMMANDS.items() if name not in ("help", "quit")},
        "next": TaskSession.COMMANDS["next"]._replace(group="course"),
        "back": SessionCommand(lambda session, rest: session._back(), group="course"),
        "lessons": SessionCommand(lambda session, rest: session._list(), group="course"),
        "help": HELP,
        "quit": QUIT,
    }


def task_at(lesson: Lesson, at: int) -> Task:
    """Return a task by its number in the order of a lesson; see `Lesson.order`."""
    pages = len(lesson.pages)
    if at < pages:
        return Task(want=Want.PAGE, number=at + 1, count=pages, lesson=lesson.number)
    content, want = lesson.exercises[at - pages].task, Want.PLAY
    if isinstance(content, Quiz):
        want = Want.POINT if content.count is None else Want.NUMBER
    return Task(want=want, number=at - pages + 1, count=len(lesson.exercises), lesson=lesson.number)


def _set_task(lesson: Lesson, task: Task) -> PlayTask | ReadTask:
    """Return a task of a lesson, to be done."""
    if task.want is Want.PAGE:
        return ReadTask(task, lesson.pages[task.number - 1])
    content = lesson.exercises[task.number - 1].task
    return ReadTask(task, content) if isinstance(content, Quiz) else PlayTask(task, FileExaminer(content))


def _is_exercise(name: str) -> bool:
    """Whether this is the name of a problem of a lesson."""
    number = name.partition(".")[0]
    return number.isdecimal() and int(number) in lessons.numbers() and name in lessons.lesson(int(number)).names


class LessonGame(GameSession):
    """The game of a lesson. The session that follows it shows the contents of the course."""

    def __init__(self, number: int, resources: Resources) -> None:
        goal = lessons.lesson(number).goal
        people = frozenset({BLACK})
        super().__init__(
            GameSetup(goal.rules, goal.size, goal.size, people, handicap=goal.handicap, level=goal.level), resources
        )
        self.lesson_of_game = number

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {**super().state(), "kind": "lesson game", "lesson": self.lesson_of_game}

    def ended(self, won: bool) -> None:
        """Remember a game that is won, and say how to go on."""
        if won:
            self.record(lambda profile: profile.win(self.lesson_of_game))
            self.report(ev.LessonWon(self.lesson_of_game))
        self.report(ev.ContentsOffered())

    def actions(self, colors: Collection[int]) -> dict[str, Refusal | None]:
        """See Session. After the end the person can go on to the contents of the course."""
        return super().actions(colors) | ({"next": None} if self.game.is_over else {})

    @property
    def next_setup(self) -> GameSetup | None:
        """None: the game of a lesson has the sides of its goal."""
        return None

    def resume(self) -> None:
        """Answer Enter: after the end of the game, go on to the contents of the course."""
        if self.game.is_over:
            self._list()
        else:
            super().resume()

    def _list(self) -> None:
        self.following = ContentsSession(self.resources)

    COMMANDS: ClassVar[Mapping[str, SessionCommand]] = {
        **GameSession.COMMANDS,
        "lessons": SessionCommand(
            lambda session, rest: session.if_given_up(session._list), group="course", at_end=True
        ),
    }


def restored(state: Fields, resources: Resources, problems: Sequence[Problem] = ()) -> Session:
    """Return the session that had a state of `Session.state`; the caller calls its `begin`. FieldError: it is damaged.

    `problems`: the problems of a ProblemSession, which its state does not have.
    """
    kind = state.choice("kind", KINDS)
    if kind == "problem":
        known, most = numbers(problems), max(numbers(problems), default=0)
        number = state.whole("number", 1, most)
        if number not in known:
            raise state.error("is not one of these problems", "number")
        current = state.text("repeats", LONGEST) or str(number)
        if not (current.isascii() and current.isdigit()) or int(current) not in known:
            raise state.error("is not one of these problems", "repeats")
        progress = TaskState.read(state, most, problems[known.index(int(current))])
        return ProblemSession(problems, number, resources, progress)
    if kind == "contents":
        return ContentsSession(resources)
    session: LessonSession | GameSession
    if kind == "game":
        try:
            session = GameSession(setup_of(state), resources)
        except RefusedError:
            raise state.error("has a start that is not possible", "seats") from None
    else:
        first, *_, last = lessons.numbers()
        number = state.whole("lesson", first, last)
        session = LessonSession(number, resources) if kind == "lesson" else LessonGame(number, resources)
    session.restore(state)
    return session
