"""Parsing of command arguments; a wrong one raises GtpError with the message of the GTP draft."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...go.vertex import PASS, parse_color, parse_vertex
from ..engine import Engine
from ..parameters import decimal
from ..protocol import GtpError, refusing

Args = Sequence[str]

MAX_DIGITS = 9


def color(text: str) -> int:
    """Parse b, w, black or white in any case."""
    with refusing(ValueError, reason="syntax error"):
        return int(parse_color(text))


def integer(text: str, least: int = 0) -> int:
    """Parse a decimal integer of at least `least`."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS) or int(text) < least:
        raise GtpError("syntax error")
    return int(text)


def number(text: str, least: float = -math.inf) -> float:
    """Parse a finite number of at least `least`."""
    with refusing(ValueError, reason="syntax error"):
        value = decimal(text)
    if not math.isfinite(value) or value < least:
        raise GtpError("syntax error")
    return value


def vertex(engine: Engine, text: str) -> int:
    """Parse a vertex of the board or pass."""
    with refusing(ValueError, reason="syntax error"):
        return parse_vertex(text, engine.game.width, engine.game.height)


def point(engine: Engine, text: str) -> int:
    """Parse a vertex of the board, not pass."""
    p = vertex(engine, text)
    if p == PASS:
        raise GtpError("syntax error")
    return p
