"""Forced wins where several prisoners decide: each play threatens to capture as many stones as its colour still needs.

A threat is a point where a play captures the number of stones that its colour needs. Only two kinds of reply can parry
it: a play at this point, if it is the only threat, and a capture. Any other play leaves every threatened chain its one
liberty. So no other reply is tried, and a win that is found is proven under any rules of capturing, with the simple ko
rule or without it.
"""

from __future__ import annotations

from typing import Any, Final

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import opponent
from ..jit.kernel import as_int64, inner
from ..jit.records import copy_board
from .endings import captured_enough, stones_to_win
from .ladder import WIDTH, add_play, clear, current_attack, two_liberties
from .moves import is_ko

MOST_THREATS: Final = 16
"""Maximum number of threatening plays in a row. A reader has room for the positions after each and after its reply."""
NO_THREAT: Final = 0
"""No capture wins at once."""
SEVERAL: Final = -1
"""Captures at several points win at once."""


@inner
def threat_of(b: Board, rules: Any, c: int) -> int:
    """Return the only point where a capture of colour c wins at once, or NO_THREAT, or SEVERAL."""
    need = stones_to_win(b, rules, c)
    threat = NO_THREAT
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == opponent(c) and b.root[p] == p and bd.in_atari(b, p):
            liberty = bd.last_liberty(b, p)
            if liberty != threat and not is_ko(b, rules, liberty) and bd.captures_at(b, liberty, c) >= need:
                if threat != NO_THREAT:
                    return SEVERAL
                threat = liberty
    return threat


@inner
def add_captures(b: Board, rules: Any, c: int, frame: Any) -> int:
    """Add the captures of colour c to a frame; return the number of stones that they capture together."""
    total = 0
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] == opponent(c) and b.root[p] == p and bd.in_atari(b, p):
            liberty = bd.last_liberty(b, p)
            if not is_ko(b, rules, liberty):
                add_play(frame, liberty)
                total += as_int64(b.chain_size[p])
    return total


@inner
def add_parries(b: Board, rules: Any, threat: int, c: int, frame: Any) -> None:
    """Put into a frame all plays of colour c that can parry the opponent's threat, as `threat_of` has returned it."""
    clear(frame)
    add_captures(b, rules, c, frame)
    if threat != SEVERAL and bd.is_legal(b, threat, c, rules.suicide) and not is_ko(b, rules, threat):
        add_play(frame, threat)


@inner
def add_threats(b: Board, rules: Any, c: int, frame: Any) -> None:
    """Put into a frame plays of colour c that may threaten to win by a capture; no capture wins at once."""
    clear(frame)
    need = stones_to_win(b, rules, c)
    if add_captures(b, rules, c, frame) < need:
        clear(frame)  # one capture leaves too few stones for the next one to win
    for p in range(b.stride + 1, b.cells - b.stride):
        if b.color[p] != opponent(c) or b.root[p] != p or b.libs[p] > 2 * b.chain_size[p] + 2:
            continue
        first, second = two_liberties(b, p)
        if first == 0:
            continue
        others = bd.captures_at(b, first, c) + bd.captures_at(b, second, c)
        if as_int64(b.chain_size[p]) + others >= need:
            for liberty in (first, second):
                if bd.is_legal(b, liberty, c, False) and not is_ko(b, rules, liberty):
                    add_play(frame, liberty)


@inner
def refutes(b: Board, rules: Any, c: int, frame: Any) -> bool:
    """Return whether the last play, by the opponent of colour c, fails as a threat; else put c's parries into a frame.

    It fails if it threatens nothing, or if colour c can win by a capture.
    """
    threat = threat_of(b, rules, opponent(c))
    if threat == NO_THREAT or threat_of(b, rules, c) != NO_THREAT:
        return True
    add_parries(b, rules, threat, c, frame)
    frame.plies = 2  # any play, and the capture
    return bool(frame.number == WIDTH)  # there may be more parries


@inner
def forced_capture(b: Board, rules: Any, c: int, reader: Any, budget: int, longest: int) -> int:
    """Search for a win of colour c by threats, depth first, trying at most `budget` of them, `longest` in a row.

    Colour c is to move, and no capture wins at once. Returns the plies to the end of the longest line, or 0. The first
    play is then `first_attack(reader)`. Colour c is to move at even levels, its opponent at odd ones.
    """
    boards, frames = reader.boards, reader.frames
    d = opponent(c)
    copy_board(boards[0], b)
    add_threats(b, rules, c, frames[0])
    level = 0
    while True:
        frame = frames[level]
        if frame.tried >= frame.number:  # the side to move has failed, so the play before has succeeded
            if level == 0:
                return 0
            if level == 1:
                return as_int64(frame.plies) + 1
            if level % 2 == 1:
                frames[level - 2].plies = max(frames[level - 2].plies, frame.plies + 2)
            level -= 2
            continue
        frame.tried += 1
        work = boards[level + 1]
        copy_board(work, boards[level])
        if level % 2 == 0:
            if budget == 0:
                return 0
            budget -= 1
            bd.play(work, current_attack(frame), c)
            if not refutes(work, rules, d, frames[level + 1]):
                level += 1
            continue
        bd.play(work, current_attack(frame), d)
        if captured_enough(work, rules) == c or threat_of(work, rules, c) != NO_THREAT:
            continue
        if level + 1 >= 2 * longest:
            level -= 1  # this parry may hold, so the threat before counts as failed
            continue
        add_threats(work, rules, c, frames[level + 1])
        level += 1
