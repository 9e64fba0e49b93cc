"""One move in a kernel: the plays that a search considers, and the effect of a play or a pass.

Every playout and both tree searches use these functions.
"""

from __future__ import annotations

from typing import Any

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK, PASS, WHITE, opponent
from ..jit.kernel import inner
from ..jit.records import STONE
from .endings import area_winner, captured_enough


@inner
def is_ko(b: Board, rules: Any, p: int) -> bool:
    """Return whether a ko rule forbids a play at p, where the opponent has just captured a single stone."""
    return bool(rules.ko and p == b.ko)


@inner
def knows_legal_plays(b: Board, rules: Any) -> bool:
    """Return whether the board and the rules decide which plays are legal, without earlier positions.

    They do without superko, and while no stone has been removed: a play at a point where its colour has never stood
    leads to a new position, unless it is the suicide of a single stone. Under superko with suicide such a play is not
    legal, as it repeats the position before it, and a search that asks this has to test it (`search/kernel.py`).
    Prisoners that passes handed over count as removed stones.
    """
    return not rules.superko or b.prisoners[BLACK] + b.prisoners[WHITE] == 0


@inner
def is_open_to(b: Board, rules: Any, p: int, c: int) -> bool:
    """Return whether p is legal for colour c, superko apart."""
    return bool(bd.is_legal(b, p, c, rules.suicide) and not is_ko(b, rules, p))


@inner
def is_playable(b: Board, rules: Any, p: int, c: int) -> bool:
    """Return whether p is legal for colour c, superko apart, and, if the board is scored, not its own eye."""
    return bool(is_open_to(b, rules, p, c) and not (rules.scored and bd.is_eye(b, p, c)))


@inner
def make_move(b: Board, rules: Any, p: int, c: int, passes: int) -> tuple[int, int]:
    """Play colour c at p, or pass if p is PASS; `passes` counts the passes in a row before.

    Returns the passes in a row after the move, and the winner, DRAW, or 0 if the game goes on.
    """
    if p != PASS:
        return 0, captured_enough(b, rules) if bd.play(b, p, c) != 0 else 0
    b.ko = 0
    if rules.passing == STONE:
        b.prisoners[opponent(c)] += 1
    winner = captured_enough(b, rules)
    if winner == 0 and passes >= 1:
        winner = area_winner(b, rules)
    return passes + 1, winner
