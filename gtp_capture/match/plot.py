"""A picture of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .ratings import Rating, RatingsError


def plot(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Draw the ratings with their 95 % intervals; the file's ending says in which form.

    RatingsError: the library is not installed, or the file cannot be written.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise RatingsError("a plot needs more packages: pip install 'gtp-capture[plot]'") from None
    figure = Figure(figsize=(7, 1 + 0.35 * len(ratings)), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(ratings), 0, -1)
    axes.errorbar([r.elo for r in ratings], places, xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(list(places), [r.name for r in ratings])
    axes.set_xlabel("Elo, relative to the mean of all, with 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    try:
        with rc_context({"svg.fonttype": "none"}):  # letters, not their outlines: half the size
            figure.savefig(path)
    except (OSError, ValueError) as error:
        raise RatingsError(f"{path}: {error}") from None
