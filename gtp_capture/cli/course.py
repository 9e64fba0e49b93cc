"""gtp-capture course: lessons from the first capture to Go, in the terminal, as SGF, as a booklet, and for teachers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..go import sgf
from ..go.words import counted
from ..players.adapt import Profile, ProfileError
from ..players.player import PlayerSettings
from ..teach import words
from ..teach.course import lessons
from ..teach.course.booklet import booklet
from ..tutor.lesson import ContentsSession, LessonSession
from ..tutor.searches import Searches
from ..tutor.session import Resources
from ..util.atomic_file import atomic_write
from ..util.files import escaped
from . import drawing
from .files import check_new_folder, check_outputs
from .options import OutputPath, Unusable, refuse, spoken_option
from .screen import Folder, Screen


@dataclass(frozen=True, slots=True)
class CourseOptions:
    """The options of the command."""

    number: int | None
    path: Path | None
    output: Path | None
    sheet: Path | None
    advice: bool
    spoken: bool

    @property
    def writes(self) -> bool:
        """Whether something is written, in place of a lesson in the terminal."""
        return self.output is not None or self.sheet is not None or self.advice


def write_files(numbers: list[int], folder: Path) -> None:
    """Write each lesson as a file, and as a folder with a file for each page and problem. OSError: not possible."""
    for number in numbers:
        data = lessons.source(number)
        parts = {folder / f"lesson-{number}.sgf": data}
        parts |= {folder / f"lesson-{number}" / f"{n:02}.sgf": part for n, part in enumerate(sgf.split(data), 1)}
        for path, content in parts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as file:
                file.write(content)


def write(numbers: list[int], options: CourseOptions) -> None:
    """Write lessons as SGF and as a booklet, and print the advice for teachers, as far as is wanted."""
    output, sheet = options.output, options.sheet
    check_outputs([sheet])
    check_new_folder(output)
    if output is not None:
        write_files(numbers, output)
    if sheet is not None:
        with atomic_write(sheet) as file:
            file.write(booklet([lessons.lesson(n) for n in numbers]).encode())
    if paths := [escaped(str(made)) for made in (output, sheet) if made is not None]:
        click.echo(f"{counted(len(numbers), 'lesson')} written to {' and '.join(paths)}")
    if options.advice:
        click.echo("\n\n".join(_advice(lessons.lesson(n)) for n in numbers))


@click.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--profile", "path", type=OutputPath(), help="File that remembers the lessons that are done.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Write SGF into this folder.")
@click.option("--sheet", type=OutputPath(), help="HTML file to print: a booklet.")
@click.option("--advice", is_flag=True, help="Show the advice for teachers.")
@spoken_option
@click.pass_context
def course(context: click.Context, /, **values: Any) -> None:
    """Lessons from the first capture to Go: pages to read, problems with proven answers, and a game.

    NUMBER is a lesson. Without it you choose one of a list; -o, --sheet and --advice take all of them.
    """
    options, there = CourseOptions(**values), lessons.numbers()
    number = options.number
    if number is not None and number not in there:
        raise click.UsageError(f"there is no lesson {number}: the lessons are 1 to {there[-1]}")
    if options.writes:
        refuse(context, ("path", "spoken"), "without a lesson in the terminal")
        write(there if number is None else [number], options)
        return
    profile = None if options.path is None else Profile(options.path)
    searches = Searches(PlayerSettings())
    resources = Resources(searches, Folder(), profile)
    try:
        if profile is not None:
            profile.lessons()
        session = ContentsSession(resources) if number is None else LessonSession(number, resources)
        Screen(drawing.new_console(spoken=options.spoken)).run(session)
    except ProfileError as error:
        raise Unusable(str(error)) from None
    finally:
        searches.warmup.stop()


def _advice(lesson: lessons.Lesson) -> str:
    return f"{words.SHORT.text('course.title', number=lesson.number, title=lesson.title)}\n\n{lesson.advice}"
