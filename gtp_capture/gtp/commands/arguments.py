"""Arguments of commands: text to values, or the error that the GTP draft asks for."""

from __future__ import annotations

import math

from ...go.vertex import PASS, parse_color, parse_vertex
from ..engine import Engine
from ..protocol import GtpError

MAX_DIGITS = 12


def color(text: str) -> int:
    """b, w, black, white in any case. GtpError: anything else."""
    try:
        return parse_color(text)
    except ValueError:
        raise GtpError("syntax error") from None


def integer(text: str, least: int = 0) -> int:
    """A decimal integer. GtpError: not one, or below `least`."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS) or int(text) < least:
        raise GtpError("syntax error")
    return int(text)


def number(text: str, least: float = -math.inf) -> float:
    """A finite number. GtpError: not one, or below `least`."""
    try:
        value = float(text)
    except ValueError:
        raise GtpError("syntax error") from None
    if not math.isfinite(value) or value < least:
        raise GtpError("syntax error")
    return value


def vertex(engine: Engine, text: str) -> int:
    """A point of the board or PASS. GtpError: no such vertex here."""
    try:
        return parse_vertex(text, engine.game.width, engine.game.height)
    except ValueError:
        raise GtpError("syntax error") from None


def point(engine: Engine, text: str) -> int:
    """A point of the board. GtpError: no such point, or a pass."""
    p = vertex(engine, text)
    if p == PASS:
        raise GtpError("syntax error")
    return p
