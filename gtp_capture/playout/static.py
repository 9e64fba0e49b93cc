"""What can be told at sight in a capture game, in tree and playout alike.

A position is *sharp* for a search when one more prisoner decides it for either colour and nobody can pass
without losing, as in first capture from the start. Then, for the colour to move:
(1) an opposing chain in atari wins at once; (2) own chains in atari must be saved by one play, those with
different last liberties are lost; (3) a play that leaves its own chain with one liberty loses at once;
(4) who has no other play has lost. What remains is the real choice. Nothing is ever removed on the way.
"""

from __future__ import annotations

from typing import Any, Final

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import BLACK, EMPTY, WHITE
from ..jit.kernel import inner
from .uniform import FREE

LOST: Final = -1
QUIET: Final = 0


@inner
def is_sharp(b: Board, rules: Any) -> bool:
    """Whether one more prisoner of either colour ends the game and a pass is no way out."""
    return bool(
        rules.sharp
        and rules.captures > 0
        and rules.passing != FREE
        and rules.captures - b.prisoners[BLACK] == 1
        and rules.captures - b.prisoners[WHITE] == 1
    )


@inner
def is_safe(b: Board, p: int, c: int) -> bool:
    """Whether a play at the empty point p that captures nothing leaves its chain two liberties or more."""
    color, root = b.color, b.root
    stride = int(b.stride)
    count, total, squares = 0, 0, 0
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == EMPTY:
            count += 1
            total += q
            squares += q * q
    if count >= 2:
        return True
    # The chains that the stone joins bring their liberties, except p itself.
    a1, a2, a3 = 0, 0, 0
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == c:
            r = int(root[q])
            if r != a1 and r != a2 and r != a3:
                count += b.libs[r]
                total += b.lib_sum[r]
                squares += b.lib_squares[r]
                a1, a2, a3 = r, a1, a2
            count -= 1
            total -= p
            squares -= p * p
    return count > 0 and count * squares != total * total


@inner
def also_forced(b: Board, p: int, forced: int) -> int:
    """What has to be done once the chain at p is looked at too: two last liberties are one too many."""
    if forced == LOST or not bd.in_atari(b, p):
        return forced
    liberty = bd.last_liberty(b, p)
    return liberty if forced in (QUIET, liberty) else LOST


@inner
def saved(b: Board, forced: int, c: int) -> int:
    """The forced point, or LOST where a play there saves nothing."""
    if forced > 0 and not is_safe(b, forced, c):
        return LOST
    return forced


@inner
def forced_near(b: Board, last: int, c: int) -> int:
    """What the opponent's play at `last` forces colour c to do: one point, LOST, or QUIET for nothing."""
    color = b.color
    stride = int(b.stride)
    forced = QUIET
    for q in (last - 1, last + 1, last - stride, last + stride):
        if color[q] == c:
            forced = also_forced(b, q, forced)
    return saved(b, forced, c)


@inner
def capture_somewhere(b: Board, c: int, least: int) -> int:
    """The last liberty of an opposing chain in atari of at least so many stones, or 0."""
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == 3 - c and b.root[p] == p and bd.in_atari(b, p):
            liberty = bd.last_liberty(b, p)
            if bd.captures_at(b, liberty, c) >= least:
                return liberty
    return 0


@inner
def forced_anywhere(b: Board, c: int) -> int:
    """Like `forced_near`, over the whole board: for positions that did not come from a play of the search."""
    forced = QUIET
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == c and b.root[p] == p:
            forced = also_forced(b, p, forced)
    return saved(b, forced, c)
