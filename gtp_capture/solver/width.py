"""The kernels for a board: those for sets of points of one word, or those for two words, loaded at their first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..jit.kernel import COMPILED
from . import dfpn, static
from .bitboard import Geometry, kernel_geometry, words_of


class Kernels(NamedTuple):
    """The kernels that take sets of points."""

    words: int
    """Words of a set."""
    search: Callable[[Any, Any, Any, Any], None]
    """See `dfpn.search`."""
    safe_plays: Callable[[int, int, Geometry], int]
    """See `static.safe_plays`."""


def kernels_for(width: int, height: int) -> Kernels:
    """Return the kernels for a board size."""
    words = words_of(width, height)
    if words == 1 or not COMPILED:
        return Kernels(words, dfpn.search, _safe_plays)
    from . import wide

    return Kernels(words, wide.search, wide.safe_plays)


def _safe_plays(own: int, opp: int, g: Geometry) -> int:
    number: Callable[[int], Any] = np.uint64 if COMPILED else int
    return int(static.safe_plays(number(own), number(opp), kernel_geometry(g)))
