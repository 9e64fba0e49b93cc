"""Static tactical tests shared by tree expansion and playouts.

They apply where the next capture wins (`is_tactical`), as in first capture from the start. Then, for the colour
to move:

1. A play that captures a chain in atari wins.
2. An own chain in atari must be saved; two chains in atari with different last liberties cannot both be saved.
3. A play that leaves its own chain one liberty loses.
4. Without a remaining play the game is lost.

No stone is ever removed in such a game before its end.
"""

from __future__ import annotations

from typing import Any, Final

from ..go import board as bd
from ..go.board import Board, neighbors4
from ..go.vertex import BLACK, EMPTY, WHITE, opponent
from ..jit.kernel import inner
from ..jit.records import FREE
from .endings import stones_to_win

QUIET: Final = 0
"""No play is forced."""
NO_DEFENCE: Final = -1
"""Every play of the colour to move loses stones."""


@inner
def is_tactical(b: Board, rules: Any) -> bool:
    """Return whether one more prisoner decides the game for either colour, and a pass does not avoid that."""
    return bool(rules.passing != FREE and stones_to_win(b, rules, BLACK) == 1 and stones_to_win(b, rules, WHITE) == 1)


@inner
def keeps_two_liberties(b: Board, p: int, c: int) -> bool:
    """Return whether a play at the empty point p that captures nothing leaves its chain two liberties or more."""
    color, root = b.color, b.root
    stride = int(b.stride)
    count, total, squares = 0, 0, 0
    for q in neighbors4(p, stride):
        if color[q] == EMPTY:
            count += 1
            total += q
            squares += q * q
    if count >= 2:
        return True
    # Add the pseudo-liberties of the chains that the stone joins, without the pairs that contain p.
    a1, a2, a3 = 0, 0, 0
    for q in neighbors4(p, stride):
        if color[q] == c:
            r = int(root[q])
            if r != a1 and r != a2 and r != a3:
                count += int(b.libs[r])
                total += int(b.lib_sum[r])
                squares += int(b.lib_squares[r])
                a1, a2, a3 = r, a1, a2
            count -= 1
            total -= p
            squares -= p * p
    return count > 0 and count * squares != total * total


@inner
def add_forced(b: Board, p: int, forced: int) -> int:
    """Return the forced play if the chain at p must be saved too; NO_DEFENCE if that takes two different plays."""
    if forced == NO_DEFENCE or not bd.in_atari(b, p):
        return forced
    liberty = bd.last_liberty(b, p)
    return liberty if forced in (QUIET, liberty) else NO_DEFENCE


@inner
def check_forced(b: Board, forced: int, c: int) -> int:
    """Return the forced play, or NO_DEFENCE if the chain would still be in atari after it."""
    if forced > 0 and not keeps_two_liberties(b, forced, c):
        return NO_DEFENCE
    return forced


@inner
def forced_near(b: Board, last: int, c: int) -> int:
    """Return the play that the opponent's play at `last` forces on colour c, QUIET or NO_DEFENCE."""
    color = b.color
    stride = int(b.stride)
    forced = QUIET
    for q in neighbors4(last, stride):
        if color[q] == c:
            forced = add_forced(b, q, forced)
    return check_forced(b, forced, c)


@inner
def forced_anywhere(b: Board, c: int) -> int:
    """Return the same as `forced_near` for the whole board, for positions with chains in atari elsewhere."""
    forced = QUIET
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == c and b.root[p] == p:
            forced = add_forced(b, p, forced)
    return check_forced(b, forced, c)


@inner
def capture_somewhere(b: Board, c: int, least: int) -> int:
    """Return a play of colour c that captures at least `least` stones, or 0."""
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == opponent(c) and b.root[p] == p and bd.in_atari(b, p):
            liberty = bd.last_liberty(b, p)
            if bd.captures_at(b, liberty, c) >= least:
                return liberty
    return 0
