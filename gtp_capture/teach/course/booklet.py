"""The course as a booklet to print: one HTML file that refers to nothing outside itself, for A4 and Letter."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from .. import words
from ..puzzles.problem import Problem
from ..puzzles.sheet import answer, diagram, document, figure, head
from ..words import Voice
from .lessons import Lesson, Page, Quiz

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


def booklet(lessons: list[Lesson], voice: Voice = words.SHORT) -> str:
    """Return the booklet: for each lesson its pages, problems and game, then the answers of all lessons."""
    sections = [content(lesson, voice) for lesson in lessons]
    answers = [_answers(lesson, voice) for lesson in lessons]
    return document(voice.text("course.booklet"), [*sections, *answers], _STYLE, voice=voice)


def content(lesson: Lesson, voice: Voice) -> str:
    """Return the pages, the problems and the game of a lesson as sections of HTML."""
    goal = _paragraphs(lesson.goal.text)
    return _pages(lesson, voice) + problems(lesson, range(len(lesson.exercises)), voice, goal)


def _section(key: str, lesson: Lesson, content: str, voice: Voice) -> str:
    title = voice.text(key, number=lesson.number, title=lesson.title)
    return f"<section>\n<h1>{escape(title)}</h1>\n{content}\n</section>\n"


def _pages(lesson: Lesson, voice: Voice) -> str:
    """Return the pages of a lesson, below a line for name and date and the rules of its pages, or else of its game."""
    of_pages = (page.game.rules for page in lesson.pages if page.game.rules.is_capture_game)
    rules = voice.text("course.rules", goal=words.game_goal(next(of_pages, lesson.goal.rules), voice))
    return _section("course.title", lesson, "\n".join([head(rules, voice), *map(_page, lesson.pages)]), voice)


def _page(page: Page) -> str:
    after = diagram(page.game.board) if page.captures else ""
    text = f"<div><h2>{escape(page.title)}</h2>\n{_paragraphs(page.text)}</div>"
    return f"<article>{text}\n{diagram(page.start.board, page.numbers, page.territory)}{after}</article>"


def problems(lesson: Lesson, places: Iterable[int], voice: Voice, after: str = "") -> str:
    """Return some of the problems of a lesson, by their places from 0 on, as a section of HTML; `after`: its end."""
    shown = []
    for place in places:
        text, task = lesson.exercises[place]
        board = task.game.board if isinstance(task, Quiz) else task.start.board()
        shown.append(figure(place + 1, text, board))
    return _section("course.title", lesson, _grid(shown) + after, voice)


def _answers(lesson: Lesson, voice: Voice) -> str:
    answers = [_answer(number, task, voice) for number, (_, task) in enumerate(lesson.exercises, 1)]
    return _section("course.answers", lesson, _grid(answers), voice)


def _answer(number: int, task: Problem | Quiz, voice: Voice) -> str:
    if isinstance(task, Problem):
        return answer(number, task, voice)
    text = words.answer(task.count, map(task.game.vertex, task.points), voice)
    return figure(number, text, task.game.board, task.numbers)


def _grid(figures: list[str]) -> str:
    return '<div class="grid">\n{}\n</div>\n'.format("\n".join(figures))


def _paragraphs(text: str) -> str:
    return "\n".join(f"<p>{escape(part)}</p>" for part in text.split("\n\n"))
