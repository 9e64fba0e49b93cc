"""The planes of an observation, and the actions that are no moves. This module does not import Numba."""

from __future__ import annotations

from typing import Final

WAIT: Final = -1
"""An action with this number leaves its board as it is."""
RESIGN: Final = -2
"""An action with this number lets the colour to move resign."""
PLANES: Final = (
    "own",
    "other",
    "empty",
    "black_to_move",
    "one_liberty",
    "two_liberties",
    "more_liberties",
    "own_need",
    "other_need",
    "ko",
)
"""The planes of an observation, from the view of the colour to move; an element is 0 or 1 if nothing else is said.

own, other, empty: its stones, those of the other colour, and empty points. black_to_move: 1 everywhere if Black is to
move. one_liberty, two_liberties, more_liberties: stones, of either colour, by the liberties of their chain. own_need,
other_need: everywhere the number of prisoners that the colour to move, or the other one, still needs to win, at most
255; 0 where captures do not win. ko: points where only a rule about repetition forbids a play.
"""
MOST_NEED: Final = 255
"""The greatest value of own_need and other_need."""
OWN: Final = PLANES.index("own")
OTHER: Final = PLANES.index("other")
FREE: Final = PLANES.index("empty")
BLACK_TO_MOVE: Final = PLANES.index("black_to_move")
LIBERTIES: Final = PLANES.index("one_liberty")
"""The first of three planes."""
OWN_NEED: Final = PLANES.index("own_need")
OTHER_NEED: Final = PLANES.index("other_need")
KO: Final = PLANES.index("ko")
