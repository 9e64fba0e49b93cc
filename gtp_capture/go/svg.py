"""The board as an SVG picture, for notebooks, web pages and files."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from .game import Game
from .picture import Circle, Grid, Heat, Label, Picture, picture


def draw(game: Game, heat: Mapping[int, Heat] | None = None, captions: tuple[str, ...] = ()) -> str:
    """Return a board as one SVG element; the arguments are those of `picture`."""
    return svg(picture(game, heat, captions))


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
