"""gtp-capture course: lessons from the first capture to Go, in the terminal, as SGF, as a booklet, and for teachers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ..go import sgf
from ..go.words import counted
from ..players.adapt import Profile
from ..players.player import PlayerSettings
from ..teach import words
from ..teach.course import lessons
from ..teach.course.booklet import booklet
from ..tutor.lesson import ContentsSession, LessonSession
from ..tutor.searches import Searches
from ..tutor.session import Resources
from . import drawing
from .files import check_new_folder, check_outputs, tell_written, unwritable
from .files import write as write_file
from .options import OUTPUT, language_option, refuse, spoken_option
from .screen import Folder, Screen


def write(numbers: list[int], output: Path | None, sheet: Path | None, voice: words.Voice) -> None:
    """Write lessons as SGF, each as a file and as a folder with a file for each part, and as a booklet."""
    check_outputs([sheet])
    check_new_folder(output)
    if output is not None:
        for number in numbers:
            data, folder = lessons.source(number, voice.language), output / f"lesson-{number}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(folder, error) from None
            write_file(folder.with_suffix(".sgf"), data)
            for n, part in enumerate(sgf.split(data), 1):
                write_file(folder / f"{n:02}.sgf", part)
    if sheet is not None:
        write_file(sheet, booklet([lessons.lesson(n, voice.language) for n in numbers], voice).encode())
    tell_written(counted(len(numbers), "lesson"), output, sheet)


@click.command()
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--profile", type=OUTPUT, help="File that remembers the lessons that are done.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Write SGF into this folder.")
@click.option("--sheet", type=OUTPUT, help="HTML file to print: a booklet.")
@click.option("--advice", is_flag=True, help="Show the advice for teachers.")
@spoken_option
@language_option
def course(number: int | None, output: Path | None, sheet: Path | None, advice: bool, **values: Any) -> None:
    """Lessons from the first capture to Go: pages to read, problems with proven answers, and a game.

    NUMBER is a lesson. Without it you choose one of a list; -o, --sheet and --advice take all of them.
    """
    there, profile, voice = lessons.numbers(), values["profile"], words.Voice(language=values["language"])
    if number is not None and number not in there:
        raise click.UsageError(f"there is no lesson {number}: the lessons are 1 to {there[-1]}")
    if output is not None or sheet is not None or advice:
        refuse(("profile", "spoken"), "without a lesson in the terminal")
        numbers = there if number is None else [number]
        write(numbers, output, sheet, voice)
        if advice:
            click.echo("\n\n".join(_advice(n, voice) for n in numbers))
        return
    searches = Searches(PlayerSettings())
    kept = None if profile is None else Profile(profile)
    resources = Resources(searches, Folder(), kept, replace(voice, plain=True))
    if resources.profile is not None:
        resources.profile.lessons()  # an error in the file is told before the session
    session = ContentsSession(resources) if number is None else LessonSession(number, resources)
    Screen(drawing.new_console(voice, spoken=values["spoken"]), voice).run(session)


def _advice(number: int, voice: words.Voice) -> str:
    lesson = lessons.lesson(number, voice.language)
    return f"{voice.text('course.title', number=number, title=lesson.title)}\n\n{lesson.advice}"
