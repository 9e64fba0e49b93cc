"""The results of a class as a table and as CSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Final, TypedDict

from ..classroom.done import COUNTS, at_home, best_level, counts, hardest
from ..classroom.room import Classroom
from ..classroom.seat import AtHome, Seat
from ..players import levels
from ..teach.course import lessons
from ..teach.words import Voice, page_voice

LAST: Final = ("best", "lessons", "lesson_games", "home", "home_helped")
"""The last columns: the best level won alone, the lessons and their games, and the problems that were solved at home,
alone and with help; `class.result` has each title."""
FORMULA: Final = ("=", "+", "-", "@", "\u2212")
"""The first characters of cells that a spreadsheet would compute, also as full-width and small forms."""


class ResultsView(TypedDict):
    """The results as the teacher's page shows them."""

    day: str
    """The date."""
    columns: list[str]
    """The titles."""
    rows: list[list[str]]
    """Cells with a count have the count of today, and in brackets that of all days."""
    note: str
    """What stands in the cells."""
    hardest: list[str]
    """The hardest problems of today."""


class ReportView(TypedDict):
    """The page of a child for its parents, in the language of the child."""

    language: str
    day: str
    """The date."""
    title: str
    lines: list[str]
    lessons: list[str]
    """The titles of the lessons that are done."""
    next: str


def table(room: Classroom) -> ResultsView:
    """Return the titles of the columns, and a row for each seat, also of children that were removed."""
    voice = page_voice(room.language)
    text, seats = voice.text, [*room.seats.values(), *room.removed]
    cells = [(counts(seat, today=True), counts(seat, today=False)) for seat in seats]
    rows = [
        [*_first(room, seat, voice), *(f"{today[name]} ({whole[name]})" for name in COUNTS), *_last(room, seat)]
        for seat, (today, whole) in zip(seats, cells, strict=True)
    ]
    return {
        "day": room.day,
        "columns": [text(f"class.result.{name}") for name in ("name", "level", *COUNTS, *LAST)],
        "rows": rows,
        "note": text("class.result.note"),
        "hardest": [
            text("class.result.hard", place=problem_words(name, voice), count=count, all=tried)
            for name, count, tried in hardest(seats)
        ],
    }


def _first(room: Classroom, seat: Seat, voice: Voice) -> list[str]:
    name = voice.text("class.result.removed", name=seat.name) if seat in room.removed else seat.name
    return [name, str(seat.progress.level)]


def _last(room: Classroom, seat: Seat) -> list[str]:
    progress, home = seat.progress, at_home(room, seat)
    done = (", ".join(map(str, sorted(found))) for found in (progress.done, progress.lesson_games))
    return [str(best_level(seat) or ""), *done, str(home[AtHome.ALONE]), str(home[AtHome.HELPED])]


def problem_words(name: str, voice: Voice) -> str:
    """Return the words for the name of a problem."""
    lesson, is_exercise, number = name.partition(".")
    if not is_exercise:
        return voice.text("class.brief.problem", number=name)
    return voice.text("class.brief.exercise", lesson=lesson, number=number)


def report(room: Classroom, seat: Seat) -> ReportView:
    """Return the page of a child for its parents."""
    voice, progress = page_voice(seat.language), seat.progress
    text, done = voice.text, sorted(progress.done)
    title = lessons.title(progress.following, voice.language) if progress.following else ""
    home = at_home(room, seat)
    return {
        "language": voice.language,
        "day": room.day,
        "title": text("class.report.title", name=seat.name),
        "lines": [
            text("class.report.problems", count=progress.boxes.alone),
            *([text("class.report.home", count=home[AtHome.ALONE])] if home else []),
            text("class.report.games", count=progress.won, all=progress.played),
            text("class.report.level", level=progress.level, most=levels.FULL),
        ],
        "lessons": [lessons.title(number, voice.language) for number in done],
        "next": text("class.report.next", title=title) if title else text("class.report.all"),
    }


def report_words(language: str) -> str:
    """Return what stands above the lessons that are done, in a language."""
    return page_voice(language).text("class.report.lessons")


def csv_of(room: Classroom) -> str:
    """Return the results as CSV, with columns for today and for all days.

    A name that looks like a formula gets an apostrophe in front. Spreadsheets in languages with a decimal comma expect
    semicolons between columns. All cells have quotation marks, so that a program that expects other separators divides
    none of them.
    """
    voice, out = page_voice(room.language), io.StringIO()
    text = voice.text
    titles = [text(f"class.result.{name}") for name in ("name", "level", *COUNTS, *LAST)]
    titles += [text("class.result.today", title=text(f"class.result.{name}")) for name in COUNTS]
    rows = [
        [
            *_first(room, seat, voice),
            *(str(count) for count in counts(seat, today=False).values()),
            *_last(room, seat),
            *(str(count) for count in counts(seat, today=True).values()),
        ]
        for seat in (*room.seats.values(), *room.removed)
    ]
    safe = [[f"'{cell}" if _is_formula(cell) else cell for cell in row] for row in rows]
    separator = ";" if text("decimal") == "," else ","
    csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL).writerows([titles, *safe])
    return out.getvalue()


def _is_formula(cell: str) -> bool:
    return unicodedata.normalize("NFKC", cell).lstrip().startswith(FORMULA)
