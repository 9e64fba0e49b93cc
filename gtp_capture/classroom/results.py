"""The results of a class as a table and as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from .room import Classroom

COLUMNS: Final = ("name", "level", "lessons", "lesson_games", "problems", "played", "won")
"""The columns; the title of each is `class.result` with its name."""
FORMULA: Final = ("=", "+", "-", "@")
"""The first characters of cells that a spreadsheet would compute."""


def table(room: Classroom) -> dict[str, Any]:
    """Return the titles of the columns, and a row for each seat."""
    rows = []
    for seat in room.seats.values():
        progress = seat.progress
        lessons, games = (", ".join(map(str, sorted(found))) for found in (progress.done, progress.lesson_games))
        counts = progress.played, progress.won
        rows.append([seat.name, str(progress.level), lessons, games, str(len(progress.solved)), *map(str, counts)])
    return {"columns": [room.voice.text(f"class.result.{name}") for name in COLUMNS], "rows": rows}


def csv_of(room: Classroom) -> str:
    """Return the table as CSV. A name that looks like a formula gets an apostrophe in front."""
    found, out = table(room), io.StringIO()
    rows = [[f"'{cell}" if cell.startswith(FORMULA) else cell for cell in row] for row in found["rows"]]
    csv.writer(out).writerows([found["columns"], *rows])
    return out.getvalue()
