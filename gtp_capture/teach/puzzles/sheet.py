"""A printable sheet of problems as one HTML file: pages of A4, boards as SVG inside, and the answers at the end.

The file refers to nothing outside itself. It is black on white in any colour scheme, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import Final

from ...go.board import Board
from ...go.picture import PAPER, picture, svg
from ...go.vertex import numbered
from .. import words
from .problem import Problem

PER_PAGE: Final = {2: 1, 6: 2, 12: 3}
"""Columns of a page by its number of problems."""
_SIDE: Final = {2: 100, 6: 64, 12: 48}
"""Millimetres of a board's longer side at most, with its coordinates, by the problems of a page."""
_POINT: Final = 12
"""Millimetres between two lines of a board at most."""
_STYLE: Final = """
:root { color-scheme: light; }
@page { size: A4; margin: 12mm; }
body { margin: 0; background: #fff; color: #000; font: 11pt sans-serif; }
@media screen { body { max-width: 186mm; margin: 12mm auto; } }
section { break-after: page; }
section:last-child { break-after: auto; }
h1 { font-size: 14pt; margin: 0 0 4mm; }
.grid { display: grid; gap: 5mm; }
figure { margin: 0; break-inside: avoid; text-align: center; }
figcaption { font-size: 10pt; margin-bottom: 1mm; }
svg { width: 100%; height: auto; max-height: 64mm; }
.sized { align-items: start; }
.sized svg { width: var(--width); max-height: none; max-width: 100%; }
.name { margin: 0 0 3mm; }
.name span { display: inline-block; width: 55mm; border-bottom: 0.3mm solid #000; margin-right: 6mm; }
.rule { margin: 0 0 4mm; }
"""


def sheet(problems: list[Problem], per_page: int, title: str = "", *, answers: bool = True) -> str:
    """Return the sheet, with the answers on pages of their own unless they are left out.

    `per_page` is a key of PER_PAGE; each page of problems has the title, a line for name and date, and the rule.
    """
    title = title or words.SHORT.text("sheet.problems")
    pages = [*_pages(title, problems, _question, per_page, head(words.sheet_rule(problems)))]
    return document(escape(title), [*pages, *(_answers(problems) if answers else ())])


def answer_sheet(problems: list[Problem]) -> str:
    """Return the answers alone."""
    return document(words.SHORT.text("sheet.answers"), _answers(problems))


def _answers(problems: list[Problem]) -> Iterator[str]:
    return _pages(words.SHORT.text("sheet.answers"), problems, answer, max(PER_PAGE))


def head(rule: str) -> str:
    """Return a line for name and date, and the rule."""
    name, date = words.SHORT.text("sheet.name"), words.SHORT.text("sheet.date")
    line = f'<p class="name">{name}: <span></span> {date}: <span></span></p>\n'
    return f'{line}<p class="rule">{escape(rule)}</p>\n'


def document(title: str, sections: Iterable[str], style: str = "") -> str:
    """Return a file to print. `style`: rules of CSS besides those of a sheet."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{_STYLE}{style}</style>\n</head>\n<body>\n{''.join(sections)}</body>\n</html>\n"
    )


def _pages(
    title: str, problems: list[Problem], draw: Callable[[int, Problem], str], per_page: int, top: str = ""
) -> Iterator[str]:
    """Yield pages; the points of the boards of a page have one size, unless a board would be very small by that."""
    grid = f'<div class="grid sized" style="grid-template-columns: repeat({PER_PAGE[per_page]}, 1fr)">'
    for first in range(0, len(problems), per_page):
        page = list(enumerate(problems[first : first + per_page], first + 1))
        sides = [max(problem.start.width, problem.start.height) + 1 for _, problem in page]
        point = min(_POINT, _SIDE[per_page] / max(sides))
        figures = [
            f'<div style="--width: {_width(problem, point, _SIDE[per_page]):.1f}mm">{draw(number, problem)}</div>'
            for number, problem in page
        ]
        shown = "\n".join(figures)
        yield f"<section>\n<h1>{escape(title)}</h1>\n{top}{grid}\n{shown}\n</div>\n</section>\n"


def _width(problem: Problem, point: float, side: int) -> float:
    """Return the width of a board in millimetres, whose longer side is two fifths of `side` at least."""
    columns, rows = problem.start.width + 1, problem.start.height + 1
    return max(point, 0.4 * side / max(columns, rows)) * columns


def _question(number: int, problem: Problem) -> str:
    return figure(number, words.goal(problem.start), problem.start.game().board)


def answer(number: int, problem: Problem) -> str:
    """Return the solution as numbers on the board and as text; several right first plays by their points."""
    start = problem.start
    theme = words.sentence(words.theme(problem)) if problem.theme else ""
    several = {moves[0]: (1, start.to_move) for moves in problem.answers}
    numbers = several if len(several) > 1 else numbered(start.to_move, problem.line)
    return figure(number, f"{theme} {words.solution(problem)}".strip(), start.game().board, numbers)


def figure(number: int, caption: str, board: Board, numbers: Mapping[int, tuple[int | str, int]] | None = None) -> str:
    """Return a numbered board with a caption. `numbers`: see `picture`."""
    return f"<figure><figcaption><b>{number}.</b> {escape(caption)}</figcaption>\n{diagram(board, numbers)}</figure>"


def diagram(board: Board, numbers: Mapping[int, tuple[int | str, int]] | None = None) -> str:
    """Return a board as one SVG element. `numbers`: see `picture`."""
    return svg(picture(board, numbers=numbers, palette=PAPER))
