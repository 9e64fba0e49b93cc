"""A picture of ratings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .ratings import Rating, RatingsError


def check(path: Path) -> None:
    """Find out whether a picture can be written there.

    RatingsError: the library is not installed, it has no such form, or the folder cannot be written.
    """
    form, forms = path.suffix[1:].lower(), _new_figure(1).canvas.get_supported_filetypes()
    if form not in forms:
        raise RatingsError(f"{path}: its name must end in one of .{', .'.join(sorted(forms))}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise RatingsError(f"{path} cannot be written")


def plot(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Draw the ratings with their 95 % intervals; the file's ending says in which form.

    RatingsError: as for `check`.
    """
    figure = _new_figure(1 + 0.35 * len(ratings))
    from matplotlib import rc_context

    axes = figure.add_subplot()
    places = range(len(ratings), 0, -1)
    axes.errorbar([r.elo for r in ratings], places, xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(list(places), [r.name for r in ratings], parse_math=False)  # a name may have dollar signs
    axes.set_xlabel("Elo, relative to the mean of all, with 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    try:
        with rc_context({"svg.fonttype": "none"}):  # letters, not their outlines: half the size
            figure.savefig(path)
    except (OSError, ValueError) as error:
        raise RatingsError(f"{path}: {error}") from None


def _new_figure(height: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RatingsError("a plot needs more packages: pip install 'gtp-capture[plot]'") from None
    return Figure(figsize=(7, height), layout="constrained")
