"""The error of a request that cannot be met."""

from __future__ import annotations

import click

from ..util.files import escaped


class Unusable(click.ClickException):
    """The request cannot be met: one line on stderr and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))
