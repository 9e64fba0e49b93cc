"""Colours, points and their text: "D4" for any board from 2x2 to 25x25.

A *vertex* is text ("D4", "pass"), a *point* is an index into the mailbox board of `board.py`: rows of
`width + 1` cells, of which the first is border, with a border row below and above. A1 is at the lower left.
Point 0 is border on every board, so it serves as the pass.

Colours are `Color` members, which are texts, in all values that users get: games, moves, outcomes, results. Boards,
compiled code and the functions that work on them use the integers BLACK and WHITE; `int(color)` is the integer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from enum import StrEnum
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Final, TypeAlias

EMPTY: Final = 0
"""The value of an empty point in a board's array of colours."""
BLACK: Final = 1
WHITE: Final = 2
BORDER: Final = 3

COLOR_NAMES: Final = {BLACK: "black", WHITE: "white"}
COLOR_LETTERS: Final = {BLACK: "B", WHITE: "W"}
_COLORS: Final[dict[Hashable, int]] = {
    "b": BLACK, "black": BLACK, BLACK: BLACK, "w": WHITE, "white": WHITE, WHITE: WHITE,
}  # fmt: skip


class Color(StrEnum):
    """The colour of a player: it is its text, "black" or "white", and equals no other text and no number.

    `Color(value)` reads b, w, black and white in any case, and the numbers that stand for colours in arrays, such as
    those of `Game.board_array`: 1 for Black, 2 for White; else ValueError. `int(color)` is the number.
    """

    BLACK = "black"
    WHITE = "white"

    @property
    def opponent(self) -> Color:
        """The other colour."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    if TYPE_CHECKING:  # StrEnum declares that it takes only texts

        def __new__(cls, value: int | str) -> Color:
            """Return the member that a value names."""

    @classmethod
    def _missing_(cls, value: object) -> Color:
        known = value.lower() if isinstance(value, str) else value
        if isinstance(known, Hashable) and known in _COLORS:
            return cls(COLOR_NAMES[_COLORS[known]])
        raise ValueError(f"not a colour: {value!r}")

    def __init__(self, value: int | str) -> None:
        self._number = _COLORS[value]

    def __int__(self) -> int:
        return self._number


ColorLike: TypeAlias = Color | int | str
"""A value that `Color` reads."""

PASS: Final = 0
"""A pass, in place of a point."""
RESIGN: Final = -1
"""A resignation, in place of a point."""

MIN_SIDE: Final = 2
MAX_SIDE: Final = 25
COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def opponent(color: int) -> int:
    """The other colour, as a plain integer."""
    return 3 - color


def parse_color(color: ColorLike) -> Color:
    """The colour of a member, a number or a word. ValueError: see `Color`."""
    if type(color) is Color:
        return color
    return Color.BLACK if color == BLACK else Color.WHITE if color == WHITE else Color(color)


def point_at(column: int, row: int, width: int) -> int:
    """The point of a column and a row, both counted from 0 at A1."""
    return (row + 1) * (width + 1) + column + 1


def column_row(point: int, width: int) -> tuple[int, int]:
    """The column and the row of a point, both counted from 0 at A1."""
    row, column = divmod(point, width + 1)
    return column - 1, row - 1


def action_of(point: int, width: int, height: int) -> int:
    """Return the action of a point or of PASS: points are numbered row by row from the top left, then the pass."""
    if point == PASS:
        return width * height
    column, row = column_row(point, width)
    return (height - 1 - row) * width + column


def action_point(action: int, width: int, height: int) -> int:
    """Return the point of an action, or PASS; see `action_of`."""
    if action == width * height:
        return PASS
    return point_at(action % width, height - 1 - action // width, width)


@cache
def vertices(width: int, height: int) -> dict[int, str]:
    """The text of each point of a board, from A1 row by row."""
    points = (point_at(column, row, width) for row in range(height) for column in range(width))
    return {point: format_vertex(point, width) for point in points}


@cache
def cell_texts(width: int, height: int) -> tuple[str, ...]:
    """The text of each cell of a board, "" for the border."""
    texts = vertices(width, height)
    return tuple(texts.get(cell, "") for cell in range((height + 2) * (width + 1) + 1))


@cache
def _points(width: int, height: int) -> dict[str, int]:
    return {text: point for point, text in vertices(width, height).items()}


def parse_vertex(text: str, width: int, height: int) -> int:
    """The point (or PASS) of a vertex, in any case. ValueError: malformed or off the board."""
    if (point := _points(width, height).get(text)) is not None:
        return point
    if not text.isascii():  # int() also reads the digits of other scripts
        raise ValueError(f"not a vertex: {text!r}")
    name = text.upper()
    if name == "PASS":
        return PASS
    column, digits = COLUMNS.find(name[:1]), name[1:]
    if not name or column < 0 or not (digits.isdigit() and len(digits) <= 2):
        raise ValueError(f"not a vertex: {text!r}")
    row = int(digits) - 1
    if not (column < width and 0 <= row < height):
        raise ValueError(f"{text} is not on the {width}x{height} board")
    return point_at(column, row, width)


def format_vertex(point: int, width: int) -> str:
    """The text of a point, of PASS or of RESIGN."""
    if point == PASS:
        return "pass"
    if point == RESIGN:
        return "resign"
    column, row = column_row(point, width)
    return f"{COLUMNS[column]}{row + 1}"


def format_line(color: int, moves: Iterable[str]) -> str:
    """The text of alternating moves that begin with a colour: "B D4 W E5"."""
    letters = COLOR_LETTERS[color], COLOR_LETTERS[opponent(color)]
    return " ".join(f"{letter} {move}" for letter, move in zip(cycle(letters), moves, strict=False))


def numbered(color: int, points: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return for each point the number, from 1, and the colour of the first of these alternating moves on it."""
    colors = (opponent(color), color)
    first: dict[int, tuple[int, int]] = {}
    for number, point in enumerate(points, 1):
        first.setdefault(point, (number, colors[number % 2]))
    return first


def repeated(points: Iterable[int]) -> list[tuple[int, int]]:
    """The numbers of the plays that `numbered` leaves out, each with the number of the first play on its point."""
    first: dict[int, int] = {}
    earlier = [(number, first.setdefault(point, number), point) for number, point in enumerate(points, 1)]
    return [(number, one) for number, one, point in earlier if one < number and point != PASS]
