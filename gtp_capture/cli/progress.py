"""Progress of a long run on stderr, and its end by ^C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

from ..util.limit import Limit


class Counter(Protocol):
    """Updates the progress line."""

    def __call__(self, number: int, note: str = "") -> None:
        """Show a number and an optional note."""


class Watched(Protocol):
    """A solver whose search can be watched."""

    watch: Callable[[int], None]
    """Called with the number of nodes after each slice of the search."""

    def progress(self) -> str:
        """A short text about the progress of the search."""


@contextmanager
def interruptible(limit: Limit) -> Iterator[None]:
    """Let ^C stop the search, so that its result so far can be printed."""

    def stop(number: int, frame: FrameType | None) -> None:
        limit.stop.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def searching(solver: Watched) -> Iterator[None]:
    """Show the progress of a solver's search."""
    with counting("nodes") as count:
        solver.watch = lambda nodes: count(nodes, solver.progress())
        yield
    solver.watch = lambda nodes: None


@contextmanager
def counting(unit: str) -> Iterator[Counter]:
    """Show a counter on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda number, note="": None
        return
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(unit)

        def count(number: int, note: str = "") -> None:
            progress.update(task, description=f"{number:,} {unit}  {note}")

        yield count


@contextmanager
def bar(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on stderr if that is a terminal; yield a function that advances it by a number."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda number: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(unit, total=total)
        yield lambda number: progress.advance(task, number)
