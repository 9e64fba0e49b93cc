"""A reviewed game as a value: the evaluations of its positions, its moves with their grades, and what decided it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Final, NamedTuple

from ...go.game import Game
from ...go.position import Outcome, Termination
from ...go.vertex import Color, ColorLike, parse_color
from ...solver.verdict import Verdict
from ...util.above import above
from ..explain import CHANCES, Evidence, Hint
from ..sentences import ENGLISH

MIDDLING: Final = 0.15
"""Drop of the win rate from which a move may be a mistake. Two searches of a position differ by a few per cent."""
LEAD: Final = 0.75
"""Win rate from which a side counts as ahead, where no winner is proven."""


class Grade(StrEnum):
    """The grade of a move, by the change of the evaluation.

    BAD and DOUBTFUL are not used where the solver decides nearly all positions.
    """

    LOSING = auto()
    """Turns a proven win into a proven loss."""
    BAD = auto()
    """Loses a large part of the win rate in an undecided game."""
    DOUBTFUL = auto()
    """Loses a middling part of the win rate in an undecided game."""
    ONLY = auto()
    """The only winning play, which captures or saves a chain in atari."""
    ONLY_QUIET = auto()
    """The only winning play, which neither captures nor saves a chain in atari."""
    PLAIN = auto()
    """Nothing to say."""

    @property
    def is_mistake(self) -> bool:
        """Whether the grade blames the move."""
        return self in (Grade.LOSING, Grade.BAD, Grade.DOUBTFUL)

    @property
    def is_only(self) -> bool:
        """Whether the move is the only winning play."""
        return self in (Grade.ONLY, Grade.ONLY_QUIET)


class Remark(Enum):
    """The kind of the remark on a move."""

    LOSING = auto()
    """It turns a proven win into a proven loss; `better` and `punishment` win, if they are known."""
    ONLY = auto()
    """It is the only move that wins."""
    DROP = auto()
    """It loses much of the win rate, or is proven to lose if a winner is proven after it; `better` was preferred."""
    PROVEN = auto()
    """After it a winner is proven for the first time, or another one than before."""
    MISSED = auto()
    """The line of the position before it is proven to win; after the move no win was found."""


def won_by(winner: int, line: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict that a colour is proven to win."""
    return Verdict(Color(winner), line=line)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedMove:
    """A move of a game with the evaluations of the positions before and after it. `str` is its number and remark."""

    number: int
    """Counted from 1."""
    color: Color
    vertex: str
    """A vertex or "pass"."""
    evaluation_before: Verdict
    """The evaluation of the position before the move, with its colour to move."""
    evaluation_after: Verdict
    grade: Grade = Grade.PLAIN
    better: tuple[str, ...] = ()
    """For a mistake: a line with a better play first, which is proven to win if the grade is LOSING. May be empty."""
    punishment: tuple[str, ...] = ()
    """For a losing move: the winner's line after it. May be empty, as when the move itself ends the game."""
    over: bool = False
    """Whether the game was decided before the move; such moves are not judged."""
    proven_before: Color | None = None
    """The winner of the last position before the move for which a winner is proven; None if there is none."""
    advice: Hint | None = None
    """A capture or a rescue that the move misses, else for a mistake the first move of `better`, with the reason."""

    def __str__(self) -> str:
        return str(above("teach.words.move_line", self))

    @property
    def remark(self) -> str:
        """One or two sentences, or "" if there is nothing to say."""
        return str(above("teach.words.remark_on", self))

    @property
    def before(self) -> float | None:
        """Win rate of its colour before the move, 0 to 1; exactly 0 or 1 if proven; None if it was not judged."""
        return self.evaluation_before.rate(self.color) if self.judged else None

    @property
    def after(self) -> float | None:
        """Win rate of its colour after the move; values as for `before`."""
        return self.evaluation_after.rate(self.color) if self.judged else None

    @property
    def missed(self) -> Hint | None:
        """The advice if it takes stones or saves them: then the move misses a capture or a rescue."""
        return self.advice if self.advice is not None and self.advice.reason in CHANCES else None

    @property
    def judged(self) -> bool:
        """Whether both positions got an evaluation, in a game that was not decided."""
        return not self.over and self.evaluation_before.black is not None and self.evaluation_after.black is not None

    @property
    def drop(self) -> float:
        """How much of the win rate of its colour the move loses, 0 to 1; 0 if the move was not judged."""
        return max(0.0, (self.before or 0.0) - (self.after or 0.0))

    @property
    def kind(self) -> Remark | None:
        """The kind of the remark on the move; None if there is nothing to say."""
        before, winner = self.evaluation_before, self.evaluation_after.winner
        if self.over:
            return None
        if self.grade is Grade.LOSING:
            return Remark.LOSING
        if self.grade.is_only:
            return Remark.ONLY
        if self.grade.is_mistake:
            return Remark.DROP
        if winner is not None and before.winner is None and before.black is not None:
            return None if winner == self.proven_before else Remark.PROVEN
        missed = before.winner == self.color and winner is None and self.drop >= MIDDLING
        return Remark.MISSED if missed and before.line and before.line[0] != self.vertex else None


class Counts(NamedTuple):
    """The counts of one colour, among the moves that were judged."""

    moves: int
    mistakes: int
    """Moves that turn a win into a loss, bad and doubtful moves, missed captures that would have won the game at once,
    and a resignation of the side that was ahead."""
    losing: int
    """Moves that turn a proven win into a proven loss."""
    only: int
    """Only winning plays that were found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A judged game. `str` is what `gtp-capture review` says about it: a line for each remark, then the summary."""

    moves: tuple[ReviewedMove, ...]
    """All moves up to a resignation, which is not one of them."""
    evaluations: tuple[Verdict, ...]
    """The evaluations of the first position and of the position after each move, with the colour to move there."""
    game: Game = field(repr=False, hash=False)
    """The game, with a resignation that ended it."""
    outcome: Outcome | None
    cut: str = ""
    """Why the rest of the game is not judged: a move of its file that cannot be played; "" if there is no rest."""

    def __str__(self) -> str:
        return "\n".join(above("teach.words.review_lines", self))

    def sgf(self, *, language: str = ENGLISH) -> str:
        """Return the game as SGF with win rates, marks, comments and better moves, as `gtp-capture review` writes.

        ValueError: another language than those of `gtp-capture review --language`. TypeError: not text.
        """
        return str(above("teach.review.annotate.review_sgf", self, language))

    def _repr_html_(self) -> str:
        return str(above("library.html.review_html", self))

    @property
    def judged(self) -> int:
        """The number of moves that were judged."""
        return sum(move.judged for move in self.moves)

    @property
    def undecided(self) -> int:
        """The number of moves until the game was decided."""
        return sum(not move.over for move in self.moves)

    @property
    def resigned_ahead(self) -> Color | None:
        """The colour that resigned although it was ahead in the last position; None if none did."""
        outcome = self.outcome
        if outcome is None or outcome.winner is None or outcome.termination is not Termination.RESIGNATION:
            return None
        return outcome.winner.opponent if outcome.winner.opponent == self._leader else None

    @property
    def always_won_by(self) -> Color | None:
        """The colour that is the proven winner of every position; None if there is none."""
        winners = {evaluation.winner for evaluation in self.evaluations}
        return winners.pop() if len(winners) == 1 else None

    @property
    def deciding(self) -> ReviewedMove | None:
        """The mistake that is proven to have decided the game, else the one that probably did; None if there is none.

        The probable one is the loser's last mistake after which the loss is proven, else the largest drop of the
        loser's win rate, both since the loser was last proven to win. None if there is no drop of at least MIDDLING,
        if neither a proof nor the win rate shows a loser, or if the side that was ahead resigned.
        """
        ahead = self._leader if self.outcome is None or self.outcome.winner is None else self.outcome.winner
        if ahead is None or self.resigned_ahead is not None:
            return None
        loser, moves = ahead.opponent, [move for move in self.moves if not move.over]
        for move in reversed(moves):
            if move.color == loser and self.is_proven_to_decide(move):
                return move
        start = max((move.number for move in moves if move.evaluation_before.winner == loser), default=0)
        drops = [
            move
            for move in moves
            if move.number >= start and move.color == loser and move.drop >= MIDDLING
            if move.grade.is_mistake or loser == move.evaluation_before.winner or ahead == move.evaluation_after.winner
        ]
        lost = [move for move in drops if move.evaluation_after.winner == ahead]
        return lost[-1] if lost else max(drops, key=lambda move: move.drop, default=None)

    def is_proven_to_decide(self, move: ReviewedMove) -> bool:
        """Whether a move turns a proven win into a proven loss, and every later position is proven to be lost too.

        TypeError: not a ReviewedMove. ValueError: it is not one of `moves`.
        """
        if not isinstance(move, ReviewedMove):
            raise TypeError(f"a ReviewedMove is needed, not {move!r}")
        if self.moves[max(0, move.number - 1) :][:1] != (move,):
            raise ValueError(f"move {move.number}, {move.vertex}, is not one of this review")
        later = (other for other in self.moves[move.number - 1 :] if not other.over)
        return move.grade is Grade.LOSING and all(
            other.evaluation_after.winner == move.color.opponent for other in later
        )

    def counts(self, color: ColorLike) -> Counts:
        """Return the counts of a colour. ValueError: not a colour."""
        side = parse_color(color)
        judged = [move for move in self.moves if move.judged and move.color == side]
        missed_wins = [move for move in judged if move.missed is not None and move.missed.known is Evidence.RULES]
        return Counts(
            len(judged),
            sum(move.grade.is_mistake or move in missed_wins for move in judged) + (self.resigned_ahead == side),
            sum(move.grade is Grade.LOSING for move in judged),
            sum(move.grade.is_only for move in judged),
        )

    @property
    def _leader(self) -> Color | None:
        """The side that is ahead in the last position; None if that is not clear."""
        last = self.evaluations[-1]
        if last.winner is not None:
            return last.winner
        return next((color for color in Color if (last.rate(color) or 0.0) >= LEAD), None)
