"""Options of the command line: their types, options of several commands, and the lines of errors."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from ..go.rules import DEFAULT, PRESETS, Rules
from ..go.vertex import MAX_SIDE, MIN_SIDE
from ..players import levels
from ..players.adapt import Profile
from ..players.registry import PLAYERS, others
from ..teach import sentences
from ..util.files import printable
from ..version import PROGRAM

Command = TypeVar("Command", bound=Callable[..., Any])

ADAPT_NAME: Final = "adapt"


def error_line(error: click.ClickException) -> str:
    """Return the line to print. The name of a wrong option comes first, because Sabaki shows only 28 characters."""
    name, text = PROGRAM, error.format_message()
    if isinstance(error, click.NoSuchOption):
        meant = " or ".join(error.possibilities or ())
        name, text = error.option_name, f"no such option{f', did you mean {meant}?' if meant else ''}"
    elif isinstance(error, click.BadOptionUsage):
        name, text = error.option_name, error.message.removeprefix(f"Option {error.option_name!r} ")
    elif isinstance(error, click.BadParameter) and isinstance(error.param, click.Option) and error.message:
        name, text = error.param.opts[-1], error.message
    return printable(f"{name}: {text}")


class Parsed(click.ParamType):  # type: ignore[type-arg] # click has no parameters here before 8.4
    """An option or argument that a function parses; the text of its ValueError is the error of the option."""

    def __init__(self, name: str, parse: Callable[[str], Any], names: Callable[[], Iterable[str]] = tuple) -> None:
        """`name`: the name in the help; `names`: returns the names of values, which a shell may complete."""
        self.name, self.parse, self.names = name, parse, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a text; return any other value, such as a default, as it is."""
        try:
            return self.parse(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the names of values that begin with a text."""
        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


def board_size(text: str) -> tuple[int, int]:
    """Return width and height of `9` or `9x7`. ValueError: it is not a board size."""
    match = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", text, re.ASCII)
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise ValueError(f"{text!r} is not a board size: give one number, or WIDTHxHEIGHT, from 2 to 25")
    return width, height


def _level(text: str) -> int:
    """Return a level by its number, word or name; `levels.ADAPT` for `adapt`."""
    if text == ADAPT_NAME:
        return levels.ADAPT
    try:
        return levels.level(text)
    except ValueError as error:
        raise ValueError(f"{error}, or {ADAPT_NAME}") from None


def _player(text: str) -> str:
    """Return the name of a player of this package or of another installed one. ValueError: there is no such player."""
    if text not in PLAYERS and text not in (installed := others()):
        raise ValueError(f"{text!r} is not one of {', '.join([*PLAYERS, *installed])}")
    return text


def _steps(text: str) -> frozenset[int]:
    """Return the steps from first capture to Go in `4`, `1-3` or `1-3,6`. ValueError: the text names none."""
    steps: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"([1-8])(?:-([1-8]))?", part.strip())
        if match is None:
            raise ValueError(f"{text!r} names no steps: give numbers from 1 to 8, such as 1-4 or 2,6")
        steps |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    if not steps:
        raise ValueError(f"{text!r} names no steps: the first number of a range is the lower one")
    return frozenset(steps)


RULES: Final = Parsed("preset", Rules.parse, lambda: PRESETS)
SIZE: Final = Parsed("size", board_size)
LEVEL: Final = Parsed("level", _level, lambda: (*levels.WORDS, *levels.NAMES, ADAPT_NAME))
PLAYER: Final = Parsed("player", _player, lambda: (*PLAYERS, *others()))
STEPS: Final = Parsed("steps", _steps)
LANGUAGE: Final = Parsed("language", sentences.language, sentences.languages)


def finite(context: click.Context, param: click.Parameter, value: Any) -> Any:
    """Refuse NaN and infinities, which float() accepts, in one number or a tuple of numbers."""
    if value is not None and not all(math.isfinite(number) for number in (value if type(value) is tuple else [value])):
        raise click.BadParameter("it must be a finite number", context, param)
    return value


class OutputPath(click.Path):
    """The path of a file to write."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. A name that ends in a slash means a folder and is refused; a `Path` would lose the slash."""
        if str(value).endswith(("/", os.sep)):
            self.fail(f"{value} is the name of a folder: give that of a file", param, ctx)
        return super().convert(value, param, ctx)


OUTPUT: Final = OutputPath()
opening_option: Final = click.option(
    "--opening",
    type=click.Choice(["empty", "crosscut"]),
    default="empty",
    help="The start: an empty board or a crosscut.",
)
rules_option: Final = click.option(
    "--rules",
    type=RULES,
    default=DEFAULT,
    help=f"{', '.join(PRESETS)}, or capture-N; with changes of fields: 'capture-5 ko=simple'.",
)
file_rules_option: Final = click.option(
    "--rules", type=RULES, help=f"Instead of the rules of a file.  [default: the file's, or {DEFAULT}]"
)
komi_option: Final = click.option(
    "--komi", type=float, callback=finite, help="Points for White; default: set by the rules and the board."
)
spoken_option: Final = click.option(
    "--spoken", is_flag=True, help="Write boards as sentences, for a program that reads the screen aloud."
)
language_option: Final = click.option(
    "--language",
    type=LANGUAGE,
    default=sentences.language_of_system,
    show_default="the system's",
    help="Language of what is said, such as de.",
)
languages_option: Final = click.option(
    "--language",
    "languages",
    type=LANGUAGE,
    multiple=True,
    default=lambda: [sentences.language_of_system()],
    show_default="the system's",
    help="Language of what is written, such as de; for --web several may be given.",
)
profile_option: Final = click.option(
    "--profile", type=OUTPUT, help="File that remembers your level, for --level adapt."
)


def jobs_option(
    text: str = "Games at a time on this machine.", default: int | None = 1
) -> Callable[[Command], Command]:
    """Return the option --jobs with its help. If the default is None, the help has to name it."""
    shown = default is not None
    return click.option("--jobs", type=click.IntRange(1, 1024), default=default, show_default=shown, help=text)


def scheduler_option(purpose: str) -> Callable[[Command], Command]:
    """Return the option --scheduler; its help begins with the purpose."""
    return click.option("--scheduler", metavar="ADDRESS", help=f"{purpose} on a Dask cluster such as tcp://host:8786.")


def adapted(level: int, profile: Path | None) -> dict[str, Any]:
    """Return the fields `level`, `adapt` and `profile` for a level. RequestError: the profile cannot be used."""
    if level != levels.ADAPT:
        if profile is not None:
            raise click.UsageError("--profile needs --level adapt")
        return {"level": level}
    known = None if profile is None else Profile(profile).level()
    return {"level": known or levels.FIRST, "adapt": True, "profile": profile}


def refuse(names: Iterable[str], reason: str) -> None:
    """Refuse parameters that have these names in the function of the command. UsageError: one was given."""
    given = [
        param.opts[0] if isinstance(param, click.Option) else str(param.human_readable_name).strip("[].")
        for param in click.get_current_context().command.params
        if param.name in names and was_given(param.name)
    ]
    if given:
        raise click.UsageError(f"{' and '.join(given)} would have no effect {reason}")


def was_given(name: str) -> bool:
    """Whether a parameter of the command stands on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def exit_with(code: int) -> NoReturn:
    """End the command with an exit code."""
    click.get_current_context().exit(code)
