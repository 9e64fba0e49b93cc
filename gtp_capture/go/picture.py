"""A picture of the board as shapes, which `svg.py` writes as SVG; all lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from . import board as bd
from .game import Game
from .vertex import BLACK, COLUMNS, EMPTY, WHITE, column_row

CELL: Final = 30
"""Distance between two lines."""
WOOD: Final = "#d9a55b"
LINE: Final = "#5c4020"
STONES: Final = {BLACK: "#1a1a1a", WHITE: "#f7f7f2"}
MARKS: Final = {BLACK: "#f7f7f2", WHITE: "#1a1a1a"}
WIN: Final = "#1b7f3b"
LOSS: Final = "#5a5a5a"
CAPTION: Final = 22
"""Height of a line of text below the board."""
NARROWEST: Final = 220
"""Least width of a picture with such lines."""


class Heat(NamedTuple):
    """The result of a move in an analysis."""

    winrate: float
    """0 to 1, for the colour that plays it."""
    proven: int
    """1: proven win, -1: proven loss, else 0."""

    @property
    def text(self) -> str:
        """The win rate in per cent, or W or L if it is proven."""
        return {1: "W", -1: "L"}.get(self.proven) or f"{self.winrate:.0%}"[:-1]

    @property
    def color(self) -> str:
        """From blue (few wins) to red (many); green for a proven win, grey for a proven loss."""
        if self.proven:
            return WIN if self.proven > 0 else LOSS
        red, blue = round(40 + 180 * self.winrate), round(220 - 180 * self.winrate)
        return f"#{red:02x}50{blue:02x}"


class Grid(NamedTuple):
    """Straight lines of one colour, each from one point to another."""

    lines: tuple[tuple[int, int, int, int], ...]


class Circle(NamedTuple):
    """A circle; `fill` and `stroke` are colours or "none"."""

    x: int
    y: int
    radius: float
    fill: str
    stroke: str
    width: float = 1


class Label(NamedTuple):
    """A text centred at x, with its baseline at y; at x = 0 it begins at the left edge."""

    x: int
    y: int
    text: str
    size: int
    color: str
    bold: bool = False


class Picture(NamedTuple):
    """A picture: its size and its shapes, the lowest first."""

    width: int
    height: int
    shapes: tuple[Grid | Circle | Label, ...]


def picture(game: Game, heat: Mapping[int, Heat] | None = None, captions: tuple[str, ...] = ()) -> Picture:
    """Return the board with coordinates and stones, the last stone with a ring, and the win rates of moves."""
    shapes: list[Grid | Circle | Label] = [_lines(game), *_coordinates(game), *_stones(game)]
    for point, found in (heat or {}).items():
        if game.board.color[point] == EMPTY:
            x, y = _place(game, *column_row(point, game.width))
            shapes.append(Circle(x, y, round(0.43 * CELL, 1), found.color, MARKS[BLACK] if found.proven else "none", 2))
            shapes.append(Label(x, y + 4, found.text, CELL * 2 // 5, "#ffffff", bold=True))
    bottom = (game.height + 1) * CELL
    for n, line in enumerate(captions):
        shapes.append(Label(0, bottom + n * CAPTION + 4, line, CELL * 2 // 5, "#1a1a1a"))
    width = max((game.width + 1) * CELL, NARROWEST if captions else 0)
    return Picture(width, bottom + len(captions) * CAPTION, tuple(shapes))


def _place(game: Game, column: int, row: int) -> tuple[int, int]:
    """The pixel of a column and a row, both counted from 0 at A1."""
    return (column + 1) * CELL, (game.height - row) * CELL


def _lines(game: Game) -> Grid:
    left, bottom = _place(game, 0, 0)
    right, top = _place(game, game.width - 1, game.height - 1)
    columns = ((_place(game, n, 0)[0], top, _place(game, n, 0)[0], bottom) for n in range(game.width))
    rows = ((left, _place(game, 0, n)[1], right, _place(game, 0, n)[1]) for n in range(game.height))
    return Grid((*columns, *rows))


def _coordinates(game: Game) -> Iterator[Label]:
    edge = CELL // 3
    for n in range(game.width):
        yield Label(_place(game, n, 0)[0], edge, COLUMNS[n], edge, LINE)
    for n in range(game.height):
        yield Label(edge, _place(game, 0, n)[1] + 4, str(n + 1), edge, LINE)


def _stones(game: Game) -> Iterator[Circle]:
    for point in bd.points(game.board):
        color = int(game.board.color[point])
        if color != EMPTY:
            yield Circle(*_place(game, *column_row(point, game.width)), round(0.47 * CELL, 1), STONES[color], LINE)
    last = game.last_move
    if last is not None and last.point > 0 and game.board.color[last.point] != EMPTY:
        x, y = _place(game, *column_row(last.point, game.width))
        yield Circle(x, y, round(0.22 * CELL, 1), "none", MARKS[last.color], 2)
