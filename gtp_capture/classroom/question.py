"""A question to all children of a class: where would you play?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Self

from ..go.game import Game
from ..go.vertex import PASS, parse_vertex
from ..teach.event import Refusal, RefusedError, Want, illegal
from ..tutor.session import Situation
from .desk import Desk


@dataclass(slots=True, kw_only=True)
class Question:
    """A position of a desk. Each child answers with one point, and may change it until the answers are shown."""

    situation: Situation
    """What there was at the desk; its game is a copy."""
    asked: int
    """The count of the class when it was asked: a tap on a view before that is no answer."""
    answers: dict[int, str] = field(default_factory=dict)
    """The vertex that each seat has chosen."""
    is_shown: bool = False

    @classmethod
    def of(cls, desk: Desk | None, count: int) -> Self:
        """Return the question about the board of a desk. RefusedError: it waits for no point."""
        if desk is None or not can_ask(desk):
            raise RefusedError(Refusal.NOT_NOW)
        now = desk.situation()
        assert now.game is not None
        return cls(situation=replace(now, game=now.game.copy()), asked=count)

    @property
    def game(self) -> Game:
        """The position."""
        assert self.situation.game is not None
        return self.situation.game

    @property
    def is_move(self) -> bool:
        """Whether a move is asked for, and not a point that a lesson wants."""
        return self.situation.wanted is not None and self.situation.wanted.want is not Want.POINT

    def answer(self, seat: int, vertex: object) -> None:
        """Set the answer of a seat. RefusedError: the answers are shown, or the move is illegal."""
        if self.is_shown:
            raise RefusedError(Refusal.NOT_NOW)
        point = read_point(vertex, self.game)
        if self.is_move and (reason := self.game.why_illegal_point(point, self.situation.to_move)) is not None:
            raise illegal(reason, self.game.vertex(point))
        self.answers[seat] = self.game.vertex(point)

    def counts(self) -> list[tuple[str, int]]:
        """Return each point that was chosen with the number of its answers, the most frequent first."""
        return Counter(sorted(self.answers.values())).most_common()


def read_point(vertex: object, game: Game) -> int:
    """Return the point of a vertex of JSON. ValueError: it is none of the board."""
    if not isinstance(vertex, str) or (point := parse_vertex(vertex, *game.size)) == PASS:
        raise ValueError(vertex)
    return point


def can_ask(desk: Desk | None) -> bool:
    """Whether a desk waits for a point, so that all can be asked for it."""
    now = None if desk is None else desk.situation()
    return now is not None and now.game is not None and now.takes_point
