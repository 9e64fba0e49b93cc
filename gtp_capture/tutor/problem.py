"""Problems: each answer is judged; a right one gets the reply that resists longest, a wrong one its refutation."""

from __future__ import annotations

import abc
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple, Self

from ..go.game import Game
from ..go.position import Illegal
from ..go.vertex import EMPTY
from ..teach import event as ev
from ..teach.course.lessons import Page, Quiz
from ..teach.event import Event, Line, Noted, Notice, Refusal, RefusedError, Task, Want, Wanted, illegal
from ..teach.puzzles.examiner import Answer, Clue, Examiner, ProblemError
from ..teach.puzzles.files import numbers
from ..teach.puzzles.problem import Problem, Start
from ..util.fields import Fields
from . import reading
from .leitner import LONGEST, How
from .session import HELP, QUIT, Resources, Session, SessionCommand, Work

NO_CLUE: Final = Clue("none")
LONGEST_VERTEX: Final = 4


class TaskState(NamedTuple):
    """The progress of a session of tasks as it is saved."""

    solved: list[int]
    """The numbers of the problems that were solved."""
    moves: list[str]
    """The right plays at the current problem, and the replies."""
    is_solved: bool
    clues: int
    repeats: str = ""
    """The name of the problem, if it has come back out of its order."""

    @classmethod
    def read(cls, state: Fields, last: int, problem: Problem | None, *, by_file: bool = False) -> Self:
        """Return the progress of a state. FieldError: it does not fit the current problem.

        `last`: the highest number of a problem; `problem`: None for a page, and for a problem that is answered by a
        point or a number; `by_file`: whether only the variations of the problem are right.
        """
        moves, repeats = state.texts("moves", LONGEST_VERTEX), state.text("repeats", LONGEST)
        progress = cls(state.wholes("solved", 1, last), moves, state.flag("is_solved"), state.whole("clues"), repeats)
        if problem is None:
            if moves:
                raise state.error("has moves, and there are none", "moves")
            return progress
        game, winner = problem.start.game(), problem.start.to_move
        try:
            played = tuple(map(game.point, moves))
            for point in played:
                if point <= 0 or game.outcome is not None:
                    raise ValueError(point)
                game.play_point(point)
        except ValueError:
            raise state.error("has a move that is not possible", "moves") from None
        is_right = not by_file or any(line[: len(played)] == played for line in problem.answers)
        is_whole = played in problem.answers if by_file else game.is_over or not game.legal_plays()
        if not is_right or (not is_whole and int(game.to_move) != winner):
            raise state.error("does not end with the reply to a right move", "moves")
        return progress


class PlayTask:
    """A problem that is answered by plays. Its methods return what has happened, and the work to do before."""

    def __init__(self, task: Task, examiner: Examiner) -> None:
        self.task, self.examiner = task, examiner
        self.clues = 0
        """The number of clues that were given at this position."""

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
        return Wanted(self.task.want, *self.game.size, reading.example(*self.game.size, self.examiner.named))

    @property
    def to_move(self) -> int:
        """The colour that answers; 0 if nothing is left to do."""
        return 0 if self.solved else int(self.examiner.winner)

    def shown(self) -> Event:
        """Return the board, with the side to move."""
        return ev.TaskShown(self.task, self.game.copy(), self.to_move)

    def judging(self, play: int) -> Work:
        """Return the work that judges a play. RefusedError: the play is illegal."""
        reason = self.game.why_illegal_point(play, self.examiner.winner)
        if reason is not None:
            raise illegal(reason, self.game.vertex(play))
        return Work(lambda stop: self.examiner.check(play))

    def judged(self, play: int, checked: Answer) -> list[Event]:
        """Return how a play was judged, and the board. A right play is made on it, with the reply."""
        examiner, color, moves = self.examiner, int(self.examiner.winner), (play, *checked.reply)
        before, answer = tuple(move.point for move in self.game.moves), self.game.vertex(play)
        if checked.right:
            examiner.play(moves)
            self.clues = 0
        judged = ev.Judged(
            task=self.task,
            answer=answer,
            right=checked.right,
            solved=self.solved,
            game=self.game.copy(),
            color=color,
            before=before,
            line=moves,
        )
        return [judged] if self.solved or checked.right is None else [judged, self.shown()]

    def clue(self) -> Work:
        """Return the work that finds the next clue."""
        number, self.clues = self.clues, self.clues + 1
        return Work(lambda stop: next(islice(self.examiner.clues(), number, None), NO_CLUE))

    def clued(self, clue: Clue) -> Event:
        """Return the clue that was found."""
        return ev.ClueGiven(clue, self.examiner.problem.start)

    def solving(self) -> Work:
        """Return the work that finds the rest of the solution."""
        return Work(lambda stop: self.examiner.solution())

    def solution(self, rest: tuple[int, ...]) -> list[Event]:
        """Return the rest of the solution, which can be played now; the position stays."""
        game = self.game.copy()
        line = Line(game=game, color=int(self.examiner.winner), moves=tuple(map(game.vertex, rest)))
        return [ev.SolutionShown(line), ev.InputWanted(self.wanted)]

    def undo(self) -> None:
        """Take back the last right play and the reply. RefusedError: there is none."""
        if not self.examiner.undo():
            raise RefusedError(Refusal.NO_UNDO)
        self.clues = 0

    def again(self) -> None:
        """Begin again."""
        self.examiner.again()
        self.clues = 0

    def state(self) -> dict[str, Any]:
        """Return the progress as a value for JSON."""
        moves = [self.game.vertex(move.point) for move in self.game.moves]
        return {"moves": moves, "is_solved": self.solved, "clues": self.clues}

    def restore(self, state: TaskState) -> None:
        """Go on with a progress."""
        self.clues = state.clues
        self.examiner.play(map(self.game.point, state.moves))

    def solve(self) -> None:
        """Play the solution: the problem was solved before."""
        self.examiner.play(self.examiner.problem.line)


class ReadTask:
    """A page of a lesson, or a problem that is answered by a point or a number; it has the methods of PlayTask."""

    def __init__(self, task: Task, content: Page | Quiz) -> None:
        self.task, self.content, self.game = task, content, content.game
        self.clues = self.to_move = 0
        self.solved = isinstance(content, Page)
        self.refused: set[int] = set()
        """The wrong answers."""

    @property
    def wanted(self) -> Wanted:
        """The input that the task waits for."""
        if self.task.want is not Want.POINT:
            return Wanted(self.task.want)
        assert isinstance(self.content, Quiz)
        size = self.game.size
        return Wanted(Want.POINT, *size, reading.example(*size, self.content.points))

    def shown(self) -> Event:
        """Return the board."""
        return ev.TaskShown(self.task, self.game)

    def judging(self, value: int) -> None:
        """Return no work: the answer is known. RefusedError: a free point is wanted, and this one has a stone."""
        if self.task.want is Want.POINT:
            assert isinstance(self.content, Quiz)
            color = self.game.board.color
            if color[value] != EMPTY and all(color[point] == EMPTY for point in self.content.points):
                raise illegal(Illegal.OCCUPIED, self.game.vertex(value))

    def judged(self, value: int, checked: None) -> list[Event]:
        """Return how a point or a number was judged, and after a right one the answer."""
        assert isinstance(self.content, Quiz)
        right, is_point = self.content.is_right(value), self.task.want is Want.POINT
        self.solved |= right
        if not right:
            self.refused.add(value)
        answer = self.game.vertex(value) if is_point else str(value)
        judged = ev.Judged(task=self.task, answer=answer, right=right, solved=self.solved, game=self.game)
        return [judged, ev.AnswerShown(self.task, self.game)] if right else [judged]

    def clue(self) -> None:
        """Return no work: the clues are known."""
        self.clues += 1

    def clued(self, clue: None) -> Event:
        """Return the next clue."""
        assert isinstance(self.content, Quiz)
        clues = [*self.content.clues(self.refused)][self.clues - 1 : self.clues] or [NO_CLUE]
        return ev.ClueGiven(clues[0], Start.of(self.game.board, int(self.game.to_move), self.game.rules))

    def solving(self) -> None:
        """Return no work: the answer is known."""

    def solution(self, rest: None) -> list[Event]:
        """Return the answer, with letters on its points; it can be given now, if it was not."""
        shown = [ev.AnswerShown(self.task, self.game)] if isinstance(self.content, Quiz) else []
        return [*shown, ev.NextOffered(lesson=True) if self.solved else ev.InputWanted(self.wanted)]

    def undo(self) -> None:
        """Do nothing: there is nothing to take back."""

    def again(self) -> None:
        """Do nothing: there is nothing to begin again."""

    def state(self) -> dict[str, Any]:
        """Return the progress as a value for JSON."""
        return {"moves": [], "is_solved": self.solved, "clues": self.clues}

    def restore(self, state: TaskState) -> None:
        """Go on with a progress. A page is always read."""
        self.solved, self.clues = self.solved or state.is_solved, state.clues

    def solve(self) -> None:
        """See PlayTask."""
        self.solved = True


class TaskSession(Session):
    """A session of several tasks, one after the other."""

    task: PlayTask | ReadTask
    """The current task. In a `ProblemSession` there is none until the first problem was found to be sound."""

    def __init__(self, resources: Resources, numbers: Sequence[int]) -> None:
        """`numbers`: those of the problems, in their order."""
        super().__init__(resources)
        self.numbers, self.count = numbers, len(numbers)
        self.in_order = [*numbers] == [*range(1, self.count + 1)]
        """Whether the numbers are 1, 2, 3 and so on."""
        self.solved: set[int] = set()
        """The numbers of the problems that were solved."""
        self.boxes = resources.boxes
        self.repeats = ""
        """The name of the problem that has come back, if it is the current one; after it the order goes on."""

    @property
    def game(self) -> Game:  # type: ignore[override]
        """See Session."""
        return self.task.game

    @property
    def is_ready(self) -> bool:  # type: ignore[override]
        """See Session."""
        return hasattr(self, "task")

    @property
    def current(self) -> Task | None:  # type: ignore[override]
        """See Session."""
        return self.task.task if self.is_ready else None

    @property
    def finished(self) -> bool:
        """See Session."""
        return self.is_ready and self.task.solved

    @property
    def wanted(self) -> Wanted:
        """See Session."""
        return self.task.wanted

    @property
    def to_move(self) -> int:
        """See Session."""
        return self.task.to_move

    def actions(self, colors: Collection[int]) -> dict[str, Refusal | None]:
        """See Session."""
        task, actions = self.task, dict[str, Refusal | None]()
        is_open = Refusal.SOLVED if task.solved else None
        if task.task.want is not Want.PAGE:
            actions["hint"] = is_open
        if task.task.want is Want.PLAY:
            actions["undo"] = actions["again"] = None if task.game.moves else Refusal.NO_UNDO
        if task.task.want is not Want.PAGE:
            actions["solution"] = is_open
        return {**actions, "next": None}

    def answer(self, value: int) -> None:
        """See Session."""
        self._check_open()
        self._after(self.task.judging(value), lambda checked: self._judged(value, checked))

    def _judged(self, value: int, checked: Any) -> None:
        judged = self.task.judged(value, checked)
        self.report(*judged)
        if any(isinstance(event, ev.Judged) and not event.right for event in judged):
            self._lower(How.TRIES)
        if not self.task.solved:
            return
        if self.boxes is not None and self.boxes.finish(self.task.task.name):
            self.report(Noted(Notice.STAR_EARNED))
        self.task_solved()

    def resume(self) -> None:
        """Answer Enter: go on after a page or a solved problem."""
        if self.task.solved:
            self.go_on()
        else:
            self.report(Noted(Notice.UNANSWERED))

    def introduce(self) -> None:
        """Report the task, with its board, and what is wanted; of a problem that is solved already, that it is so."""
        is_done = self.task.solved and self.task.task.want is not Want.PAGE
        wanted = Noted(Notice.SOLVED_BEFORE) if is_done else ev.InputWanted(self.wanted)
        self.report(ev.TaskSet(self.task.task), self.task.shown(), wanted)

    @abc.abstractmethod
    def task_solved(self) -> None:
        """Report how to go on, after a problem is solved."""

    @abc.abstractmethod
    def go_on(self) -> None:
        """Set the next task."""

    @abc.abstractmethod
    def set_problem(self, number: int) -> None:
        """Set a problem by its number."""

    def problem_due(self) -> str | None:
        """Return the name of the problem that comes back now; None if there is none, and after one that came back."""
        return None if self.boxes is None or self.repeats else self.boxes.due(self.can_repeat)

    @abc.abstractmethod
    def can_repeat(self, name: str) -> bool:
        """Whether a problem of this name can come back here."""

    def leave_task(self) -> None:
        """Note that the current task is left, if it is a problem that is not solved."""
        if self.boxes is not None and not self.task.solved:
            self.boxes.leave_out(self.task.task.name)

    def _lower(self, how: How) -> None:
        """Note a wrong answer or a help for the current problem."""
        if self.boxes is not None and not self.task.solved:
            self.boxes.lower(self.task.task.name, how)

    def _after(self, work: Work | None, then: Callable[[Any], object]) -> None:
        """Call `then` with the result of a work, or at once if there is none."""
        if work is None:
            then(None)
        else:
            self.work(work, then)

    def _check_open(self) -> None:
        if self.task.solved:
            raise RefusedError(Refusal.ONLY_A_PAGE if self.task.task.want is Want.PAGE else Refusal.SOLVED)

    def _hint(self) -> None:
        """Give the next clue."""
        self._check_open()
        self._after(self.task.clue(), self._clued)

    def _clued(self, clue: Any) -> None:
        self._lower(How.HINT)
        self.report(self.task.clued(clue))

    def _solution(self) -> None:
        """Show the solution."""
        task = self.task
        if task.task.want is Want.PLAY:
            self._check_open()
        self._after(task.solving(), self._solved)

    def _solved(self, rest: Any) -> None:
        self._lower(How.SHOWN)
        self.report(*self.task.solution(rest))

    def _undo(self) -> None:
        self.task.undo()
        self.report(self.task.shown(), ev.InputWanted(self.wanted))

    def _again(self) -> None:
        self.task.again()
        self.introduce()

    def _problem(self, rest: str) -> None:
        number = reading.number(rest)
        if number is None or number not in self.numbers:
            if self.in_order:
                raise RefusedError(Refusal.NO_PROBLEM, count=self.count)
            raise RefusedError(Refusal.NOT_AMONG, numbers=[*map(str, sorted(self.numbers))])
        self.set_problem(number)

    COMMANDS: ClassVar[Mapping[str, SessionCommand]] = {
        "hint": SessionCommand(lambda session, rest: session._hint(), group="lesson"),
        "solution": SessionCommand(lambda session, rest: session._solution(), group="lesson"),
        "undo": SessionCommand(lambda session, rest: session._undo(), group="lesson"),
        "again": SessionCommand(lambda session, rest: session._again(), group="lesson"),
        "next": SessionCommand(lambda session, rest: session.go_on(), group="lesson"),
        "problem": SessionCommand(_problem, "N", group="lesson"),
        "board": SessionCommand(lambda session, rest: session.report(session.task.shown()), group="lesson"),
        "help": HELP,
        "quit": QUIT,
    }

    def task_state(self) -> dict[str, Any]:
        """Return the solved problems and the progress of the task as a value for JSON."""
        return {"solved": sorted(self.solved), "repeats": self.repeats, **self.task.state()}

    def restore_task(self, state: TaskState) -> None:
        """Go on with a progress."""
        self.solved = {*state.solved}
        self.task.restore(state)


class ProblemSession(TaskSession):
    """The problems of a collection."""

    def __init__(
        self, problems: Sequence[Problem], number: int, resources: Resources, state: TaskState | None = None
    ) -> None:
        """`number`: that of the first problem. `state`: the progress to go on with."""
        super().__init__(resources, numbers(problems))
        self.problems, self.number, self._restored = problems, number, state
        self.repeats = "" if state is None else state.repeats

    def state(self) -> dict[str, Any]:
        """See Session. The problems themselves are not part of it."""
        if not self.is_ready:
            untouched = TaskState(solved=[], moves=[], is_solved=False, clues=0)
            return {"kind": "problem", "number": self.number, **(self._restored or untouched)._asdict()}
        return {"kind": "problem", "number": self.number, **self.task_state()}

    @property
    def current(self) -> Task:  # type: ignore[override]
        """See Session. It is known before the problem is checked."""
        number = int(self.repeats or self.number)
        at = self.numbers.index(number)
        place = 0 if self.in_order else at + 1
        return Task(want=Want.PLAY, number=number, place=place, count=self.count, problem=self.problems[at])

    def start(self) -> None:
        """Set the first problem. `finish_work` then raises ProblemError if it cannot be judged."""
        self._set_problem(int(self.repeats or self.number), first=True, repeats=bool(self.repeats))

    def set_problem(self, number: int) -> None:
        """See TaskSession."""
        self._set_problem(number)

    def _set_problem(self, number: int, *, first: bool = False, repeats: bool = False) -> None:
        """Set a problem, one that comes back if it `repeats`; if it cannot be judged, set the next one that can."""
        problem, lend = self.problems[self.numbers.index(number)], self.resources.searches.solver

        def judge() -> Examiner | ProblemError:
            try:
                return Examiner(problem, lend)
            except ProblemError as error:
                return error

        def then(judged: Examiner | ProblemError) -> None:
            if isinstance(judged, Examiner):
                self.number, self.repeats = (self.number, str(number)) if repeats else (number, "")
                self.task = PlayTask(self.current, judged)
                if self._restored is not None:
                    self.restore_task(self._restored)
                    self._restored = None
                elif repeats:
                    self.report(Noted(Notice.PROBLEM_REPEATED))
                self.introduce()
                return
            if first:
                raise ProblemError(f"Problem {number} cannot be judged: {judged}")
            self.report(Noted(Notice.NOT_JUDGED, {"number": number, "reason": str(judged)}))
            self._set_next(self.number if repeats else number)

        self.work(Work(lambda stop: judge(), prepares=True), then)

    def _set_next(self, number: int) -> None:
        """Set the first problem after a number that the person has not played to its end."""
        if (following := self._next(number)) is not None:
            self.set_problem(following)
        else:
            self.report(Noted(Notice.NO_MORE_TASKS))

    def _next(self, number: int) -> int | None:
        later, boxes = self.numbers[self.numbers.index(number) + 1 :], self.boxes
        return next((n for n in later if boxes is None or not boxes.is_played(str(n))), None)

    def can_repeat(self, name: str) -> bool:
        """See TaskSession."""
        return name.isdigit() and int(name) in self.numbers and name != self.task.task.name

    def task_solved(self) -> None:
        """See TaskSession."""
        self.solved.add(self.task.task.number)
        if self._next(self.number) is not None or self.problem_due() is not None:
            self.report(ev.NextOffered(lesson=False))

    def go_on(self) -> None:
        """See TaskSession."""
        self.leave_task()
        if (name := self.problem_due()) is not None:
            self._set_problem(int(name), repeats=True)
        else:
            self._set_next(self.number)
