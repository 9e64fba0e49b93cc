"""Codes of points: the input of the network, as seen by the colour to move. Compiled.

Each point has four codes: its square (the colours of the point and of the eight cells around it), its cross (the
colours of the point and of its four neighbours, with the liberties of their chains, up to four), its spot (the
distances to the edges), and its stake (how much a capture there counts). Codes that are images of one another under a
symmetry have the same number.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.board import CELLS, POINTS, Board, neighbors4
from ..go.vertex import BLACK, BORDER, EMPTY, opponent
from ..jit.kernel import as_int64, inner
from ..playout.patterns import orientations

SIDE_COLORS: Final = 3
"""Kinds of a point: empty, of the colour to move, of the other one."""
RAW_SQUARES: Final = SIDE_COLORS << 16
STATES: Final = 10
"""States of a cell in a cross: 0 empty; 1 to 4 an own stone whose chain has 1 to 4 liberties; 5 to 8 such a stone of
the other colour; 9 off the board."""
OFF: Final = 9
RAW_CROSSES: Final = OFF * STATES**4
MOST_LIBERTIES: Final = 4
"""Chains with more liberties count as having this many."""
FAR: Final = 4
"""The greatest distance to an edge in lines; greater distances count as this one."""
SPOTS: Final = (FAR + 1) ** 2
SIZES: Final = 5
"""Classes of the number of stones of a capture: enough to win; else 1, 2, 3 or 4, 5 or more."""
ESCAPES: Final = 3
"""Classes of a chain's liberties in a stake: 1, 2, 3 or more."""
STAKES: Final = 1 + 2 * ESCAPES * SIZES + (SIZES + 1) ** 2
"""The number of stakes: one for any point if the next capture wins, those of stones, and those of empty points."""
SQUARE, CROSS, SPOT, STAKE = 0, 1, 2, 3
KINDS: Final = 4

SCRATCH: Final = [
    ("liberties", "i1", (CELLS,)),  # by root
    ("states", "i1", (CELLS,)),
    ("codes", "u2", (KINDS, POINTS)),  # of each point, row by row
]
"""Fields of a thread's scratch memory."""
_MASK: Final = np.uint64(0x5555555555555555)
_1, _2, _4, _6, _8, _10, _14, _3, _12, _63 = (np.uint64(n) for n in (1, 2, 4, 6, 8, 10, 14, 3, 12, 63))
_100, _1000, _10000 = (np.uint64(STATES**n) for n in (2, 3, 4))


@cache
def square_numbers() -> Any:
    """Return the number of each square code: uint16 [RAW_SQUARES]; images under a symmetry have the same one."""
    return _numbers(4, SIDE_COLORS, [[0, 1, 2], [3, -1, 4], [5, 6, 7]])


@cache
def cross_numbers() -> Any:
    """Return the number of each cross code: uint16 [RAW_CROSSES]; images under a symmetry have the same one."""
    return _numbers(STATES, OFF, [[-1, 0, -1], [1, -1, 2], [-1, 3, -1]])


def _numbers(states: int, points: int, places: list[list[int]]) -> Any:
    """Number the codes whose digits are the states of the cells around a point, lowest first, and then of the point.

    `states`, `points`: the number of states of a cell and of the point. `places`: for each of 3x3 cells, the index of
    its digit, or -1 if the code has none for it.
    """
    count = int(np.max(places)) + 1
    codes = np.arange(states**count, dtype=np.int32)
    cells = [codes // states**i % states for i in range(count)]
    least = codes
    for image in orientations(np.array(places)):
        order = [int(i) for i in image.flat if i >= 0]
        least = np.minimum(least, sum(cells[i] * states**place for place, i in enumerate(order)))
    patterns = np.concatenate([least + point * states**count for point in range(points)])
    used = np.zeros(int(patterns.max()) + 1, np.bool_)
    used[patterns] = True
    return (np.cumsum(used) - 1)[patterns].astype(np.uint16)


@inner
def count_liberties(b: Board, liberties: Any) -> None:
    """Write the liberties of each chain, up to MOST_LIBERTIES, to the place of its root."""
    color, following = b.color, b.next
    stride = as_int64(b.stride)
    for p in range(stride + 1, as_int64(b.cells) - stride):
        if color[p] == EMPTY or color[p] == BORDER or b.root[p] != p:
            continue
        first, second, third, count = 0, 0, 0, 0
        stone = as_int64(p)
        while count < MOST_LIBERTIES:
            for q in neighbors4(stone, stride):
                if color[q] == EMPTY and q != first and q != second and q != third:
                    count += 1
                    if count == 1:
                        first = q
                    elif count == 2:
                        second = q
                    elif count == 3:
                        third = q
            stone = as_int64(following[stone])
            if stone == p:
                break
        liberties[p] = min(count, MOST_LIBERTIES)


@inner
def packed_row(b: Board, start: int, width: int, c: int) -> Any:
    """Return the colours of the cells of a row and of its two border cells, two bits each, as seen by colour c."""
    bits = np.uint64(0)
    for i in range(width + 2):
        bits |= np.uint64(b.color[np.uint64(start + i)]) << np.uint64(2 * i)
    return bits if c == BLACK else (bits & _MASK) << _1 | bits >> _1 & _MASK


@inner
def size_class(stones: int, need: int) -> int:
    """Return the class of a capture of `stones` by a colour that needs `need` to win: 1 to SIZES; 0 for no stones."""
    if stones <= 0:
        return 0
    return 1 if stones >= need else min(stones, 3) + 1 if stones < 5 else 5


@inner
def stake(b: Board, p: int, c: int, own: int, other: int, liberties: Any) -> int:
    """Return the stake of a point: the class of its chain as a capture, or of the captures by a play there.

    `own`, `other`: prisoners that colour c and its opponent still need; `liberties`: see `count_liberties`.
    """
    k = b.color[p]
    if k == EMPTY:
        gain = size_class(bd.captures_at(b, p, c), own)
        loss = size_class(bd.captures_at(b, p, opponent(c)), other)
        return 1 + 2 * ESCAPES * SIZES + (SIZES + 1) * gain + loss
    root = b.root[p]
    size = size_class(as_int64(b.chain_size[root]), other if k == c else own)
    side = ESCAPES * SIZES if k == c else 0
    return side + SIZES * (min(as_int64(liberties[root]), ESCAPES) - 1) + size


@inner
def encode(b: Board, c: int, own: int, other: int, squares: Any, crosses: Any, scratch: Any) -> int:
    """Write the codes of all points, as seen by colour c to move, to `scratch.codes`; return the number of points.

    `own`, `other`: prisoners that colour c and its opponent still need.
    """
    count_liberties(b, scratch.liberties)
    stride, width, height = as_int64(b.stride), as_int64(b.width), as_int64(b.height)
    color, states, codes = b.color, scratch.states, scratch.codes
    staked = max(own, other) > 1
    for p in range(b.cells):
        k = color[p]
        free = scratch.liberties[b.root[p]]
        states[p] = OFF if k == BORDER else 0 if k == EMPTY else free if k == c else free + MOST_LIBERTIES
    n = 0
    level, above = packed_row(b, 0, width, c), packed_row(b, stride, width, c)
    for row in range(height):
        start = (row + 1) * stride
        below, level, above = level, above, packed_row(b, start + stride, width, c)
        line = min(row, height - 1 - row, FAR)
        for column in range(width):
            at = np.uint64(2 * column)
            x, y, z = below >> at & _63, level >> at & _63, above >> at & _63
            codes[SQUARE, n] = squares[x | (y & _3) << _6 | y >> _4 << _8 | z << _10 | (y & _12) << _14]
            p = start + column + 1
            q, along = np.uint64(p), np.uint64(stride)  # unsigned indices are not tested for being negative
            cross = np.uint64(states[q - along]) + _10 * np.uint64(states[q - _1]) + _100 * np.uint64(states[q + _1])
            cross += _1000 * np.uint64(states[q + along]) + _10000 * np.uint64(states[q])
            codes[CROSS, n] = crosses[cross]
            near = min(column, width - 1 - column, FAR)
            codes[SPOT, n] = (FAR + 1) * min(line, near) + max(line, near)
            codes[STAKE, n] = stake(b, p, c, own, other, scratch.liberties) if staked else 0
            n += 1
    return n
