"""First capture on bits, for the checker: chains, liberties and plays of a board of up to 128 points.

Point `row * width + column` is a bit of an unsigned number, see `jit.bitsets`. With `keyset`, this is all that the
checker trusts; nothing of the solver is used. `tests/solver/test_proof_rules.py` compares each function with
`go/board.py`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import types

from ...jit.bitsets import as_words, number_type
from ...jit.kernel import COMPILED, inner

POINTS: Final = 128
"""Points of the largest board."""
NONE: Final[Any] = np.uint64(0) if COMPILED else 0
ONE: Final[Any] = np.uint64(1) if COMPILED else 1


class Grid(NamedTuple):
    """Masks of a board: all points, all but the first column, all but the last one; and the width."""

    full: Any
    not_first: Any
    not_last: Any
    width: Any


def grid_type(words: int) -> Any:
    """Return the type of the masks that `grid` returns."""
    return types.BaseTuple.from_types([*[number_type(words)] * 3, types.uint64], Grid)


def grid(width: int, height: int, words: int = 1) -> Any:
    """Return the masks of a board of up to POINTS points as kernels take them, for sets of one or two words."""
    full = 2 ** (width * height) - 1
    first = sum(1 << row * width for row in range(height))
    masks = full, full & ~first, full & ~(first << width - 1)
    return Grid._make((*(as_words(mask, words) for mask in masks), as_words(width, 1)))


class Liberties(NamedTuple):
    """The liberties of one colour's chains."""

    last: Any
    """The liberties of chains in atari."""
    two: Any
    """The liberties of chains with exactly two."""
    more: Any
    """The liberties of chains with three or more."""


class Replies(NamedTuple):
    """Plays of a colour when no opposing chain is in atari, so that none of them captures."""

    legal: Any
    safe: Any
    """The legal plays after which no chain of this colour is in atari."""


@inner
def bit_of(index: Any, g: Grid) -> Any:
    """Return the set of one point."""
    return (g.full & NONE | ONE) << int(index)


@inner
def near(points: Any, g: Grid) -> Any:
    """Return the points next to any of these; the result may include some of these."""
    aside = ((points << ONE) & g.not_first) | ((points >> ONE) & g.not_last)
    return (aside | (points << g.width) | (points >> g.width)) & g.full


@inner
def near_two(points: Any, g: Grid) -> Any:
    """Return the points next to two or more of these."""
    right, left = (points << ONE) & g.not_first, (points >> ONE) & g.not_last
    up, down = points << g.width, points >> g.width
    return ((right & left) | (up & down) | ((right | left) & (up | down))) & g.full


@inner
def chain_of(point: Any, stones: Any, g: Grid) -> Any:
    """Return the chain of a stone."""
    chain = point
    grown = (chain | near(chain, g)) & stones
    while grown != chain:
        chain = grown
        grown = (chain | near(chain, g)) & stones
    return chain


@inner
def liberties(stones: Any, empty: Any, g: Grid) -> Liberties:
    """Return the liberties of one colour's chains."""
    none = empty & NONE  # as wide as the numbers: Numba does not widen fields
    last, two, more = none, none, none
    rest = stones
    while rest != NONE:
        chain = chain_of(rest & (~rest + ONE), stones, g)
        rest ^= chain
        around = near(chain, g) & empty
        others = around & (around - ONE)
        if others == NONE:
            last |= around
        elif others & (others - ONE) == NONE:
            two |= around
        else:
            more |= around
    return Liberties(last, two, more)


@inner
def replies(stones: Any, empty: Any, g: Grid) -> Replies:
    """Return the plays of a colour when no opposing chain is in atari."""
    libs = liberties(stones, empty, g)
    # A new stone needs an empty point beside it, or a chain that keeps another liberty.
    legal = empty & (near(empty, g) | libs.two | libs.more)
    if libs.last & (libs.last - ONE) != NONE:
        return Replies(legal, legal & NONE)
    wanted = libs.last if libs.last != NONE else empty
    safe = wanted & (near_two(empty, g) | libs.more)
    rest = wanted & (libs.two | libs.last) & ~safe
    while rest != NONE:
        point = rest & (~rest + ONE)
        rest ^= point
        left = near(chain_of(point, stones | point, g), g) & empty & ~point
        if left & (left - ONE) != NONE:
            safe |= point
    return Replies(legal, safe)
