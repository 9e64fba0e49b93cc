"""The files of a command: those that it writes are checked before any work, so that nothing is lost."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click

from ..go.rules import Rules
from ..util.files import UnreadableError, escaped, files_of
from .options import Unusable


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[Path | None] = ()) -> None:
    """Check that files can be written, and that each is neither an input nor another output; None stands for no file.

    If an input is a folder, its SGF files are the inputs. Unusable: the reason.
    """
    taken: dict[object, str] = {}
    for path in inputs:
        if path is not None:
            for file in sgf_files(path):
                taken[_identity(file)] = "is an input: give another name for the output"
    for path in outputs:
        if path is None:
            continue
        _check_writable(path)
        if path.is_file() or not path.exists():  # a device, such as /dev/null, may be there twice
            if (identity := _identity(path)) in taken:
                raise Unusable(f"{path} {taken[identity]}")
            taken[identity] = "is there twice: each output needs a file of its own"


def sgf_files(path: Path) -> list[Path]:
    """Return a file, or the SGF files of a folder. Unusable: it cannot be read."""
    try:
        return files_of(path, ".sgf")
    except UnreadableError as error:
        raise Unusable(f"{path}: {error}") from None


def _identity(path: Path) -> object:
    """Return what is the same for two names of a file, by links of either kind."""
    real = Path(os.path.realpath(path))
    if not real.exists():
        return real
    found = real.stat()
    return found.st_dev, found.st_ino


def _check_writable(path: Path) -> None:
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise Unusable(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise Unusable(f"{path} cannot be written")


def tell_replaced(label: str, named: Iterable[Rules | None], rules: Rules | None) -> None:
    """Say on stderr that rules given by --rules are used instead of those that a file names, if these are others.

    All commands that read files use the rules of --rules, else those of the file, else first-capture.
    """
    others = sorted({str(other) for other in named if other is not None and other != rules})
    if rules is not None and others:
        click.echo(escaped(f"{label}: --rules {rules} is used, not {' or '.join(others)} as the file says"), err=True)
