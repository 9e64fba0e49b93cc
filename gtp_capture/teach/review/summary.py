"""What a review says, as values: remarks on moves, the deciding mistake, and the counts of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from ...go.vertex import BLACK, WHITE, opponent
from ..explain import Evidence
from .judge import MIDDLING, Grade, Review

LEAD: Final = 0.75
"""Win rate from which a side counts as the one that is ahead, where no winner is proven."""


class Kind(Enum):
    """The kinds of remarks."""

    LOSING = auto()
    """It turns a proven win into a proven loss; `better` and `punishment` win, if they are known."""
    ONLY = auto()
    """It is the only move that wins."""
    DROP = auto()
    """It loses much of the win rate, or is proven to lose if there is a `winner`; the search preferred `better`."""
    PROVEN = auto()
    """After it, `winner` is proven to win for the first time, or again."""
    MISSED = auto()
    """`better` is proven to win; after the move no win was found."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on a move of a review."""

    kind: Kind
    winner: int | None = None
    """The proven winner after the move, if the remark names it."""
    better: int | None = None
    """The point of a better move, or PASS."""
    punishment: int | None = None
    """The point by which the opponent wins after a losing move."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """The move that decided the game."""

    number: int
    """Counted from 0."""
    proven: bool
    """Whether it turned a proven win into a proven loss, and all later positions have the same proven winner."""


@dataclass(frozen=True, slots=True)
class Side:
    """The counts of one colour, among the moves that were judged."""

    moves: int
    mistakes: int
    """Moves that turn a win into a loss, bad and doubtful moves, missed captures that would have won the game at once,
    and a resignation of the side that was ahead."""
    losing: int
    """Moves that turn a proven win into a proven loss."""
    only: int
    """Only winning plays that were found."""


def remark(review: Review, number: int) -> Remark | None:
    """Return the remark on a move, counted from 0; None if there is none."""
    move = review.judgements[number]
    winner, other = move.after.winner, opponent(move.color)
    if move.over:
        return None
    if move.grade is Grade.LOSING:
        better, punishment = (line[0] if line else None for line in (move.better, move.punishment))
        return Remark(Kind.LOSING, other, better, punishment)
    if move.grade.is_only:
        return Remark(Kind.ONLY)
    if move.grade.is_mistake:
        return Remark(Kind.DROP, None if winner is None else other, move.better[0])
    if winner is not None and move.before.winner is None and move.before.black is not None:
        known = [evaluation.winner for evaluation in review.evaluations[:number] if evaluation.winner is not None]
        return Remark(Kind.PROVEN, winner) if known[-1:] != [winner] else None
    best = move.before.line[:1]
    missed = move.before.winner == move.color and winner is None and move.drop >= MIDDLING
    return Remark(Kind.MISSED, better=best[0]) if missed and best and best[0] != move.point else None


def side(review: Review, color: int) -> Side:
    """Return the counts of a colour."""
    judged = [j for j in review.judgements if j.judged and j.color == color]
    grades = [j.grade for j in judged]
    missed_wins = [j.missed is not None and j.missed.known is Evidence.RULES for j in judged]
    mistakes = [grade.is_mistake or missed for grade, missed in zip(grades, missed_wins, strict=True)]
    return Side(
        len(grades),
        sum(mistakes) + (resigned_ahead(review) == color),
        sum(grade is Grade.LOSING for grade in grades),
        sum(grade.is_only for grade in grades),
    )


def deciding_mistake(review: Review) -> Deciding | None:
    """Return the last change of the proven winner, if every later position is proven too; else a probable one.

    The probable one is the loser's last mistake after which the loss is proven, else the largest drop of the loser's
    win rate, both since the loser was last proven to win. None if there is no drop of at least MIDDLING, if neither a
    proof nor the win rate shows a loser, or if the game was decided by a resignation of the side that was ahead.
    """
    ahead = _ahead(review)
    if ahead is None or resigned_ahead(review) is not None:
        return None
    loser, start, all_proven = opponent(ahead), 0, True
    for number in range(len(review.judgements) - 1, -1, -1):
        move = review.judgements[number]
        if move.over:
            continue
        all_proven = all_proven and move.after.winner == ahead
        if all_proven and move.grade is Grade.LOSING:
            return Deciding(number, proven=True)
        if move.before.winner == loser:
            start = number
            break
        all_proven = all_proven and move.before.winner == ahead
    drops = [
        (move.after.winner == ahead, number if move.after.winner == ahead else move.drop, -number)
        for number, move in enumerate(review.judgements)
        if number >= start and move.color == loser and move.drop >= MIDDLING
        if move.grade.is_mistake or move.before.winner == loser or move.after.winner == ahead
    ]
    return Deciding(-max(drops)[-1], proven=False) if drops else None


def always_won_by(review: Review) -> int | None:
    """Return the colour that is the proven winner of every position; None if there is none."""
    winners = {evaluation.winner for evaluation in review.evaluations}
    return winners.pop() if len(winners) == 1 else None


def resigned_ahead(review: Review) -> int | None:
    """Return the colour that resigned although it was ahead in the last position; None if none did."""
    return review.resigned if review.resigned == _leader(review) else None


def _ahead(review: Review) -> int | None:
    """Return the winner of the game, or the side that is ahead at its end; None if that is not clear."""
    if review.outcome is not None and review.outcome.winner is not None:
        return int(review.outcome.winner)
    return _leader(review)


def _leader(review: Review) -> int | None:
    """Return the side that is ahead in the last position; None if that is not clear."""
    last = review.evaluations[-1]
    if last.winner is not None:
        return last.winner
    leaders = [color for color in (BLACK, WHITE) if (last.rate(color) or 0.0) >= LEAD]
    return leaders[0] if leaders else None
