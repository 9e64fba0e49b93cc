"""The examiner of a problem: judges the answers of a pupil, and gives replies, clues and the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ...go.game import Game
from ...go.vertex import COLUMNS, Color, column_row, opponent
from ...solver.result import why_unsupported
from .problem import Problem, Start
from .prove import refutation, wins_at_once
from .theme import SolvedLine

if TYPE_CHECKING:
    from ...solver.exact import ExactSolver

NODES: Final = 3_000_000
"""Nodes of each search about an answer."""
RESISTANCE: Final = 21
"""Maximum plies of a resistance that are computed."""


class ProblemError(ValueError):
    """A problem cannot be judged, or its answers are not proven; the message gives the reason."""


class Clue(NamedTuple):
    """A hint that leads to the answer."""

    kind: str
    """A theme, or what `place` is: "target", "column", "row", "counted" or "number"."""
    place: str = ""
    """The vertex of a stone to save or to capture, the letter of a column, or the number of a row.

    If the answer is a number: the vertex of one of the points to count, or the first of two numbers.
    """
    other: str = ""
    """The second of two numbers, of which one is the answer."""


def clues_to(point: int, width: int) -> Iterator[Clue]:
    """Yield the column and the row of a point."""
    column, row = column_row(point, width)
    yield Clue("column", COLUMNS[column])
    yield Clue("row", str(row + 1))


class Answer(NamedTuple):
    """What is known about an answer."""

    right: bool | None
    """None if the answer does not win at once and its result is not known."""
    reply: tuple[int, ...]
    """After a right answer one move of the opponent; after a wrong one its refutation, moves of both sides."""


Lend: TypeAlias = "Callable[[Start], AbstractContextManager[ExactSolver]]"
"""Lends a solver for a board and rules that `why_unsupported` accepts; its searches are bounded by NODES."""


class Examiner:
    """Judges a problem while it is played. `game` is its current position; all moves of the winner so far are right."""

    def __init__(self, problem: Problem, lend: Lend) -> None:
        """ProblemError: the solver does not take the position, does not decide it, or refutes the solution."""
        self.problem = problem
        self.winner = problem.start.to_move
        self.game: Game = problem.start.game()
        start = problem.start
        reason = why_unsupported(start.rules, self.game.board)
        if reason and not wins_at_once(problem):
            raise ProblemError(reason)
        self._lend = None if reason else lend
        right = self.check(problem.line[0]).right
        if right is None:
            raise ProblemError("the solver does not decide this position")
        if not right:
            raise ProblemError(f"the solution {self.game.vertex(problem.line[0])} does not win")

    @property
    def solved(self) -> bool:
        """Whether the winner has won."""
        return self.game.outcome is not None

    def check(self, play: int) -> Answer:
        """Return what is known about a legal play, without playing it."""
        game = self.game.after_point(play)
        if game.outcome is not None:
            return Answer(game.outcome.winner == Color(self.winner), ())
        if self._lend is None:
            return Answer(None, ())
        with self._lend(self.problem.start) as solver:
            tried = solver.play(solver.node(self.game.board, self.winner), play)
            result = solver.result_of(tried)
            if result > 0:
                return Answer(True, self._resistance(game, solver))
            if result < 0:
                return Answer(False, refutation(solver, tried.node))
        return Answer(None, ())

    def play(self, moves: Iterable[int]) -> None:
        """Play moves that are right, and the replies."""
        for move in moves:
            self.game.play_point(move)

    @property
    def named(self) -> set[int]:
        """The right plays of the current position that the problem names."""
        played = self._played
        return {line[len(played)] for line in self.problem.answers if line[: len(played)] == played != line}

    def undo(self) -> bool:
        """Take back the last right play and the reply; return whether there was one."""
        moves = len(self.game.moves)
        for _ in range(2 - moves % 2 if moves else 0):  # the last play may have no reply
            self.game.undo()
        return moves > 0

    def again(self) -> None:
        """Go back to the position of the problem."""
        self.game = self.problem.start.game()

    def clues(self) -> Iterator[Clue]:
        """Yield clues to the current position, each saying more than the one before."""
        rest = self.solution()
        following = len(rest) == len(self.problem.line) - len(self.game.moves)
        if self.problem.theme and not self.game.moves:
            yield Clue(self.problem.theme)
        if following and rest:
            solved = SolvedLine(self.problem.start, self.problem.line)
            saves = self.problem.theme == "save" and not self.game.moves
            target = solved.saved if saves else [p for p in solved.target if self.game.board.color[p] == solved.loser]
            if target:
                yield Clue("target", self.game.vertex(min(target)))
        if rest:
            yield from clues_to(rest[0], self.game.width)

    def solution(self) -> tuple[int, ...]:
        """Return the rest of the solution from the current position, or its next play if only that is known."""
        played, line = self._played, self.problem.line
        if line[: len(played)] == played:
            return line[len(played) :]
        if self._lend is None or self.solved:
            return ()
        with self._lend(self.problem.start) as solver:
            winning = solver.winning_plays(solver.node(self.game.board, self.winner))
        return tuple(play.point for play in (winning or [])[:1])

    @property
    def _played(self) -> tuple[int, ...]:
        """The moves from the position of the problem on."""
        return tuple(move.point for move in self.game.moves)

    def _resistance(self, game: Game, solver: ExactSolver) -> tuple[int, ...]:
        """Return the reply of the solution, or else the reply that resists longest; () if there is no reply."""
        played = tuple(move.point for move in game.moves)
        line = self.problem.line
        if line[: len(played)] == played and len(line) > len(played):
            return (line[len(played)],)
        lengths = {
            reply.point: RESISTANCE + 1 if plies is None else plies
            for reply in solver.plays(solver.node(game.board, opponent(self.winner)))
            for plies in [solver.length_after(reply, most=RESISTANCE)]
        }
        return (max(lengths, key=lambda reply: lengths[reply]),) if lengths else ()


class FileExaminer(Examiner):
    """Judges a problem by its variations alone, which have every legal play at each turn: a problem of the course."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.winner = problem.start.to_move
        self._answers = problem.answers
        self.again()

    @property
    def solved(self) -> bool:
        """Whether a right line is played to its end."""
        return self._played in self._answers

    def check(self, play: int) -> Answer:
        """See Examiner."""
        played = (*self._played, play)
        variation = next((line for line in self.problem.variations if line.moves[: len(played)] == played), None)
        if variation is None:
            return Answer(None, ())
        rest = variation.moves[len(played) :]
        return Answer(variation.right, rest[:1] if variation.right else rest)

    def solution(self) -> tuple[int, ...]:
        """Return the rest of a solution from the current position."""
        played = self._played
        return next((line[len(played) :] for line in self._answers if line[: len(played)] == played), ())
