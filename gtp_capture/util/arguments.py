"""Checks of the arguments of public functions: numbers, times and paths, with one sentence for each kind of error."""

from __future__ import annotations

import math
import os
from numbers import Integral, Real
from pathlib import Path
from typing import Final, overload


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an argument as an integer. TypeError: not a whole number. ValueError: out of range."""
    wanted = f"{name} is a whole number " + (f"of {least} or more" if most is None else f"from {least} to {most}")
    if not isinstance(value, Integral):
        raise TypeError(f"{wanted}, not {value!r}")
    number = int(value)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{wanted}, not {value!r}")
    return number


def flag(name: str, value: object) -> bool:
    """Return an argument that is True or False. TypeError: something else, as no text or number is taken for one."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


LONGEST: Final = 31_536_000.0
"""The seconds of a year: longer finite times mean the same, and are more than the system can wait."""


def seconds(name: str, value: object, *, above: bool = False, endless: bool = False) -> float:
    """Return an argument as a time in seconds: 0 or more, or more than 0 if `above`; infinite only if `endless`.

    A finite time longer than LONGEST becomes LONGEST.

    TypeError: not a number. ValueError: out of range.
    """
    wanted = f"{name} is a time of {'more than 0 s' if above else '0 s or more'}{'' if endless else ', and finite'}"
    if not isinstance(value, Real):
        raise TypeError(f"{wanted}; not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number) or number < 0 or (above and number == 0) or (number == math.inf and not endless):
        raise ValueError(f"{wanted}; not {value!r}")
    return number if number == math.inf else min(number, LONGEST)


@overload
def path(name: str, value: str | os.PathLike[str]) -> Path: ...
@overload
def path(name: str, value: object) -> Path | None: ...
def path(name: str, value: object) -> Path | None:
    """Return an argument as a path, or None. TypeError: neither. ValueError: no file can have this name."""
    if not isinstance(value, str | os.PathLike | None):
        raise TypeError(f"{name} is a path, not {value!r}")
    if value is None:
        return None
    try:
        possible = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise ValueError(f"{name}: no file can have the name {os.fspath(value)!r}")
    return Path(value)
