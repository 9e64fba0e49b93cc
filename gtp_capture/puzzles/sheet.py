"""A printable sheet of problems as one HTML file: pages of A4, boards as SVG inside, and the answers at the end.

The file refers to nothing outside itself. It is black on white in any colour scheme, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from ..go.vertex import BLACK, COLUMNS, WHITE, column_row, format_line, numbered
from ..go.words import counted
from .files import goal
from .problem import Problem, Start

PER_PAGE: Final = {6: 2, 12: 3}
"""Columns of a page by its number of problems."""
CELL: Final = 30
"""Distance between two lines, in units of the pictures."""
_STONES: Final = {BLACK: "#000", WHITE: "#fff"}
_NUMBERS: Final = {BLACK: "#fff", WHITE: "#000"}
_STYLE: Final = """
:root { color-scheme: light; }
@page { size: A4; margin: 12mm; }
body { margin: 0; background: #fff; color: #000; font: 11pt sans-serif; }
section { break-after: page; }
section:last-child { break-after: auto; }
h1 { font-size: 14pt; margin: 0 0 4mm; }
.grid { display: grid; gap: 5mm; }
figure { margin: 0; break-inside: avoid; text-align: center; }
figcaption { font-size: 10pt; margin-bottom: 1mm; }
svg { width: 100%; max-height: 72mm; }
.of12 svg { max-height: 48mm; }
.answers svg { max-height: 48mm; }
"""


def sheet(problems: list[Problem], per_page: int) -> str:
    """Return the sheet; `per_page` is a key of PER_PAGE."""
    numbered = list(enumerate(problems, 1))
    answers = max(PER_PAGE)
    pages = [
        *_pages("Problems", [_question(*pair) for pair in numbered], per_page, f"of{per_page}"),
        *_pages("Answers", [_answer(*pair) for pair in numbered], answers, "answers"),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Problems</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{''.join(pages)}</body>\n</html>\n"
    )


def _pages(title: str, figures: list[str], per_page: int, kind: str) -> Iterator[str]:
    grid = f'<div class="grid {kind}" style="grid-template-columns: repeat({PER_PAGE[per_page]}, 1fr)">'
    for first in range(0, len(figures), per_page):
        page = "\n".join(figures[first : first + per_page])
        yield f"<section>\n<h1>{title}</h1>\n{grid}\n{page}\n</div>\n</section>\n"


def _question(number: int, problem: Problem) -> str:
    return _figure(f"<b>{number}.</b> {escape(goal(problem.start))}", diagram(problem.start, {}))


def _answer(number: int, problem: Problem) -> str:
    """The solution as numbers on the board and as text; several solutions of one play by their points."""
    start = problem.start
    theme = f" {problem.theme.capitalize()}." if problem.theme else ""
    answers = [variation.moves for variation in problem.variations if variation.right]
    if len(answers) > 1:
        text = f"{len(answers)} answers"
        numbers = {moves[0]: (1, start.to_move) for moves in answers}
    else:
        text = f"{counted(problem.depth, 'play')}: {format_line(start.to_move, problem.line, start.width)}."
        numbers = numbered(start.to_move, problem.line)
    return _figure(f"<b>{number}.</b>{escape(theme)} {escape(text)}", diagram(start, numbers))


def _figure(caption: str, picture: str) -> str:
    return f"<figure><figcaption>{caption}</figcaption>\n{picture}</figure>"


def diagram(start: Start, numbers: Mapping[int, tuple[int, int]]) -> str:
    """Return a position as one SVG element. `numbers`: for each point the number of a move and its colour."""
    width, height = (start.width + 1) * CELL, (start.height + 1) * CELL
    parts = [f'<svg viewBox="0 0 {width} {height}" role="img">', _lines(start), *_coordinates(start)]
    stones = {p: (0, color) for color, points in ((BLACK, start.black), (WHITE, start.white)) for p in points}
    for point, (number, color) in {**stones, **numbers}.items():
        column, row = column_row(point, start.width)
        x, y = (column + 1) * CELL, (start.height - row) * CELL
        parts.append(f'<circle cx="{x}" cy="{y}" r="{0.46 * CELL:g}" fill="{_STONES[color]}" stroke="#000"/>')
        if number:
            parts.append(
                f'<text x="{x}" y="{y + CELL // 6}" font-size="{CELL // 2}" text-anchor="middle" '
                f'fill="{_NUMBERS[color]}">{number}</text>'
            )
    return "\n".join([*parts, "</svg>"])


def _lines(start: Start) -> str:
    right, bottom = start.width * CELL, start.height * CELL
    columns = "".join(f"M{n * CELL} {CELL}V{bottom}" for n in range(1, start.width + 1))
    rows = "".join(f"M{CELL} {n * CELL}H{right}" for n in range(1, start.height + 1))
    return f'<path d="{columns}{rows}" stroke="#000" fill="none"/>'


def _coordinates(start: Start) -> list[str]:
    edge, style = CELL // 3, f'font-size="{CELL // 3}" fill="#444" text-anchor="middle"'
    letters = [f'<text x="{(n + 1) * CELL}" y="{edge}">{COLUMNS[n]}</text>' for n in range(start.width)]
    numbers = [f'<text x="{edge}" y="{(start.height - n) * CELL + 4}">{n + 1}</text>' for n in range(start.height)]
    return [f"<g {style}>", *letters, *numbers, "</g>"]
