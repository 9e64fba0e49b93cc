"""Values that several commands take."""

from __future__ import annotations

import math
import re
from typing import Any

import click

from ..rules import Rules, RulesError
from ..vertex import MAX_SIDE, MIN_SIDE


class RulesType(click.ParamType[Rules]):
    """A preset's name."""

    name = "preset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        """The rules of that name."""
        if isinstance(value, Rules):
            return value
        try:
            return Rules.parse(value)
        except RulesError as error:
            self.fail(str(error), param, ctx)


class SizeType(click.ParamType[tuple[int, int]]):
    """9 or 9x7."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Width and height."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", value, re.ASCII)
        width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
            self.fail(f"{value!r} is no board: give one number, or WIDTHxHEIGHT, from 2 to 25", param, ctx)
        return width, height


def finite(context: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse NaN and infinities, which float() reads."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("it must be a finite number", context, param)
    return value
