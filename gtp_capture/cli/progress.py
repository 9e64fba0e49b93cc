"""Progress of a long run on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from ..solver.exact import ExactSolver

TEXT: Final = TextColumn("{task.description}", markup=False)


class Counter(Protocol):
    """Updates a line of progress."""

    def __call__(self, number: int, note: str = "") -> None:
        """Show a number and an optional note."""


@contextmanager
def searching(solver: ExactSolver, update: Callable[[int], None] = lambda nodes: None) -> Iterator[None]:
    """Show the progress of a solver's search; after each slice, call `update` with the nodes."""
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
    with waiting(unit) as change:
        yield lambda number, note="": change(description=f"{number:,} {unit}  {note}")


@contextmanager
def bar(total: int, text: str) -> Iterator[Counter]:
    """Show a progress bar and a text on stderr if that is a terminal; yield a function that advances it by a number."""
    columns = TEXT, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with waiting(text, columns, total) as change:
        yield lambda number, note="": change(advance=number, description=note or text)


@contextmanager
def waiting(
    text: str, columns: tuple[ProgressColumn, ...] = (), total: int | None = None
) -> Iterator[Callable[..., Any]]:
    """Show a text on stderr if that is a terminal, by default with the time, for work without steps to count.

    Yield a function that changes the line as `rich.progress.Progress.update` does.
    """
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda **changes: None
        return
    columns = columns or (SpinnerColumn(), TEXT, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield partial(progress.update, progress.add_task(text, total=total))
