"""Refuse options that a command would ignore, instead of ignoring them silently."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource


def refuse(context: click.Context, names: Iterable[str], reason: str) -> None:
    """Refuse parameters with these names in the function of a command, if they were given. UsageError: one was."""
    given = [
        param.opts[0] if isinstance(param, click.Option) else str(param.human_readable_name)
        for param in context.command.params
        if param.name in names and context.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"{' and '.join(given)} would have no effect {reason}")


def refuse_before_subcommand(context: click.Context) -> None:
    """Refuse the options of a group that come before a sub-command. UsageError: there is one."""
    name = context.invoked_subcommand
    names = [param.name for param in context.command.params if param.name is not None]
    refuse(context, names, f"before {name}: the options of {name} come after it")
