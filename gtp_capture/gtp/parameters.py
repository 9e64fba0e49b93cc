"""The options that a frontend's dialog may change during a session."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from ..go.rules import PRESETS, Rules
from ..players.levels import FULL
from ..players.player import MOST_THREADS
from .options import Options

_DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
LEVEL_NAMES: Final = tuple(str(level) for level in range(1, FULL + 1))


def lines(options: Options) -> list[str]:
    """List these options in the form of GoGui's `param` commands: type, key, value."""
    names = dict.fromkeys([*PRESETS, str(options.rules).replace(" ", "_")])
    return [
        f"[list/{'/'.join(LEVEL_NAMES)}] level {options.level}",
        f"[string] time_per_move {'' if options.time_per_move is None else f'{options.time_per_move:g}'}".rstrip(),
        f"[list/{'/'.join(names)}] rules {str(options.rules).replace(' ', '_')}",
        f"[string] threads {options.threads}",
        f"[string] seed {'' if options.seed is None else options.seed}".rstrip(),
    ]


def change(options: Options, key: str, text: str) -> dict[str, Any]:
    """Return the changed fields of the options for a key and its value. Raise ValueError if either is unknown."""
    if key == "level":
        return {"level": _whole(key, text, 1, FULL)}
    if key == "threads":
        return {"threads": _whole(key, text, 1, MOST_THREADS)}
    if key == "seed":
        return {"seed": _whole(key, text, 0, 2**62) if text else None}
    if key == "time_per_move":
        return {"time_per_move": _seconds(key, text) if text else None}
    if key == "rules":
        same = text == str(options.rules).replace(" ", "_")
        return {"rules": options.rules if same else Rules.parse(text)}
    raise ValueError(f"no such option: {key}")


def decimal(text: str) -> float:
    """Parse a number as GTP writes it, without underscores and other digits than 0 to 9. ValueError: it is not one."""
    if _DECIMAL.fullmatch(text) is None:
        raise ValueError(f"not a number: {text}")
    return float(text)


def _whole(key: str, text: str, least: int, most: int) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else -1
    if not least <= value <= most:
        raise ValueError(f"{key} must be {least} to {most}")
    return value


def _seconds(key: str, text: str) -> float:
    try:
        value = decimal(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{key} must be a number of seconds above 0")
    return value
