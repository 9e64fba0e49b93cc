"""A printable sheet of problems as one HTML file: pages of A4, boards as SVG inside, and the answers at the end.

The file refers to nothing outside itself. It is black on white in any colour scheme, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from ...go.board import Board
from ...go.picture import PAPER, Marked, picture, svg
from ...go.vertex import numbered
from .. import words
from ..words import Voice
from .files import numbers
from .problem import Problem, Start

PER_PAGE: Final = {2: 1, 6: 2, 12: 3}
"""Columns of a page by its number of problems."""
_SIDE: Final = {2: 100, 6: 64, 12: 48}
"""Greatest length (mm) of a board's longer side with its coordinates, by the number of problems of a page."""
_POINT: Final = 12
"""Greatest distance (mm) of two lines of a board."""
_STYLE: Final = """
:root { color-scheme: light; }
@page { size: A4; margin: 12mm; }
body { margin: 0; background: #fff; color: #000; font: 11pt sans-serif; }
body:lang(ja) { word-break: auto-phrase; text-wrap: pretty; }
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


def sheet(
    problems: Sequence[Problem], per_page: int, title: str = "", *, answers: bool = True, voice: Voice = words.SHORT
) -> str:
    """Return the sheet, with the answers on pages of their own unless they are left out.

    `per_page` is a key of PER_PAGE; each page of problems has the title, a line for name and date, and the rule.
    """
    title = title or voice.text("sheet.problems")
    figures = [question(number, problem, voice) for number, problem in zip(numbers(problems), problems, strict=True)]
    pages = [*_pages(title, problems, figures, per_page, head(words.sheet_rule(problems, voice), voice))]
    return document(title, [*pages, *(_answers(problems, voice) if answers else ())], voice=voice)


def answer_sheet(problems: Sequence[Problem], voice: Voice = words.SHORT) -> str:
    """Return the answers alone."""
    return document(voice.text("sheet.answers"), _answers(problems, voice), voice=voice)


def _answers(problems: Sequence[Problem], voice: Voice) -> Iterator[str]:
    figures = [answer(number, problem, voice) for number, problem in zip(numbers(problems), problems, strict=True)]
    return _pages(voice.text("sheet.answers"), problems, figures, max(PER_PAGE))


def head(rule: str, voice: Voice) -> str:
    """Return a line for name and date, and the rule."""
    name, date = escape(voice.text("sheet.name")), escape(voice.text("sheet.date"))
    line = f'<p class="name">{name} <span></span> {date} <span></span></p>\n'
    return f'{line}<p class="rule">{escape(rule)}</p>\n'


def document(title: str, sections: Iterable[str], style: str = "", *, voice: Voice) -> str:
    """Return a file to print. `style`: rules of CSS in addition to the rules of a sheet."""
    language = voice.language.replace("_", "-")
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}{style}</style>\n</head>\n<body>\n{''.join(sections)}</body>\n</html>\n"
    )


def _pages(title: str, problems: Sequence[Problem], figures: list[str], per_page: int, top: str = "") -> Iterator[str]:
    """Yield pages; the points of all boards of a page have one size, unless a board would become very small."""
    grid = f'<div class="grid sized" style="grid-template-columns: repeat({PER_PAGE[per_page]}, 1fr)">'
    for first in range(0, len(problems), per_page):
        page = slice(first, first + per_page)
        starts = [problem.start for problem in problems[page]]
        point = min(_POINT, _SIDE[per_page] / max(max(start.width, start.height) + 1 for start in starts))
        widths = [_width(start, point, _SIDE[per_page]) for start in starts]
        shown = "\n".join(
            f'<div style="--width: {width:.1f}mm">{figure}</div>'
            for width, figure in zip(widths, figures[page], strict=True)
        )
        yield f"<section>\n<h1>{escape(title)}</h1>\n{top}{grid}\n{shown}\n</div>\n</section>\n"


def _width(start: Start, point: float, side: int) -> float:
    """Return the width of a board in millimetres, whose longer side is two fifths of `side` at least."""
    columns, rows = start.width + 1, start.height + 1
    return max(point, 0.4 * side / max(columns, rows)) * columns


def question(number: int, problem: Problem, voice: Voice) -> str:
    """Return the position of a problem with its goal."""
    return figure(number, words.goal(problem.start, voice), problem.start.board())


def answer(number: int, problem: Problem, voice: Voice) -> str:
    """Return the solution as numbers on the board and as text; of several right first plays each has the number 1."""
    start = problem.start
    several = {moves[0]: (1, start.to_move) for moves in problem.answers}
    numbers = several if len(several) > 1 else numbered(start.to_move, problem.line)
    return figure(number, words.solution(problem, voice), start.board(), numbers)


def figure(number: int, caption: str, board: Board, numbers: Mapping[int, tuple[int | str, int]] | None = None) -> str:
    """Return a numbered board with a caption. `numbers`: see `picture`."""
    return f"<figure><figcaption><b>{number}.</b> {escape(caption)}</figcaption>\n{diagram(board, numbers)}</figure>"


def diagram(
    board: Board,
    numbers: Mapping[int, tuple[int | str, int]] | None = None,
    territory: Mapping[int, int] | None = None,
) -> str:
    """Return a board as one SVG element. `numbers`: see `picture`; `territory`: see `Marked`."""
    return svg(picture(board, Marked(territory=territory or {}), numbers=numbers, palette=PAPER))
