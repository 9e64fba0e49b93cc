"""The results of a class as a table and as CSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from typing import Final, TypedDict

from ..classroom.done import COUNTS, at_home, best_level, counts, hardest
from ..classroom.room import Classroom
from ..classroom.seat import AtHome, Seat
from ..players import levels
from ..teach.course import lessons
from ..teach.words import Voice, page_voice
from .view import problem_words

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
    heading: str
    """What stands above the lessons."""
    lessons: list[str]
    """The titles of the lessons that are done."""
    next: str


def table(room: Classroom) -> ResultsView:
    """Return the titles of the columns, and a row for each seat, also of children that were removed."""
    voice = page_voice(room.language)
    text, seats = voice.text, [*room.seats.values(), *room.removed]

    def row(seat: Seat) -> list[str]:
        today, whole = counts(seat, today=True), counts(seat, today=False)
        return _row(room, seat, voice, [f"{today[name]} ({whole[name]})" for name in COUNTS])

    return {
        "day": room.day,
        "columns": _titles(voice),
        "rows": [*map(row, seats)],
        "note": text("class.result.note"),
        "hardest": [
            text("class.result.hard", place=problem_words(name, voice), count=count, all=tried)
            for name, count, tried in hardest(seats)
        ],
    }


def _titles(voice: Voice) -> list[str]:
    return [voice.text(f"class.result.{name}") for name in ("name", "level", *COUNTS, *LAST)]


def _row(room: Classroom, seat: Seat, voice: Voice, counted: Sequence[str]) -> list[str]:
    """Return the cells of a seat's row. `counted`: the cells of the columns in COUNTS."""
    progress, home = seat.progress, at_home(room, seat)
    name = voice.text("class.result.removed", name=seat.name) if seat in room.removed else seat.name
    numbers = (", ".join(map(str, done)) for done in (progress.lessons(), progress.games()))
    last = (str(best_level(seat) or ""), *numbers, str(home[AtHome.ALONE]), str(home[AtHome.HELPED]))
    return [name, str(progress.level), *counted, *last]


def report(room: Classroom, seat: Seat) -> ReportView:
    """Return the page of a child for its parents."""
    voice, progress = page_voice(seat.language), seat.progress
    text = voice.text
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
        "heading": text("class.report.lessons"),
        "lessons": [lessons.title(number, voice.language) for number in progress.lessons()],
        "next": text("class.report.next", title=title) if title else text("class.report.all"),
    }


def csv_of(room: Classroom) -> str:
    """Return the results as CSV, with columns for today and for all days.

    A name that looks like a formula gets an apostrophe in front. Spreadsheets in languages with a decimal comma expect
    semicolons between columns. All cells have quotation marks, so that a program that expects other separators divides
    none of them.
    """
    voice, out = page_voice(room.language), io.StringIO()
    text = voice.text
    writer = csv.writer(out, delimiter=";" if text("decimal") == "," else ",", quoting=csv.QUOTE_ALL)
    today = [text("class.result.today", title=text(f"class.result.{name}")) for name in COUNTS]
    writer.writerow([*_titles(voice), *today])
    for seat in (*room.seats.values(), *room.removed):
        whole, today = ([*map(str, counts(seat, today=is_today).values())] for is_today in (False, True))
        row = [*_row(room, seat, voice, whole), *today]
        writer.writerow(f"'{cell}" if _is_formula(cell) else cell for cell in row)
    return out.getvalue()


def _is_formula(cell: str) -> bool:
    return unicodedata.normalize("NFKC", cell).lstrip().startswith(FORMULA)
