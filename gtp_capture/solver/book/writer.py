"""Makes the book: every position that few plays from the empty board can reach, solved."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ...go.vertex import BLACK, EMPTY, WHITE
from ...util.atomic_file import atomic_write
from ...util.limit import Limit
from ..solver import LOSES, WINS, Solver
from .lookup import SIDE, canonical

STONES: Final = 5, 4
"""Up to so many stones, on boards of up to 16 points and on larger ones: what the solver does not know at once."""
WITH_LENGTHS: Final = 16
"""Points of the largest board whose positions have their lengths computed; the others' empty boards have too."""


def positions(solver: Solver, stones: int) -> Iterator[tuple[str, tuple[int, int], int]]:
    """Each position up to symmetry that goes on after so many plays at most: its text, its stones, who is to move."""
    level, color = {(0, 0)}, BLACK
    for _ in range(stones + 1):
        seen: set[str] = set()
        following = set()
        for pair in sorted(level):
            cells = text_of(pair, color, solver.width * solver.height)
            text, _image = canonical(cells, solver.width, solver.height)
            if text in seen:
                continue
            seen.add(text)
            yield text, pair, color
            following |= {after for play, after in solver.plays(pair, color) if not solver.captures(pair, color, play)}
        level, color = following, BLACK + WHITE - color


def text_of(stones: tuple[int, int], color: int, points: int) -> str:
    """The cells of a position, X the side to move."""
    own, opp = stones if color == BLACK else stones[::-1]
    return "".join("X" if own >> i & 1 else "O" if opp >> i & 1 else "." for i in range(points))


def lines(width: int, height: int) -> Iterator[str]:
    """The book's lines for one board."""
    points = width * height
    solver = Solver(width, height, memory=256 * 2**20)
    for text, pair, color in positions(solver, STONES[points > WITH_LENGTHS]):
        result = solver.result(pair, color, Limit())
        with_length = points <= WITH_LENGTHS or pair == (0, 0)
        plies = solver.shortest(pair, color, result, Limit()) if with_length else None
        best = solver.best(pair, color, result, plies, Limit())
        if best is None:
            continue  # no legal play: the game is over
        _text, image = canonical(text_of(pair, color, points), width, height)
        play = image.index(solver.index(best[0]))
        assert result in (WINS, LOSES)
        yield f"{text} {'+' if result == WINS else '-'} {play} {'-' if plies is None else plies}"


def lines_of_proof(kept: Any, width: int, height: int, winner: int) -> Iterator[str]:
    """The book's lines for positions of a proof, as `check` keeps them."""
    for row in kept.tolist():
        cells = "".join("." if color == EMPTY else "X" if color == winner else "O" for color in row[:-1])
        text, image = canonical(cells, width, height)
        yield f"{text} + {image.index(row[-1])} -"


def small_boards() -> Iterator[str]:
    """The lines of every board up to the book's longest side."""
    for height in range(2, SIDE + 1):
        for width in range(2, height + 1):
            yield from lines(width, height)


def write(path: Path, entries: Iterable[str]) -> Iterator[int]:
    """Write a book of these lines; how many so far. OSError: it cannot be written."""
    with atomic_write(path) as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        for found, line in enumerate(entries, 1):
            file.write(f"{line}\n".encode())
            yield found
