"""Boards of up to 64 points as two sets of points, each one unsigned 64-bit number: bit `row * width + column`.

Everything here is unsigned: Numba makes a float of a mixture of signed and unsigned, so constants are too.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ..go import board as bd
from ..go.board import Board
from ..go.vertex import point_at
from ..jit.kernel import inner
from .result import POINTS

SYMMETRIES: Final = 8
ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)
EVERYTHING: Final = np.uint64(2**64 - 1)

GEOMETRY: Final = types.UniTuple(types.uint64, 4)
"""The whole board, all but its first column, all but its last, and its width."""


def geometry(width: int, height: int) -> tuple[np.uint64, ...]:
    """What `around` needs to know of a board. ValueError: more than 64 points."""
    if width * height > POINTS:
        raise ValueError(f"the solver takes boards of up to {POINTS} points, not {width}x{height}")
    full = 2 ** (width * height) - 1
    first = sum(1 << row * width for row in range(height))
    last = first << (width - 1)
    return np.uint64(full), np.uint64(full & ~first), np.uint64(full & ~last), np.uint64(width)


def bit_points(width: int, height: int) -> list[int]:
    """The mailbox point of each bit."""
    return [point_at(column, row, width) for row in range(height) for column in range(width)]


def stones_of(b: Board, color: int) -> int:
    """The stones of a colour as bits."""
    return sum(1 << i for i, p in enumerate(bd.points(b)) if b.color[p] == color)


def images(width: int, height: int) -> list[list[int]]:
    """Where each bit goes under the 8 symmetries of a square; a rectangle's 4 stand there twice."""
    found = []
    for turned in (False, True):
        for flip_x in (False, True):
            for flip_y in (False, True):
                bits = []
                for row in range(height):
                    for column in range(width):
                        x = width - 1 - column if flip_x else column
                        y = height - 1 - row if flip_y else row
                        if turned and width == height:
                            x, y = y, x
                        bits.append(y * width + x)
                found.append(bits)
    return found


def hash_table(width: int, height: int) -> Any:
    """Random numbers [colour, bit, 16]: for each symmetry the first 64 bits of the image's key, then the other 64."""
    rng = np.random.Generator(np.random.PCG64([width, height, 20020101]))
    random = rng.integers(0, 2**64, (2, POINTS, 2), dtype=np.uint64)
    table = np.zeros((2, POINTS, 2 * SYMMETRIES), np.uint64)
    for s, image in enumerate(images(width, height)):
        for i, to in enumerate(image):
            table[:, i, s] = random[:, to, 0]
            table[:, i, SYMMETRIES + s] = random[:, to, 1]
    return table


@intrinsic  # type: ignore[untyped-decorator]
def _count(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


if numba.config.DISABLE_JIT:

    def count(bits: Any) -> int:
        """The number of points in a set."""
        return int(bits).bit_count()

    def lowest(bits: Any) -> int:
        """The index of a set's first point."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:
    count = _count
    lowest = _lowest


@inner
def first_of(bits: Any) -> Any:
    """The first point of a set, as a set."""
    return bits & (~bits + ONE)


@inner
def around(bits: Any, g: Any) -> Any:
    """The neighbours of a set's points; some may be in the set itself."""
    return (((bits << ONE) & g[1]) | ((bits >> ONE) & g[2]) | (bits << g[3]) | (bits >> g[3])) & g[0]


@inner
def flood(seed: Any, stones: Any, g: Any) -> Any:
    """The chains of `stones` that a part of them belongs to."""
    chain = seed
    while True:
        grown = (chain | around(chain, g)) & stones
        if grown == chain:
            return chain
        chain = grown


@inner
def twice_around(bits: Any, g: Any) -> Any:
    """The points next to two or more of a set's points."""
    left, right = (bits >> ONE) & g[2], (bits << ONE) & g[1]
    down, up = bits >> g[3], bits << g[3]
    return ((left & right) | (down & up) | ((left | right) & (down | up))) & g[0]


@inner
def is_safe(p: Any, own: Any, empty: Any, g: Any) -> bool:
    """Whether a stone on the empty point p stands in a chain with two liberties or more (nothing is captured)."""
    near = around(p, g) & empty
    if near & (near - ONE) != ZERO:
        return True
    libs = around(flood(p, own | p, g), g) & empty & ~p
    return bool(libs & (libs - ONE) != ZERO)


@inner
def has_legal_play(own: Any, opp: Any, g: Any) -> bool:
    """Whether a play that is no suicide exists, where no opposing chain is in atari."""
    empty = g[0] & ~(own | opp)
    rest = empty
    while rest != ZERO:
        p = first_of(rest)
        rest ^= p
        if around(flood(p, own | p, g), g) & empty & ~p != ZERO:
            return True
    return False
