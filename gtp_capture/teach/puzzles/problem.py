"""Problems: a position with the side to move, the line that wins, and the wrong answers with their refutations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from ...go import board as bd
from ...go.board import Board
from ...go.game import Game
from ...go.position import Outcome
from ...go.rules import Rules
from ...go.symmetry import canonical
from ...go.vertex import BLACK, EMPTY, WHITE, format_vertex, opponent
from ...util.above import above
from ..sentences import ENGLISH

GRADES: Final = (0.5, 0.6, 0.7, 0.8)
"""The greatest share of missed tries of each grade but the last. Levels miss a plain save in two of five tries."""


@dataclass(frozen=True, slots=True)
class Start:
    """The position of a problem: stones, without prisoners, and the side to move."""

    rules: Rules
    width: int
    height: int
    black: tuple[int, ...]
    """Points, in order."""
    white: tuple[int, ...]
    to_move: int

    @classmethod
    def of(cls, board: Board, to_move: int, rules: Rules) -> Start:
        """Return the stones of a board as a position; its prisoners are left out."""
        black, white = (tuple(bd.stones_of(board, color)) for color in (BLACK, WHITE))
        return cls(rules, int(board.width), int(board.height), black, white, int(to_move))

    def board(self) -> Board:
        """Return a new board with the stones."""
        board = bd.new(self.width, self.height)
        for color, points in ((BLACK, self.black), (WHITE, self.white)):
            for p in points:
                bd.place(board, p, color)
        return board

    def game(self) -> Game:
        """Return a game that starts here. GameError: a chain without liberties."""
        game = Game(self.rules, (self.width, self.height))
        game.setup_points(self.black, self.white, self.to_move)
        return game

    def outcome(self, moves: tuple[int, ...]) -> Outcome | None:
        """Return the outcome after alternating legal moves; None if the game goes on."""
        game = self.game()
        for move in moves:
            game.play_point(move)
        return game.outcome

    @property
    def is_open(self) -> bool:
        """Whether stones take at most half of the points, so that a beginner sees free points."""
        return 2 * (len(self.black) + len(self.white)) <= self.width * self.height

    def canonical(self) -> bytes:
        """Return a code that is the same for all images under symmetries of the board and the exchange of colours."""
        return _canonical(self)


@cache
def _canonical(start: Start) -> bytes:
    board = start.board()
    colors = [int(board.color[p]) for p in bd.points(board)]
    own = [EMPTY if c == EMPTY else 1 if c == start.to_move else 2 for c in colors]
    image, _ = canonical(own, start.width, start.height)
    return bytes(sorted((start.width, start.height))) + str(start.rules).encode() + bytes(image)


class Variation(NamedTuple):
    """Moves of both sides from the position of a problem on; the side to move begins."""

    moves: tuple[int, ...]
    right: bool
    """Whether they are the solution; otherwise they end with the refutation of a wrong answer."""
    comment: str = ""
    """The file's comment on the end of the line, without RIGHT."""
    refuted: bool = False
    """For a wrong answer: whether the side of the last move is proven to win."""


class Difficulty(NamedTuple):
    """How hard a problem is."""

    missed: int
    """Tries of levels 1 to 7 that began with a wrong play."""
    tries: int
    """All tries; 0 if they were not measured."""
    effort: int = 0
    """Nodes of the search that proved the problem without knowledge; 0 if it was not counted."""

    @property
    def grade(self) -> int:
        """The grade, from 1, the easiest, to 5; 0 if it was not measured."""
        return 1 + sum(self.missed > share * self.tries for share in GRADES) if self.tries else 0


UNGRADED: Final = Difficulty(0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with its solution."""

    start: Start
    variations: tuple[Variation, ...]
    """The solution first."""
    theme: str = ""
    """One of `theme.THEMES`, or "" if none fits."""
    difficulty: Difficulty = UNGRADED
    number: int = field(default=0, compare=False)
    """The number in its collection, from 1; 0 if it is in none."""

    def __str__(self) -> str:
        return f"{self.game()}\n{above('teach.words.about', self)}"

    def sgf(self, *, language: str = ENGLISH) -> str:
        """Return the problem as SGF, with its solution, wrong answers and refutations as variations.

        ValueError: another language than those of `gtp-capture puzzles --language`. TypeError: not text.
        """
        return str(above("teach.puzzles.files.problem_sgf", self, language))

    @property
    def line(self) -> tuple[int, ...]:
        """The solution: the winner's plays and the replies that resist longest."""
        return self.variations[0].moves

    @property
    def answers(self) -> list[tuple[int, ...]]:
        """All lines that the problem calls right."""
        return [variation.moves for variation in self.variations if variation.right]

    @property
    def depth(self) -> int:
        """The winner's plays in the solution."""
        return (len(self.line) + 1) // 2

    @property
    def solution(self) -> tuple[str, ...]:
        """The solution in vertices: the winner's plays and the replies that resist longest."""
        return tuple(format_vertex(point, self.start.width) for point in self.line)

    def game(self) -> Game:
        """Return a game that starts with the position of the problem."""
        return self.start.game()

    def _repr_svg_(self) -> str:
        """The position as SVG, which Jupyter displays."""
        return self.game()._repr_svg_()

    def sort_key(self) -> tuple[float, int, bytes]:
        """Return a key that sorts from easy to hard: the share of missed tries, then the solver's effort."""
        missed, tries, effort = self.difficulty
        return (missed / tries if tries else 0.0, effort, self.start.canonical())


def boards_along(start: Start, moves: tuple[int, ...]) -> Iterator[tuple[Board, int]]:
    """Yield the board before each move with the colour that plays it, and the board after the last one."""
    board, color = start.board(), start.to_move
    yield board, color
    for move in moves:
        board = bd.after(board, move, color)
        color = opponent(color)
        yield board, color
