"""Lookup of positions of first capture in the books, without Numba: solved positions and openings.

A book is gzipped, sorted text with one line for a position and all its images under symmetries. A line begins with the
size of the board, which is never wider than high, and its points from A1 row by row; X is the side to move.

`solved/`: `small_boards.book` has every opening of the boards up to 5x5. Each larger board has a file of its own, with
openings in which the winner plays as in a proof: `6x6.book` after any first move, with all positions after two or three
plies, the other files after crosscuts. The next fields of a line are the result (+ if the side to move wins, else -),
the index of the best play, which means nothing for a loss without plies, and the plies to the end under best play, or
`-` if they were not computed:

    3x3 .X.O..... + 4 5

They were made from the solver's results and from proofs.

`openings/`: good plays on boards that are not solved, found by long searches. The next fields of a line are the indices
of the plays, the best one first, each with its win rate in thousandths, or with `+` if it is proven to win. Each book
has the first moves of both colours, with the replies that a search visits:

    9x9 .X.O..... 20:534 24:529

`tests/benchmarks/README.md` and `solver.md` beside it say how the books were made.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from ..go import board as bd
from ..go import symmetry
from ..go.board import Board
from ..go.symmetry import Symmetry
from ..go.vertex import EMPTY, opponent
from ..solver.result import Solution

SIDE: Final = 5
"""Longest side of the boards with all openings."""
WON: Final = "+"
"""Stands in place of a win rate if a play is proven to win."""


class OpeningPlay(NamedTuple):
    """A good play."""

    point: int
    winrate: float
    """The win rate of the colour that makes the play, 0 to 1."""
    proven: bool
    """Whether the play is proven to win."""


def probe_book(board: Board, color: int) -> Solution | None:
    """Look up a position with a colour to move; None if no book has it.

    The line of the solution is the best play alone, or empty for a loss whose plies were not computed. The caller has
    to check the rules with `unsupported`.
    """
    short, long = sorted((int(board.width), int(board.height)))
    entry = _probe(f"solved/{'small_boards' if long <= SIDE else f'{short}x{long}'}", board, color)
    if entry is None:
        return None
    line, images = entry
    _position, wins, play, plies = parse(line)
    return Solution(color if wins else opponent(color), (images[0][play],) if wins or plies is not None else (), plies)


def opening_plays(board: Board, color: int) -> list[OpeningPlay]:
    """Return the good plays of a colour to move, in no order; none if the position is not among the openings.

    If the position is symmetric, the images of a good play are among them. The caller has to check the rules.
    """
    line, images = _probe(f"openings/{board.width}x{board.height}", board, color) or ("", [])
    plays = (word.split(":") for word in line.split()[2:])
    points = {points[int(index)]: value for index, value in plays for points in images}
    return [OpeningPlay(p, 1.0 if value == WON else int(value) / 1000, value == WON) for p, value in points.items()]


def _probe(name: str, board: Board, color: int) -> tuple[str, list[list[int]]] | None:
    """Return the line of a position in a book, and for each symmetry that leads to it the points in its order."""
    book = book_text(name)
    if not book:
        return None
    text, symmetries = canonical(cells_of(board, color), int(board.width), int(board.height))
    line = find_line(book, f"{text} ".encode())
    points = bd.points(board)
    return None if line is None else (line.decode(), [[points[i] for i in symmetry] for symmetry in symmetries])


def cells_of(board: Board, color: int) -> str:
    """Return the points of a board from A1 row by row; X are stones of the given colour, O stones of the other one."""
    return "".join(
        "." if board.color[p] == EMPTY else "X" if board.color[p] == color else "O" for p in bd.points(board)
    )


def canonical(cells: str, width: int, height: int) -> tuple[str, list[Symmetry]]:
    """Return the canonical form of a position, with its size, and all symmetries that lead to it, in order."""
    image, symmetries = symmetry.canonical(cells.encode(), width, height)
    return f"{min(width, height)}x{max(width, height)} {bytes(image).decode()}", symmetries


@cache
def book_text(name: str) -> bytes:
    """Return the text of a book of this package, read once; empty if it is not there."""
    file = resources.files(__package__) / f"{name}.book"
    return gzip.decompress(file.read_bytes()) if file.is_file() else b""


def find_line(text: bytes, prefix: bytes) -> bytes | None:
    """Return the first line that begins with `prefix`, of text whose lines are sorted; None if there is none."""
    low, high = 0, len(text)  # starts of lines
    while low < high:
        start = text.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = text.index(b"\n", start)
        if text[start:end] < prefix:
            low = end + 1
        else:
            high = start
    if low == len(text) or not text.startswith(prefix, low):
        return None
    return text[low : text.index(b"\n", low)]


def parse(line: str) -> tuple[str, bool, int, int | None]:
    """Return the fields of a line of `solved/`: position, whether it is won, index of the best play, and plies."""
    size, cells, result, play, plies = line.split()
    return f"{size} {cells}", result == "+", int(play), None if plies == "-" else int(plies)
