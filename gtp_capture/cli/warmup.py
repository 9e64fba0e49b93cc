"""gtp-capture warmup: compile the search now rather than at the first move."""

from __future__ import annotations

import os
import sys

import click

from ..search import warm


@click.command()
@click.option("--quiet", is_flag=True, help="Print nothing.")
def warmup(quiet: bool) -> None:
    """Compile the search for this machine, once; a first move then needs no waiting."""
    if quiet and hasattr(os, "nice"):
        os.nice(15)  # a session is waiting beside this one, and its answers come first
    if not quiet and not warm.is_warm():
        print("compiling, once per machine ...", file=sys.stderr)
    try:
        warm.compile_all()
        warm.compile_rest()
    except OSError as error:
        raise click.ClickException(f"cannot write {warm.cache_folder()}: {error.strerror}") from None
    if not quiet:
        print(f"ready: {warm.cache_folder()}", file=sys.stderr)
