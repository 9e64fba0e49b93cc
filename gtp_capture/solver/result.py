"""The solver's result for a position, and the positions that it supports; without Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ..go.board import Board
from ..go.rules import Rules
from ..go.vertex import BLACK, WHITE

POINTS: Final = 128
"""Points of the largest board that the solver supports."""
WORD: Final = 64
"""Points of a word: the sets of points of a larger board are two words each, and have kernels of their own (`wide`)."""
WIN: Final = 1
"""Results for the side to move: WIN, LOSS, or UNKNOWN if it is not decided."""
UNKNOWN: Final = 0
LOSS: Final = -1

Stones: TypeAlias = tuple[int, int]
"""The stones of Black and of White as bits."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The solver's result for a position."""

    winner: int | None
    """BLACK or WHITE; None if not decided."""
    line: tuple[int, ...] = ()
    """Plays from the position on, that of the side to move first.

    With known `plies`, best play of both sides to the end. Otherwise winning plays of the winner and forced replies;
    the line ends where the loser has a choice.
    """
    plies: int | None = None
    """Plies to the end under best play (the winner's fewest, the loser's most); None if not computed."""
    nodes: int = 0
    """Positions evaluated."""
    seconds: float = 0.0

    def solved(self, move: int) -> str:
        """Return a remark on a move, with the plies if it is the first of the line and they are known."""
        known = self.plies is not None and self.line[:1] == (move,)
        return f"solved in {plies_text(self.plies)}" if known and self.plies is not None else "solved"


def plies_text(count: int) -> str:
    """Return a number of plies as text."""
    return "1 ply" if count == 1 else f"{count} plies"


def unsupported(rules: Rules, board: Board) -> str | None:
    """Return why the solver does not support a position under these rules; None if it does.

    The next capture must win for either side, and passing must not help. Suicide gives prisoners away, so it loses,
    and no position can repeat: the rules about both do not matter.
    """
    if not rules.is_capture_game:
        return "the solver needs rules where captures win"
    if rules.free_pass:
        return "the solver needs rules without free passing"
    held = [int(board.prisoners[color]) for color in (BLACK, WHITE)]
    if not all(rules.won_by(count + 1) and not rules.won_by(count) for count in held):
        return "the solver needs a game where the next capture wins, for both colours"
    if int(board.width) * int(board.height) > POINTS:
        return f"the solver takes boards of up to {POINTS} points"
    return None
