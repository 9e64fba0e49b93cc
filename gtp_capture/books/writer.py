"""Makes the opening books: from the solver (`small_boards`) or from a proof (`lines_of_proof`)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ..go.vertex import BLACK, EMPTY, opponent
from ..solver.result import LOSS, WIN, own_first
from ..solver.solver import Solver, Stones
from ..util.atomic_file import atomic_write
from ..util.files import read_bounded
from ..util.limit import Limit
from .lookup import MOST_BYTES, SIDE, canonical, lines_of, parse

STONES: Final = 5, 4
"""Maximum stones of a position, on boards with and without plies; the solver is fast for positions with more."""
LINE: Final = r"\d+x\d+ [.XO]+ [+-] \d+ (\d+|-)"
SWAPPED: Final = str.maketrans("XO", "OX")
"""The other side to move."""
WITH_PLIES: Final = 16
"""Points of the largest board with plies for all positions; larger ones have plies for the empty board only."""


def positions(solver: Solver, stones: int) -> Iterator[tuple[str, Stones, int]]:
    """Yield each position after at most `stones` plays, up to symmetry: its text, its stones, the colour to move."""
    level, color = {(0, 0)}, BLACK
    for _ in range(stones + 1):
        seen: set[str] = set()
        following = set()
        for pair in sorted(level):
            cells = text_of(pair, color, solver.width * solver.height)
            text, _ = canonical(cells, solver.width, solver.height)
            if text in seen:
                continue
            seen.add(text)
            yield text, pair, color
            following |= {after for play, after in solver.plays(pair, color) if not solver.captures(pair, color, play)}
        level, color = following, opponent(color)


def text_of(stones: Stones, color: int, points: int) -> str:
    """Return the cells of a position, X the side to move."""
    own, opp = own_first(stones, color)
    return "".join("X" if own >> i & 1 else "O" if opp >> i & 1 else "." for i in range(points))


def lines(width: int, height: int) -> Iterator[str]:
    """Yield the book's lines for one board size."""
    points = width * height
    solver = Solver(width, height, memory=256 * 2**20)
    for text, pair, color in positions(solver, STONES[points > WITH_PLIES]):
        result = solver.result(pair, color, Limit().begin())
        with_plies = points <= WITH_PLIES or pair == (0, 0)
        plies = solver.shortest(pair, color, result, Limit().begin()) if with_plies else None
        best = solver.best(pair, color, result, plies, Limit().begin())
        if best is None:
            continue  # no legal play: the game is over
        _, symmetries = canonical(text_of(pair, color, points), width, height)
        play = symmetries[0].index(solver.index(best[0]))
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


def write_book(path: Path, entries: Iterable[str]) -> Iterator[int]:
    """Write a book of these lines, the first of each position; yield the number of positions so far.

    ValueError: two lines contradict each other. OSError: the file cannot be written.
    """
    found: dict[str, str] = {}
    for line in entries:
        text, wins, _play, _plies = parse(line)
        if parse(found.setdefault(text, line))[1] != wins:
            raise ValueError(f"one entry says that {text} is lost, and another one that it is won")
        yield len(found)
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write("".join(f"{line}\n" for line in sorted(found.values())).encode())


def read_book(path: Path) -> list[str]:
    """Return the lines of a book. ValueError: it is not a book, or it cannot be read."""
    found = lines_of(read_bounded(path, MOST_BYTES))
    if not all(re.fullmatch(LINE, line) for line in found):
        raise ValueError("it is not a book")
    return found
