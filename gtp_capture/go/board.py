"""The board, and functions on it or on its record (`jit/records.py`). Captures are decided here, in `play`.

The functions run as plain Python in `Game` and compiled in the search (`jit/kernel.py`), so the compiled part uses only
what Numba compiles, and nothing here imports Numba. Ko beyond one move, superko and undo are in `history.py`.

Chains carry pseudo-liberties: the number, the sum and the sum of squares of the pairs (stone, adjacent empty point). A
chain is in atari if all its pairs have the same empty point, that is, if count * squares == sum * sum.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import compress
from typing import Any, Final

from .vertex import BLACK, BORDER, EMPTY, MAX_SIDE, WHITE, opponent, vertices

CELLS: Final = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1
"""Cells of the largest board, border included."""
POINTS: Final = MAX_SIDE * MAX_SIDE
"""Points of the largest board."""
_EMPTY_CELLS: Final = bytes(int(color == EMPTY) for color in range(256))
"""The table by which `bytes.translate` marks empty points."""


class Board:
    """A board, as plain Python uses it. Compiled code has a record with the same fields, see `jit.records.record`."""

    __slots__ = (
        "cells",
        "chain_size",
        "color",
        "empties",
        "empty",
        "height",
        "ko",
        "lib_squares",
        "lib_sum",
        "libs",
        "next",
        "prisoners",
        "root",
        "stride",
        "where",
        "width",
    )

    def __init__(self, width: int, height: int) -> None:
        """Make a board whose cells are all border."""
        cells = (height + 2) * (width + 1) + 1
        self.width, self.height = width, height
        self.stride = width + 1
        """Cells from one row to the next."""
        self.cells = cells
        """Cells in use, border included."""
        self.ko = 0
        """The point that simple ko forbids to the colour to move, or 0."""
        self.empties = 0
        """The number of empty points; they are `empty[:empties]`, in no order."""
        self.prisoners = [0] * 4
        """By colour: the number of prisoners that it holds."""
        self.libs, self.lib_sum, self.lib_squares = [0] * cells, [0] * cells, [0] * cells
        """By the root of a chain: its pseudo-liberties, the sum of their points, and the sum of their squares."""
        self.root = [0] * cells
        """By a stone: the root, the point that identifies its chain; 0 for the border."""
        self.next = [0] * cells
        """By a stone: the next stone of its chain, in a circle."""
        self.chain_size = [0] * cells
        """By the root of a chain: the number of its stones."""
        self.empty = [0] * (width * height)
        self.where = [0] * cells
        """By an empty point: its index in `empty`."""
        self.color = bytearray([BORDER]) * cells

    def copy(self) -> Board:
        """Return an independent copy."""
        other: Board = Board.__new__(Board)
        other.width, other.height, other.stride, other.cells = self.width, self.height, self.stride, self.cells
        other.ko, other.empties, other.prisoners = self.ko, self.empties, self.prisoners[:]
        other.libs, other.lib_sum, other.lib_squares = self.libs[:], self.lib_sum[:], self.lib_squares[:]
        other.root, other.next, other.chain_size = self.root[:], self.next[:], self.chain_size[:]
        other.empty, other.where, other.color = self.empty[:], self.where[:], self.color[:]
        return other

    def __repr__(self) -> str:
        return f"<Board {self.width}x{self.height}, {self.width * self.height - self.empties} stones>"


def new(width: int, height: int) -> Board:
    """Return an empty board of 2 to 25 points a side."""
    return _empty(width, height).copy()


@cache
def _empty(width: int, height: int) -> Board:
    b = Board(width, height)
    for p in points(b):
        b.color[p] = EMPTY
        b.empty[b.empties] = p
        b.where[p] = b.empties
        b.empties += 1
    return b


def neighbors4(p: int, stride: int) -> tuple[int, int, int, int]:
    """The four cells next to p, border included."""
    return p - 1, p + 1, p - stride, p + stride


# --- Plays, compiled ---


def place(b: Board, p: int, c: int) -> None:
    """Put a stone of colour c on the empty point p and join it to its neighbours, removing nothing."""
    color, root, libs, lib_sum, lib_squares = b.color, b.root, b.libs, b.lib_sum, b.lib_squares
    stride = int(b.stride)
    square = p * p
    # The point is not a liberty any more. Border cells have root 0, whose counts are not used.
    count, total, squares, joins = 0, 0, 0, False
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == EMPTY:
            count += 1
            total += q
            squares += q * q
        else:
            joins = joins or color[q] == c
            r = root[q]
            libs[r] -= 1
            lib_sum[r] -= p
            lib_squares[r] -= square
    last = b.empties - 1
    moved, hole = b.empty[last], b.where[p]
    b.empty[hole] = moved
    b.where[moved] = hole
    b.empties = last
    color[p] = c
    root[p] = p
    b.next[p] = p
    b.chain_size[p] = 1
    libs[p] = count
    lib_sum[p] = total
    lib_squares[p] = squares
    if joins:
        for q in (p - 1, p + 1, p - stride, p + stride):
            if color[q] == c and root[q] != root[p]:
                join(b, int(root[p]), int(root[q]))


def join(b: Board, keep: int, gone: int) -> None:
    """Make one chain of two, given by their roots; the root of the larger one stays."""
    root, following, size = b.root, b.next, b.chain_size
    if size[keep] < size[gone]:
        keep, gone = gone, keep
    size[keep] += size[gone]
    b.libs[keep] += b.libs[gone]
    b.lib_sum[keep] += b.lib_sum[gone]
    b.lib_squares[keep] += b.lib_squares[gone]
    stone = gone
    while True:
        root[stone] = keep
        stone = int(following[stone])
        if stone == gone:
            break
    after = following[keep]
    following[keep] = following[gone]
    following[gone] = after


def remove(b: Board, chain: int) -> int:
    """Remove a chain, given by its root, from the board; return the number of its stones."""
    color, root, libs, lib_sum, lib_squares = b.color, b.root, b.libs, b.lib_sum, b.lib_squares
    following, empty, where = b.next, b.empty, b.where
    stride, empties = int(b.stride), int(b.empties)
    count = 0
    p = chain
    while True:
        color[p] = EMPTY
        empty[empties] = p
        where[p] = empties
        empties += 1
        count += 1
        square = p * p
        # This also changes the counts of the removed chain and of the border, which has no effect.
        for q in neighbors4(p, stride):
            if color[q] != EMPTY:
                r = root[q]
                libs[r] += 1
                lib_sum[r] += p
                lib_squares[r] += square
        p = int(following[p])
        if p == chain:
            break
    b.empties = empties
    return count


def play(b: Board, p: int, c: int) -> int:
    """Play at p without a test of legality: place, remove opposing chains without liberties, then the own chain.

    Returns the number of stones captured, or minus the number of own stones lost by suicide. They become prisoners.
    """
    other, color, root, libs = opponent(c), b.color, b.root, b.libs
    stride = int(b.stride)
    place(b, p, c)
    b.ko = 0
    captured, last = 0, 0
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == other and libs[root[q]] == 0:
            captured += remove(b, int(root[q]))
            last = q
    if captured > 0:
        b.prisoners[c] += captured
        if captured == 1 and b.chain_size[root[p]] == 1 and libs[p] == 1:
            b.ko = last
        return captured
    if libs[root[p]] == 0:
        lost = remove(b, int(root[p]))
        b.prisoners[other] += lost
        return -lost
    return 0


# --- Queries, compiled ---


def in_atari(b: Board, p: int) -> bool:
    """Whether the chain of the stone at p has exactly one liberty."""
    r = b.root[p]
    total = int(b.lib_sum[r])
    count = int(b.libs[r])
    return count > 0 and count * int(b.lib_squares[r]) == total * total


def last_liberty(b: Board, p: int) -> int:
    """The one liberty of a chain in atari, given by any of its stones."""
    r = b.root[p]
    return int(b.lib_sum[r]) // int(b.libs[r])


def is_legal(b: Board, p: int, c: int, suicide: bool) -> bool:
    """Whether colour c may play at p, not considering ko and superko."""
    color = b.color
    if p <= 0 or p >= b.cells or color[p] != EMPTY:
        return False
    stride = int(b.stride)
    for q in neighbors4(p, stride):
        if color[q] == EMPTY:
            return True
    for q in neighbors4(p, stride):
        # p is a liberty of each neighbouring chain. The play is legal if p is the last liberty of an opposing chain,
        # which is captured, or if an own chain has another liberty.
        if color[q] != BORDER and in_atari(b, q) == (color[q] != c):
            return True
    return suicide


def captures_at(b: Board, p: int, c: int) -> int:
    """The number of opposing stones that a play of colour c at the empty point p would capture."""
    root = b.root
    stride = int(b.stride)
    total, r1, r2, r3 = 0, -1, -1, -1
    for q in neighbors4(p, stride):
        r = int(root[q])
        if b.color[q] == opponent(c) and r != r1 and r != r2 and r != r3 and in_atari(b, q):
            total += b.chain_size[r]
            r1, r2, r3 = r, r1, r2
    return int(total)


def is_eye(b: Board, p: int, c: int) -> bool:
    """Whether the empty point p is an eye of colour c: own stones on all sides, and not false by its diagonal cells."""
    color = b.color
    stride = int(b.stride)
    for q in neighbors4(p, stride):
        if color[q] != c and color[q] != BORDER:
            return False
    border, hostile = 0, 0  # one hostile diagonal cell is allowed inside the board, none on its edge
    for q in (p - stride - 1, p - stride + 1, p + stride - 1, p + stride + 1):
        if color[q] == BORDER:
            border = 1
        elif color[q] == opponent(c):
            hostile += 1
    return hostile + border < 2


# --- Queries, not compiled ---


def after(b: Board, p: int, c: int) -> Board:
    """The board after a legal play of colour c."""
    result = b.copy()
    play(result, p, c)
    return result


def open_points(color: bytes | bytearray, stride: int) -> tuple[int, int]:
    """The empty points beside an empty one, and all empty points: numbers with a nonzero byte for each such cell.

    All are found at once: a cell is a byte of one long number, and its neighbours are the bytes that a shift by a cell
    or by a row brings to its place. Such points are legal plays of both colours, if no rule about repetition forbids.
    """
    empty = int.from_bytes(color.translate(_EMPTY_CELLS), "little")
    row = 8 * stride
    return empty & (empty << 8 | empty >> 8 | empty << row | empty >> row), empty


def legal_plays(b: Board, c: int, suicide: bool) -> bytearray:
    """The points where colour c may play, not considering ko: a byte for each cell, not 0 if it may. See `is_legal`."""
    if suicide:
        return bytearray(b.color.translate(_EMPTY_CELLS))
    beside, empty = open_points(b.color, b.stride)
    legal, color, root, stride = bytearray(beside.to_bytes(b.cells, "little")), b.color, b.root, b.stride
    libs, lib_sum, lib_squares = b.libs, b.lib_sum, b.lib_squares
    for p in compress(range(b.cells), (empty ^ beside).to_bytes(b.cells, "little")):  # empty, with stones around
        for q in (p - 1, p + 1, p - stride, p + stride):
            if color[q] != BORDER:
                r = root[q]  # calls of `in_atari` would take twice as long
                if (libs[r] * lib_squares[r] == lib_sum[r] * lib_sum[r]) == (color[q] != c):
                    legal[p] = 1
                    break
    return legal


def stones(b: Board, p: int) -> list[int]:
    """The stones of the chain at p, in order of their points; none if there is no stone."""
    if b.color[p] not in (BLACK, WHITE):
        return []
    following, chain, stone = b.next, [], p  # reading a field of a board takes longer than reading an element of it
    while True:
        chain.append(stone)
        stone = int(following[stone])
        if stone == p:
            return sorted(chain)


def liberties(b: Board, p: int) -> list[int]:
    """The liberties of the chain at p, in order of their points."""
    color, stride = b.color, int(b.stride)
    return sorted({q for stone in stones(b, p) for q in neighbors4(stone, stride) if color[q] == EMPTY})


def neighbors(b: Board, p: int) -> list[int]:
    """The two to four points next to p."""
    color = b.color
    return [q for q in neighbors4(p, int(b.stride)) if color[q] != BORDER]


def points(b: Board) -> list[int]:
    """Every point of the board, from A1 row by row."""
    return list(vertices(b.width, b.height))


def stones_of(b: Board, c: int) -> list[int]:
    """Return the points with stones of a colour, from A1 row by row."""
    color = b.color
    return [p for p in vertices(b.width, b.height) if color[p] == c]


def chains(b: Board, c: int | None = None) -> list[int]:
    """One stone of every chain, or of every chain of colour c, the lowest point of each."""
    color, root, wanted = b.color, b.root, (BLACK, WHITE) if c is None else (c,)
    lowest = {root[p]: p for p in reversed(vertices(b.width, b.height)) if color[p] in wanted}
    return sorted(lowest.values())


def chains_in_atari(b: Board, c: int) -> list[int]:
    """One stone of every chain of colour c with a single liberty, the lowest point of each."""
    return [p for p in chains(b, c) if in_atari(b, p)]


def attacked(b: Board, p: int, c: int) -> list[int]:
    """One stone of each opposing chain next to p that a play of colour c at p leaves with one liberty."""
    then = after(b, p, c)
    around = {int(then.root[q]): q for q in neighbors(then, p) if then.color[q] == opponent(c)}
    return [q for q in around.values() if in_atari(then, q)]


def colors(b: Board) -> bytes:
    """The colour of every cell, as a hashable value: equal positions of one board size have equal bytes."""
    return bytes(b.color)


def from_colors(width: int, height: int, position: bytes) -> Board:
    """Return the board of a position from the bytes of `colors`, without prisoners or ko."""
    b = new(width, height)
    for p in points(b):
        if position[p] != EMPTY:
            place(b, p, position[p])
    return b


COMPILED: Final[tuple[Callable[..., Any], ...]] = (
    neighbors4,
    place,
    join,
    remove,
    play,
    in_atari,
    last_liberty,
    is_legal,
    captures_at,
    is_eye,
)
"""The functions that the search compiles, each after the functions that it calls."""
