"""What a search knows from the start."""

from __future__ import annotations

from enum import IntEnum


class Knowledge(IntEnum):
    """What a search knows of good plays before it has tried them."""

    PLAIN = 0
    """Priors made by hand."""
    LEARNED = 1
    """Learned weights of features."""
    NETWORK = 2
    """A network in ordinary Go, and in capture games where passes are forbidden or lose at once; else as LEARNED."""
