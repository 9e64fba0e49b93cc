"""A plot of ratings, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..util.figures import new_figure, save
from .ratings import Rating


def plot(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Plot the ratings with their 95 % intervals; the suffix of the path selects the file type.

    FigureError: as for `figures.check`, or the file cannot be written.
    """
    figure = new_figure(1 + 0.35 * len(ratings))
    axes = figure.add_subplot()
    places = range(len(ratings), 0, -1)
    axes.errorbar([r.elo for r in ratings], places, xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(list(places), [r.name for r in ratings], parse_math=False)  # names may contain dollar signs
    axes.set_xlabel("Elo, relative to the mean of all, with 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    save(figure, path)
