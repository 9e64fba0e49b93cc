"""A printable sheet of problems as one HTML file: pages of A4, boards as SVG inside, and the answers at the end.

The file refers to nothing outside itself. It is black on white in any colour scheme, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from ...go.picture import PAPER, picture, svg
from ...go.vertex import numbered
from .. import words
from .problem import Problem, Start

PER_PAGE: Final = {6: 2, 12: 3}
"""Columns of a page by its number of problems."""
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
svg { width: 100%; height: auto; max-height: 72mm; }
.of12 svg { max-height: 48mm; }
.answers svg { max-height: 48mm; }
"""


def sheet(problems: list[Problem], per_page: int) -> str:
    """Return the sheet; `per_page` is a key of PER_PAGE."""
    numbered = list(enumerate(problems, 1))
    answers = max(PER_PAGE)
    titles = words.SHORT.text("sheet.problems"), words.SHORT.text("sheet.answers")
    pages = [
        *_pages(titles[0], [_question(*pair) for pair in numbered], per_page, f"of{per_page}"),
        *_pages(titles[1], [_answer(*pair) for pair in numbered], answers, "answers"),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{titles[0]}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{''.join(pages)}</body>\n</html>\n"
    )


def _pages(title: str, figures: list[str], per_page: int, kind: str) -> Iterator[str]:
    grid = f'<div class="grid {kind}" style="grid-template-columns: repeat({PER_PAGE[per_page]}, 1fr)">'
    for first in range(0, len(figures), per_page):
        page = "\n".join(figures[first : first + per_page])
        yield f"<section>\n<h1>{title}</h1>\n{grid}\n{page}\n</div>\n</section>\n"


def _question(number: int, problem: Problem) -> str:
    return _figure(f"<b>{number}.</b> {escape(words.goal(problem.start))}", _diagram(problem.start, {}))


def _answer(number: int, problem: Problem) -> str:
    """The solution as numbers on the board and as text; several solutions of one play by their points."""
    start, answers = problem.start, problem.answers
    theme = f" {words.sentence(words.theme(problem))}" if problem.theme else ""
    several = {moves[0]: (1, start.to_move) for moves in answers}
    numbers = several if len(answers) > 1 else numbered(start.to_move, problem.line)
    return _figure(f"<b>{number}.</b>{escape(theme)} {escape(words.solution(problem))}", _diagram(start, numbers))


def _figure(caption: str, picture: str) -> str:
    return f"<figure><figcaption>{caption}</figcaption>\n{picture}</figure>"


def _diagram(start: Start, numbers: Mapping[int, tuple[int, int]]) -> str:
    """A position as one SVG element. `numbers`: for each point the number of a move and its colour."""
    return svg(picture(start.game().board, numbers=numbers, palette=PAPER))
