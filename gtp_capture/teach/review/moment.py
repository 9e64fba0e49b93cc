"""The moment of a reviewed game that a child looks at again: after a loss its own chance or danger, else a good move.

A moment holds only what is proven or what is on the board; a move that no proof shows is an opinion (`Kind.BETTER`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from ...go import board as bd
from ...go.game import Game
from ...go.picture import taken
from ...go.vertex import Color, ColorLike, parse_color
from ..explain import Evidence, Hint
from ..reasons import Reason
from .reviewed import Grade, Review, ReviewedMove


class Kind(StrEnum):
    """What there is to see at a moment. The value is the end of the key of its sentence."""

    CAPTURE = "capture"
    """The child could take stones."""
    SAVE = "save"
    """A chain of the child was in atari, and could be saved."""
    FREE = "free"
    """A chain of the child was in atari, and could get more liberties."""
    WINNING = "winning"
    """A play was proven to win, and the child chose another one."""
    BETTER = "better"
    """The search preferred another play."""
    TAKEN = "taken"
    """A chain of the child was in atari, and was taken."""
    ONLY = "only"
    """The only winning play, which the child found."""
    TOOK = "took"
    """A play of the child that took stones."""


_CHANCES = {Reason.CAPTURE: Kind.CAPTURE, Reason.SAVE: Kind.SAVE, Reason.FREE: Kind.FREE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A moment of a game."""

    kind: Kind
    game: Game
    """The game before the move."""
    color: Color
    """The colour that moves."""
    move: str
    """The play to look at: one to try, or one that was played."""
    stone: str = ""
    """A stone of the chain that was in danger, or was taken."""
    count: int = 0
    """The stones of this chain, or those that the play takes."""


def moment(review: Review, color: ColorLike) -> Moment | None:
    """Return the moment of a game for the child with a colour; None if nothing is proven, preferred or taken."""
    child = parse_color(color)
    has_won = review.outcome is not None and review.outcome.winner == child
    own = [move for move in review.moves if move.color == child and not move.over]
    losses = [] if has_won else [*_losses(review, child)]
    moments = () if has_won else chain(_chances(review, own), _rescues(losses), _better(review, own), losses)
    return next(chain(moments, _best(review, own)), None)


def _chances(review: Review, own: list[ReviewedMove]) -> Iterator[Moment]:
    """Yield the chances on the board, first those that decided."""
    for move in sorted(own, key=lambda move: not _decided(review, move)):
        if move.missed is not None:
            yield _chance(review, move, move.missed)


def _better(review: Review, own: list[ReviewedMove]) -> Iterator[Moment]:
    """Yield the better play at the deciding mistake."""
    for move in own:
        if move == review.deciding and move.better and move.better[0] != "pass":
            kind = Kind.WINNING if move.grade is Grade.LOSING else Kind.BETTER
            yield Moment(kind=kind, game=_before(review, move.number), color=move.color, move=move.better[0])


def _decided(review: Review, move: ReviewedMove) -> bool:
    """Whether a move missed a capture that wins at once, or is the mistake that decided the game."""
    if move.missed is not None and move.missed.known is Evidence.RULES and move.missed.wins:
        return True
    return move == review.deciding


def _chance(review: Review, move: ReviewedMove, missed: Hint) -> Moment:
    game = _before(review, move.number)
    stone = next(iter(missed.stones), "")
    count = missed.captured if missed.reason is Reason.CAPTURE else _stones(game, stone)
    kind = _CHANCES[missed.reason]
    return Moment(kind=kind, game=game, color=move.color, move=missed.move, stone=stone, count=count)


def _losses(review: Review, child: Color) -> Iterator[Moment]:
    """Yield the last move of the other side that took stones of the child."""
    for number, move in reversed([*enumerate(review.game.moves, 1)]):
        stones = _taken(review.game, number) if move.color != child else []
        if stones:
            game = _before(review, number)
            stone = game.vertex(stones[0])
            vertex, count = game.vertex(move.point), _stones(game, stone)
            yield Moment(kind=Kind.TAKEN, game=game, color=Color(move.color), move=vertex, stone=stone, count=count)
            return


def _rescues(losses: list[Moment]) -> Iterator[Moment]:
    """Yield how a chain that was taken could get more liberties before, if it was in atari at the turn of its side."""
    for loss in losses:
        if not loss.game.moves or loss.game.moves[-1].color == loss.color:
            continue
        game = loss.game.copy(len(loss.game.moves) - 1)
        child, point = int(loss.color.opponent), game.point(loss.stone)
        free = bd.liberties(game.board, point) if int(game.board.color[point]) == child else []
        if len(free) != 1 or game.why_illegal_point(free[0], child) is not None:
            continue
        after, move, count = game.copy(), game.vertex(free[0]), len(bd.stones(game.board, point))
        after.play_point(free[0], child)
        if len(bd.liberties(after.board, point)) > 1:
            color = loss.color.opponent
            yield Moment(kind=Kind.FREE, game=game, color=color, move=move, stone=loss.stone, count=count)


def _best(review: Review, own: list[ReviewedMove]) -> Iterator[Moment]:
    """Yield the only winning plays that the child found, then the play that took most stones, the last one first."""
    for move in own:
        if move.grade.is_only:
            yield Moment(kind=Kind.ONLY, game=_before(review, move.number), color=move.color, move=move.vertex)
    counts = {move.number: len(_taken(review.game, move.number)) for move in own}
    for move in sorted(own, key=lambda move: (counts[move.number], move.number))[-1:]:
        if count := counts[move.number]:
            game = _before(review, move.number)
            yield Moment(kind=Kind.TOOK, game=game, color=move.color, move=move.vertex, count=count)


def _before(review: Review, number: int) -> Game:
    return review.game.copy(number - 1)


def _stones(game: Game, vertex: str) -> int:
    return len(bd.stones(game.board, game.point(vertex))) if vertex else 0


def _taken(game: Game, number: int) -> list[int]:
    """Return the points of the stones of the other side that a move takes."""
    stones, mover = taken(game.positions[number - 1 : number + 1]), int(game.moves[number - 1].color)
    return [p for p, color in stones.items() if color != mover]
