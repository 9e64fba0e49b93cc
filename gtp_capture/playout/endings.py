"""How a game ends in a kernel: by captures, without a legal play, or on area."""

from __future__ import annotations

from typing import Any, Final

from ..go.board import Board, neighbors4
from ..go.vertex import BLACK, BORDER, EMPTY, WHITE, opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import FORBIDDEN, STONE

DRAW: Final = 3
"""The winner of a drawn game; 0 means that the game goes on."""


@inner
def is_capture_game(rules: Any) -> bool:
    """Return whether captures win under these rules."""
    return bool(rules.captures > 0)


@inner
def stones_to_win(b: Board, rules: Any, c: int) -> int:
    """Return the prisoners that colour c still needs to win; 0 or less if it has won, or if captures do not win."""
    return int(rules.captures - b.prisoners[c]) if rules.captures > 0 else 0


@inner
def captured_enough(b: Board, rules: Any) -> int:
    """Return the colour that has won by captures, or 0."""
    if rules.captures > 0:
        if b.prisoners[BLACK] >= rules.captures:
            return BLACK
        if b.prisoners[WHITE] >= rules.captures:
            return WHITE
    return 0


@inner
def must_lose(b: Board, rules: Any, c: int) -> bool:
    """Return whether a colour without a play has lost: it may not pass, or its pass hands over the last prisoner."""
    if rules.passing == FORBIDDEN:
        return True
    return bool(rules.captures > 0 and rules.passing == STONE and b.prisoners[opponent(c)] + 1 >= rules.captures)


@inner
def area_lead(b: Board) -> int:
    """Return Black's area minus White's with all stones alive: stones, and regions that touch one colour only.

    Overwrites `chain_size` of empty points, which the board does not use, with the colours (as bits) that their
    region touches.
    """
    color, touched = b.color, b.chain_size
    stride = int(b.stride)
    lead = 0
    for p in range(stride + 1, b.cells - stride):
        if color[p] == EMPTY:
            touched[p] = 0
        elif color[p] != BORDER:
            lead += 3 - 2 * color[p]
    spreading = True
    while spreading:
        spreading = False
        for i in range(b.empties):
            p = as_int64(b.empty[i])
            seen = touched[p]
            for q in neighbors4(p, stride):
                if color[q] == EMPTY:
                    seen |= touched[q]
                elif color[q] != BORDER:
                    seen |= color[q]
            if seen != touched[p]:
                touched[p] = seen
                spreading = True
    for i in range(b.empties):
        seen = touched[b.empty[i]]
        lead += int(seen == BLACK) - int(seen == WHITE)
    return int(lead)


@inner
def area_winner(b: Board, rules: Any) -> int:
    """Return the winner on area with all stones alive, or DRAW; always DRAW under rules without scoring."""
    if not rules.scored:
        return DRAW
    lead = area_lead(b)
    if lead == rules.komi:
        return DRAW
    return BLACK if lead > rules.komi else WHITE
