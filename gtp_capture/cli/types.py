"""Types of command-line options, which convert a text or fail with one clear line, and options of several commands."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from ..go.rules import DEFAULT, PRESETS, Rules, RulesError
from ..go.vertex import MAX_SIDE, MIN_SIDE
from ..players import levels

Command = TypeVar("Command", bound=Callable[..., Any])

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


class OutputPath(click.Path):
    """The path of a file to write."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a name that ends in a slash, which a path would lose, is that of a folder."""
        if str(value).endswith(("/", os.sep)):
            self.fail(f"{value} is the name of a folder: give that of a file", param, ctx)
        return super().convert(value, param, ctx)


class CapturesType(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """A number of prisoners, or `none`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; 0 stands for `none`."""
        if value in ("none", 0):
            return 0
        if re.fullmatch(r"0*[1-9]\d{0,5}", str(value), re.ASCII) is None:
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
    help="The start: an empty board or a crosscut.",
)
rules_option: Final = click.option(
    "--rules", type=RulesType(), default=DEFAULT, show_default=True, help=f"{', '.join(PRESETS)}, or capture-N."
)
komi_option: Final = click.option(
    "--komi", type=float, callback=finite, help="Points for White; default: set by the rules and the board."
)


def jobs_option(text: str = "Games at a time on this machine.") -> Callable[[Command], Command]:
    """The option --jobs, with its help."""
    return click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help=text)


def scheduler_option(purpose: str) -> Callable[[Command], Command]:
    """The option --scheduler, with what it is for."""
    return click.option("--scheduler", metavar="ADDRESS", help=f"{purpose} on a Dask cluster such as tcp://host:8786.")
