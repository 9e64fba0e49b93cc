"""Problems: each answer is judged; a right one gets the reply that resists longest, a wrong one its refutation."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from ..go.game import Game
from ..go.vertex import opponent
from ..teach import words
from ..teach.course.lessons import Page, Quiz
from ..teach.puzzles.examiner import Answer, Clue, Examiner, FileExaminer, ProblemError
from ..teach.puzzles.problem import Problem, Start
from . import reading
from .reading import Wanted
from .reply import SIGNS, Refused, Tone
from .session import HELP, QUIT, Resources, Session, Word

NOTE: Final = "lesson.preparing"
"""The key of the note before a problem: before the first one the solver is loaded, and perhaps compiled."""


POINTING: Final = ("target", "counted")
"""The kinds of clues whose place is a vertex."""


class ProblemTask:
    """A problem that is answered by plays."""

    def __init__(self, session: TaskSession, examiner: Examiner, text: str = "") -> None:
        """`text`: said before the board is shown."""
        self.session, self.examiner, self.text = session, examiner, text
        self.clues = 0
        """The number of hints that were given at this position."""

    @property
    def game(self) -> Game:
        """The position."""
        return self.examiner.game

    @property
    def solved(self) -> bool:
        """Whether nothing is left to do here."""
        return self.examiner.solved

    @property
    def wanted(self) -> Wanted:
        """The input that the task waits for."""
        sample, text = reading.example(*self.game.size, self.examiner.named), self.session.voice.text
        instruction = text("lesson.help", example=sample)
        return Wanted(text("unclear.point", example=sample), instruction, *self.game.size, sample)

    def introduce(self) -> None:
        """Say the task, and show the board."""
        self.session.tell(self.text)
        self.show()
        self.session.say("lesson.type", example=self.wanted.sample)

    def show(self) -> None:
        """Show the board and the side to move."""
        self.session.show(self.game)
        if not self.solved:
            color = self.examiner.winner
            self.session.say("lesson.side", color=self.session.voice.name(color), sign=SIGNS[color])

    def answer(self, play: int) -> None:
        """Judge an answer. Refused: the play is illegal."""
        self._check_open()
        reason = self.game.why_illegal_point(play, self.examiner.winner)
        if reason is not None:
            raise Refused(f"illegal.{reason.name.lower()}", move=self.game.vertex(play))
        self.session.work(lambda stop: self.examiner.check(play), lambda found: self._judged(play, found))

    def _judged(self, play: int, found: Answer) -> None:
        session, examiner, moves = self.session, self.examiner, (play, *found.reply)
        color, played = examiner.winner, tuple(move.point for move in self.game.moves)
        if found.right is None:
            session.say("lesson.not_at_once", move=self.game.vertex(play))
        elif not found.right:
            line, end = words.plays(color, moves, self.game.width, self.session.voice), self._ending((*played, *moves))
            session.say("lesson.wrong" if end else "lesson.wrong.open", Tone.WRONG, line=line, end=end)
            session.show_line(self.game, color, moves)
            session.say("lesson.taken_back")
            self.show()
        else:
            examiner.play(moves)
            self.clues = 0
            if self.solved:
                session.say("lesson.solved", Tone.RIGHT, end=self._ending((*played, *moves)))
                session.show(self.game)
                session.task_solved()
            else:
                loser, reply = self.session.voice.name(opponent(color)), self.game.vertex(found.reply[0])
                session.say("lesson.right", Tone.RIGHT, loser=loser, reply=reply)
                self.show()

    def _ending(self, moves: tuple[int, ...]) -> str:
        """Return a sentence about the end of a line: in the course the comment of the file, else one of `words`."""
        problem = self.examiner.problem
        if isinstance(self.examiner, FileExaminer):
            return next((line.comment for line in problem.variations if line.moves == moves), "")
        return words.end(problem.start, moves, self.session.voice, refuted=len(moves) % 2 == 0)

    def _check_open(self) -> None:
        if self.solved:
            raise Refused("lesson.over")

    def hint(self) -> None:
        """Say the next hint."""
        self._check_open()
        examiner, number, self.clues = self.examiner, self.clues, self.clues + 1
        self.session.work(
            lambda stop: next(islice(examiner.clues(), number, None), Clue("none")),
            lambda found: self.session.tell_clue(found, examiner.problem.start),
        )

    def solution(self) -> None:
        """Show the rest of the solution; the position stays."""
        self._check_open()
        self.session.work(lambda stop: self.examiner.solution(), self._say_solution)

    def _say_solution(self, rest: tuple[int, ...]) -> None:
        color = self.examiner.winner
        self.session.say(
            "lesson.solution", Tone.STRONG, line=words.plays(color, rest, self.game.width, self.session.voice)
        )
        self.session.show_line(self.game, color, rest)

    def undo(self) -> None:
        """Take back the last right play and the reply."""
        if not self.examiner.undo():
            raise Refused("lesson.no_undo")
        self.clues = 0
        self.show()

    def again(self) -> None:
        """Begin again."""
        self.examiner.again()
        self.clues = 0
        self.session.introduce()


class ReadTask:
    """A page of a lesson, or a problem that is answered by a point or a number; it has the methods of ProblemTask."""

    def __init__(self, session: TaskSession, content: Page | Quiz, text: str) -> None:
        self.session, self.content, self.text, self.game = session, content, text, content.game
        self.clues = 0
        self.solved = isinstance(content, Page)

    @property
    def wanted(self) -> Wanted:
        """The input that the task waits for."""
        content, text, size = self.content, self.session.voice.text, self.game.size
        if isinstance(content, Page):
            return Wanted(text("course.go_on"), text("course.help.page"))
        if content.count is not None:
            return Wanted(text("course.type.number"), text("course.help.number"), number=True)
        sample = reading.example(*size, content.points)
        point, instruction = text("course.type.point", example=sample), text("lesson.help", example=sample)
        return Wanted(point, instruction, *size, sample)

    def introduce(self) -> None:
        """Say the text, show the board, and say what to type."""
        self.session.tell(self.text)
        self.show()
        self.session.tell(self.wanted.sentence)

    def show(self) -> None:
        """Show the board. A page whose moves capture has a second board, after the moves."""
        content = self.content
        if isinstance(content, Page):
            self.session.show(content.start, content.numbers or None)
        if isinstance(content, Page) and content.captures:
            self.session.say("course.after")
        if isinstance(content, Quiz) or content.captures:
            self.session.show(self.game)

    def answer(self, value: int) -> None:
        """Check a point or a number."""
        if isinstance(self.content, Page):
            raise Refused("course.go_on")
        if self.content.is_right(value):
            self.solved = True
            self.session.say("course.right", Tone.RIGHT)
            self._show_answer(self.content)
            self.session.task_solved()
        else:
            self.session.say("course.wrong")

    def hint(self) -> None:
        """Say the next hint."""
        if isinstance(self.content, Page):
            raise Refused("course.go_on")
        found = [*self.content.clues()][self.clues : self.clues + 1] or [Clue("none")]
        self.clues += 1
        start = Start.of(self.game.board, int(self.game.to_move), self.game.rules)
        self.session.tell_clue(found[0], start)

    def solution(self) -> None:
        """Show the answer, with letters on its points."""
        if isinstance(self.content, Quiz):
            self._show_answer(self.content)
        self.session.say("course.go_on" if self.solved else "lesson.leave")

    def _show_answer(self, quiz: Quiz) -> None:
        self.session.show(self.game, quiz.numbers)
        self.session.tell(words.answer(quiz.count, map(self.game.vertex, quiz.points), self.session.voice))

    undo, again = show, introduce  # there is nothing to take back


class TaskSession(Session):
    """A session of several tasks, one after the other."""

    task: ProblemTask | ReadTask
    """The current task. In a `ProblemSession` there is none until the first problem was found to be sound."""

    def __init__(self, resources: Resources, count: int) -> None:
        """`count`: the number of problems."""
        super().__init__(resources)
        self.count = count
        self.solved: set[int] = set()
        """The numbers of the problems that were solved."""

    @property
    def game(self) -> Game:  # type: ignore[override]
        """See Session."""
        return self.task.game

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return self.task.wanted

    def answer(self, value: int) -> None:
        """See Session."""
        self.task.answer(value)

    def resume(self) -> None:
        """Answer Enter: go on after a page or a solved problem."""
        if self.task.solved:
            self.go_on()
        else:
            self.say("course.unsolved")

    def tell_clue(self, found: Clue, start: Start) -> None:
        """Say a clue to a position."""
        self.tell(words.clue(found, start, self.voice), place=found.place if found.kind in POINTING else "")

    @abc.abstractmethod
    def introduce(self) -> None:
        """Say the number of the task, and the task."""

    @abc.abstractmethod
    def task_solved(self) -> None:
        """Say how to go on, after a problem is solved."""

    @abc.abstractmethod
    def go_on(self) -> None:
        """Set the next task."""

    @abc.abstractmethod
    def set_problem(self, number: int) -> None:
        """Set a problem, counted from 1 to `count`."""

    def _problem(self, rest: str) -> None:
        number = reading.number(rest) or 0
        if not 1 <= number <= self.count:
            raise Refused("course.no_problem", count=self.count)
        self.set_problem(number)

    WORDS: ClassVar[Mapping[str, Word]] = {
        "hint": Word(lambda session, rest: session.task.hint(), group="lesson"),
        "solution": Word(lambda session, rest: session.task.solution(), group="lesson"),
        "undo": Word(lambda session, rest: session.task.undo(), group="lesson"),
        "again": Word(lambda session, rest: session.task.again(), group="lesson"),
        "next": Word(lambda session, rest: session.go_on(), group="lesson"),
        "problem": Word(_problem, "N", group="lesson"),
        "board": Word(lambda session, rest: session.task.show(), group="lesson"),
        "help": HELP,
        "quit": QUIT,
    }

    def task_state(self) -> dict[str, Any]:
        """Return the solved problems and the progress of the task as a value for JSON."""
        task = self.task
        moves = [task.game.vertex(move.point) for move in task.game.moves] if isinstance(task, ProblemTask) else []
        return {"solved": sorted(self.solved), "moves": moves, "is_solved": task.solved, "clues": task.clues}

    def restore_task(self, state: dict[str, Any]) -> None:
        """Go on with a state of `task_state`."""
        self.solved, self.task.clues = set(state["solved"]), state["clues"]
        if isinstance(self.task, ProblemTask):
            self.task.examiner.play(map(self.task.game.point, state["moves"]))
        else:
            self.task.solved = state["is_solved"]


class ProblemSession(TaskSession):
    """The problems of a collection."""

    def __init__(
        self, problems: Sequence[Problem], number: int, resources: Resources, state: dict[str, Any] | None = None
    ) -> None:
        """`number`: the first problem, from 1. `state`: the state of a session with these problems, to go on with."""
        super().__init__(resources, len(problems))
        self.problems, self.number, self._restored = problems, number, state

    def state(self) -> dict[str, Any]:
        """See Session. The problems themselves are not part of it."""
        return {"kind": "problem", "number": self.number, **self.task_state()}

    def start(self) -> None:
        """Set the first problem. `deliver` then raises ProblemError if it cannot be judged."""
        self.set_problem(self.number, first=True)

    def set_problem(self, number: int, *, first: bool = False) -> None:
        """Set a problem; if it cannot be judged, set the next one that can."""
        problem, lend = self.problems[number - 1], self.resources.searches.solver

        def judge() -> Examiner | ProblemError:
            try:
                return Examiner(problem, lend)
            except ProblemError as error:
                return error

        def then(found: Examiner | ProblemError) -> None:
            if isinstance(found, Examiner):
                self.number, self.task = number, ProblemTask(self, found)
                if self._restored is not None:
                    self.restore_task(self._restored)
                    self._restored = None
                self.introduce()
                return
            if first:
                raise ProblemError(self.voice.text("lesson.not_judged", number=number, reason=found))
            self.say("lesson.not_judged", number=number, reason=found)
            self._set_next(number)

        self.work(lambda stop: judge(), then, NOTE)

    def _set_next(self, number: int) -> None:
        if number < self.count:
            self.set_problem(number + 1)
        else:
            self.say("lesson.last")

    def introduce(self) -> None:
        """See TaskSession."""
        goal = words.goal(self.problems[self.number - 1].start, self.voice)
        self.say("lesson.introduction", Tone.STRONG, number=self.number, count=self.count, goal=goal)
        self.task.introduce()

    def task_solved(self) -> None:
        """See TaskSession."""
        self.solved.add(self.number)
        if self.number < self.count:
            self.say("lesson.another")

    def go_on(self) -> None:
        """See TaskSession."""
        self._set_next(self.number)
