"""Make the books of solved positions.

    python -m tests.benchmarks.make_books small BOOK
    python -m tests.benchmarks.make_books openings FOLDER --size 6 --stones 3
    python -m tests.benchmarks.make_books proof PROOF BOOK --turns 5

`small` solves all boards of up to 5x5. `openings` solves all positions after the first plies of a board; each line is
appended to a file in FOLDER at once, so an interrupted run goes on. `proof` adds the first turns of a proof to a book.
"""

from __future__ import annotations

import gzip
import re
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from gtp_capture.books.lookup import SIDE, canonical, parse
from gtp_capture.cli.options import SIZE
from gtp_capture.go.symmetry import Symmetry
from gtp_capture.go.vertex import EMPTY
from gtp_capture.solver.exact import Node
from gtp_capture.solver.proofs.files import check_file
from gtp_capture.solver.result import LOSS, WIN
from gtp_capture.solver.solver import Solver, root_of
from gtp_capture.util.atomic_file import atomic_write
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

STONES: Final = 5, 4
"""Maximum stones of a position, on boards with and without plies; the solver is fast for positions with more."""
LINE: Final = r"\d+x\d+ [.XO]+ [+-] \d+ (\d+|-)"
SWAPPED: Final = str.maketrans("XO", "OX")
"""The other side to move."""
WITH_PLIES: Final = 16
"""Points of the largest board with plies for all positions; larger ones have plies for the empty board only."""


def positions(solver: Solver, stones: int) -> Iterator[tuple[str, Node]]:
    """Yield each position after at most `stones` plays, up to symmetry, with its text."""
    level = {Node(0, 0, 0, 0, 0)}
    for _ in range(stones + 1):
        seen: set[str] = set()
        following = set()
        for node in sorted(level, key=root_of):
            cells = text_of(node, solver.width * solver.height)
            text, _ = canonical(cells, solver.width, solver.height)
            if text in seen:
                continue
            seen.add(text)
            yield text, node
            following |= {play.node for play in solver.plays(node) if play.winner is None}
        level = following


def text_of(node: Node, points: int) -> str:
    """Return the cells of a position, X the side to move."""
    return "".join("X" if node.own >> i & 1 else "O" if node.opp >> i & 1 else "." for i in range(points))


def index_of(node: Node, after: Node, symmetry: Symmetry) -> int:
    """Return the index of the play between two positions in the text of an image of the first."""
    return symmetry.index((after.opp ^ node.own).bit_length() - 1)


def lines(width: int, height: int) -> Iterator[str]:
    """Yield the book's lines for one board size."""
    points = width * height
    solver = Solver(width, height, memory=256 * 2**20)
    for text, node in positions(solver, STONES[points > WITH_PLIES]):
        result = solver.search(node)
        with_plies = points <= WITH_PLIES or not node.own | node.opp
        plies = solver.length(node) if with_plies else None
        best = solver.best(node, result, plies, Limit().begin())
        if best is None:
            continue  # no legal play: the game is over
        _, symmetries = canonical(text_of(node, points), width, height)
        play = index_of(node, best.node, symmetries[0])
        assert result in (WIN, LOSS)
        yield f"{text} {'+' if result == WIN else '-'} {play} {'-' if plies is None else plies}"


def lines_of_proof(kept: Any, width: int, height: int, winner: int) -> Iterator[str]:
    """Yield the book's lines for positions of a proof, see `checker.Checker.kept`, and for those after the plays."""
    for *colors, play in kept.tolist():
        marks = ["." if color == EMPTY else "X" if color == winner else "O" for color in colors]
        text, symmetries = canonical("".join(marks), width, height)
        yield f"{text} + {symmetries[0].index(play)} -"
        marks[play] = "X"
        text, _ = canonical("".join(marks).translate(SWAPPED), width, height)
        yield f"{text} - 0 -"


def small_boards() -> Iterator[str]:
    """Yield the lines of every board up to the book's longest side."""
    for height in range(2, SIDE + 1):
        for width in range(2, height + 1):
            yield from lines(width, height)


def write_book(path: Path, entries: Iterable[str]) -> None:
    """Write a book of these lines, the first of each position. ValueError: two lines contradict each other."""
    found: dict[str, str] = {}
    for line in entries:
        text, wins, _play, _plies = parse(line)
        if parse(found.setdefault(text, line))[1] != wins:
            raise ValueError(f"one entry says that {text} is lost, and another one that it is won")
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write("".join(f"{line}\n" for line in sorted(found.values())).encode())


def read_book(path: Path) -> list[str]:
    """Return the lines of a book. ValueError: it is not a book, or it cannot be read."""
    try:
        found = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()
    except (EOFError, UnicodeDecodeError, gzip.BadGzipFile, zlib.error):
        raise ValueError("it is not a book") from None
    if not all(re.fullmatch(LINE, line) for line in found):
        raise ValueError("it is not a book")
    return found


def opening_line(solver: Solver, text: str, node: Node) -> str:
    """Solve a position, however long that takes; return its line, with its canonical text as `positions` yields it.

    A lost position has play 0 and no plies: the player chooses its play by search.
    """
    best = solver.best(node, WIN, None, Limit().begin()) if solver.search(node) == WIN else None
    if best is None:
        return f"{text} - 0 -"
    _, symmetries = canonical(text_of(node, solver.width * solver.height), solver.width, solver.height)
    return f"{text} + {index_of(node, best.node, symmetries[0])} -"


@click.group()
def main() -> None:
    """Make the books of solved positions."""


@main.command()
@click.argument("book", type=click.Path(dir_okay=False, path_type=Path))
def small(book: Path) -> None:
    """Write the book of all boards of up to 5x5."""
    write_book(book, small_boards())


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--size", type=SIZE, default="6", show_default=True)
@click.option("--stones", default=3, show_default=True, help="Maximum stones of a position.")
@click.option("--memory", default=4096, show_default=True, help="MiB of the table.")
@click.option("--threads", default=2, show_default=True)
@click.option("--known", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Skip what this book has.")
def openings(folder: Path, size: tuple[int, int], stones: int, memory: int, threads: int, known: Path | None) -> None:
    """Solve the positions up to symmetry that have no line yet, and write the book."""
    folder.mkdir(parents=True, exist_ok=True)
    width, height = size
    path = folder / f"{width}x{height}.lines"
    found = path.read_text().splitlines() if path.exists() else []
    skipped = {parse(line)[0] for line in [*found, *(read_book(known) if known else ())]}
    solver = Solver(width, height, memory * MEBIBYTE, threads)
    with path.open("a") as file:
        for text, node in positions(solver, stones):
            if text in skipped:
                continue
            before, start = solver.nodes, time.monotonic()
            found.append(opening_line(solver, text, node))
            file.write(f"{found[-1]}\n")
            file.flush()
            click.echo(f"{found[-1]}  {solver.nodes - before:,} nodes, {time.monotonic() - start:.1f} s", err=True)
    write_book(path.with_suffix(".book"), found)


@main.command()
@click.argument("file", metavar="PROOF", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("book", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--memory", default=4096, show_default=True, help="MiB for the check of the proof.")
@click.option("--turns", default=5, show_default=True, help="Turns of the winner in the book.")
def proof(file: Path, book: Path, memory: int, turns: int) -> None:
    """Check a proof, and add the positions of its first turns to a book."""
    checked = check_file(file, memory * MEBIBYTE, turns)
    found = lines_of_proof(checked.kept, checked.game.width, checked.game.height, checked.winner)
    write_book(book, [*found, *(read_book(book) if book.exists() else ())])


if __name__ == "__main__":
    main()
