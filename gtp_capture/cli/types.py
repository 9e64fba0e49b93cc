"""Types of command-line options: they convert a text, or fail with one clear line."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from ..go.rules import PRESETS, Rules, RulesError
from ..go.vertex import MAX_SIDE, MIN_SIDE
from ..players import levels

ADAPT: Final = 0
"""The value of `--level adapt`: the level follows the results of the person."""
ADAPT_NAME: Final = "adapt"


class RulesType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """The name of a rules preset."""

    name = "preset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        """Return the rules of that name."""
        if isinstance(value, Rules):
            return value
        try:
            return Rules.parse(value)
        except RulesError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the presets that begin with a text."""
        return [CompletionItem(name) for name in PRESETS if name.startswith(incomplete)]


class SizeType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """A board size: 9 or 9x7."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return width and height."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", value, re.ASCII)
        width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
            self.fail(f"{value!r} is not a board size: give one number, or WIDTHxHEIGHT, from 2 to 25", param, ctx)
        return width, height


def finite(context: click.Context, param: click.Parameter, value: Any) -> Any:
    """Refuse NaN and infinities, which float() accepts, in a number or in several ones."""
    if value is not None and not all(math.isfinite(number) for number in (value if type(value) is tuple else [value])):
        raise click.BadParameter("it must be a finite number", context, param)
    return value


class CapturesType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """A number of prisoners, or `none`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; 0 stands for `none`."""
        if value in ("none", 0):
            return 0
        if not (str(value).isascii() and str(value).isdigit() and int(value) > 0):
            self.fail(f"{value!r} is neither a number from 1 nor none", param, ctx)
        return int(value)


class LevelType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """A level by its number or its name, or `adapt`."""

    name = "level"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; ADAPT stands for `adapt`."""
        try:
            return ADAPT if value in (ADAPT_NAME, ADAPT) else levels.level(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names of levels that begin with a text."""
        return [CompletionItem(name) for name in (*levels.NAMES, ADAPT_NAME) if name.startswith(incomplete)]


class StepsType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """Numbers of steps from first capture to Go: 4, 1-3 or 1-3,6."""

    name = "steps"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[int]:
        """Return the steps."""
        if isinstance(value, frozenset):
            return value
        steps: set[int] = set()
        for part in value.split(","):
            match = re.fullmatch(r"([1-8])(?:-([1-8]))?", part.strip())
            if match is None:
                self.fail(f"{value!r} names no steps: give numbers from 1 to 8, such as 1-4 or 2,6", param, ctx)
            steps |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
        if not steps:
            self.fail(f"{value!r} names no steps: the first number of a range is the lower one", param, ctx)
        return frozenset(steps)


opening_option: Final = click.option(
    "--opening",
    type=click.Choice(["empty", "crosscut"]),
    default="empty",
    show_default=True,
    help="How every game starts.",
)
