"""What a game is made of: moves, the positions that they lead to, and the outcome with its cause."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from .vertex import BLACK


class Termination(StrEnum):
    """Why a game is over."""

    CAPTURE = "capture"
    NO_LEGAL_PLAY = "no legal play"
    HANDED_OVER = "handed over a stone"
    RESIGNATION = "resignation"
    TWO_PASSES = "two passes"


class Outcome(NamedTuple):
    """The end of a game; the winner is None after a draw, or where two passes cannot be scored yet."""

    winner: int | None
    termination: Termination


class Move(NamedTuple):
    """A play, a PASS or a RESIGN of a colour."""

    color: int
    point: int


class Position(NamedTuple):
    """What stood after a move: enough to go back to it. The first one of a game has no move."""

    colors: bytes
    prisoners: tuple[int, int]
    to_move: int
    move: Move | None
    decided: Outcome | None
    """An outcome that no later move can change; two passes are not one, play may resume after them."""

    def won(self, color: int) -> int:
        """The prisoners that a colour holds."""
        return self.prisoners[color - BLACK]

    def played_by(self, color: int) -> bool:
        """Whether a play (not a pass) of a colour led here."""
        return self.move is not None and self.move.color == color and self.move.point > 0
