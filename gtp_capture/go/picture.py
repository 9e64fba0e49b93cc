"""The board as a picture: as shapes, and these as SVG for notebooks, web pages and files. All lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from . import board as bd
from .board import Board
from .position import Move
from .vertex import BLACK, COLUMNS, EMPTY, column_row, opponent

CELL: Final = 30
"""Distance between two lines."""
WIN: Final = "#1b7f3b"
LOSS: Final = "#5a5a5a"
CAPTION: Final = 22
"""Height of a line of text below the board."""
NARROWEST: Final = 220
"""Least width of a picture with such lines."""


class Palette(NamedTuple):
    """The colours of a picture."""

    ground: str
    line: str
    """Lines, coordinates and the edges of stones."""
    black: str
    white: str

    def stone(self, color: int) -> str:
        """The colour of a stone."""
        return self.black if color == BLACK else self.white

    def mark(self, color: int) -> str:
        """The colour of a mark or number on a stone."""
        return self.stone(opponent(color))


WOOD: Final = Palette("#d9a55b", "#5c4020", "#1a1a1a", "#f7f7f2")
PAPER: Final = Palette("#ffffff", "#000000", "#000000", "#ffffff")
"""For print."""


class Heat(NamedTuple):
    """The result of a move in an analysis."""

    winrate: float
    """0 to 1, for the colour that plays it."""
    proof: str | None = None
    """"win" or "loss" if it is proven."""

    @property
    def text(self) -> str:
        """The win rate in per cent, or W or L if it is proven."""
        return {"win": "W", "loss": "L"}.get(self.proof or "") or f"{self.winrate:.0%}"[:-1]

    @property
    def color(self) -> str:
        """From blue (few wins) to red (many); green for a proven win, grey for a proven loss."""
        if self.proof:
            return WIN if self.proof == "win" else LOSS
        red, blue = round(40 + 180 * self.winrate), round(220 - 180 * self.winrate)
        return f"#{red:02x}50{blue:02x}"


class Grid(NamedTuple):
    """Straight lines of one colour, each from one point to another."""

    lines: tuple[tuple[int, int, int, int], ...]
    color: str


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
    """A picture: its size, the colour of its ground and its shapes, the lowest first."""

    width: int
    height: int
    ground: str
    shapes: tuple[Grid | Circle | Label, ...]


def picture(
    board: Board,
    last: Move | None = None,
    heat: Mapping[int, Heat] | None = None,
    captions: tuple[str, ...] = (),
    numbers: Mapping[int, tuple[int | str, int]] | None = None,
    palette: Palette = WOOD,
) -> Picture:
    """Return a board with coordinates and stones, the stone of the last move with a ring, and the win rates of moves.

    `numbers`: for each point the number of a later move and its colour, drawn as a stone with that number; with the
    colour EMPTY a text on an empty point.
    """
    numbers = numbers or {}
    shapes: list[Grid | Circle | Label] = [_lines(board, palette.line), *_coordinates(board, palette.line)]
    shapes += _stones(board, last, {point: color for point, (_, color) in numbers.items()}, palette)
    for point, (number, color) in numbers.items():
        if color == EMPTY:
            shapes.append(_circle(board, point, 0.35, palette.ground, "none"))
        shapes.append(_text(board, point, str(number), CELL // 2, palette.mark(color) if color else palette.black))
    for point, found in (heat or {}).items():
        if board.color[point] == EMPTY:
            ring = palette.white if found.proof else "none"
            shapes.append(_circle(board, point, 0.43, found.color, ring, 2))
            shapes.append(_text(board, point, found.text, CELL * 2 // 5, "#ffffff", bold=True))
    bottom = (board.height + 1) * CELL
    for n, line in enumerate(captions):
        shapes.append(Label(0, bottom + n * CAPTION + 4, line, CELL * 2 // 5, palette.black))
    width = max((board.width + 1) * CELL, NARROWEST if captions else 0)
    return Picture(width, bottom + len(captions) * CAPTION, palette.ground, tuple(shapes))


def _place(board: Board, column: int, row: int) -> tuple[int, int]:
    """The pixel of a column and a row, both counted from 0 at A1."""
    return (column + 1) * CELL, (board.height - row) * CELL


def _circle(board: Board, point: int, radius: float, fill: str, stroke: str, width: float = 1) -> Circle:
    """A circle on a point; its radius in cells."""
    return Circle(*_place(board, *column_row(point, board.width)), round(radius * CELL, 1), fill, stroke, width)


def _text(board: Board, point: int, text: str, size: int, color: str, *, bold: bool = False) -> Label:
    """A text on a point."""
    x, y = _place(board, *column_row(point, board.width))
    return Label(x, y + size * 3 // 8, text, size, color, bold)


def _lines(board: Board, color: str) -> Grid:
    left, bottom = _place(board, 0, 0)
    right, top = _place(board, board.width - 1, board.height - 1)
    columns = ((_place(board, n, 0)[0], top, _place(board, n, 0)[0], bottom) for n in range(board.width))
    rows = ((left, _place(board, 0, n)[1], right, _place(board, 0, n)[1]) for n in range(board.height))
    return Grid((*columns, *rows), color)


def _coordinates(board: Board, color: str) -> Iterator[Label]:
    edge = CELL // 3
    for n in range(board.width):
        yield Label(_place(board, n, 0)[0], edge, COLUMNS[n], edge, color)
    for n in range(board.height):
        yield Label(edge, _place(board, 0, n)[1] + 4, str(n + 1), edge, color)


def _stones(board: Board, last: Move | None, later: Mapping[int, int], palette: Palette) -> Iterator[Circle]:
    """The stones of the board, and the stones of later moves beside them or in their place."""
    colors = {p: int(board.color[p]) for p in bd.points(board)} | dict(later)
    for point, color in colors.items():
        if color != EMPTY:
            yield _circle(board, point, 0.47, palette.stone(color), palette.line)
    if last is not None and last.point > 0 and board.color[last.point] != EMPTY:
        yield _circle(board, last.point, 0.22, "none", palette.mark(last.color), 2)


def svg(drawn: Picture) -> str:
    """Return a picture as one SVG element."""
    width, height = drawn.width, drawn.height
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = f'<rect width="{width}" height="{height}" fill="{drawn.ground}"/>'
    return "\n".join([head, ground, *(_element(shape) for shape in drawn.shapes), "</svg>"])


def _element(shape: Grid | Circle | Label) -> str:
    if isinstance(shape, Grid):
        path = "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in shape.lines)
        return f'<path d="{path}" stroke="{shape.color}" fill="none"/>'
    if isinstance(shape, Circle):
        style = f'fill="{shape.fill}" stroke="{shape.stroke}" stroke-width="{shape.width:g}"'
        return f'<circle cx="{shape.x}" cy="{shape.y}" r="{shape.radius:g}" {style}/>'
    style = f'font-family="sans-serif" font-size="{shape.size}" fill="{shape.color}"'
    weight = ' font-weight="bold"' if shape.bold else ""
    x, anchor = (shape.x, "middle") if shape.x else (shape.size, "start")
    return f'<text x="{x}" y="{shape.y}" {style}{weight} text-anchor="{anchor}">{escape(shape.text)}</text>'
