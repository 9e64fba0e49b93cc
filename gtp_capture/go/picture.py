"""Pictures of the board: as shapes, and the shapes as SVG for notebooks, web pages and files. Lengths are in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from . import board as bd
from .board import Board
from .position import Move, Position
from .vertex import BLACK, COLUMNS, EMPTY, WHITE, column_row, opponent

CELL: Final = 30
"""Distance between two lines."""
WIN: Final = "#1b7f3b"
LOSS: Final = "#5a5a5a"
ALARM: Final = "#b3261e"
"""The badge of a stone in atari."""
CAPTION: Final = 22
"""Height of a line of text below the board."""
NARROWEST: Final = 220
"""Least width of a picture with lines of text below the board."""


class Palette(NamedTuple):
    """The colours of a picture."""

    ground: str
    line: str
    """Lines, coordinates and the edges of stones."""
    black: str
    white: str
    grain: str = ""
    """Fine lines on the ground; "" for none. With grain, stones have light and a soft shadow in SVG."""

    def stone(self, color: int) -> str:
        """The colour of a stone."""
        return self.black if color == BLACK else self.white

    def mark(self, color: int) -> str:
        """The colour of a mark or number on a stone."""
        return self.stone(opponent(color))


WOOD: Final = Palette("#e3b778", "#5c4020", "#1a1a1a", "#f7f7f2", grain="#cf9c5a")
PAPER: Final = Palette("#ffffff", "#000000", "#000000", "#ffffff")
"""For print."""


class Marked(NamedTuple):
    """The marks on a board."""

    last: Move | None = None
    """The last move; its stone gets a ring."""
    atari: frozenset[int] = frozenset()
    """Points with a stone that gets a "!"."""
    taken: Mapping[int, int] = {}
    """Points that a stone was just taken from, with its colour: they get its outline, crossed out."""
    hint: int | None = None
    """The point of a hint, which gets a ring."""
    territory: Mapping[int, int] = {}
    """Points with the colour whose territory they are: they get a square in it."""

    @classmethod
    def of(cls, board: Board, positions: Sequence[Position]) -> Marked:
        """Return the last move of a game, all stones in atari, and the stones that the last move has taken.

        `board` is the board of the last position.
        """
        atari = (q for color in (BLACK, WHITE) for p in bd.chains_in_atari(board, color) for q in bd.stones(board, p))
        return cls(positions[-1].move, frozenset(atari), taken(positions[-2:]))


def taken(positions: Sequence[Position]) -> dict[int, int]:
    """Return the stones, with their colours, that were taken off the board between positions that follow each other."""
    pairs = pairwise(position.colors for position in positions)
    return {p: color for before, after in pairs for p, color in enumerate(before) if color and not after[p]}


class Heat(NamedTuple):
    """The result of a move in an analysis."""

    winrate: float
    """0 to 1, for the colour that plays it."""
    proof: str | None = None
    """"win" or "loss" if it is proven."""

    @property
    def text(self) -> str:
        """The win rate in per cent, or + or - if it is proven."""
        return {"win": "+", "loss": "-"}.get(self.proof or "") or f"{self.winrate:.0%}"[:-1]

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
    width: float = 1


class Circle(NamedTuple):
    """A circle; `fill` and `stroke` are colours or "none"."""

    x: int
    y: int
    radius: float
    fill: str
    stroke: str
    width: float = 1
    light: str = ""
    """Set for a stone that SVG draws with a soft shadow and, in place of `fill`, with this gradient."""


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
    grain: str
    """See `Palette`."""
    shapes: tuple[Grid | Circle | Label, ...]


def picture(
    board: Board,
    marked: Marked = Marked(),  # noqa: B008 - it cannot be changed
    heat: Mapping[int, Heat] | None = None,
    captions: tuple[str, ...] = (),
    numbers: Mapping[int, tuple[int | str, int]] | None = None,
    palette: Palette = WOOD,
) -> Picture:
    """Return a board with coordinates, stones, marks and the win rates of moves.

    `numbers`: for each point the number of a later move and its colour, drawn as a stone with that number; with the
    colour EMPTY a text on an empty point.
    """
    numbers = numbers or {}
    shapes: list[Grid | Circle | Label] = [_lines(board, palette.line), *_coordinates(board, palette.line)]
    shapes += _stones(board, {point: color for point, (_, color) in numbers.items()}, palette)
    shapes += _marks(board, marked, palette)
    for point, (number, color) in numbers.items():
        if color == EMPTY:
            shapes.append(_circle(board, point, 0.35, palette.ground, "none"))
        shapes.append(_text(board, point, str(number), CELL // 2, palette.mark(color) if color else palette.black))
    for point, result in (heat or {}).items():
        if board.color[point] == EMPTY:
            ring = palette.white if result.proof else "none"
            shapes.append(_circle(board, point, 0.43, result.color, ring, 2))
            shapes.append(_text(board, point, result.text, CELL * 2 // 5, "#ffffff", bold=True))
    bottom = (board.height + 1) * CELL
    for n, line in enumerate(captions):
        shapes.append(Label(0, bottom + n * CAPTION + 4, line, CELL * 2 // 5, palette.black))
    width = max((board.width + 1) * CELL, NARROWEST if captions else 0)
    return Picture(width, bottom + len(captions) * CAPTION, palette.ground, palette.grain, tuple(shapes))


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


def _stones(board: Board, later: Mapping[int, int], palette: Palette) -> Iterator[Circle]:
    """The stones of the board, and the stones of later moves beside them or in their place."""
    colors = {p: int(board.color[p]) for p in bd.points(board)} | dict(later)
    for point, color in colors.items():
        if color != EMPTY:
            stone = _circle(board, point, 0.47, palette.stone(color), palette.line)
            yield stone._replace(light=LIGHTS[color]) if palette.grain else stone


def _marks(board: Board, marked: Marked, palette: Palette) -> Iterator[Grid | Circle | Label]:
    """Yield what a board has besides stones, numbers and win rates; see `Marked`."""
    last, side = marked.last, CELL // 5
    if last is not None and last.point > 0 and board.color[last.point] != EMPTY:
        yield _circle(board, last.point, 0.22, "none", palette.mark(int(last.color)), 2)
    for point, color in marked.taken.items():
        x, y = _place(board, *column_row(point, board.width))
        cross = (x - side, y - side, x + side, y + side), (x - side, y + side, x + side, y - side)
        yield _circle(board, point, 0.42, "none", palette.stone(color), 2)
        yield Grid(cross, palette.stone(color), 2)
    if marked.hint is not None:
        yield _circle(board, marked.hint, 0.44, "none", WIN, 4)
    yield from _territory(board, marked.territory, palette)
    for point in sorted(marked.atari):
        column, row = _place(board, *column_row(point, board.width))
        x, y = column + CELL // 3, row - CELL // 3
        yield Circle(x, y, CELL / 5, ALARM, palette.white)
        yield Label(x, y + 4, "!", 11, palette.white, bold=True)


def _territory(board: Board, territory: Mapping[int, int], palette: Palette) -> Iterator[Grid]:
    """Yield squares with an edge, each a short and wide line."""
    for color in (BLACK, WHITE):
        places = [_place(board, *column_row(point, board.width)) for point, side in territory.items() if side == color]
        for half, drawn in ((CELL // 6 + 1, palette.line), (CELL // 6, palette.stone(color))):
            if places:
                yield Grid(tuple((x - half, y, x + half, y) for x, y in places), drawn, 2 * half)


LIGHTS: Final = {BLACK: "black-stone", WHITE: "white-stone"}
SHADOW: Final = "stone-shadow"


def _gradient(name: str, *stops: str) -> str:
    """A round gradient; each stop is an offset in per cent, a colour and an opacity."""
    parts = (stop.split() for stop in stops)
    drawn = (f'<stop offset="{at}%" stop-color="{color}" stop-opacity="{opacity}"/>' for at, color, opacity in parts)
    centre = "" if name == SHADOW else ' cx="36%" cy="32%" r="70%"'
    return f'<radialGradient id="{name}"{centre}>{"".join(drawn)}</radialGradient>'


DEFINITIONS: Final = "".join(
    [
        _gradient(LIGHTS[BLACK], "0 #6b6b6b 1", "35 #333333 1", "100 #0d0d0d 1"),
        _gradient(LIGHTS[WHITE], "0 #ffffff 1", "55 #f4f2ea 1", "100 #cfcabb 1"),
        _gradient(SHADOW, "55 #3a2408 .5", "100 #3a2408 0"),
    ]
)
"""The light on stones, and their shadow; each picture has them, under the same names."""


def svg(drawn: Picture) -> str:
    """Return a picture as one SVG element."""
    width, height = drawn.width, drawn.height
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" text-anchor="middle">'
    ground = [f'<rect width="{width}" height="{height}" fill="{drawn.ground}"/>']
    if drawn.grain:
        ground = [f"<defs>{DEFINITIONS}</defs>", *ground, _grain(drawn)]
    return "\n".join([head, *ground, *(_element(shape) for shape in drawn.shapes), "</svg>"])


def _grain(drawn: Picture) -> str:
    """The grain of wood: lines from top to bottom at uneven distances, each a little bent."""
    x, path = 4, ""
    for n in range(drawn.width // 9):
        bend, lean = (n * 5 % 7 - 3) * 2, n * 3 % 5 - 2
        path += f"M{x} 0Q{x + bend} {drawn.height // 2} {x + lean} {drawn.height}"
        x += 5 + n * 7 % 9
    return f'<path d="{path}" stroke="{drawn.grain}" stroke-width="1.5" stroke-opacity=".4" fill="none"/>'


def _element(shape: Grid | Circle | Label) -> str:
    if isinstance(shape, Grid):
        path = "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in shape.lines)
        width = f' stroke-width="{shape.width:g}"' if shape.width != 1 else ""
        return f'<path d="{path}" stroke="{shape.color}"{width} fill="none"/>'
    if isinstance(shape, Circle):
        circle = f'<circle cx="{shape.x}" cy="{shape.y}" r="{shape.radius:g}"'
        if shape.light:
            place = f'cx="{shape.x + 1}" cy="{shape.y + 2}" rx="{CELL // 2 + 2}" ry="{CELL // 2 + 2}"'
            return f'<ellipse {place} fill="url(#{SHADOW}) none"/>{circle} fill="url(#{shape.light}) {shape.fill}"/>'
        return f'{circle} fill="{shape.fill}" stroke="{shape.stroke}" stroke-width="{shape.width:g}"/>'
    style = f'font-size="{shape.size}" fill="{shape.color}"' + ' font-weight="bold"' * shape.bold
    x, anchor = (shape.x, "") if shape.x else (shape.size, ' text-anchor="start"')
    return f'<text x="{x}" y="{shape.y}" {style}{anchor}>{escape(shape.text)}</text>'
