"""Output of a match for people: a progress bar, and tables at the end."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from ..match.games import Match
from ..match.ratings import Score
from ..match.report import Report
from ..match.rows import NONE, Row

WIDTH = 140
"""Columns of the tables if the output is not a terminal."""
SHOWN_FAULTS = 10
"""Faults printed; the others are counted."""


class Progress:
    """A progress bar of the games played; nothing is shown if stderr is not a terminal."""

    def __init__(self, match: Match, rows: Iterable[Row]) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal)
        self._pair = match.contenders if len(match.contenders) == 2 else None
        self._points: dict[str, float] = {}
        self._faults = 0
        self._task = self._bar.add_task("", total=match.games * len(match.pairs))
        for row in rows:
            self.add(row)

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def add(self, row: Row) -> None:
        """Count one more game."""
        for name in (row.first, row.second) if row.dup == NONE else ():
            gained = 1.0 if row.winner == name else 0.5 if row.winner is None and row.decided else 0.0
            self._points[name] = self._points.get(name, 0.0) + gained
        self._faults += row.faulty != NONE
        text = ""
        if self._pair is not None:
            a, b = (c.name for c in self._pair)
            text = f"{escape(a)} {self._points.get(a, 0):g} - {self._points.get(b, 0):g} {escape(b)}"
        faults = f", faults: {self._faults}" if self._faults else ""
        self._bar.update(self._task, advance=1, description=text + faults)


def show(report: Report, match: Match) -> None:
    """Print the summary."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDTH)
    conditions = match.conditions
    clock = "" if conditions.clock is None else " time {:g} {:g} {}".format(*conditions.clock)
    clock += f" (margin {conditions.margin:g} s)" if clock else ""
    console.print(
        f"{conditions.rules} on {conditions.width}x{conditions.height}{clock}: "
        f"{report.games} of {report.planned} games, {report.unknown} without a result, "
        f"{report.duplicates} duplicates left out",
        markup=False,
    )
    console.print(_players(report))
    console.print(_pairs(report))
    if any(report.causes.values()):
        console.print(_causes(report))
    if report.ratings is not None:
        console.print(_ratings(report))
    if report.sprt is not None:
        test = report.sprt
        console.print(
            f"SPRT of {test.elo0:g} against {test.elo1:g} Elo: {test.verdict}, "
            f"log-likelihood ratio {test.llr:.2f} in [{test.lower:.2f}, {test.upper:.2f}]",
            markup=False,
        )
    if report.without_ratings:
        console.print(report.without_ratings, markup=False)
    for fault in report.faults[:SHOWN_FAULTS]:
        console.print(fault, markup=False, overflow="fold")
    if len(report.faults) > SHOWN_FAULTS:
        console.print(f"... and {len(report.faults) - SHOWN_FAULTS} more faults")


def _table(*columns: str) -> Table:
    table = Table()
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    return table


def _players(report: Report) -> Table:
    table = _table("engine", "points", "as Black", "as White", "faults", "slowest move")
    for standing in report.standings:
        table.add_row(
            escape(standing.name),
            f"{standing.score.points:g}/{standing.score.games}",
            f"{standing.black.points:g}/{standing.black.games}",
            f"{standing.white.points:g}/{standing.white.games}",
            str(sum(standing.faults.values())),
            f"{standing.slowest:.3f} s",
        )
    return table


def _pairs(report: Report) -> Table:
    table = _table("pair", "won", "drawn", "lost", "Elo", "95 %", "superior")
    for (first, second), score in report.scores.items():
        table.add_row(f"{escape(first)} - {escape(second)}", *_row(score))
    return table


def _row(score: Score) -> tuple[str, ...]:
    counts = (str(score.wins), str(score.draws), str(score.losses))
    if score.games == 0:
        return *counts, "", "", ""
    difference, low, high = score.elo()
    return *counts, _elo(difference), escape(f"[{_elo(low)}, {_elo(high)}]"), f"{score.superiority():.1%}"


def _elo(difference: float) -> str:
    return f"{round(difference):+d}"


def _causes(report: Report) -> Table:
    """Wins of each engine by cause; a cause without wins has no column."""
    causes = [cause for cause, count in report.causes.items() if count]
    table = _table("won by", *causes)
    for standing in report.standings:
        table.add_row(escape(standing.name), *(str(standing.won_by[cause]) for cause in causes))
    table.add_row("all games", *(str(report.causes[cause]) for cause in causes))
    return table


def _ratings(report: Report) -> Table:
    table = _table("rating", "Elo", "95 %")
    for rating in report.ratings or []:
        table.add_row(escape(rating.name), _elo(rating.elo), f"± {rating.error:.0f}")
    return table
