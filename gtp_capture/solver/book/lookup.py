"""The books: openings of small boards, solved ahead of time and shipped with the package; they need no Numba.

`small_boards.book` has every opening of the boards up to 5x5, `6x6.book` those of that board where Black, who wins,
plays as a proof has it. Each is gzipped text, a line for each position that stands for itself and its images:

    3x3 .X.O..... + 4 5

the board (never wider than high); the points from A1 row by row, X the side to move; whether it wins (+) or loses (-);
the best play's index; and the plies to the end under best play, or `-` where they were not computed. Written by
`gtp-capture solve --write-book FILE` and by `gtp-capture check-proof PROOF --write-book FILE`.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Final

from ...go import board as bd
from ...go.board import Board
from ...go.vertex import EMPTY, opponent
from ..result import Verdict

SIDE: Final = 5
"""The longest side of a board of which every opening is known."""
PROVEN: Final = {(6, 6)}
"""Boards of which one side's openings are known."""


def lookup(board: Board, color: int) -> Verdict | None:
    """Probe the book with a colour to move; None if the position is not in it. The caller has checked `why_not`.

    The line of the result is the one best play, empty for a loss whose length was not computed.
    """
    width, height = int(board.width), int(board.height)
    name = f"{width}x{height}" if (width, height) in PROVEN else "small_boards"
    if name == "small_boards" and max(width, height) > SIDE:
        return None
    points = bd.points(board)
    cells = "".join("." if board.color[p] == EMPTY else "X" if board.color[p] == color else "O" for p in points)
    text, image = canonical(cells, width, height)
    found = _entries(name).get(text)
    if found is None:
        return None
    wins, play, length = found
    line = (points[image[play]],) if wins or length is not None else ()
    return Verdict(color if wins else opponent(color), line, length)


def canonical(cells: str, width: int, height: int) -> tuple[str, tuple[int, ...]]:
    """The text that stands for a position and its images, and from which cell each of its cells comes."""
    texts = (("".join([cells[i] for i in image]), image) for image in images(width, height))
    text, image = min(texts)
    return f"{min(width, height)}x{max(width, height)} {text}", image


@cache
def images(width: int, height: int) -> list[tuple[int, ...]]:
    """The symmetries that lead to a board not wider than high: for each cell of the image, the cell that it shows."""
    rows = [[y * width + x for x in range(width)] for y in range(height)]
    turned = [list(column) for column in zip(*rows, strict=True)]
    grids = [rows] if width < height else [turned] if width > height else [rows, turned]
    return [
        tuple(i for row in (grid[::-1] if over else grid) for i in (row[::-1] if back else row))
        for grid in grids
        for over in (False, True)
        for back in (False, True)
    ]


@cache
def _entries(name: str) -> dict[str, tuple[bool, int, int | None]]:
    """A book, read once; empty where the package was installed without it."""
    file = resources.files(__package__) / f"{name}.book"
    if not file.is_file():
        return {}
    return dict(parse(gzip.decompress(file.read_bytes()).decode()))


def parse(text: str) -> Iterator[tuple[str, tuple[bool, int, int | None]]]:
    """The entries of a book's text."""
    for line in text.splitlines():
        size, cells, result, play, length = line.split()
        yield f"{size} {cells}", (result == "+", int(play), None if length == "-" else int(length))
