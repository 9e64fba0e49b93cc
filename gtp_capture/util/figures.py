"""Figures of matplotlib in files. It is an extra, so it is imported only when a figure is drawn."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from .extras import how_to_install
from .files import RequestError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check(path: Path) -> None:
    """Check that a figure can be written to a path.

    RequestError: matplotlib is not installed or does not support the file type, or the path cannot be written.
    """
    types = new_figure(1).canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in types:
        raise RequestError(f"{path}: its name must end in one of .{', .'.join(sorted(types))}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise RequestError(f"{path} cannot be written")


def new_figure(height: float) -> Figure:
    """Return an empty figure, 7 inches wide and of a height in inches. RequestError: matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise RequestError(f"a plot needs more packages: {how_to_install('plot')}") from None
    return Figure(figsize=(7, height), layout="constrained")


def use_fonts(figure: Figure) -> None:
    """If the usual font lacks characters of a figure, give its texts the font of this machine that has most of them."""
    from matplotlib import font_manager
    from matplotlib.text import Text

    warnings.filterwarnings("ignore", "Glyph .* missing from")
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    wanted = {ord(character) for text in texts for character in text.get_text()} - {ord("\n")}
    usual = font_manager.findfont(font_manager.FontProperties())
    if not wanted <= _characters(usual):
        fonts = [font.fname for font in font_manager.fontManager.ttflist if not font.name.startswith("Last Resort")]
        best = max([usual, *fonts], key=lambda path: len(wanted & _characters(path)))
        for text in texts:
            properties = text.get_fontproperties().copy()
            properties.set_file(best)
            text.set_fontproperties(properties)


def _characters(font: str) -> set[int]:
    from matplotlib.font_manager import get_font

    return {*get_font(font).get_charmap()}


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the suffix of the path selects the file type. RequestError: it cannot be written."""
    from matplotlib import rc_context

    use_fonts(figure)
    try:
        # Text instead of outlines halves the size; without the date, the same figure gives the same file.
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "gtp-capture"}):
            figure.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except (OSError, ValueError) as error:
        raise RequestError(f"{path}: {error}") from None
