"""What every search shares: random numbers, a board copy, the rules as a record, and uniformly random playouts."""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from ..go import board as bd
from ..go.board import Board
from ..go.rules import Ko, Passing, Rules, Scoring
from ..go.vertex import BLACK, BORDER, EMPTY, WHITE
from ..jit.kernel import inner, wide

PASSING: Final = {Passing.FREE: 0, Passing.STONE: 1, Passing.FORBIDDEN: 2}
FREE: Final = PASSING[Passing.FREE]
STONE: Final = PASSING[Passing.STONE]
FORBIDDEN: Final = PASSING[Passing.FORBIDDEN]

RULES_DTYPE: Final = np.dtype(
    [
        ("captures", "i4"),  # prisoners that win, or 0
        ("suicide", "?"),
        ("ko", "?"),  # whether there is any ko rule; the search knows the simple one
        ("passing", "i1"),  # a value of PASSING
        ("scored", "?"),
        ("komi", "f4"),
        ("sharp", "?"),  # whether the search uses what `tactics.py` knows of sharp positions
    ],
    align=True,
)
RULES: Final = numba.from_dtype(RULES_DTYPE)
RNG: Final = numba.types.uint64[::1]

DRAW: Final = 3
"""A winner that is nobody; 0 means that the game goes on."""


def rules_record(rules: Rules, komi: float, sharp: bool = True) -> Any:
    """The rules as compiled code reads them; without `sharp`, a search knows nothing at sight but a capture."""
    r = np.zeros(1, RULES_DTYPE).view(np.recarray)[0]
    r.captures = rules.captures or 0
    r.suicide = rules.suicide
    r.ko = rules.ko is not Ko.NONE
    r.passing = PASSING[rules.passing]
    r.scored = rules.scoring is not Scoring.NONE
    r.komi = komi
    r.sharp = sharp
    return r


def rng(seed: int, stream: int = 0) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The state of a generator; equal seeds give equal sequences on every machine, other streams others."""
    state = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)
    return np.maximum(state, np.uint64(1))  # xorshift never leaves 0


_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


@inner
def random_below(state: Any, bound: int) -> int:
    """A random number from 0 to bound - 1 (xorshift64; Marsaglia 2003)."""
    x = state[0]
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    state[0] = x
    return int(((x >> _32) * np.uint64(bound)) >> _32)


@inner
def copy_cells(target: Any, source: Any, count: int) -> None:
    """Copy the first elements of an array; a slice would take ten times as long to compile."""
    for i in range(count):
        target[i] = source[i]


@inner
def copy_board(target: Board, source: Board) -> None:
    """Make target equal to source, moving only the cells in use."""
    cells = wide(source.cells)
    target.width = source.width
    target.height = source.height
    target.stride = source.stride
    target.cells = cells
    target.ko = source.ko
    target.empties = source.empties
    copy_cells(target.prisoners, source.prisoners, len(source.prisoners))
    copy_cells(target.libs, source.libs, cells)
    copy_cells(target.lib_sum, source.lib_sum, cells)
    copy_cells(target.lib_squares, source.lib_squares, cells)
    copy_cells(target.root, source.root, cells)
    copy_cells(target.next, source.next, cells)
    copy_cells(target.chain_size, source.chain_size, cells)
    copy_cells(target.where, source.where, cells)
    copy_cells(target.color, source.color, cells)
    copy_cells(target.empty, source.empty, wide(source.empties))


@inner
def set_aside(b: Board, i: int, j: int) -> None:
    """Exchange two empty points in the list of them, so that a choice among the first ones leaves one out."""
    p, other = b.empty[i], b.empty[j]
    b.empty[i], b.empty[j] = other, p
    b.where[other], b.where[p] = i, j


@inner
def random_play(b: Board, rules: Any, c: int, state: Any) -> int:
    """A legal play, each with equal chance (own eyes apart where the board is scored), or 0 where there is none."""
    rest = wide(b.empties)
    while rest > 0:
        i = random_below(state, rest)
        p = wide(b.empty[i])
        if (
            bd.is_legal(b, p, c, rules.suicide)
            and not (rules.ko and p == b.ko)
            and not (rules.scored and bd.is_eye(b, p, c))
        ):
            return p
        rest -= 1
        set_aside(b, i, rest)
    return 0


@inner
def captured_enough(b: Board, rules: Any) -> int:
    """The colour that has won by captures, or 0."""
    if rules.captures > 0:
        if b.prisoners[BLACK] >= rules.captures:
            return BLACK
        if b.prisoners[WHITE] >= rules.captures:
            return WHITE
    return 0


@inner
def must_lose(b: Board, rules: Any, c: int) -> bool:
    """Whether a colour without a play has lost: it may not pass, or its pass hands over the last stone."""
    if rules.passing == FORBIDDEN:
        return True
    return bool(rules.captures > 0 and rules.passing == STONE and b.prisoners[3 - c] + 1 >= rules.captures)


@inner
def area_lead(b: Board) -> int:
    """Black's area minus White's, every stone alive: stones, and the empty regions that touch one colour only.

    Of an empty point the size of its chain means nothing: here it says, in bits, which colours its region touches.
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
            p = wide(b.empty[i])
            seen = touched[p]
            for q in (p - 1, p + 1, p - stride, p + stride):
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
    """Who wins on area where the game ends on this board; a dead stone that was not captured counts as alive."""
    if not rules.scored:
        return DRAW
    lead = area_lead(b)
    if lead == rules.komi:
        return DRAW
    return BLACK if lead > rules.komi else WHITE


@inner
def pass_stone(b: Board, rules: Any, c: int) -> None:
    """What a pass does to the board."""
    b.ko = 0
    if rules.passing == STONE:
        b.prisoners[3 - c] += 1


@inner
def uniform_playout(b: Board, rules: Any, c: int, state: Any) -> tuple[int, int]:
    """Play random legal moves to the end of the game: the winner (or DRAW) and the number of plays."""
    plays, passes = 0, 0
    most = 3 * b.width * b.height + 20
    while plays < most:
        p = random_play(b, rules, c, state)
        if p == 0:
            if must_lose(b, rules, c):
                return 3 - c, plays
            passes += 1
            if passes == 2:
                break
            pass_stone(b, rules, c)
        else:
            passes = 0
            plays += 1
            if bd.play(b, p, c) != 0:
                winner = captured_enough(b, rules)
                if winner:
                    return winner, plays
        c = 3 - c
    return area_winner(b, rules), plays
