"""gtp-capture course: lessons from the first capture to Go, in the terminal, as SGF, as a booklet, and for teachers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..classroom import plan
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
from ..web.file.page import Content
from ..web.view import plan_step, plan_title
from . import drawing
from .files import check_new_folder, check_outputs, tell_written, unwritable
from .files import write as write_file
from .homework import write_file as write_homework
from .options import OUTPUT, languages_option, refuse, spoken_option
from .screen import Folder, Screen


def write(numbers: Sequence[int], output: Path | None, sheet: Path | None, voice: words.Voice) -> None:
    """Write lessons as SGF, each as a file and as a folder with a file for each part, and as a booklet."""
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
    if output is not None or sheet is not None:
        tell_written(counted(len(numbers), "lesson"), output, sheet)


@click.command(
    help="""Lessons from the first capture to Go: pages to read, problems with proven answers, and a game.

    NUMBER is a lesson. Without it you choose one of a list; -o, --sheet, --web and --advice take several, or all.
    """,
)
@click.argument("numbers", metavar="[NUMBER]...", type=click.IntRange(1), nargs=-1)
@click.option("--profile", type=OUTPUT, help="File that remembers the lessons that are done.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Write SGF into this folder.")
@click.option("--sheet", type=OUTPUT, help="HTML file to print: a booklet.")
@click.option("--web", type=OUTPUT, help="HTML file for home: pages, and problems to solve by tapping.")
@click.option("--advice", is_flag=True, help="Show the plans for 45 minutes, and advice for teachers.")
@spoken_option
@languages_option
def course(
    numbers: tuple[int, ...],
    output: Path | None,
    sheet: Path | None,
    web: Path | None,
    advice: bool,
    languages: tuple[str, ...],
    **values: Any,
) -> None:
    there, profile, voice = lessons.numbers(), values["profile"], words.Voice(language=languages[0])
    for number in numbers:
        if number not in there:
            raise click.UsageError(f"there is no lesson {number}: the lessons are 1 to {there[-1]}")
    if len(languages) > 1 and (web is None or output is not None or sheet is not None or advice):
        raise click.UsageError("several languages are possible in a file of --web alone")
    if output is not None or sheet is not None or web is not None or advice:
        refuse(("profile", "spoken"), "without a lesson in the terminal")
        check_outputs([sheet, web])
        check_new_folder(output)
        chosen = numbers or tuple(there)
        write(chosen, output, sheet, voice)
        if web is not None:
            write_homework(Content(lessons=chosen, languages=languages), web)
        if advice:
            click.echo("\n\n".join(_advice(n, voice) for n in chosen))
        return
    if len(numbers) > 1:
        raise click.UsageError("the terminal shows one lesson: several are for -o, --sheet, --web and --advice")
    searches = Searches(PlayerSettings())
    kept = None if profile is None else Profile(profile)
    resources = Resources(searches, Folder(), kept, voice.language)
    if resources.profile is not None:
        resources.profile.lessons()  # an error in the file is told before the session
    session = LessonSession(numbers[0], resources) if numbers else ContentsSession(resources)
    Screen(drawing.new_console(voice, spoken=values["spoken"]), voice).run(session)


def _advice(number: int, voice: words.Voice) -> str:
    """Return the plans of a lesson, each under its title, and what children find hard."""
    parts = []
    for part, steps in enumerate(plan.of_course(number), 1):
        lines = (voice.text("course.plan.step", count=s.minutes, what=plan_step(s, voice)) for s in steps)
        parts.append("\n".join([plan_title(number, part, voice), "", *lines]))
    return "\n\n".join([*parts, lessons.lesson(number, voice.language).advice])
