"""What a long run shows on stderr, and how ^C ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..util.limit import Limit


@contextmanager
def interruptible(limit: Limit) -> Iterator[None]:
    """Let ^C set the limit, so that what is known so far can be told."""

    def stop(number: int, frame: Any) -> None:
        limit.stop.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def searching(solver: Any) -> Iterator[None]:
    """Show how a search gets on."""
    with counting("nodes") as count:
        solver.watch = lambda nodes: count(nodes, solver.progress())
        yield
    solver.watch = lambda nodes: None


@contextmanager
def counting(what: str) -> Iterator[Any]:
    """A line on stderr that counts, where a person can see it."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda number, note="": None
        return
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what)

        def count(number: int, note: str = "") -> None:
            progress.update(task, description=f"{number:,} {what}  {note}")

        yield count
