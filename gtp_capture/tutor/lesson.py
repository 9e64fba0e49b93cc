"""The course: its contents, and a lesson with pages to read, problems, and the game at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..go.game import Game
from ..go.rules import DEFAULT as DEFAULT_RULES
from ..go.rules import PRESETS, Rules
from ..go.vertex import BLACK
from ..teach import words
from ..teach.course import lessons
from ..teach.course.lessons import Page, Question
from ..teach.puzzles.examiner import Clue, FileExaminer
from ..teach.puzzles.problem import Problem, Start
from . import reading
from .game import GameSession, Seats, game_of, seats_of
from .problem import LAST_WORDS, TASK_WORDS, ProblemSession, ProblemTask, Task, TaskSession
from .reading import Input, Kind, Number, Play, Wanted
from .reply import Refused, Tone
from .session import Resources, Session, Word


class ReadTask(Task):
    """A page, or a problem that is answered by a point or a number."""

    def __init__(self, session: TaskSession, content: Page | Question, text: str) -> None:
        super().__init__(session)
        self.content, self.text, self.game = content, text, content.game
        self.answered = False

    @property
    def solved(self) -> bool:
        """See Task."""
        return self.answered or isinstance(self.content, Page)

    @property
    def wanted(self) -> Wanted:
        """See Task."""
        size, text = self.game.size, self.session.voice.text
        if isinstance(self.content, Page):
            return Wanted(Kind.WORD, text("course.go_on"))
        if self.content.count is not None:
            return Wanted(Kind.NUMBER, text("course.type.number"))
        sample = reading.example(*size, self.content.points)
        return Wanted(Kind.POINT, text("course.type.point", example=sample), *size, sample)

    @property
    def instruction(self) -> str:
        """See Task."""
        wanted = self.wanted
        key = {Kind.WORD: "course.help.page", Kind.NUMBER: "course.help.number", Kind.POINT: "lesson.help"}[wanted.kind]
        return self.session.voice.text(key, example=wanted.sample)

    def introduce(self) -> None:
        """See Task."""
        self.session.tell(self.text)
        self.show()
        self.session.tell(self.wanted.sentence)

    def show(self) -> None:
        """Show the board; of a page with its letters, and again after its moves if they capture."""
        if isinstance(self.content, Question):
            self.session.show(self.game)
            return
        self.session.show(self.content.start, self.content.numbers or None)
        if self.content.captures:
            self.session.say("course.after")
            self.session.show(self.game)

    def answer(self, given: Input) -> None:
        """See Task."""
        if isinstance(self.content, Question) and isinstance(given, Play | Number):
            if self.content.is_right(given[0]):
                self.answered = True
                self.session.say("course.right", Tone.RIGHT)
                self._show_answer(self.content)
                self.session.task_solved()
            else:
                self.session.say("course.wrong")

    def hint(self) -> None:
        """See Task."""
        if isinstance(self.content, Page):
            self.session.say("course.go_on")
            return
        clues = [*self.content.clues()]
        found = clues[self.clues] if self.clues < len(clues) else Clue("none")
        self.clues += 1
        self.session.tell(words.clue(found, Start.of(self.game.board, int(self.game.to_move), self.game.rules)))

    def solution(self) -> None:
        """Show the answer, with letters on its points."""
        if isinstance(self.content, Question):
            self._show_answer(self.content)
        self.session.say("course.go_on" if self.solved else "lesson.another")

    def _show_answer(self, question: Question) -> None:
        self.session.show(self.game, question.numbers)
        self.session.tell(words.answer(question.count, map(self.game.vertex, question.points)))


class ContentsSession(Session):
    """The list of lessons, of which the person chooses one."""

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {"kind": "contents"}

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return Wanted(Kind.NUMBER, self.voice.text("course.list"))

    @property
    def instruction(self) -> str:
        """See Session."""
        return self.voice.text("course.list")

    @property
    def rules(self) -> Rules:
        """See Session."""
        return PRESETS[DEFAULT_RULES]

    def start(self) -> None:
        """List the lessons, with those that are done and those whose game is won."""
        progress = self.resources.progress
        done, won = ([], []) if progress is None else (progress.lessons(), progress.games())
        for number in lessons.numbers():
            key = "course.lesson" + ".done" * (number in done) + ".won" * (number in won)
            self.say(key, number=number, title=lessons.title(number))
        self.say("course.list")

    def answer(self, given: Input) -> None:
        """Begin a lesson."""
        numbers = lessons.numbers()
        if not isinstance(given, Number) or given.value not in numbers:
            raise Refused("course.no_lesson", last=numbers[-1])
        self.following = LessonSession(given.value, self.resources)

    WORDS: ClassVar[dict[str, Word]] = {
        "help": Word(Session.help, "[WORD]", group="lesson"),
        "quit": Word(Session.quit, group="lesson"),
    }


class LessonSession(TaskSession):
    """A lesson: its pages, its problems, and then its game, which is the session that follows."""

    def __init__(self, number: int, resources: Resources) -> None:
        super().__init__(resources)
        self.lesson = lessons.lesson(number)
        self.at = 0
        """The task that is set: a page, or after the last page a problem."""
        self.last = len(self.lesson.pages) + len(self.lesson.exercises) - 1
        """The last task."""
        self.task = self._made(0)

    def state(self) -> dict[str, Any]:
        """See Session."""
        task = self.set_task
        moves = [task.game.vertex(move.point) for move in task.game.moves] if isinstance(task, ProblemTask) else []
        own = {"moves": moves, "solved": task.solved, "clues": task.clues}
        return {"kind": "lesson", "lesson": self.lesson.number, "at": self.at, **own}

    @classmethod
    def restored(cls, state: dict[str, Any], resources: Resources) -> LessonSession:
        """Return the session of a state."""
        session = cls(state["lesson"], resources)
        session.at = state["at"]
        session.task = task = session._made(session.at)
        task.clues = state["clues"]
        if isinstance(task, ProblemTask):
            task.examiner.play(map(task.game.point, state["moves"]))
        elif isinstance(task, ReadTask):
            task.answered = state["solved"]
        return session

    def start(self) -> None:
        """Say the title, and the first page."""
        self.say("course.title", Tone.STRONG, number=self.lesson.number, title=self.lesson.title)
        self.introduce()

    def introduce(self) -> None:
        """See TaskSession."""
        pages, exercises = self.lesson.pages, self.lesson.exercises
        if self.at < len(pages):
            page = pages[self.at]
            self.say("course.page", Tone.STRONG, number=self.at + 1, count=len(pages), title=page.title)
        else:
            number = self.at - len(pages) + 1
            self.say("course.problem", Tone.STRONG, number=number, count=len(exercises))
        self.set_task.introduce()

    def task_solved(self) -> None:
        """See TaskSession. The lesson is done with its last problem, at once: the person may leave now."""
        if self.at == self.last:
            self.record(lambda progress: progress.finish(self.lesson.number))
        self.say("course.go_on")

    def resume(self) -> None:
        """Go on after a page or a solved problem."""
        if self.set_task.solved:
            self._go_to(self.at + 1)
        else:
            self.say("course.unsolved")

    def _made(self, at: int) -> Task:
        pages = self.lesson.pages
        if at < len(pages):
            return ReadTask(self, pages[at], pages[at].text)
        text, task = self.lesson.exercises[at - len(pages)]
        if isinstance(task, Question):
            return ReadTask(self, task, text)
        return ProblemTask(self, FileExaminer(task), text)

    def _go_to(self, at: int) -> None:
        """Set another task; after the last one the game of the lesson begins."""
        if at <= self.last:
            self.at = max(0, at)
            self.task = self._made(self.at)
            self.introduce()
            return
        if self.set_task.solved:
            self.say("course.done", Tone.RIGHT, number=self.lesson.number)
        self.tell(self.lesson.goal.text)
        self.following = LessonGame(self.lesson.number, self.resources)

    def _next(self, rest: str) -> None:
        self._go_to(self.at + 1)

    def _back(self, rest: str) -> None:
        self._go_to(self.at - 1)

    def _problem(self, rest: str) -> None:
        count, number = len(self.lesson.exercises), reading.number(rest) or 0
        if not 1 <= number <= count:
            raise Refused("course.no_problem", count=count)
        self._go_to(len(self.lesson.pages) + number - 1)

    def _lessons(self, rest: str) -> None:
        self.following = ContentsSession(self.resources)

    WORDS: ClassVar[dict[str, Word]] = {
        **TASK_WORDS,
        "next": TASK_WORDS["next"]._replace(group="course"),
        "back": Word(_back, group="course"),
        "lessons": Word(_lessons, group="course"),
        **LAST_WORDS,
    }


class LessonGame(GameSession):
    """The game of a lesson; the contents of the course follow it."""

    def __init__(self, number: int, resources: Resources, game: Game | None = None) -> None:
        goal = lessons.lesson(number).goal
        people = frozenset({BLACK})
        seats = Seats(goal.rules, goal.size, goal.size, people, handicap=goal.handicap, level=goal.level)
        super().__init__(seats, resources, game)
        self.lesson = number

    def state(self) -> dict[str, Any]:
        """See Session."""
        return {**super().state(), "kind": "lesson game", "lesson": self.lesson}

    def ended(self, won: bool) -> None:
        """Remember a game that is won, and say how to go on."""
        if won:
            self.record(lambda progress: progress.win(self.lesson))
            self.say("course.won", Tone.RIGHT, number=self.lesson)
        self.say("course.lessons")

    def resume(self) -> None:
        """Enter goes on to the contents of the course after the end of the game."""
        if self.game.outcome is None:
            super().resume()
        else:
            self._go_to_contents()

    def _go_to_contents(self) -> None:
        self.following = ContentsSession(self.resources)

    def _lessons(self, rest: str) -> None:
        self._if_given_up(self._go_to_contents)

    WORDS: ClassVar[dict[str, Word]] = {
        **{name: word for name, word in GameSession.WORDS.items() if name != "quit"},
        "lessons": Word(_lessons, group="course", at_end=True),
        "quit": GameSession.WORDS["quit"],
    }


def restored(state: dict[str, Any], resources: Resources, problems: Sequence[Problem] = ()) -> Session:
    """Return the session of a state that `Session.state` has given; call its `begin`. `problems`: those it had."""
    kind = state["kind"]
    if kind == "problem":
        return ProblemSession.restored(state, problems, resources)
    if kind == "lesson":
        return LessonSession.restored(state, resources)
    if kind == "contents":
        return ContentsSession(resources)
    game = game_of(state)
    if kind == "game":
        session = GameSession(seats_of(state), resources, game)
    else:
        session = LessonGame(state["lesson"], resources, game)
    session.restore(state)
    return session
