"""What perfect play says of a position, and which positions it can be asked about; without Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..go.board import Board
from ..go.rules import Passing, Rules
from ..go.vertex import BLACK, WHITE

POINTS: Final = 64
"""Points of the largest board that the solver takes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a position."""

    winner: int | None
    """BLACK or WHITE, or None where it is not known (yet)."""
    line: tuple[int, ...] = ()
    """Plays from the position on, first the one of the side to move.

    With a known length, best play of both sides to the end. Otherwise winning plays of the winner and forced replies;
    the line ends where the loser has a choice.
    """
    length: int | None = None
    """Plies to the end under best play (the winner's shortest, the loser's longest), where computed."""
    nodes: int = 0
    """Positions looked at."""
    seconds: float = 0.0

    def solved(self, move: int) -> str:
        """What is said when this move is played; another one than the line's first may take longer."""
        known = self.length is not None and self.line[:1] == (move,)
        return f"solved in {plies(self.length)}" if known and self.length is not None else "solved"


def plies(count: int) -> str:
    """A number of plies as text."""
    return "1 ply" if count == 1 else f"{count} plies"


def why_not(rules: Rules, board: Board) -> str | None:
    """Why a position under these rules is not for the solver, or None where it is.

    It must be one where the next prisoner wins for either side and no move but a play is open to anyone who does
    not want to lose. Suicide hands stones over, so it loses, and the position never repeats: neither rule matters.
    """
    if rules.captures is None:
        return "the solver needs rules where captures win"
    if rules.passing is Passing.FREE:
        return "the solver needs rules without free passing"
    if any(rules.captures - int(board.prisoners[color]) != 1 for color in (BLACK, WHITE)):
        return "the solver needs a game where the next capture wins, for both colours"
    if int(board.width) * int(board.height) > POINTS:
        return f"the solver takes boards of up to {POINTS} points"
    return None
