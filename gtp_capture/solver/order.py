"""The learned order of plays: scores of a position's plays by the points around them.

A score estimates how likely a play is to win a won position. It is the sum of the weights of PATTERNS patterns around
the play; each pattern is hashed into a table of its own. A pattern encodes the colours or the classes of the points at
fixed offsets. A class is the colour and the number of liberties of the chain, up to MOST_LIBERTIES; points off the
board have a colour and a class of their own. The patterns are the colours of 5x5 and of 7x7 points without the corners,
the classes of the four, the eight and the twelve nearest points, and the colours of these twelve with the classes of
the four. The search multiplies the dn of a play by a factor of up to MOST, which grows with the difference between the
best score and the score of the play.

The weights were learned from the winning plays of searches (`tests/benchmarks/solver.md`): they are parts of the
logit of a play, in addition to its initial numbers (a conditional logit model, as in Coulom, 2007).
"""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import Any, Final

import numba
import numpy as np

from ..go.vertex import MAX_SIDE
from ..jit.intrinsics import scrambled
from ..jit.kernel import from_dtype, inner
from .bitboard import ONE, ZERO, flood, lowest_bit, lowest_index, popcount

PATTERNS: Final = 6
BITS: Final = 17
"""Binary logarithm of the weights of a pattern's table."""
UNIT: Final = 16
"""Weights and scores are logits times this number."""
INITIAL_RATE: Final = 0.2
"""Difference of the logarithms of the initial dn of two plays, for a difference of 1 of their logits."""
RATE: Final = 0.12
"""Difference of the logarithms of the dn of two plays at each selection, for a difference of 1 of their logits."""
MOST: Final = 8.0
"""The greatest factor."""
ONCE: Final = 256
"""The factor of the best play; all factors are multiples of 1 / ONCE."""
DIFFERENCES: Final = 1024
"""Size of the table of factors; for greater differences of scores its last factor is used."""
MOST_LIBERTIES: Final = 5
STONE: Final = 2
"""Bits of the colour of a point: 0 off the board, 1 empty, 2 own, 3 of the other side."""
CLASS: Final = 4
"""Bits of the class of a point: 0 off the board, 1 empty, 1 + n an own stone whose chain has n liberties, and
1 + MOST_LIBERTIES + n a stone of the other side."""
REACH: Final = 3
"""The greatest distance to a point of a pattern of colours."""
NEAR: Final = 2
"""The greatest distance to a point of a pattern of classes."""
MOST_COLUMNS: Final = 64 // CLASS - NEAR
"""Columns of the largest board whose rows of classes fit into 64 bits."""
LOWEST: Final = -(10**6)
"""Less than any score."""
FILE: Final = "order.npz"


def factors_for(rate: float) -> Any:
    """Return the factors of plays whose scores are 0, 1, 2 ... less than the best one: int64 [DIFFERENCES]."""
    exact = (min(MOST, math.exp(rate / UNIT * difference)) for difference in range(DIFFERENCES))
    return np.array([round(ONCE * factor) for factor in exact])


INITIAL_FACTORS: Final = factors_for(INITIAL_RATE)
FACTORS: Final = factors_for(RATE)
_NONE: Final = np.uint64(0)
_INDEX: Final = np.uint64(64 - BITS)

SURROUNDINGS: Final = np.dtype(
    [("stones", "u8", (MAX_SIDE + 2 * REACH,)), ("classes", "u8", (MAX_SIDE + 2 * NEAR,))], align=True
)
"""The colours and classes of a position: 64 bits for each row, with REACH or NEAR rows and columns around the board."""
AROUND: Final = from_dtype(SURROUNDINGS)
ORDER: Final = numba.int8[:, ::1]


@cache
def weights() -> Any:
    """Return the weights, int8 [PATTERNS, 1 << BITS]."""
    with (resources.files(__package__) / FILE).open("rb") as file, np.load(file) as arrays:
        return arrays["weights"]


def new_surroundings() -> Any:
    """Return scratch memory for one thread."""
    return np.zeros(1, SURROUNDINGS).view(np.recarray)[0]


@inner
def column_and_row(point: int, width: int) -> tuple[int, int]:
    """Return the column and the row of a point."""
    y = point * (65536 // width + 1) >> 16  # point // width, without a division for each point
    return point - y * width, y


@inner
def enter_chains(around: Any, stones: Any, empty: Any, stone: int, more: int, g: Any) -> None:
    """Write the colours and the classes of the stones of a side over empty points; `more` is added to the classes."""
    width, rest = int(g.width), stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        class_ = np.uint64(more + min(MOST_LIBERTIES, popcount(beside & empty)))
        while chain != ZERO:
            x, y = column_and_row(lowest_index(chain), width)
            chain &= chain - ONE
            around.stones[y + REACH] += np.uint64(stone - 1) << np.uint64(STONE * (x + REACH))
            around.classes[y + NEAR] += class_ << np.uint64(CLASS * (x + NEAR))


@inner
def enter_position(around: Any, own: Any, opp: Any, g: Any) -> None:
    """Write the surroundings of all points."""
    width = int(g.width)
    rows, empty = popcount(g.full) // width, g.full & ~(own | opp)
    stones, classes = _NONE, _NONE
    for x in range(width):
        stones |= np.uint64(1) << np.uint64(STONE * (x + REACH))
        classes |= np.uint64(1) << np.uint64(CLASS * (x + NEAR))
    for y in range(REACH):
        around.stones[y], around.stones[rows + REACH + y] = _NONE, _NONE
    for y in range(NEAR):
        around.classes[y], around.classes[rows + NEAR + y] = _NONE, _NONE
    for y in range(rows):
        around.stones[y + REACH], around.classes[y + NEAR] = stones, classes
    enter_chains(around, own, empty, 2, 0, g)
    enter_chains(around, opp, empty, 3, MOST_LIBERTIES, g)


@inner
def cells(row: Any, first: int, number: int, bits: int) -> Any:
    """Return the bits of `number` points of a row from the point `first` on; `bits` for each point."""
    return row >> np.uint64(first * bits) & np.uint64((1 << number * bits) - 1)


@inner
def packed(a: Any, b: Any, c: Any, d: Any, e: Any, bits: int) -> Any:
    """Return five rows as one number; a row has `bits` bits."""
    step = np.uint64(bits)
    return a | (b | (c | (d | e << step) << step) << step) << step


@inner
def slot(pattern: Any) -> Any:
    """Return the index of a pattern in its hashed table."""
    return np.int64(scrambled(pattern) >> _INDEX)


@inner
def patterns_at(x: int, y: int, around: Any) -> Any:
    """Return the indices of a play's patterns in the tables."""
    at = np.uint64(STONE * x)
    lines = around.stones
    a, b, c, d = lines[y] >> at, lines[y + 1] >> at, lines[y + 2] >> at, lines[y + 3] >> at
    e, f, g = lines[y + 4] >> at, lines[y + 5] >> at, lines[y + 6] >> at
    second, third, fourth = cells(b, 1, 5, STONE), cells(c, 1, 5, STONE), cells(d, 1, 5, STONE)
    fifth, sixth = cells(e, 1, 5, STONE), cells(f, 1, 5, STONE)
    box = packed(cells(second, 1, 3, STONE), third, fourth, fifth, cells(sixth, 1, 3, STONE), 5 * STONE)
    diamond = packed(
        cells(b, 3, 1, STONE), cells(c, 2, 3, STONE), fourth, cells(e, 2, 3, STONE), cells(f, 3, 1, STONE), 5 * STONE
    )
    upper = packed(cells(a, 2, 3, STONE), second, cells(c, 0, 7, STONE), cells(d, 0, 7, STONE), _NONE, 7 * STONE)
    lower = packed(cells(e, 0, 7, STONE), sixth, cells(g, 2, 3, STONE), _NONE, _NONE, 7 * STONE)

    at = np.uint64(CLASS * x)
    lines = around.classes
    a, b, c = lines[y] >> at, lines[y + 1] >> at, lines[y + 2] >> at
    d, e = lines[y + 3] >> at, lines[y + 4] >> at
    cross = cells(b, 2, 1, CLASS), cells(c, 1, 1, CLASS), cells(c, 3, 1, CLASS), cells(d, 2, 1, CLASS)
    near = cells(b, 1, 3, CLASS), cells(c, 1, 3, CLASS), cells(d, 1, 3, CLASS)
    far = cells(a, 2, 1, CLASS), cells(c, 0, 1, CLASS), cells(c, 4, 1, CLASS), cells(e, 2, 1, CLASS)
    four, eight = packed(*cross, _NONE, CLASS), packed(*near, _NONE, _NONE, 3 * CLASS)
    twelve = eight | packed(*far, _NONE, CLASS) << np.uint64(9 * CLASS)
    return (
        slot(box),
        slot(upper ^ scrambled(lower)),
        slot(four),
        slot(eight),
        slot(twelve),
        slot(diamond ^ scrambled(four)),
    )


@inner
def enter_scores(frame: Any, plays: Any, tables: Any, around: Any, g: Any) -> None:
    """Write the scores of plays into a frame, and the greatest score. `tables`: see `weights`."""
    if plays & (plays - ONE) == ZERO:  # a single play needs no order
        frame.scores[lowest_index(plays)], frame.best_score = 0, 0
        return
    enter_position(around, frame.own, frame.opp, g)
    best: Any = np.int64(LOWEST)
    rest, width = plays, int(g.width)
    while rest != ZERO:
        point = lowest_index(rest)
        rest &= rest - ONE
        x, y = column_and_row(point, width)
        places = patterns_at(x, y, around)
        score: Any = np.int64(0)
        for i in range(PATTERNS):
            score += np.int64(tables[i, places[i]])
        frame.scores[point] = score
        best = max(best, score)
    frame.best_score = best


@inner
def times(dn: Any, factor: Any) -> Any:
    """Return a dn times a factor."""
    return dn * factor // ONCE


@inner
def least_with(product: Any, factor: Any) -> Any:
    """Return the least dn whose product with a factor is at least `product`."""
    return (product * ONCE + factor - 1) // factor


@inner
def factor(factors: Any, score: Any, best: Any) -> Any:
    """Return the factor of the dn of a play with a score. `factors`: FACTORS or INITIAL_FACTORS."""
    return factors[min(DIFFERENCES - 1, best - score)]
