"""gtp-capture homework: what a child has solved at home, from the code that its file shows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ..classroom.seat import AtHome
from ..go.words import counted
from ..players.player import PlayerSettings
from ..teach.event import Refusal
from ..tutor.searches import Searches
from ..util.files import RequestError, UnreadableError, read_bounded, warn
from ..web.file import codes, page
from .files import tell_written, write
from .options import exit_with
from .progress import counting

MOST_BYTES = 64 * 1024 * 1024
"""The maximum size of a file."""
WRONG: Final = {
    Refusal.CODE_WRONG: "has a mistake: please compare it with what the child has written",
    Refusal.CODE_UNKNOWN: "is of another file",
}
"""What is wrong with a code, by the reason."""


def write_file(content: page.Content, path: Path) -> bool:
    """Write lessons or problems as a file for home; return whether no problem was left out.

    RequestError: the file cannot be written, or no problem can be judged.
    """
    with counting("pages and problems") as show:
        made = page.make(content, Searches(PlayerSettings(threads=1)), show)
    for line in made.left_out.values():
        warn(line)
    if not made.problems:
        raise RequestError("no problem is left that can be judged")
    write(path, made.page.encode())
    tell_written(counted(len(made.problems), "problem"), path)
    return not made.left_out


@click.command(
    help="""Read the codes that children have copied from a file of `puzzles --web` or `course --web`.

    Each CODE is one argument: with spaces it stands in quotation marks. A code with a mistake, or of another file,
    is named, and the exit code is 1.
    """,
)
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.argument("code", nargs=-1, required=True)
def homework(file: Path, code: tuple[str, ...]) -> None:
    try:
        name, labels = page.problems_of(read_bounded(file, MOST_BYTES).decode("utf-8", "replace"))
    except (UnreadableError, ValueError) as error:
        raise RequestError(f"{file}: {error}") from None
    failed = False
    for text in code:
        try:
            solved = codes.read(text, {name: len(labels)})
        except codes.CodeError as error:
            warn(f"{text!r} {WRONG[error.reason]}")
            failed = True
            continue
        click.echo(_said(solved, labels))
    if failed:
        exit_with(1)


def _said(solved: codes.Solved, labels: list[str]) -> str:
    """Return the line about a code."""
    by_way = {how: [label for label, done in zip(labels, solved.done, strict=True) if done is how] for how in AtHome}
    child = f"child {solved.pupil}" if solved.pupil else "a child without a number"
    parts = [f"{child}: {len(by_way[AtHome.ALONE])} of {counted(len(labels), 'problem')} solved alone"]
    parts += [f"with help: {', '.join(by_way[AtHome.HELPED])}"] if by_way[AtHome.HELPED] else []
    parts += [f"open: {', '.join(by_way[AtHome.OPEN])}"] if by_way[AtHome.OPEN] else []
    return "; ".join(parts)
