"""Parameters of the tree search for each kind of game, and the range of unproven win rates."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba

from ..jit.records import FORBIDDEN, STONE
from ..playout.ladder import LONGEST


class Parameters(NamedTuple):
    """Tunable parameters of a search; all floats, so that kernels take them as one type."""

    attack_budget: float
    """Maximum attacks tried in a search for a forced win of the side to move; 0 disables it."""
    threat_budget: float
    """Maximum attacks tried in a search for a forced win of the opponent; 0 disables it."""
    longest: float
    """Maximum number of attacks in a row that these searches read."""
    playout_share: float
    """Weight of a playout's result in the value of a leaf, 0 to 1, with the network's win rate as the rest."""
    expansion_visits: float = 2.0
    """Visits of a leaf before it gets children."""
    expected: float = 2.0
    """A move whose policy is at least this gets children at its first visit, and the descent goes on to the best of
    them without an evaluation of the move's position. Above 1 no move does."""
    exploration: float = 0.6
    """Weight of the policy against the win rates: c of PUCT (Rosin 2011)."""
    unvisited: float = 0.1
    """First-play urgency: the win rate that a child without visits is given is the win rate of its parent's side to
    move, less this number. A visit of the parent that has not ended counts as a win for the side to move."""
    flatness: float = 1.5
    """Divisor of the logits of the policy."""


PARAMETERS: Final = numba.types.BaseTuple.from_types([numba.float64] * len(Parameters._fields), Parameters)

FIRST_CAPTURE: Final = Parameters(
    attack_budget=500.0,
    threat_budget=250.0,
    longest=float(LONGEST),
    playout_share=0.0,
    expected=0.25,
    exploration=0.8,
    flatness=1.8,
)
"""The next capture wins, from the start."""
CAPTURE_N: Final = Parameters(attack_budget=60.0, threat_budget=0.0, longest=12.0, playout_share=0.0)
"""More than one prisoner wins, but fewer than MANY."""
MANY: Final = 5
"""The number of prisoners to win from which playouts count beside the network. They weaken the search at capture-2."""
CAPTURE_MANY: Final = CAPTURE_N._replace(playout_share=0.35)
"""At least MANY prisoners win."""
SCORED: Final = Parameters(
    attack_budget=0.0, threat_budget=0.0, longest=0.0, playout_share=0.4, exploration=1.0, flatness=1.8
)
"""The score alone decides."""
UNLEARNED: Final = 0.5
"""`playout_share` under rules from which no network has learned; the policy of a network is good there too."""
MOST_KOMI: Final = 11.0
"""The greatest komi of ordinary Go, for either side, that counts as learned by the network."""
LEAST_RATE: Final = 0.01
"""An unproven win rate is at least this, and at most 1 minus this, so that only a proven one is shown as 0 or 100 %."""


def measured_rate(wins: float, visits: int) -> float:
    """Return the win rate of a move that is not proven, from the sum of its values; 1/2 without visits."""
    return min(1 - LEAST_RATE, max(LEAST_RATE, wins / visits)) if visits else 1 / 2


def is_learned(rules: Any) -> bool:
    """Return whether a network has learned from games of such rules.

    In capture games a pass was forbidden or lost at once. Ordinary Go was scored, with a komi of at most MOST_KOMI.
    """
    if rules.captures == 0:
        return bool(rules.scored and rules.passing != FORBIDDEN and abs(rules.komi) <= MOST_KOMI)
    return bool(rules.passing == FORBIDDEN or (rules.passing == STONE and rules.captures == 1))


def choose_parameters(rules: Any, reads: int) -> Parameters:
    """Return the parameters for a rules record.

    `reads`: maximum plies of a ladder that are read, capture included.
    """
    if rules.captures == 0:
        chosen = SCORED
    else:
        chosen = FIRST_CAPTURE if rules.captures == 1 else CAPTURE_N if rules.captures < MANY else CAPTURE_MANY
        chosen = chosen._replace(longest=min(chosen.longest, float((reads - 1) // 2)))
    return chosen if is_learned(rules) else chosen._replace(playout_share=UNLEARNED)
