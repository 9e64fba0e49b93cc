"""Progress of a long run on stderr, and its end by ^C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Counter(Protocol):
    """Updates a line of progress."""

    def __call__(self, number: int, note: str = "") -> None:
        """Show a number and an optional note."""


class Watched(Protocol):
    """A solver whose search can be watched."""

    watch: Callable[[int], None]
    """Called with the number of nodes after each slice of the search."""

    def progress(self) -> str:
        """A short text about the progress of the search."""


@contextmanager
def interruptible(stop: Event, *signals: signal.Signals) -> Iterator[None]:
    """Let ^C, and these signals, stop a search, so that its result so far can be printed."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, *signals)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def searching(solver: Watched, update: Callable[[int], None] = lambda nodes: None) -> Iterator[None]:
    """Show the progress of a solver's search; `update` is called with the nodes after each slice, too."""
    with counting("nodes") as count:

        def watch(nodes: int) -> None:
            count(nodes, solver.progress())
            update(nodes)

        solver.watch = watch
        yield
    solver.watch = lambda nodes: None


@contextmanager
def counting(unit: str) -> Iterator[Counter]:
    """Show a counter on stderr if that is a terminal."""
    with _line(unit) as change:
        yield lambda number, note="": change(f"{number:,} {unit}  {note}")


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show a text and the time on stderr if that is a terminal, for work without steps to count."""
    with _line(text):
        yield


@contextmanager
def _line(text: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner, a text and the time, and yield a function that changes the text."""
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda text: None
        return
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(text)
        yield lambda text: progress.update(task, description=text)


@contextmanager
def bar(total: int, text: str) -> Iterator[Counter]:
    """Show a progress bar and a text on stderr if that is a terminal; yield a function that advances it by a number."""
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda number, note="": None
        return
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(text, total=total)
        yield lambda number, note="": progress.update(task, advance=number, description=note or text)
