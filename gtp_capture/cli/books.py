"""Reading and writing of opening books, for `gtp-capture solve` and `gtp-capture check-proof`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from .options import Unusable
from .progress import counting

# The solver is imported where it is used: a check of a proof does not need it.


def read_book(path: Path) -> list[str]:
    """Return the lines of a book, none if the file does not exist. Unusable: it is not a book."""
    from ..books import writer

    if not path.exists():
        return []
    try:
        return writer.read_book(path)
    except ValueError as error:
        raise Unusable(f"{path}: {error}") from None


def write_book(path: Path, lines: Iterable[str]) -> None:
    """Write a book of these lines, and print its size. Unusable: it cannot be written."""
    from ..books import writer

    positions = 0
    try:
        with counting("positions") as count:
            for positions in writer.write_book(path, lines):
                count(positions)
    except OSError as error:
        raise Unusable(f"the book cannot be written: {error.strerror}") from None
    except ValueError as error:
        raise Unusable(f"the book cannot be written: {error}") from None
    click.echo(f"{path}: {positions} positions, {path.stat().st_size} bytes")


def write_small_boards(path: Path) -> None:
    """Solve the boards of up to 5x5, and write their book. Unusable: it cannot be written."""
    from ..books.writer import small_boards

    write_book(path, small_boards())
