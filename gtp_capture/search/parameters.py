"""Parameters of the tree search, for each kind of game."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba

from ..jit.records import FORBIDDEN, STONE
from ..playout.ladder import LONGEST
from .knowledge import Knowledge


class Parameters(NamedTuple):
    """Tunable parameters of a search; all floats, so that kernels take them as one type."""

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
    exploration: float = 0.0
    """Weight of the network's policy against the win rates: c of PUCT (Rosin 2011). 0: no network, but RAVE."""
    unvisited: float = 0.0
    """What the win rate of a play without visits is taken to be below that of its position, where the visit under way
    counts as a win; with the network only."""
    flatness: float = 0.0
    """Divisor of the logits of the network's policy."""
    playout_share: float = 0.0
    """Weight of a playout's result in the value of a leaf, 0 to 1, with the network's win rate as the rest."""


PARAMETERS: Final = numba.types.BaseTuple.from_types([numba.float64] * len(Parameters._fields), Parameters)

FIRST_CAPTURE: Final = Parameters(1000.0, 50.0, 5.0, 500.0, 250.0, float(LONGEST), 0.12)
"""The next capture wins, from the start."""
FIRST_CAPTURE_NETWORK: Final = FIRST_CAPTURE._replace(
    expansion_visits=2.0, exploration=1.0, unvisited=0.1, flatness=1.8
)
"""The same with the network."""
FIRST_CAPTURE_UNLEARNED: Final = Parameters(1000.0, 6.0, 5.0, 500.0, 250.0, float(LONGEST), 0.0)
"""The same for levels without learned priors."""
CAPTURE_N: Final = Parameters(1000.0, 50.0, 5.0, 60.0, 0.0, 12.0, 0.2)
"""More than one prisoner wins."""
CAPTURE_N_NETWORK: Final = CAPTURE_N._replace(expansion_visits=2.0, exploration=1.0, unvisited=0.1, flatness=1.8)
"""The same with the network."""
MANY: Final = 5
"""Prisoners that win from which playouts count beside the network: there it is stronger, at capture-2 weaker."""
CAPTURE_MANY_NETWORK: Final = CAPTURE_N_NETWORK._replace(playout_share=0.35)
"""The same from MANY prisoners on."""
CAPTURE_N_UNLEARNED: Final = Parameters(1000.0, 6.0, 5.0, 60.0, 0.0, 12.0, 0.0)
"""The same for levels without learned priors."""
SCORED: Final = Parameters(1000.0, 8.0, 5.0, 0.0, 0.0, 0.0, 0.0)
"""The score alone decides."""
MOST_KOMI: Final = 11.0
"""Points of area by which either side may have to lead in ordinary Go with the network."""
SCORED_NETWORK: Final = SCORED._replace(
    expansion_visits=2.0, exploration=1.0, unvisited=0.1, flatness=1.8, playout_share=0.4
)
"""The same with the network."""


def has_network(rules: Any) -> bool:
    """Return whether a network has learned from games of such rules.

    In capture games a pass was forbidden or lost at once. Ordinary Go was scored, with a komi of at most MOST_KOMI.
    """
    if rules.captures == 0:
        return bool(rules.scored and rules.passing != FORBIDDEN and abs(rules.komi) <= MOST_KOMI)
    return bool(rules.passing == FORBIDDEN or (rules.passing == STONE and rules.captures == 1))


def choose_parameters(rules: Any, knowledge: Knowledge, reads: int) -> Parameters:
    """Return the parameters for a rules record.

    `reads`: maximum plies of a ladder that are read, capture included.
    """
    if not has_network(rules):
        knowledge = min(knowledge, Knowledge.LEARNED)
    if rules.captures == 1:
        chosen = (FIRST_CAPTURE_UNLEARNED, FIRST_CAPTURE, FIRST_CAPTURE_NETWORK)[knowledge]
        return chosen._replace(longest=float(min(LONGEST, (reads - 1) // 2)))
    if rules.captures > 0:
        network = CAPTURE_N_NETWORK if rules.captures < MANY else CAPTURE_MANY_NETWORK
        chosen = (CAPTURE_N_UNLEARNED, CAPTURE_N, network)[knowledge]
        return chosen._replace(longest=min(chosen.longest, float((reads - 1) // 2)))
    return SCORED_NETWORK if knowledge == Knowledge.NETWORK else SCORED
