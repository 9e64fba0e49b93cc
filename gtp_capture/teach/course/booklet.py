"""The course as a booklet to print: one HTML file that refers to nothing outside itself, for A4 and Letter."""

from __future__ import annotations

from html import escape
from typing import Final

from .. import words
from ..puzzles.problem import Problem
from ..puzzles.sheet import answer, diagram, document, figure, head
from .lessons import Lesson, Page, Question

_STYLE: Final = """
@page { size: auto; margin: 12mm; }
body { font: 12pt sans-serif; }
h2 { font-size: 13pt; margin: 0 0 2mm; }
p { margin: 0 0 2mm; }
article { display: flex; gap: 6mm; align-items: start; break-inside: avoid; margin: 0 0 6mm; }
article div { flex: 1; }
article svg { flex: none; width: 52mm; }
.rule { border: 0.3mm solid #000; padding: 2mm; margin: 4mm 0; }
.grid { grid-template-columns: repeat(3, 1fr); align-items: end; gap: 2mm 5mm; margin-bottom: 3mm; }
.grid svg { max-height: 42mm; }
"""


def booklet(lessons: list[Lesson]) -> str:
    """Return the booklet: for each lesson its pages, problems and game; all answers at the end."""
    sections = [section for lesson in lessons for section in (_pages(lesson), _problems(lesson))]
    return document(escape(words.SHORT.text("course.booklet")), [*sections, *map(_answers, lessons)], _STYLE)


def _section(key: str, lesson: Lesson, content: str) -> str:
    title = words.SHORT.text(key, number=lesson.number, title=lesson.title)
    return f"<section>\n<h1>{escape(title)}</h1>\n{content}\n</section>\n"


def _pages(lesson: Lesson) -> str:
    """The pages, below a line for name and date and the rules in three sentences."""
    goal = words.game_goal(lesson.goal.rules, words.Voice(plain=True))
    rules = words.SHORT.text("course.rules", goal=goal)
    return _section("course.title", lesson, "\n".join([head(rules), *map(_page, lesson.pages)]))


def _page(page: Page) -> str:
    after = diagram(page.game.board) if page.captures else ""
    text = f"<div><h2>{escape(page.title)}</h2>\n{_paragraphs(page.text)}</div>"
    return f"<article>{text}\n{diagram(page.start.board, page.numbers)}{after}</article>"


def _problems(lesson: Lesson) -> str:
    boards = [task.game.board if isinstance(task, Question) else task.start.board() for _, task in lesson.exercises]
    shown = [
        figure(n, text, board) for n, ((text, _), board) in enumerate(zip(lesson.exercises, boards, strict=True), 1)
    ]
    return _section("course.title", lesson, _grid(shown) + _paragraphs(lesson.goal.text))


def _answers(lesson: Lesson) -> str:
    return _section(
        "course.answers", lesson, _grid([_answer(n, task) for n, (_, task) in enumerate(lesson.exercises, 1)])
    )


def _answer(number: int, task: Problem | Question) -> str:
    if isinstance(task, Problem):
        return answer(number, task)
    return figure(number, words.answer(task.count, map(task.game.vertex, task.points)), task.game.board, task.numbers)


def _grid(figures: list[str]) -> str:
    return '<div class="grid">\n{}\n</div>\n'.format("\n".join(figures))


def _paragraphs(text: str) -> str:
    return "\n".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
