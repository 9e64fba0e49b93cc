"""A plot of Black's win rate over each game, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...util.figures import new_figure, save
from .. import words
from ..words import Voice
from .reviewed import Review

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_GAMES: Final = 20
"""Maximum number of games in one figure."""
HEIGHT: Final = 2.2
"""Inches for each game."""


def plot(reviews: Sequence[tuple[str, Review]], path: Path, voice: Voice = words.SHORT) -> None:
    """Plot the games below each other, each with its title. RequestError: the file cannot be written."""
    figure = new_figure(0.5 + HEIGHT * len(reviews))
    # A grid with one column; the axis of the moves is not shared, because games differ in length.
    for axes, (title, review) in zip(figure.subplots(len(reviews), squeeze=False)[:, 0], reviews, strict=True):
        _draw(axes, title, review, voice)
    save(figure, path)


def _draw(axes: Axes, title: str, review: Review, voice: Voice) -> None:
    """Draw one game: a line of all win rates, dots where the winner is proven, and the deciding mistake."""
    from matplotlib.ticker import MaxNLocator

    rates = [float("nan") if evaluation.black is None else 100 * evaluation.black for evaluation in review.evaluations]
    proven = [n for n, evaluation in enumerate(review.evaluations) if evaluation.winner is not None]
    axes.plot(range(len(rates)), rates, color="C0", label=voice.text("plot.search"))
    axes.plot(proven, [rates[n] for n in proven], "o", markersize=4, color="C0", label=voice.text("plot.proven"))
    axes.axhline(50, color="grey", linewidth=0.8)
    if (move := review.deciding) is not None:
        key = "plot.deciding" if review.is_proven_to_decide(move) else "plot.probable"
        label = voice.text(key, number=move.number, mover=voice.name(int(move.color)))
        axes.axvline(move.number, color="C3", linestyle="--", label=label)
    axes.set_ylim(-4, 104)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(0, max(1, len(rates) - 1))
    axes.set_xlabel(voice.text("plot.moves"))
    axes.set_ylabel(voice.text("plot.rate"))
    axes.set_title(title, parse_math=False)  # a file name may contain dollar signs
    axes.legend(fontsize="small", loc="best")
