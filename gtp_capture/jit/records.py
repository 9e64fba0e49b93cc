"""Data that the kernels share: the rules as a record, positions, random numbers and board copies."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from ..go.board import CELLS, POINTS, Board
from ..go.rules import Ko, Passing, Rules
from ..go.vertex import BORDER
from .kernel import as_int64, inner

BOARD_DTYPE: Final = np.dtype(
    [
        *((name, "i4") for name in ("width", "height", "stride", "cells", "ko", "empties")),
        ("prisoners", "i4", (4,)),
        *((name, "i4", (CELLS,)) for name in ("libs", "lib_sum", "lib_squares")),
        *((name, "i2", (CELLS,)) for name in ("root", "next", "chain_size")),
        ("empty", "i2", (POINTS,)),
        ("where", "i2", (CELLS,)),
        ("color", "i1", (CELLS,)),
    ],
    align=True,
)
"""The fields of a `Board` with room for the largest one."""
BOARD: Final = numba.from_dtype(BOARD_DTYPE)

PASSING_CODES: Final = {Passing.FREE: 0, Passing.STONE: 1, Passing.FORBIDDEN: 2}
FREE: Final = PASSING_CODES[Passing.FREE]
STONE: Final = PASSING_CODES[Passing.STONE]
FORBIDDEN: Final = PASSING_CODES[Passing.FORBIDDEN]

RULES_DTYPE: Final = np.dtype(
    [
        ("captures", "i4"),  # prisoners that win, or 0
        ("suicide", "?"),
        ("ko", "?"),  # whether the play at `board.ko` is illegal
        ("superko", "?"),  # whether earlier positions decide which plays are legal
        ("passing", "i1"),  # a value of PASSING_CODES
        ("scored", "?"),
        ("komi", "f4"),
    ],
    align=True,
)
MOST_KOMI: Final = 100_000.0
"""The greatest komi of a record, more than any board has points; a greater one becomes this."""
RULES: Final = numba.from_dtype(RULES_DTYPE)
RNG: Final = numba.types.uint64[::1]


def record(board: Board) -> Any:
    """Return a board as compiled code reads and changes it."""
    r = np.zeros(1, BOARD_DTYPE).view(np.recarray)[0]
    r.color[:] = BORDER
    for name in Board.__slots__:
        value = getattr(board, name)
        if isinstance(value, int):
            r[name] = value
        else:
            r[name][: len(value)] = value
    return r


def rules_record(rules: Rules, komi: float) -> Any:
    """Return the rules as kernels read them."""
    r = np.zeros(1, RULES_DTYPE).view(np.recarray)[0]
    r.captures = rules.captures or 0
    r.suicide = rules.suicide
    # Situational superko lets a colour retake a stone if it passed before. A search of a capture game must see this.
    r.ko = rules.ko is not Ko.NONE and not (rules.ko is Ko.SITUATIONAL and rules.is_capture_game)
    r.superko = rules.ko.is_superko
    r.passing = PASSING_CODES[rules.passing]
    r.scored = rules.is_scored
    r.komi = max(-MOST_KOMI, min(MOST_KOMI, komi))
    return r


class Turn(NamedTuple):
    """A position, with the data that a playout or a search from it needs."""

    board: Any
    """A record of BOARD_DTYPE."""
    rules: Any
    """A record of RULES_DTYPE."""
    color: int
    """The colour to move."""
    last: int = 0
    """The point of the last move; 0 for a pass or if there is no last move."""
    passes: int = 0
    """Consecutive passes before this position."""


TURN: Final = numba.types.NamedTuple([BOARD, RULES, *[numba.types.int64] * 3], Turn)


def new_rng(seed: int, stream: int = 0) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the state of a random number generator; each stream of a seed is a different sequence."""
    state = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)
    return np.maximum(state, np.uint64(1))  # xorshift never leaves 0


_13, _7, _17, _32 = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(32)


@inner
def xorshift(x: Any) -> Any:
    """Return the state of the generator after this one (xorshift64; Marsaglia 2003)."""
    x ^= x << _13
    x ^= x >> _7
    x ^= x << _17
    return x


@inner
def random_below(rng: Any, bound: int) -> int:
    """Return a random number from 0 to bound - 1 and advance the generator."""
    x = xorshift(rng[0])
    rng[0] = x
    return int(((x >> _32) * np.uint64(bound)) >> _32)


@inner
def copy_cells(target: Any, source: Any, count: int) -> None:
    """Copy the first elements of an array. A slice would take ten times as long to compile."""
    for i in range(count):
        target[i] = source[i]


@inner
def copy_board(target: Board, source: Board) -> None:
    """Make target equal to source, copying only the cells in use."""
    cells = as_int64(source.cells)
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
    copy_cells(target.empty, source.empty, as_int64(source.empties))


@inner
def set_aside(b: Board, i: int, j: int) -> None:
    """Exchange entries i and j in the list of empty points; a draw among the first j then excludes the old entry i."""
    p, other = b.empty[i], b.empty[j]
    b.empty[i], b.empty[j] = other, p
    b.where[other], b.where[p] = i, j
