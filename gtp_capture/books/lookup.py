"""The opening books of small boards: `probe_book` looks a position up, without Numba.

`small_boards.book` has every opening of the boards up to 5x5. `6x6.book` has openings of that board, after any first
move, in which the winner plays as in a proof, and all positions after two or three plies; `8x8.book` those of the
winner after the crosscut. Each is gzipped text, with a line for each position and its images under symmetries:

    3x3 .X.O..... + 4 5

the board (never wider than high); the points from A1 row by row, X the side to move; whether it wins (+) or loses (-);
the best play's index, which means nothing for a loss without plies; and the plies to the end under best play, or `-` if
not computed. `writer` makes them, for `gtp-capture solve --write-book FILE` and `gtp-capture check-proof PROOF
--write-book FILE`.
"""

from __future__ import annotations

import gzip
import zlib
from functools import cache
from importlib import resources
from typing import Final

from ..go import board as bd
from ..go.board import Board
from ..go.symmetry import Symmetry, upright_symmetries
from ..go.vertex import EMPTY, opponent
from ..solver.result import Solution

SIDE: Final = 5
"""Longest side of the boards with all openings."""
PROVEN: Final = {(6, 6), (8, 8)}
"""Boards with openings from proofs, each in a file of its own."""

MOST_BYTES: Final = 100_000_000
"""Of a book."""
MOST_TEXT: Final = 1_000_000_000
"""Bytes of its text, without compression."""
GZIP: Final = 16 + zlib.MAX_WBITS
"""Of `zlib`: the format of gzip."""


def probe_book(board: Board, color: int) -> Solution | None:
    """Look up a position with a colour to move; None if it is not in a book.

    The line is the best play alone, or empty for a loss whose plies were not computed. The caller has to check the
    rules with `unsupported`.
    """
    width, height = int(board.width), int(board.height)
    name = f"{width}x{height}" if (width, height) in PROVEN else "small_boards"
    if name == "small_boards" and max(width, height) > SIDE:
        return None
    points = bd.points(board)
    text, symmetry = canonical_text(cells_of(board, color), width, height)
    found = find_line(book_text(f"solved/{name}"), f"{text} ".encode())
    if found is None:
        return None
    _position, wins, play, plies = parse(found.decode())
    line = (points[symmetry[play]],) if wins or plies is not None else ()
    return Solution(color if wins else opponent(color), line, plies)


def cells_of(board: Board, color: int) -> str:
    """Return the points of a board from A1 row by row, X those of a colour."""
    return "".join(
        "." if board.color[p] == EMPTY else "X" if board.color[p] == color else "O" for p in bd.points(board)
    )


def canonical_images(cells: str, width: int, height: int) -> tuple[str, list[Symmetry]]:
    """Return the canonical form of a position, with its size, and all symmetries that lead to it."""
    images = [("".join([cells[i] for i in symmetry]), symmetry) for symmetry in upright_symmetries(width, height)]
    least = min(images)[0]
    symmetries = [symmetry for text, symmetry in images if text == least]
    return f"{min(width, height)}x{max(width, height)} {least}", symmetries


def canonical_text(cells: str, width: int, height: int) -> tuple[str, Symmetry]:
    """Return the canonical form of a position, with its size, and a symmetry that leads to it."""
    text, symmetries = canonical_images(cells, width, height)
    return text, min(symmetries)


@cache
def book_text(name: str) -> bytes:
    """Return the text of a book of this package, read once; empty if it is not there."""
    file = resources.files(__package__) / f"{name}.book"
    return gzip.decompress(file.read_bytes()) if file.is_file() else b""


def find_line(text: bytes, prefix: bytes) -> bytes | None:
    """Return the first line that begins so, of text whose lines are in order; None if there is none."""
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


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a book's file. ValueError: it is not a book."""
    gzipped = zlib.decompressobj(GZIP)
    try:
        text = gzipped.decompress(data, MOST_TEXT).decode("ascii")
    except (zlib.error, UnicodeDecodeError):
        raise ValueError("it is not a book") from None
    if not gzipped.eof or gzipped.unused_data:
        raise ValueError(f"it is not a book, or its text has more than {MOST_TEXT:,} bytes")
    return text.splitlines()


def parse(line: str) -> tuple[str, bool, int, int | None]:
    """Return what a line says: the position, whether it wins, the best play's index, the plies."""
    size, cells, result, play, plies = line.split()
    return f"{size} {cells}", result == "+", int(play), None if plies == "-" else int(plies)
