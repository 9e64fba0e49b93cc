"""Final scores as text, in one notation; engines write the same score in several ways."""

from __future__ import annotations

import re
from typing import Final

from ..go import scoring

_DRAW: Final = re.compile(r"0+(\.0*)?|DRAW|JIGO", re.IGNORECASE | re.ASCII)
_WIN: Final = re.compile(
    r"([BW])\+(?:(\d{1,5}\.?\d{0,3}|\.\d{1,3})|(R)(?:ES(?:IGN(?:ATION)?)?)?|(T)(?:IME)?|(F)(?:ORFEIT)?)",
    re.IGNORECASE | re.ASCII,
)


def canonical(text: str) -> str | None:
    """Return a score in our notation, with `B+R`, `B+T` and `B+F` for wins without points; None if it is not a score.

    `W+88.0` is `W+88`; `0.0`, `B+0`, `Draw` and `Jigo` are `0`; `B+Resign` is `B+R`.
    """
    word = text.partition(" ")[0]
    if _DRAW.fullmatch(word):
        return "0"
    if (found := _WIN.fullmatch(word)) is None:
        return None
    color, points, *ends = found.groups()
    if points is None:
        return f"{color}+{next(filter(None, ends))}".upper()
    return scoring.result(float(points) * (1 if color in "Bb" else -1))
