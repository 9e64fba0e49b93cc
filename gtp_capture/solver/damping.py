"""The damping of sums of proof numbers, see `choice`; without Numba."""

from __future__ import annotations

from typing import Final

LEAST: Final = 0.65
"""The damping on boards of up to LEAST_POINTS points."""
LEAST_POINTS: Final = 36
NONE_POINTS: Final = 45
"""Boards of so many points have the plain sum; in between, the damping grows with each point."""


def damping_of(width: int, height: int) -> float:
    """Return the part of the other children's pn that a sum counts, from measurements in solver.md.

    On a small board many plays in another order lead to the same positions, and a plain sum counts their work several
    times. On a large board most of the work of different plays is different work.
    """
    part = (width * height - LEAST_POINTS) / (NONE_POINTS - LEAST_POINTS)
    return LEAST + (1 - LEAST) * min(1.0, max(0.0, part))
