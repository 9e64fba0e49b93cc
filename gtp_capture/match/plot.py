"""A plot of ratings, with matplotlib."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .ratings import Rating, RatingsError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check(path: Path) -> None:
    """Check that a plot can be written to a path.

    RatingsError: matplotlib is not installed or does not support the file type, or the path cannot be written.
    """
    types = _new_figure(1).canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in types:
        raise RatingsError(f"{path}: its name must end in one of .{', .'.join(sorted(types))}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise RatingsError(f"{path} cannot be written")


def plot(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Plot the ratings with their 95 % intervals; the suffix of the path selects the file type.

    RatingsError: as for `check`, or the file cannot be written.
    """
    figure = _new_figure(1 + 0.35 * len(ratings))
    from matplotlib import rc_context

    axes = figure.add_subplot()
    places = range(len(ratings), 0, -1)
    axes.errorbar([r.elo for r in ratings], places, xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(list(places), [r.name for r in ratings], parse_math=False)  # names may contain dollar signs
    axes.set_xlabel("Elo, relative to the mean of all, with 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    try:
        with rc_context({"svg.fonttype": "none"}):  # text instead of outlines halves the size
            figure.savefig(path)
    except (OSError, ValueError) as error:
        raise RatingsError(f"{path}: {error}") from None


def _new_figure(height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RatingsError("a plot needs more packages: pip install 'gtp-capture[plot]'") from None
    return Figure(figsize=(7, height), layout="constrained")
