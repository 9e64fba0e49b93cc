"""The error of a request that cannot be met, and the lines of errors."""

from __future__ import annotations

import click

from ..util.files import escaped


def line_of(error: click.ClickException) -> str:
    """Return the line to print; an error of an option begins with its name: Sabaki shows 28 characters."""
    if isinstance(error, click.NoSuchOption):
        meant = " or ".join(error.possibilities or ())
        return f"{error.option_name}: no such option{f', did you mean {meant}?' if meant else ''}"
    if isinstance(error, click.BadOptionUsage):
        return f"{error.option_name}: {error.message.removeprefix(f'Option {error.option_name!r} ')}"
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option) and error.message:
        return f"{error.param.opts[-1]}: {error.message}"
    return f"gtp-capture: {error.format_message()}"


class Unusable(click.ClickException):
    """The request cannot be met: one line on stderr and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))
