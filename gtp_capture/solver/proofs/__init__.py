"""Proof files: their `format`, the `writer`, which uses the solver, and the independent `checker`.

For boards of more than 64 points, `writer_walk_large` and `checker_walk_large` compile the same code for 128-bit
numbers.
"""

from __future__ import annotations

from ..result import POINTS, WORD


def load_kernels(name: str, points: int) -> None:
    """Load the kernels of the `writer` or the `checker` for boards with this number of points.

    An installation does not compile them: their first use does, and a line on stderr says so.
    """
    from ...jit.warmup import loaded

    if points <= POINTS:
        loaded((f"{__name__}.{name}{'_walk_large' if points > WORD else ''}",))
