"""Options that were given: refused if a command would ignore them, and named if they replace what is in a file."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from ..go.rules import Rules
from ..util.files import escaped


def refuse(context: click.Context, names: Iterable[str], reason: str) -> None:
    """Refuse parameters with these names in the function of a command, if they were given. UsageError: one was."""
    given = [
        param.opts[0] if isinstance(param, click.Option) else str(param.human_readable_name)
        for param in context.command.params
        if param.name in names and was_given(context, param.name)
    ]
    if given:
        raise click.UsageError(f"{' and '.join(given)} would have no effect {reason}")


def was_given(context: click.Context, name: str) -> bool:
    """Whether a parameter of a command was typed, and is not its default."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def tell_replaced(label: str, named: Iterable[Rules | None], rules: Rules | None) -> None:
    """Say on stderr that rules given by --rules are used instead of those that a file names, if these are others.

    All commands that read files use the rules of --rules, else those of the file, else first-capture.
    """
    others = sorted({str(other) for other in named if other is not None and other != rules})
    if rules is not None and others:
        click.echo(escaped(f"{label}: --rules {rules} is used, not {' or '.join(others)} as the file says"), err=True)


def refuse_before_subcommand(context: click.Context) -> None:
    """Refuse the options of a group that come before a sub-command. UsageError: there is one."""
    name = context.invoked_subcommand
    names = [param.name for param in context.command.params if param.name is not None]
    refuse(context, names, f"before {name}: the options of {name} come after it")
