"""Text of other programs, made safe for terminals, table cells and error messages."""

from __future__ import annotations


def printable(text: str) -> str:
    """Replace each character that `str.isprintable` refuses by a space.

    These are control characters, bidi controls and other format characters, surrogates, unassigned and private
    characters, and every space but the plain one.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def one_line(text: str, longest: int | None = None) -> str:
    """The printable text without spaces at its ends, cut after `longest` characters."""
    return printable(text).strip()[:longest].rstrip()
