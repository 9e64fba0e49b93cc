"""Solve all positions after the first plies of a board, for its book: `python -m tests.benchmarks.openings FOLDER`.

Each line of the book is appended to a file in FOLDER at once, so an interrupted run goes on where it was. At the end,
the lines are written as a book; `gtp-capture check-proof PROOF --write-book BOOK --add` adds a proof's first turns.
"""

from __future__ import annotations

import time
from pathlib import Path

import click

from gtp_capture.books import writer
from gtp_capture.books.lookup import canonical, parse
from gtp_capture.cli.options import SIZE
from gtp_capture.solver.result import WIN
from gtp_capture.solver.solver import Solver, Stones
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE


def opening_line(solver: Solver, text: str, stones: Stones, color: int) -> str:
    """Solve a position, however long that takes; return its line, with its canonical text as `positions` yields it.

    A lost position has play 0 and no plies: the player chooses its play by search.
    """
    result = solver.result(stones, color, Limit().begin())
    best = solver.best(stones, color, WIN, None, Limit().begin()) if result == WIN else None
    if best is None:
        return f"{text} - 0 -"
    _, symmetries = canonical(writer.text_of(stones, color, solver.width * solver.height), solver.width, solver.height)
    return f"{text} + {symmetries[0].index(solver.index(best[0]))} -"


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--size", type=SIZE, default="6", show_default=True)
@click.option("--stones", default=3, show_default=True, help="Maximum stones of a position.")
@click.option("--memory", default=4096, show_default=True, help="MiB of the table.")
@click.option("--threads", default=2, show_default=True)
@click.option("--known", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Skip what this book has.")
@click.option("--seconds", type=float, default=float("inf"), help="Begin no position after so many seconds.")
def main(
    folder: Path, size: tuple[int, int], stones: int, memory: int, threads: int, known: Path | None, seconds: float
) -> None:
    """Solve the positions up to symmetry that have no line yet, and write the book."""
    folder.mkdir(parents=True, exist_ok=True)
    width, height = size
    path = folder / f"{width}x{height}.lines"
    found = path.read_text().splitlines() if path.exists() else []
    skipped = {parse(line)[0] for line in [*found, *(writer.read_book(known) if known else ())]}
    solver = Solver(width, height, memory * MEBIBYTE, threads)
    began = time.monotonic()
    with path.open("a") as file:
        for text, pair, color in writer.positions(solver, stones):
            if text in skipped:
                continue
            if time.monotonic() - began > seconds:
                click.echo("not all are solved: the same command goes on from there")
                return
            before, start = solver.nodes, time.monotonic()
            found.append(opening_line(solver, text, pair, color))
            file.write(f"{found[-1]}\n")
            file.flush()
            click.echo(f"{found[-1]}  {solver.nodes - before:,} nodes, {time.monotonic() - start:.1f} s", err=True)
    book = path.with_suffix(".book")
    positions = max(writer.write_book(book, found), default=0)
    click.echo(f"{book}: {positions} positions, {book.stat().st_size} bytes")


if __name__ == "__main__":
    main()
