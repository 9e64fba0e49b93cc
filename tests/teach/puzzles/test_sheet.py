"""The printable sheet."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from gtp_capture.teach import words
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.puzzles.sheet import PER_PAGE, answer_sheet, sheet

VOID = {"meta", "circle", "path", "rect"}


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects what a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.pages: list[dict[str, int]] = []
        self.titles: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}
        if tag == "section":
            self.pages.append({})
        if self.pages:
            self.pages[-1][tag] = self.pages[-1].get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.pages:
            self.pages[-1][tag] = self.pages[-1].get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["h1"]:
            self.titles.append(data)


@pytest.mark.slow
@pytest.mark.parametrize("per_page", PER_PAGE)
def test_each_page_has_its_problems_and_the_answers_have_their_own(collection: list[Problem], per_page: int) -> None:
    problems = collection[:20]
    reader = Reader(sheet(problems, per_page))
    questions = -(-20 // per_page)
    assert reader.titles == ["Problems"] * questions + ["Answers"] * 2
    rest = [20 % per_page] if 20 % per_page else []
    assert [page["svg"] for page in reader.pages] == [per_page] * (20 // per_page) + rest + [12, 8]
    stones = [len(problem.start.black) + len(problem.start.white) for problem in problems]
    assert sum(page["circle"] for page in reader.pages[:questions]) == sum(stones)


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_boards_of_one_page_have_points_of_one_size(collection: list[Problem], per_page: int) -> None:
    text = sheet(collection, per_page, answers=False)
    for page in text.split("<section>")[1:]:
        sizes = re.findall(r'--width: ([\d.]+)mm.*?viewBox="0 0 (\d+) ', page, re.DOTALL)
        assert 0 < len(sizes) <= per_page
        points = [float(width) / int(pixels) for width, pixels in sizes]
        assert max(points) - min(points) < 0.01 * max(points)


def test_a_small_board_beside_a_very_large_one_can_be_read(tutorial: list[Problem]) -> None:
    small, large = tutorial[0], tutorial[-1]
    widths = [float(width) for width in re.findall(r"--width: ([\d.]+)mm", sheet([large, small], 2, answers=False))]
    assert 2 < widths[0] / widths[1] < 3


def test_the_sheet_refers_to_nothing_outside(collection: list[Problem]) -> None:
    text = sheet(collection, 12).replace(' xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert Reader(text).attributes & {"href", "src", "srcset", "data", "action"} == set()
    assert "color-scheme: light" in text


def test_an_answer_names_a_second_play_on_a_point(collection: list[Problem]) -> None:
    said = "B D4 W D3 B D4 W A1 B B4. Move 3 is on the same point as move 1.</figcaption>"
    assert said in sheet(collection[95:96], 6)


def test_the_questions_do_not_show_the_answers(collection: list[Problem]) -> None:
    problem = next(p for p in collection if p.depth == 3)
    questions, _, answers = sheet([problem], 6).partition("<h1>Answers</h1>")
    vertex = problem.start.game().vertex(problem.line[0])
    assert f" {vertex} " not in questions
    assert f" {vertex} " in answers
    assert 'text-anchor="middle" fill="#' not in questions.partition("<section>")[2].replace('fill="#444"', "")


@pytest.mark.slow
def test_a_sheet_has_a_title_and_room_for_the_name_and_the_rule(collection: list[Problem]) -> None:
    problems = [problem for problem in collection if str(problem.start.rules) == "first-capture"][:4]
    text = sheet(problems, 2, "Anna & <Ben>", answers=False)
    reader = Reader(text)
    assert reader.titles == ["Anna & <Ben>"] * 2
    for words_of_page in ("Name: <span></span> Date: <span></span>", "The goal: take a stone before the other player"):
        assert text.count(words_of_page) == 2
    assert Reader(answer_sheet(problems)).titles == ["Answers"]


def test_the_rule_of_a_sheet_fits_all_its_problems(collection: list[Problem]) -> None:
    assert "take a stone" in words.sheet_rule(collection[:1], words.SHORT)
    assert words.sheet_rule(collection, words.SHORT) == "To take a stone, fill all the free points next to it."
