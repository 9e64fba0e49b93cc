"""Problems: the engine judges each answer, resists a right one and refutes a wrong one."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from ..go.game import Game
from ..go.rules import Rules
from ..go.vertex import format_line, opponent
from ..teach import words
from ..teach.puzzles.examiner import Answer, Clue, Examiner, ExaminerError
from ..teach.puzzles.problem import Problem
from . import reading
from .reading import Input, Kind, Play, Wanted
from .reply import SIGNS, Refused, Tone
from .session import Resources, Session, Word

NOTE: Final = "lesson.preparing"
"""What is shown before a problem: the first one loads the solver, and compiles it once on a computer."""


class Task(abc.ABC):
    """One page or problem of a session."""

    game: Game
    """The position."""

    def __init__(self, session: TaskSession) -> None:
        self.session = session
        self.clues = 0
        """Hints that were given at this position."""

    @property
    @abc.abstractmethod
    def solved(self) -> bool:
        """Whether nothing is left to do here."""

    @property
    @abc.abstractmethod
    def wanted(self) -> Wanted:
        """What the task waits for."""

    @property
    @abc.abstractmethod
    def instruction(self) -> str:
        """The first sentence of the help."""

    @abc.abstractmethod
    def introduce(self) -> None:
        """Say the task, and show the board."""

    @abc.abstractmethod
    def show(self) -> None:
        """Show the board."""

    @abc.abstractmethod
    def answer(self, given: Input) -> None:
        """Judge an answer. Refused: it is none."""

    @abc.abstractmethod
    def hint(self) -> None:
        """Say the next hint."""

    @abc.abstractmethod
    def solution(self) -> None:
        """Show the answer, or what is left of it."""

    def undo(self) -> None:
        """Take back the last right answer."""
        self.show()

    def again(self) -> None:
        """Begin again."""
        self.introduce()


class ProblemTask(Task):
    """A problem that is answered by plays."""

    def __init__(self, session: TaskSession, examiner: Examiner, text: str = "") -> None:
        """`text`: what is said before the board."""
        super().__init__(session)
        self.examiner, self.text = examiner, text

    @property
    def game(self) -> Game:  # type: ignore[override]
        """See Task."""
        return self.examiner.game

    @property
    def solved(self) -> bool:
        """See Task."""
        return self.examiner.solved

    @property
    def wanted(self) -> Wanted:
        """See Task."""
        size = self.game.size
        sample = reading.example(*size, self.examiner.named)
        return Wanted(Kind.POINT, self.session.voice.text("unclear.point", example=sample), *size, sample)

    @property
    def instruction(self) -> str:
        """See Task."""
        return self.session.voice.text("lesson.help", example=self.wanted.sample)

    def introduce(self) -> None:
        """See Task."""
        self.session.tell(self.text)
        self.show()
        self.session.say("lesson.type", example=self.wanted.sample)

    def show(self) -> None:
        """Show the board and the side to move."""
        self.session.show(self.game)
        if not self.solved:
            color = self.examiner.winner
            self.session.say("lesson.side", color=words.name(color), sign=SIGNS[color])

    def answer(self, given: Input) -> None:
        """See Task."""
        if not isinstance(given, Play):
            return
        if self.solved:
            raise Refused("lesson.over")
        play, game = given.point, self.game
        reason = game.why_illegal_point(play, self.examiner.winner)
        if reason is not None:
            raise Refused(f"illegal.{reason.name.lower()}", move=game.vertex(play))
        self.session.work(lambda stop: self.examiner.check(play), lambda found: self._judged(play, found))

    def _judged(self, play: int, found: Answer) -> None:
        session, examiner = self.session, self.examiner
        if found.right is None:
            session.say("lesson.not_at_once", Tone.WRONG, move=self.game.vertex(play))
            return
        if not found.right:
            self._show_refutation((play, *found.reply))
            return
        examiner.play((play, *found.reply))
        self.clues = 0
        if self.solved:
            moves = tuple(move.point for move in self.game.moves)
            session.say("lesson.solved", Tone.RIGHT, end=self._ending(moves))
            session.show(self.game)
            session.task_solved()
            return
        loser, reply = words.name(opponent(examiner.winner)), self.game.vertex(found.reply[0])
        session.say("lesson.right", Tone.RIGHT, loser=loser, reply=reply)
        self.show()

    def _show_refutation(self, moves: tuple[int, ...]) -> None:
        """Show the refutation of a wrong answer on the board; the position stays as it was."""
        color = self.examiner.winner
        line = format_line(color, moves, self.game.width)
        end = self._ending((*(move.point for move in self.game.moves), *moves))
        self.session.say("lesson.wrong" if end else "lesson.wrong.open", Tone.WRONG, line=line, end=end)
        self.session.show_line(self.game, color, moves)
        self.session.say("lesson.taken_back")
        self.show()

    def _ending(self, moves: tuple[int, ...]) -> str:
        """Return a sentence about the end of a line of the problem: that of the file, or else what the board shows."""
        problem = self.examiner.problem
        said = next((line.comment for line in problem.variations if line.moves == moves), "")
        return said or words.end(problem.start, moves, refuted=len(moves) % 2 == 0)

    def hint(self) -> None:
        """See Task."""
        if self.solved:
            raise Refused("lesson.over")
        number, self.clues = self.clues, self.clues + 1
        examiner = self.examiner
        self.session.work(lambda stop: next(islice(examiner.clues(), number, None), None), self._say_clue)

    def _say_clue(self, found: Clue | None) -> None:
        self.session.tell(words.clue(found or Clue("none"), self.examiner.problem.start))

    def solution(self) -> None:
        """Show the rest of the solution; the position stays."""
        self.session.work(lambda stop: self.examiner.solution(), self._say_solution)

    def _say_solution(self, rest: tuple[int, ...]) -> None:
        if not rest:
            raise Refused("lesson.over")
        color = self.examiner.winner
        self.session.say("lesson.solution", Tone.STRONG, line=format_line(color, rest, self.game.width))
        self.session.show_line(self.game, color, rest)

    def undo(self) -> None:
        """Take back the last right play and the reply."""
        if not self.examiner.undo():
            raise Refused("lesson.no_undo")
        self.clues = 0
        self.show()

    def again(self) -> None:
        """See Task."""
        self.examiner.again()
        self.clues = 0
        self.session.introduce()


class TaskSession(Session):
    """A row of tasks, one after the other."""

    def __init__(self, resources: Resources) -> None:
        super().__init__(resources)
        self.task: Task | None = None
        """The task that is set; None before the first one."""

    @property
    def set_task(self) -> Task:
        """The task that is set."""
        assert self.task is not None, "begin the session first"
        return self.task

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return self.set_task.wanted

    @property
    def instruction(self) -> str:
        """See Session."""
        return self.set_task.instruction

    @property
    def rules(self) -> Rules:
        """See Session."""
        return self.set_task.game.rules

    def answer(self, given: Input) -> None:
        """See Session."""
        self.set_task.answer(given)

    @abc.abstractmethod
    def introduce(self) -> None:
        """Say the number of the task, and the task."""

    @abc.abstractmethod
    def task_solved(self) -> None:
        """Say how to go on, after a problem is solved."""

    @abc.abstractmethod
    def _next(self, rest: str) -> None:
        """Set the next task."""

    @abc.abstractmethod
    def _problem(self, rest: str) -> None:
        """Set a problem by its number."""

    def _hint(self, rest: str) -> None:
        self.set_task.hint()

    def _solution(self, rest: str) -> None:
        self.set_task.solution()

    def _undo(self, rest: str) -> None:
        self.set_task.undo()

    def _again(self, rest: str) -> None:
        self.set_task.again()

    def _board(self, rest: str) -> None:
        self.set_task.show()


TASK_WORDS: Final = {
    "hint": Word(TaskSession._hint, group="lesson"),
    "solution": Word(TaskSession._solution, group="lesson"),
    "undo": Word(TaskSession._undo, group="lesson"),
    "again": Word(TaskSession._again, group="lesson"),
    "next": Word(lambda session, rest: session._next(rest), group="lesson"),
    "problem": Word(lambda session, rest: session._problem(rest), "N", group="lesson"),
    "board": Word(TaskSession._board, group="lesson"),
}
LAST_WORDS: Final = {
    "help": Word(Session.help, "[WORD]", group="lesson"),
    "quit": Word(Session.quit, group="lesson"),
}


class ProblemSession(TaskSession):
    """The problems of a collection."""

    def __init__(self, problems: Sequence[Problem], number: int, resources: Resources) -> None:
        """`number`: the first problem, from 1."""
        super().__init__(resources)
        self.problems, self.number = problems, number
        self._moves: tuple[int, ...] = ()
        """The moves that a restored session begins with."""

    def state(self) -> dict[str, Any]:
        """See Session. The problems themselves are not part of it."""
        game = self.set_task.game
        moves = [game.vertex(move.point) for move in game.moves]
        return {"kind": "problem", "number": self.number, "moves": moves, "clues": self.set_task.clues}

    @classmethod
    def restored(cls, state: dict[str, Any], problems: Sequence[Problem], resources: Resources) -> ProblemSession:
        """Return the session of a state with the same problems."""
        session = cls(problems, state["number"], resources)
        game = problems[session.number - 1].start.game()
        session._moves = tuple(map(game.point, state["moves"]))
        return session

    def start(self) -> None:
        """Set the first problem. `deliver` then raises ExaminerError if it cannot be judged."""
        self._set(self.number)

    def _set(self, number: int) -> None:
        """Set a problem, or if it cannot be judged the next one that can."""
        problem, lend = self.problems[number - 1], self.resources.searches.solver

        def judge() -> Examiner | ExaminerError:
            try:
                return Examiner(problem, lend)
            except ExaminerError as error:
                return error

        self.work(lambda stop: judge(), lambda found: self._judged(number, found), NOTE)

    def _judged(self, number: int, found: Examiner | ExaminerError) -> None:
        if isinstance(found, Examiner):
            self.number, self.task = number, ProblemTask(self, found)
            found.play(self._moves)
            self._moves = ()
            self.introduce()
        elif self.task is None:
            raise ExaminerError(self.voice.text("lesson.not_judged", number=number, reason=found))
        else:
            self.say("lesson.not_judged", number=number, reason=found)
            self._set_next(number)

    def _set_next(self, number: int) -> None:
        if number < len(self.problems):
            self._set(number + 1)
        else:
            self.say("lesson.last")

    def introduce(self) -> None:
        """See TaskSession."""
        task = self.set_task
        goal = words.goal(self.problems[self.number - 1].start)
        self.say("lesson.introduction", Tone.STRONG, number=self.number, count=len(self.problems), goal=goal)
        task.introduce()

    def task_solved(self) -> None:
        """See TaskSession."""
        if self.number < len(self.problems):
            self.say("lesson.another")

    def resume(self) -> None:
        """Enter goes on after a solved problem."""
        if self.set_task.solved:
            self._set_next(self.number)
        else:
            self.say("course.unsolved")

    def _next(self, rest: str) -> None:
        self._set_next(self.number)

    def _problem(self, rest: str) -> None:
        number = reading.number(rest) or 0
        if not 1 <= number <= len(self.problems):
            raise Refused("course.no_problem", count=len(self.problems))
        self._set(number)

    WORDS: ClassVar[dict[str, Word]] = {**TASK_WORDS, **LAST_WORDS}
