"""Make text of other programs safe for terminals, table cells and error messages."""

from __future__ import annotations


def printable(text: str) -> str:
    """Replace each character that is not printable (`str.isprintable`) by a space.

    These are control characters, bidi controls and other format characters, surrogates, unassigned and private
    characters, and every space other than U+0020.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def one_line(text: str, longest: int | None = None) -> str:
    """Return the printable text, stripped, and cut after `longest` characters."""
    return printable(text).strip()[:longest].rstrip()
