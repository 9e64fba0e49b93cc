"""gtp-capture sabaki: our engines in the settings of Sabaki."""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import click

from ..frontends import sabaki as settings_of
from ..go import sgf
from ..go.rules import DEFAULT, PRESETS
from .files import write
from .options import OUTPUT, SIZE, STEPS

PLACES = {
    "windows": "C:\\Users\\YOU\\.local\\bin\\gtp-capture.exe",
    "macos": "/Users/YOU/.local/bin/gtp-capture",
    "linux": "/home/YOU/.local/bin/gtp-capture",
}
"""The path at which uv and pipx install the program, by operating system."""


@click.group(
    invoke_without_command=True,
    help="Add our engines to the settings of Sabaki, or remove them. Close Sabaki first.",
)
@click.pass_context
def sabaki(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


file_option = click.option(
    "--settings", type=click.Path(path_type=Path), help="The settings file, if it is not in its usual place."
)
steps_option = click.option(
    "--steps",
    type=STEPS,
    default="1-8",
    help="Steps from first capture to Go, such as 1-6 or 2,8: 1-5 first capture, 6 capture-5, 7 capture-10 with ko, "
    "8 Go.",
)
dry_option = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@sabaki.command(
    help="""Add our engines, or update them.

    There is one for each of several levels and rules. Engines of ours for other steps are removed.
    """,
)
@file_option
@dry_option
@steps_option
def install(settings: Path | None, dry_run: bool, steps: frozenset[int]) -> None:
    program = executable()
    change(settings, dry_run, lambda before: settings_of.installed(before, program, steps))


@sabaki.command(
    help="Remove our engines and nothing else.",
)
@file_option
@dry_option
def uninstall(settings: Path | None, dry_run: bool) -> None:
    change(settings, dry_run, settings_of.uninstalled)


@sabaki.command(
    "print",
    help="Print our part of the settings, to copy by hand.",
)
@click.option("--system", type=click.Choice(list(PLACES)), help="Use the usual path on this system.")
@steps_option
def print_(system: str | None, steps: frozenset[int]) -> None:
    click.echo(settings_of.fragment(PLACES[system] if system else executable(), steps))


@sabaki.command(
    help="Write an SGF file with a crosscut in the centre.",
)
@click.option("--size", type=SIZE, default="9", help="Board size: 9 or 9x7.")
@click.option("-o", "--output", type=OUTPUT, help="The file; without it the game is printed.")
def crosscut(size: tuple[int, int], output: Path | None) -> None:
    try:
        data = sgf.crosscut(PRESETS[DEFAULT], *size)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if output is None:
        click.echo(data.decode().rstrip())
    else:
        write(output, data)


def executable() -> str:
    """Return the path of this program. UsageError: it is not installed."""
    name = "gtp-capture.exe" if os.name == "nt" else "gtp-capture"
    beside = Path(sysconfig.get_path("scripts")) / name
    program = str(beside) if beside.exists() else shutil.which("gtp-capture")
    if program is None:
        raise click.UsageError("gtp-capture is not installed as a program: use uv, pipx or pip")
    return program


def change(path: Path | None, dry_run: bool, edit: Callable[[settings_of.Settings], settings_of.Settings]) -> None:
    """Edit the settings file, or print the change if `dry_run`. UsageError: it cannot be edited."""
    try:
        path = path or settings_of.settings_file(sys.platform, os.environ, Path.home())
    except RuntimeError:
        raise click.UsageError("this user has no home directory: give --settings FILE") from None
    before, settings = settings_of.read(path)
    after = edit(settings)
    if after == settings:
        click.echo(f"nothing to change in {path}")
    elif dry_run:
        old, new = before.decode().splitlines(), settings_of.encode(after).decode().splitlines()
        for line in difflib.unified_diff(old, new, str(path), "changed", lineterm=""):
            click.echo(line)
    else:
        backup = settings_of.write(path, before, after)
        click.echo(f"changed {path}\nbackup of the settings before the first change: {backup}")
