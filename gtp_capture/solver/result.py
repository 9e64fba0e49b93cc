"""The solver's result for a position, and the positions that it supports; without Numba."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ..go.board import Board
from ..go.rules import Ko, Passing, Rules
from ..go.vertex import BLACK, WHITE, opponent
from ..go.words import counted
from ..util.files import RequestError

POINTS: Final = 128
"""Points of the largest board that the solver supports."""
WORD: Final = 64
"""Points of a machine word. On a larger board a set of points is two words, and `dfpn_large` has the kernels."""
WIN: Final = 1
"""Results for the side to move: WIN, LOSS, or UNKNOWN if it is not decided."""
UNKNOWN: Final = 0
LOSS: Final = -1


class SolverError(RequestError):
    """The solver cannot work with this board, memory or rules; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The solver's result for a position."""

    winner: int | None
    """BLACK or WHITE; None if not decided."""
    line: tuple[int, ...] = ()
    """Plays from the position on; the side to move plays first.

    If the line has `plies` moves, it is best play of both sides to the end. Otherwise it has winning plays of the
    winner and forced replies, and ends where the loser has a choice, or where the time ended.
    """
    plies: int | None = None
    """Plies to the end under best play (the winner's fewest, the loser's most); None if not computed."""
    nodes: int = 0
    """Positions evaluated."""
    seconds: float = 0.0
    first_moves: dict[int, int | None] | None = None
    """The winner after each play, None if not decided; None if it was not asked for."""

    def solved(self, move: int) -> str:
        """Return a remark on a move, with the plies if it is the first of the line and they are known."""
        known = self.plies is not None and self.line[:1] == (move,)
        return f"solved in {counted(self.plies, 'ply', 'plies')}" if known and self.plies is not None else "solved"


UNSOLVED: Final = Solution(None)
"""The solution of a position whose winner is not known."""


def winner_of(result: int, color: int) -> int | None:
    """Return the winner of a position by its result for `color`, which is to move; None if the result is UNKNOWN."""
    return {WIN: color, LOSS: opponent(color), UNKNOWN: None}[result]


def next_capture_wins(rules: Rules, board: Board) -> bool:
    """Whether the next capture wins for either side."""
    return all(rules.won_by(int(board.prisoners[color]) + 1) for color in (BLACK, WHITE))


def repetition_matters(rules: Rules, board: Board) -> bool:
    """Whether a ko rule may forbid a play before the next capture.

    As long as stones are only added, no position repeats. Under superko, a play may repeat an earlier position if
    stones have been removed since. Prisoners that passes handed over count as removed stones.
    """
    if rules.ko.is_superko:
        return any(int(board.prisoners[color]) > 0 for color in (BLACK, WHITE))
    return rules.ko is not Ko.NONE and int(board.ko) != 0


def has_length(rules: Rules) -> bool:
    """Whether the solver's plies hold for a game: a suicide, which the solver leaves out, may lose one ply later."""
    return not rules.suicide


def unsupported(rules: Rules, board: Board) -> str | None:
    """Return why the solver does not support a position under these rules; None if it does.

    The next capture must win for either side, and passing must not help. Suicide gives prisoners away, so it loses:
    whether it is legal does not matter. Ko rules must not matter either.
    """
    if not rules.is_capture_game:
        return "the solver needs rules where captures win"
    if rules.free_pass:
        return "the solver needs rules without free passing"
    over = any(rules.won_by(int(board.prisoners[color])) for color in (BLACK, WHITE))
    if over or not next_capture_wins(rules, board):
        return "the solver needs a game where the next capture wins, for both colours"
    if repetition_matters(rules, board):
        return "the solver needs a position where no ko rule forbids a play"
    if int(board.width) * int(board.height) > POINTS:
        return f"the solver takes boards of up to {POINTS} points"
    return None


def unsupported_multi_capture(rules: Rules, board: Board) -> str | None:
    """Return why `exhaustive` does not support a position under these rules; None if it does."""
    if rules.captures is None:
        return "the solver needs rules where captures win"
    if rules.passing is not Passing.FORBIDDEN or rules.ko is not Ko.NONE:
        return "if one capture does not decide the game, the solver needs rules without passing and ko"
    points = int(board.width) * int(board.height)
    if 2 * points + 2 * math.log2(rules.captures) + 2 > 64:
        return f"if one capture does not decide the game, {int(board.width)}x{int(board.height)} is too large"
    return None


def why_unsupported(rules: Rules, board: Board) -> str | None:
    """Return why no exact solver supports a position under these rules; None if `solver_for` returns one."""
    by_next_capture = not rules.is_capture_game or next_capture_wins(rules, board)
    return (unsupported if by_next_capture else unsupported_multi_capture)(rules, board)
