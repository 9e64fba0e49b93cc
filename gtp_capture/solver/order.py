"""The learned order of plays: scores of a position's plays by the stones around them.

A score estimates how likely a play is the one that wins a won position: the sum of the weights of three patterns, which
are hashed into tables: the 5x5 points around the play but for the corners, with the distances to the edges; the four
neighbours, with the liberties of their chains; and the twelve nearest points together with these liberties. The search
multiplies the dn of a play by a factor of at most MOST, the greater the further its score is below the best.

The weights are learned from the winning plays that searches have found, see `tests/benchmarks/learn_order.py`, as the
logit of each play besides what its first numbers say (a conditional logit, as in Coulom, 2007).
"""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from ..go.vertex import MAX_SIDE
from ..jit.intrinsics import folded, scrambled
from ..jit.kernel import from_dtype, inner
from .bitboard import ONE, ZERO, flood, lowest_bit, lowest_index, popcount, zero_like

BITS: Final = 16
"""Binary logarithm of the weights of a hashed table."""
UNIT: Final = 16
"""What a logit of 1 is in weights and scores."""
FIRST_RATE: Final = 0.2
"""The part of the difference of two logits by which the logarithms of the first dn of two plays differ."""
RATE: Final = 0.12
"""The same for the dn of plays at each selection."""
MOST: Final = 4.0
"""The greatest factor."""
ONCE: Final = 256
"""The factor of the best play: factors are whole numbers."""
DIFFERENCES: Final = 1024
"""More than the greatest difference of two scores."""
SIDE: Final = 5
"""Of the square of points around a play."""
REACH: Final = SIDE // 2
EDGES: Final = 2 * SIDE * SIDE
"""The bit of a pattern where what is not a stone begins: the first SIDE * SIDE are own stones, the next ones others."""
LOWEST: Final = -(10**6)
"""Less than any score."""
FILE: Final = "order.npz"


def factors_for(rate: float) -> Any:
    """Return the factors of plays whose scores are 0, 1, 2 ... less than the best one: int64 [DIFFERENCES]."""
    exact = (min(MOST, math.exp(rate / UNIT * difference)) for difference in range(DIFFERENCES))
    return np.array([round(ONCE * factor) for factor in exact])


def points_within(distance: int) -> int:
    """Return the bits of the points of the square with at most this sum of distances, for both colours."""
    bits = (1 << i for i in range(SIDE * SIDE) if abs(i % SIDE - REACH) + abs(i // SIDE - REACH) <= distance)
    return sum(bits) * (1 + (1 << SIDE * SIDE))


FIRST_FACTORS: Final = factors_for(FIRST_RATE)
FACTORS: Final = factors_for(RATE)
BOX: Final = np.uint64(points_within(3))
DIAMOND: Final = np.uint64(points_within(2))
_NONE: Final = np.uint64(0)
_SQUARE: Final = np.uint64(SIDE * SIDE)
_ROW: Final = np.uint64(2**SIDE - 1)
_REACH: Final = np.uint64(REACH)
_EDGES: Final = np.uint64(EDGES)
_INDEX: Final = np.uint64(64 - BITS)

EMPTY, OWN, OPP = 1, 4, 7
"""Classes of a cell: 0 is off the board, 1 empty; a stone's is OWN or OPP if its chain has at least four liberties, 1
less with three, 2 less with two or one."""
SURROUNDINGS: Final = np.dtype(
    [
        ("lines", "u8", (2, MAX_SIDE + 2 * REACH)),  # rows of own and of opposing stones, with empty ones around
        ("cells", "u1", ((MAX_SIDE + 2) ** 2,)),  # the classes, row by row, with a border
    ],
    align=True,
)
"""What the patterns of a position's plays are read from, scratch memory of a thread."""
AROUND: Final = from_dtype(SURROUNDINGS)
WEIGHTS: Final = np.dtype([("box", "i1", (1 << BITS,)), ("cross", "i1", (1 << 12,)), ("diamond", "i1", (1 << BITS,))])
ORDER: Final = from_dtype(WEIGHTS)


@cache
def weights() -> Any:
    """Return the weights, as one record."""
    record = np.zeros(1, WEIGHTS).view(np.recarray)[0]
    with (resources.files(__package__) / FILE).open("rb") as file, np.load(file) as arrays:
        for name in WEIGHTS.names or ():
            record[name] = arrays[name]
    return record


def new_surroundings() -> Any:
    """Return scratch memory for one thread."""
    return np.zeros(1, SURROUNDINGS).view(np.recarray)[0]


@inner
def enter_cells(cells: Any, stones: Any, empty: Any, most: int, stride: int, g: Any) -> None:
    """Write the classes of stones, by the liberties of their chains: `most` - 2 for up to two, to `most` for four."""
    width = int(g.width)
    rest = stones
    while rest != ZERO:
        chain, beside = flood(lowest_bit(rest), stones, g)
        rest &= ~chain
        found = most - 4 + max(2, min(4, popcount(beside & empty)))
        while chain != ZERO:
            point = lowest_index(chain)
            chain &= chain - ONE
            row = point // width
            cells[(row + 1) * stride + point - row * width + 1] = found


@inner
def enter_lines(lines: Any, stones: Any, rows: int, g: Any) -> None:
    """Write the rows of a set of points, with REACH empty rows and columns on each side."""
    width = int(g.width)
    row = (zero_like(stones) | ONE) << width
    row -= ONE
    for y in range(REACH):
        lines[y], lines[rows + REACH + y] = _NONE, _NONE
    for y in range(rows):
        lines[y + REACH] = np.uint64(folded(stones >> y * width & row)) << _REACH


@inner
def square_at(lines: Any, x: int, y: int) -> Any:
    """Return the square of points around a point, row by row."""
    at, found = np.uint64(x), _NONE
    for i in range(SIDE):
        found |= (lines[y + i] >> at & _ROW) << np.uint64(SIDE * i)
    return found


@inner
def slot(pattern: Any) -> Any:
    """Return the place of a pattern in a hashed table."""
    return np.int64(scrambled(pattern) >> _INDEX)


@inner
def enter_position(around: Any, own: Any, opp: Any, g: Any) -> int:
    """Write the surroundings of all points; return the number of rows."""
    width = int(g.width)
    rows, stride, empty = popcount(g.full) // width, width + 2, g.full & ~(own | opp)
    cells = around.cells
    for cell in range(stride * (rows + 2)):
        cells[cell] = 0
    for row in range(1, rows + 1):
        for cell in range(row * stride + 1, row * stride + 1 + width):
            cells[cell] = EMPTY
    enter_cells(cells, own, empty, OWN, stride, g)
    enter_cells(cells, opp, empty, OPP, stride, g)
    enter_lines(around.lines[0], own, rows, g)
    enter_lines(around.lines[1], opp, rows, g)
    return rows


@inner
def patterns_at(point: int, around: Any, rows: int, width: int) -> tuple[Any, Any, Any]:
    """Return the places of a play's patterns in the tables."""
    y = point // width
    x = point - y * width
    cells, cell, stride = around.cells, (y + 1) * (width + 2) + x + 1, width + 2
    near, far = np.int64(cells[cell - 1]) | np.int64(cells[cell + 1]) << 3, np.int64(cells[cell - stride])
    cross = near | far << 6 | np.int64(cells[cell + stride]) << 9
    left, right, below, above = min(x, REACH), min(width - 1 - x, REACH), min(y, REACH), min(rows - 1 - y, REACH)
    edges = ((left * (REACH + 1) + right) * (REACH + 1) + below) * (REACH + 1) + above
    stones = square_at(around.lines[0], x, y) | square_at(around.lines[1], x, y) << _SQUARE
    return slot(stones & BOX | np.uint64(edges) << _EDGES), cross, slot(stones & DIAMOND | np.uint64(cross) << _EDGES)


@inner
def enter_scores(frame: Any, plays: Any, tables: Any, around: Any, g: Any) -> None:
    """Write the scores of these plays of a frame, and the greatest of them. `tables`: see `weights`."""
    width, rows = int(g.width), enter_position(around, frame.own, frame.opp, g)
    best: Any = np.int64(LOWEST)
    rest = plays
    while rest != ZERO:
        point = lowest_index(rest)
        rest &= rest - ONE
        box, cross, diamond = patterns_at(point, around, rows, width)
        score = np.int64(tables.box[box]) + np.int64(tables.cross[cross]) + np.int64(tables.diamond[diamond])
        frame.scores[point] = score
        best = max(best, score)
    frame.best_score = best


@inner
def times(dn: Any, factor: Any) -> Any:
    """Return a dn times a factor."""
    return dn * factor // ONCE


@inner
def least_with(product: Any, factor: Any) -> Any:
    """Return the least dn that is at least this product times a factor."""
    return (product * ONCE + factor - 1) // factor


@inner
def factor(factors: Any, score: Any, best: Any) -> Any:
    """Return the factor of the dn of a play with a score. `factors`: FACTORS or FIRST_FACTORS."""
    return factors[min(DIFFERENCES - 1, best - score)]
