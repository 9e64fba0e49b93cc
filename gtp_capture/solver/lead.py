"""The lead of the side to move: a weighted count of chains by their liberties, and of stones and points, of both sides.

The first pn and dn of a position depend on it, results do not. Its weights were found by a search (CMA-ES, 70
generations of 12) for the fewest nodes on 61 positions of six board sizes; see solver.md.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit.intrinsics import popcount
from ..jit.kernel import inner
from .bitboard import adjacent
from .result import POINTS

OWN_LIBERTY: Final = 0.32
OWN_CHAIN: Final = 0.51
OPP_LIBERTY: Final = 0.264
OPP_CHAIN: Final = 0.556
FEW_LIBERTIES: Final = {2: 0.097, 3: -0.132}
"""What a chain with so many liberties is worth besides: the step from two to three is small, the next one large."""
EDGE_STONE: Final = -0.103
CORNER_STONE: Final = -0.211
"""In addition to that of an edge."""
EYE: Final = -0.099
"""An empty point whose neighbours are stones of the side alone."""
SAFE_POINT: Final = 0.1
"""An empty point where a play joins a chain with three liberties."""
OWN_POINT: Final = -0.016
"""An empty point with a neighbour of the side, and none of the other."""
TO_MOVE: Final = -0.13


def chain_values(liberty: float, chain: float) -> Any:
    """Return the value of a chain for each number of liberties."""
    return np.array([liberty * n - chain + FEW_LIBERTIES.get(n, 0.0) for n in range(POINTS)])


OWN_CHAINS: Final = chain_values(OWN_LIBERTY, OWN_CHAIN)
OPP_CHAINS: Final = chain_values(OPP_LIBERTY, OPP_CHAIN)


@inner
def local_lead(own: Any, opp: Any, g: Any) -> float:
    """Return the part of the weighted lead that does not depend on chains."""
    empty = g.full & ~(own | opp)
    enclosed, by_own, by_opp = empty & ~adjacent(empty, g), adjacent(own, g), adjacent(opp, g)
    lead = TO_MOVE + OWN_POINT * (popcount(empty & by_own & ~by_opp) - popcount(empty & by_opp & ~by_own))
    lead += EDGE_STONE * (popcount(own & g.edge) - popcount(opp & g.edge))
    lead += CORNER_STONE * (popcount(own & g.corners) - popcount(opp & g.corners))
    return lead + EYE * (popcount(enclosed & ~by_opp) - popcount(enclosed & ~by_own))
