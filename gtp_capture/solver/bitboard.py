"""Bitboards: sets of points as unsigned numbers, bit `row * width + column`.

In compiled code these are 64-bit numbers on boards of up to 64 points, and 128-bit numbers (`jit.uint128`) on larger
ones; a function marked `inner` is compiled for both. In Python they are integers. Constants are unsigned: Numba turns a
mixture of signed and unsigned numbers into floats.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import types

from ..go.symmetry import symmetries
from ..jit.bitsets import WORD, as_words, number_type, words_of
from ..jit.intrinsics import lowest_index as lowest_index
from ..jit.intrinsics import popcount as popcount
from ..jit.intrinsics import zero_like as zero_like
from ..jit.kernel import COMPILED, inner
from .result import POINTS, SolverError

SYMMETRIES: Final = 8
ZERO: Final[Any] = np.uint64(0) if COMPILED else 0
ONE: Final[Any] = np.uint64(1) if COMPILED else 1


class Geometry(NamedTuple):
    """Masks of a board, and its width."""

    full: Any
    """All points."""
    not_first: Any
    """All but the first column."""
    not_last: Any
    """All but the last column."""
    edge: Any
    """The points with less than four neighbours."""
    corners: Any
    width: Any


def geometry_type(words: int) -> Any:
    """Return the type of the geometries that `kernel_geometry` returns."""
    return types.BaseTuple.from_types([*[number_type(words)] * 5, types.uint64], Geometry)


def geometry(width: int, height: int) -> Geometry:
    """Return the masks of a board. SolverError: more than POINTS points."""
    if width * height > POINTS:
        raise SolverError(f"the solver takes boards of up to {POINTS} points, not {width}x{height}")
    full = 2 ** (width * height) - 1
    first = sum(1 << row * width for row in range(height))
    last = first << (width - 1)
    sides, ends = first | last, 2**width - 1 | (2**width - 1) << width * (height - 1)
    return Geometry(full, full & ~first, full & ~last, sides | ends, sides & ends, width)


def zobrist_type(words: int) -> Any:
    """Return the type of the Zobrist keys (1970) for sets of points of one or two words; see `zobrist_keys`.

    It is a record, because Numba counts references to separate arrays, which takes time.
    """
    points = WORD * words
    return np.dtype([("keys", "u8", (2, points, 2 * SYMMETRIES))], align=True)


def zobrist_keys(width: int, height: int, words: int = 1) -> Any:
    """Return the Zobrist keys of a board size; they never change, because logs depend on them.

    keys [colour, bit, 16]: for each symmetry's image the low 64 bits, then, in this order, the high ones. The 4
    symmetries of a rectangle are stored twice.
    """
    rng = np.random.Generator(np.random.PCG64([width, height, 20020101]))
    random = rng.integers(0, 2**64, (2, WORD * words_of(width * height), 2), dtype=np.uint64)
    zobrist = np.zeros(1, zobrist_type(words)).view(np.recarray)[0]
    for s, symmetry in enumerate((2 * symmetries(width, height))[:SYMMETRIES]):
        for i, source in enumerate(symmetry):
            zobrist.keys[:, source, s] = random[:, i, 0]
            zobrist.keys[:, source, SYMMETRIES + s] = random[:, i, 1]
    return zobrist


def kernel_geometry(g: Geometry, words: int = 1) -> Any:
    """Return a geometry as kernels take it."""
    return Geometry._make((*(as_words(mask, words) for mask in g[:-1]), as_words(g.width, 1)))


@inner
def point_bit(index: Any, g: Any) -> Any:
    """Return the set of one point."""
    return (zero_like(g.full) | ONE) << int(index)


@inner
def lowest_bit(bits: Any) -> Any:
    """Return the lowest bit that is set, alone."""
    return bits & (~bits + ONE)


@inner
def row_shift(g: Any) -> Any:
    """Return the distance of a point to the next row in bits; the mask tells the compiler that it is below WORD."""
    return g.width & (WORD - 1)


@inner
def adjacent(bits: Any, g: Any) -> Any:
    """Return the points next to any of these points; some of these points may be among them."""
    row = row_shift(g)
    return (((bits << 1) & g.not_first) | ((bits >> 1) & g.not_last) | (bits << row) | (bits >> row)) & g.full


@inner
def adjacent_twice(bits: Any, g: Any) -> Any:
    """Return the points next to two or more of these points."""
    left, right = (bits >> 1) & g.not_last, (bits << 1) & g.not_first
    row = row_shift(g)
    down, up = bits >> row, bits << row
    return ((left & right) | (down & up) | ((left | right) & (down | up))) & g.full


@inner
def flood(seed: Any, stones: Any, g: Any) -> tuple[Any, Any]:
    """Return the chains of `stones` to which the points of the seed belong, and the points next to these chains."""
    chain = seed
    while True:
        beside = adjacent(chain, g)
        grown = chain | beside & stones
        if grown == chain:
            return chain, beside
        chain = grown


@inner
def has_two_liberties(p: Any, own: Any, empty: Any, g: Any) -> bool:
    """Return whether a stone on the empty point p is in a chain with two liberties or more; captures are ignored."""
    near = adjacent(p, g) & empty
    if near & (near - ONE) != ZERO:
        return True
    _chain, beside = flood(p, own | p, g)
    liberties = beside & empty & ~p
    return bool(liberties & (liberties - ONE) != ZERO)


@inner
def has_legal_play(own: Any, opp: Any, g: Any) -> bool:
    """Return whether there is a play that is not suicide; no opposing chain may be in atari."""
    empty = g.full & ~(own | opp)
    rest = empty
    while rest != ZERO:
        p = lowest_bit(rest)
        rest ^= p
        _chain, beside = flood(p, own | p, g)
        if beside & empty & ~p != ZERO:
            return True
    return False
