"""A printable sheet of problems as one HTML file: pages of A4, boards as SVG inside, and the answers at the end.

The file refers to nothing outside itself. It is black on white in any colour scheme, so that it prints in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Final

from ...go.board import Board
from ...go.picture import PAPER, picture, svg
from ...go.vertex import numbered
from .. import words
from .problem import Problem

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
        *_pages(titles[1], [answer(*pair) for pair in numbered], answers, "answers"),
    ]
    return document(titles[0], pages)


def document(title: str, sections: Iterable[str], style: str = "") -> str:
    """Return a file to print. `style`: rules of CSS besides those of a sheet."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{_STYLE}{style}</style>\n</head>\n<body>\n{''.join(sections)}</body>\n</html>\n"
    )


def _pages(title: str, figures: list[str], per_page: int, kind: str) -> Iterator[str]:
    grid = f'<div class="grid {kind}" style="grid-template-columns: repeat({PER_PAGE[per_page]}, 1fr)">'
    for first in range(0, len(figures), per_page):
        page = "\n".join(figures[first : first + per_page])
        yield f"<section>\n<h1>{title}</h1>\n{grid}\n{page}\n</div>\n</section>\n"


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
