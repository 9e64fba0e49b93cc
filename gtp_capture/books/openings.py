"""Lookup in the opening book, without Numba.

The plays in it were found by long searches, and nothing is proven except where a line says so. Each `9x9.book` is
gzipped text in order, with a line for each position and its images under symmetries:

    9x9 .X.O..... 20:534 24:529

the board and its points as in the solver's books, X the side to move; the indices of the good plays, the best one
first, each with its win rate in thousandths, or with `+` if it is proven to win. The first moves of both colours are
there, with the replies that a search visits. `python -m tests.benchmarks.opening_book` makes them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..go import board as bd
from ..go.board import Board
from .lookup import book_text, canonical_images, cells_of, find_line

WON: Final = "+"


class OpeningPlay(NamedTuple):
    """A good play."""

    point: int
    winrate: float
    """Of the colour that plays it, 0 to 1."""
    proven: bool
    """Whether it is proven to win."""


def opening_plays(board: Board, color: int) -> list[OpeningPlay]:
    """Return the good plays of a colour to move, in no order; none if the position is not in the book.

    Where the position is symmetric, the images of a play are plays too. The caller has to check the rules.
    """
    width, height = int(board.width), int(board.height)
    book = book_text(f"openings/{width}x{height}")
    if not book:
        return []
    text, symmetries = canonical_images(cells_of(board, color), width, height)
    line = find_line(book, f"{text} ".encode())
    if line is None:
        return []
    points, found = bd.points(board), dict[int, OpeningPlay]()
    for index, value in (word.split(":") for word in line.decode().split()[2:]):
        for point in (points[symmetry[int(index)]] for symmetry in symmetries):
            found[point] = OpeningPlay(point, 1.0 if value == WON else int(value) / 1000, value == WON)
    return list(found.values())
