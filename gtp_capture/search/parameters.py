"""Parameters of the tree search, for each kind of game."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba

from ..playout.ladder import LONGEST


class Parameters(NamedTuple):
    """Tunable parameters of a search; all floats, so that kernels take them as one type."""

    exploration: float
    """Constant of the UCB term; 0 leaves exploration to RAVE and the priors."""
    rave_equivalence: float
    """Visits at which a child's own mean and its AMAF mean weigh the same: k of Gelly and Silver (2007)."""
    prior_visits: float
    """Virtual AMAF visits that a prior counts for."""
    expansion_visits: float
    """Visits of a leaf before it gets children."""
    attack_budget: float
    """Maximum attacks tried in a search for a forced win of the side to move; 0 disables it."""
    threat_budget: float
    """The same for its opponent."""
    longest: float
    """Maximum number of attacks in a row that these searches read."""
    weight_scale: float
    """Amount that a learned weight of 1 adds to a prior; 0 selects the hand-made priors."""


PARAMETERS: Final = numba.types.BaseTuple.from_types([numba.float64] * len(Parameters._fields), Parameters)

FIRST_CAPTURE: Final = Parameters(0.0, 1000.0, 50.0, 5.0, 500.0, 250.0, float(LONGEST), 0.12)
"""The next capture wins, from the start."""
FIRST_CAPTURE_UNLEARNED: Final = Parameters(0.0, 1000.0, 6.0, 5.0, 500.0, 250.0, float(LONGEST), 0.0)
"""The same for levels without learned priors."""
CAPTURE_N: Final = Parameters(0.0, 1000.0, 6.0, 5.0, 0.0, 0.0, 0.0, 0.0)
"""More than one prisoner wins."""
SCORED: Final = Parameters(0.0, 1000.0, 8.0, 5.0, 0.0, 0.0, 0.0, 0.0)
"""The score alone decides."""


def choose_parameters(rules: Any, learned: bool, reads: int) -> Parameters:
    """Return the parameters for a rules record.

    `learned`: whether learned priors may be used; `reads`: maximum plies of a ladder that are read, capture included.
    """
    if rules.captures == 1:
        chosen = FIRST_CAPTURE if learned else FIRST_CAPTURE_UNLEARNED
        return chosen._replace(longest=float(min(LONGEST, (reads - 1) // 2)))
    return CAPTURE_N if rules.captures > 0 else SCORED
