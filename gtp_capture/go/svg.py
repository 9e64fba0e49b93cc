"""The board as an SVG picture, for notebooks and web pages."""

from __future__ import annotations

from typing import Final

from . import board as bd
from .game import Game
from .vertex import BLACK, COLUMNS, EMPTY, WHITE, column_row

CELL: Final = 30
"""Distance between two lines, in pixels."""
_WOOD: Final = "#d9a55b"
_LINE: Final = "#5c4020"
_STONES: Final = {BLACK: "#1a1a1a", WHITE: "#f7f7f2"}
_MARKS: Final = {BLACK: "#f7f7f2", WHITE: "#1a1a1a"}


def draw(game: Game) -> str:
    """Return a board with coordinates and stones, the last stone marked with a ring, as one SVG element."""
    width, height = (game.width + 1) * CELL, (game.height + 1) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="{_WOOD}"/>',
        *_lines(game),
        *_coordinates(game),
    ]
    for point in bd.points(game.board):
        color = int(game.board.color[point])
        if color != EMPTY:
            parts.append(_circle(game, point, 0.47, f'fill="{_STONES[color]}" stroke="{_LINE}"'))
    last = game.last_move
    if last is not None and last.point > 0 and game.board.color[last.point] != EMPTY:
        parts.append(_circle(game, last.point, 0.22, f'fill="none" stroke="{_MARKS[last.color]}" stroke-width="2"'))
    return "\n".join([*parts, "</svg>"])


def _place(game: Game, column: int, row: int) -> tuple[int, int]:
    """The pixel of a column and a row, both counted from 0 at A1."""
    return (column + 1) * CELL, (game.height - row) * CELL


def _lines(game: Game) -> list[str]:
    left, bottom = _place(game, 0, 0)
    right, top = _place(game, game.width - 1, game.height - 1)
    columns = "".join(f"M{_place(game, column, 0)[0]} {top}V{bottom}" for column in range(game.width))
    rows = "".join(f"M{left} {_place(game, 0, row)[1]}H{right}" for row in range(game.height))
    return [f'<path d="{columns}{rows}" stroke="{_LINE}" fill="none"/>']


def _coordinates(game: Game) -> list[str]:
    style = f'font-family="sans-serif" font-size="{CELL // 3}" fill="{_LINE}" text-anchor="middle"'
    edge = CELL // 3
    letters = [f'<text x="{_place(game, n, 0)[0]}" y="{edge}">{COLUMNS[n]}</text>' for n in range(game.width)]
    numbers = [f'<text x="{edge}" y="{_place(game, 0, n)[1] + 4}">{n + 1}</text>' for n in range(game.height)]
    return [f"<g {style}>", *letters, *numbers, "</g>"]


def _circle(game: Game, point: int, radius: float, style: str) -> str:
    x, y = _place(game, *column_row(point, game.width))
    return f'<circle cx="{x}" cy="{y}" r="{radius * CELL:g}" {style}/>'
