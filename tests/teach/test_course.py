"""The course: the contents of its lessons, the proofs of all answers and statements, and its forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from gtp_capture.go import board as bd
from gtp_capture.go import sgf
from gtp_capture.go.rules import Ko, Rules, Scoring
from gtp_capture.go.sgf_tree import read_tree
from gtp_capture.go.vertex import BLACK, EMPTY, WHITE
from gtp_capture.teach.course import lessons
from gtp_capture.teach.course.booklet import booklet
from gtp_capture.teach.course.lessons import Quiz
from gtp_capture.teach.puzzles import files
from gtp_capture.teach.puzzles.examiner import Clue, FileExaminer
from gtp_capture.teach.puzzles.problem import Problem
from gtp_capture.teach.sentences import table

from ..support.course import fact, filled, is_true, positions
from ..support.endings import ends, faults
from ..support.problem_oracle import Oracle, check
from .puzzles.test_sheet import Reader

NUMBERS = lessons.numbers()
lesson_of = cache(lessons.lesson)


def test_the_lessons_are_numbered_from_1() -> None:
    assert list(range(1, len(NUMBERS) + 1)) == NUMBERS


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_has_pages_problems_a_game_and_advice(number: int) -> None:
    lesson = lesson_of(number)
    assert 3 <= len(lesson.pages) <= 9
    assert 8 <= len(lesson.exercises) <= 15
    assert lesson.title
    assert "45 minutes" not in lesson.advice
    assert "Win once" in lesson.goal.text
    assert f"level {lesson.goal.level}" in lesson.goal.text
    assert f"{lesson.goal.size}x{lesson.goal.size}" in lesson.goal.text


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_brings_plans_of_45_minutes_that_go_through_all_its_pages_and_problems(number: int) -> None:
    lesson = lesson_of(number)
    steps = [step for plan in lesson.plans for step in plan]
    assert lesson.plans
    assert {sum(step.minutes for step in plan) for plan in lesson.plans} == {45}
    assert {plan[-1].kind for plan in lesson.plans} == {"closing"}
    for kind, count in (("explain", len(lesson.pages)), ("problems", len(lesson.exercises))):
        ranges = [range(step.first, step.last + 1) for step in steps if step.kind == kind]
        assert [n for places in ranges for n in places] == list(range(1, count + 1)), kind
    for step in steps:
        task = lesson.exercises[step.first - 1].task if step.kind == "look" else None
        assert not isinstance(task, Quiz) or task.count is None


@pytest.mark.parametrize("number", NUMBERS)
def test_problems_are_numbered_from_1(number: int) -> None:
    roots = [read_tree(data) for data in sgf.split(lessons.source(number))]
    titles = [root.text("GN") for root in roots if "goal" in files.facts(root)]
    assert titles == [f"Problem {n}" for n in range(1, len(titles) + 1)]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_texts_are_short_and_name_points_of_their_board(number: int) -> None:
    lesson = lesson_of(number)
    for text, game in [(page.text, page.game) for page in lesson.pages]:
        assert len(text.split()) <= 75
        assert all(len(sentence.split()) <= 20 for sentence in re.split(r"(?<=[.:!?])\s", text)), text
        assert all(game.point(vertex) for vertex in re.findall(r"\b[A-T]\d{1,2}\b", text))


@pytest.mark.parametrize("number", NUMBERS)
def test_letters_stand_on_empty_points_and_in_the_text(number: int) -> None:
    for page in lesson_of(number).pages:
        assert all(page.start.board.color[point] == EMPTY for point in page.labels)
        assert page.labels.keys().isdisjoint(move.point for move in page.game.moves)
        named = {*re.findall(r"\b[a-h]\b", re.sub(r"\ba (?!to\b|and\b)", "", page.text))}
        assert named <= {*page.labels.values()}


def tasks(number: int) -> list[Problem | Quiz]:
    return [task for _, task in lesson_of(number).exercises]


def answers(task: Problem | Quiz) -> set[int]:
    """The first points of all right answers; none if a number is the answer."""
    if isinstance(task, Quiz):
        return {*task.points} if task.count is None else set()
    return {line[0] for line in task.answers}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_board_is_square(number: int) -> None:
    """GoGui and sgfmill open no others."""
    sizes = [sgf.load(data).size for data in sgf.split(lessons.source(number))]
    assert [(width, height) for width, height in sizes if width != height] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_no_point_is_the_answer_again_and_again(number: int) -> None:
    right = [answers(task) for task in tasks(number)]
    assert all(a.isdisjoint(b) for a, b in pairwise(right))
    sizes = [task.game.size if isinstance(task, Quiz) else task.start.game().size for task in tasks(number)]
    uses = Counter((size, point) for size, points in zip(sizes, right, strict=True) for point in points)
    assert not uses or max(uses.values()) <= 2


INTRODUCED = {
    1: "liberties, chain, point",
    2: "atari, double atari",
    3: "cut, cutting point, doors",
    4: "ladder, net",
    5: "safe move",
    6: "prisoner",
    7: "eye, seki, ko, snapback, false eye",
    8: "territory, komi, handicap, border",
}
"""The words that a lesson explains on its pages."""


def texts(number: int) -> list[str]:
    """The texts that a learner reads in a lesson, in order."""
    lesson = lesson_of(number)
    read = [f"{page.title}. {page.text}" for page in lesson.pages]
    return [*read, *(text for text, _ in lesson.exercises), lesson.goal.text]


@pytest.mark.parametrize(
    ("number", "word"), [(n, word) for n, words in INTRODUCED.items() for word in words.split(", ")]
)
def test_a_word_is_explained_before_it_is_used(number: int, word: str) -> None:
    pattern = re.compile(rf"\b{word}\b", re.IGNORECASE)
    earlier = [text for n in NUMBERS if n < number for text in texts(n)]
    assert not [text for text in earlier if pattern.search(text)]
    assert any(pattern.search(f"{page.title}. {page.text}") for page in lesson_of(number).pages)


def test_themes_and_long_solutions_come_after_the_pages_that_teach_them() -> None:
    """Before the ladder of lesson 4 no problem needs more than two plays."""
    taught = {"double atari": 2, "cut": 3, "ladder": 4, "net": 4, "race of safe moves": 5, "squeeze": 6}
    for number in NUMBERS:
        for task in tasks(number):
            if isinstance(task, Problem):
                assert taught.get(task.theme, 0) <= number
                assert number >= 4 or len(task.line) <= 3


def test_pages_and_problems_state_what_they_teach() -> None:
    """Each page has a statement that is proven, and each subject of the last lessons its kind of statement."""
    stated: dict[int, list[str]] = {number: [] for number in NUMBERS}
    for number in NUMBERS:
        for data in sgf.split(lessons.source(number)):
            statements = [name for node in read_tree(data).main_line() for name in files.facts(node).items()]
            assert statements
            stated[number] += [f"{name}={value}" for name, value in statements]
    for number, names in {
        7: ["goal=number of shared", "shared=", "goal=kill", "goal=live"],
        8: ["number of around", "fenced black", "number of fenced", "most=", "first=white", "goal=most", "goal=finish"],
    }.items():
        assert [name for name in names if not any(text.startswith(name) for text in stated[number])] == []


def test_a_hint_names_stones_of_the_colour_that_it_speaks_of() -> None:
    saves = 0
    for number in NUMBERS:
        for task in tasks(number):
            if not isinstance(task, Problem):
                continue
            clues, board = [*FileExaminer(task).clues()], task.start.game().board
            targets = [task.start.game().point(clue.place) for clue in clues if clue.kind == "target"]
            if Clue("save") in clues:
                saves += 1
                assert [int(board.color[p]) for p in targets] == [task.start.to_move]
                assert all(bd.in_atari(board, p) for p in targets)
            if Clue("capture") in clues:
                assert all(bd.in_atari(board, p) and board.color[p] != task.start.to_move for p in targets)
    assert saves >= 2


def test_a_wrong_atari_is_told_from_no_atari() -> None:
    """Each comment is compared with the board: the stone on D1 is in atari or not after the play."""
    task = next(task for text, task in lesson_of(2).exercises if "Put the white stone in atari" in text)
    assert isinstance(task, Problem)
    lines = {line.moves[0]: line for line in task.variations}
    target = task.start.game().point("D1")
    for play in task.start.game().legal_plays():
        after = bd.after(task.start.game().board, play, task.start.to_move)
        if not bd.in_atari(after, target):
            assert lines[play].comment == "This is no atari."
        elif bd.in_atari(after, play):
            assert lines[play].comment == "White takes a stone and wins."


def test_an_eye_is_defined_once() -> None:
    (sentence,) = re.findall(r"[^.]* is an eye\.|An eye is [^.]*\.", table()["term.eyes"])
    first = lesson_of(7).pages[0].text
    assert sentence in first
    assert len(re.findall(r"is an eye\.|An eye is ", " ".join(texts(7)))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_every_answer_and_every_statement_is_proven(number: int) -> None:
    """The answers are made anew from the goals: all plays at each turn, refutations, and the longest resistance."""
    data = lessons.source(number)
    assert filled(data) == data, "run python -m tests.support.course"


def tasks_of(number: int) -> list[tuple[str, Problem | Quiz]]:
    """The problems of a lesson, with their goals."""
    stated = [files.facts(read_tree(data)).get("goal") for data in sgf.split(lessons.source(number))]
    tasks = [task for _, task in lesson_of(number).exercises]
    return list(zip([goal for goal in stated if goal], tasks, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_each_line_is_played_out_and_its_sentence_is_true_of_the_end(number: int) -> None:
    """Read by other rules than those of the program: a win only if the game is over, and always if it is."""
    for goal, task in tasks_of(number):
        if isinstance(task, Problem):
            assert faults(task, goal) == []
            for variation, end in ends(task, goal):
                assert variation.comment
                assert end.winner is None or variation.right == ((BLACK, WHITE)[end.winner] == task.start.to_move)


def test_a_sentence_that_is_not_true_of_the_end_is_found() -> None:
    goal, task = tasks_of(1)[6]
    assert isinstance(task, Problem)
    for false in ("Now the stones have 5 liberties.", "White takes 2 stones and wins."):
        wrong = [variation._replace(comment=false) for variation in task.variations if not variation.right]
        assert len(faults(replace(task, variations=tuple(wrong)), goal)) == len(wrong)
    goal, task = tasks_of(7)[3]
    assert isinstance(task, Problem)
    turned = {"White lives.": "White cannot live.", "White cannot live.": "White lives."}
    lines = tuple(variation._replace(comment=turned[variation.comment]) for variation in task.variations)
    assert len(faults(replace(task, variations=lines), goal)) == len(lines)


STATED: dict[str, Callable[[Rules], object]] = {
    r"The first to take a stone wins|the first to take a stone wins": lambda rules: rules.captures == 1,
    r"the first to take five stones wins": lambda rules: rules.captures == 5,
    r"the first to have ten prisoners wins": lambda rules: rules.captures == 10,
    r"may not put a stone where it has no liberty": lambda rules: not rules.suicide,
    r"This is ko\.|Ko is a rule": lambda rules: rules.ko is not Ko.NONE,
    r"To pass is to give a stone away, and that loses": lambda rules: rules.pass_stones and rules.won_by(1),
    r"a pass gives the other side a stone": lambda rules: rules.pass_stones and not rules.won_by(1),
    r"can never be taken|your last two eyes: pass": lambda rules: rules.may_pass and not rules.won_by(1),
    r"Two passes (?:in a row )?end the game": lambda rules: rules.may_pass and not rules.won_by(1),
    r"without a winner": lambda rules: not rules.is_scored,
    r"They are called komi|is about territory": lambda rules: rules.scoring is Scoring.TERRITORY,
}
"""Sentences that state a rule, with what they say of the rules of a game."""


@pytest.mark.parametrize("number", NUMBERS)
def test_the_rules_that_a_lesson_states_are_those_of_its_game(number: int) -> None:
    lesson = lesson_of(number)
    for text in [*(page.text for page in lesson.pages), *(text for text, _ in lesson.exercises), lesson.goal.text]:
        for stated, holds in STATED.items():
            assert not re.search(stated, text) or holds(lesson.goal.rules), text
    for data in sgf.split(lessons.source(number)):  # the game forbids the points that the text says
        root = read_tree(data)
        if files.facts(root).get("goal", "").startswith("forbidden"):
            goal = files.facts(root)["goal"]
            assert fact(sgf.load(data), goal) == fact(sgf.load(data, lesson.goal.rules), goal)
        for node, game in positions(root, data, lesson.goal.rules):
            for name, value in files.facts(node).items():
                if name.startswith("forbidden"):
                    assert is_true(game, name, value, lessons.labels(node, game)), root.text("GN")


def test_each_sentence_that_states_a_rule_is_in_a_lesson() -> None:
    lessons = [lesson_of(number) for number in NUMBERS]
    texts = [text for lesson in lessons for text in [*(page.text for page in lesson.pages), lesson.goal.text]]
    assert [stated for stated in STATED if not any(re.search(stated, text) for text in texts)] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_clues_to_a_question_are_true(number: int) -> None:
    for _, task in tasks_of(number):
        if isinstance(task, Quiz):
            clues = list(task.clues())
            said = {clue.kind: clue.place for clue in clues}
            if task.count is None:
                assert [clue.kind for clue in clues] == ["column", "row"]
                assert task.is_right(task.game.point(said["column"] + said["row"]))
            else:
                assert clues[-1].kind == "number"
                assert str(task.count) in (clues[-1].place, clues[-1].other)
                assert "counted" not in said or task.game.point(said["counted"]) in task.points


@pytest.mark.slow
def test_an_independent_program_finds_no_second_answer_on_full_boards() -> None:
    oracle = Oracle(5, 5)
    tasks = [task for number in NUMBERS for _, task in lesson_of(number).exercises if isinstance(task, Problem)]
    races = [task for task in tasks if task.theme == "race of safe moves"]
    assert len(races) >= 7
    assert [task for task in races if any(check(task, oracle))] == []


def test_a_wrong_statement_is_found() -> None:
    page = b"(;SZ[5]RU[first-capture]GN[One]PL[B]AB[cc]AW[cd]C[Text.]GCP[liberties C3=C4 D3]LB[cb:a])"
    for wrong in (b"=C4 D3", b"=marked", b"=none"):
        with pytest.raises(AssertionError, match=r"One: liberties C3 is B3 D3 C4, not "):
            filled(page.replace(b"=C4 D3", wrong))
    filled(page.replace(b"=C4 D3", b"=C4 B3 D3"))


def test_a_problem_with_two_right_plays_is_found() -> None:
    data = b"(;SZ[5]RU[first-capture]GN[Two]PL[B]AB[be][da]AW[ae][ea]C[Text.]GCP[goal=take])"
    with pytest.raises(AssertionError, match="Two: 2 plays are right: A2 E4"):
        filled(data)
    assert b"(;B[ad]" in filled(data.replace(b"AW[ae][ea]", b"AW[ae]"))


@pytest.mark.parametrize("number", NUMBERS)
def test_the_file_answers_every_play_of_a_problem(number: int) -> None:
    for _, task in lesson_of(number).exercises:
        if isinstance(task, Quiz):
            assert task.count is not None or len(task.points) == 1
            continue
        examiner = FileExaminer(task)
        while not examiner.solved:
            judged = {play: examiner.check(play).right for play in examiner.game.legal_plays()}
            assert None not in judged.values()
            assert examiner.solution()[0] in [play for play, right in judged.items() if right]
            play = examiner.solution()[0]
            assert examiner.check(play).right
            examiner.play((play, *examiner.check(play).reply))


@pytest.mark.parametrize("number", NUMBERS)
def test_each_tree_can_be_replayed_by_others(number: int) -> None:
    games = list(sgf.split(lessons.source(number)))
    lesson = lesson_of(number)
    assert len(games) == len(lesson.pages) + len(lesson.exercises) + 1
    assert all(sgf.load(data).size for data in games)


def test_sabaki_reads_every_page_and_problem(sabaki: Callable[[bytes], Any]) -> None:
    for number in NUMBERS:
        lesson = lesson_of(number)
        trees = [tree["data"] for tree in sabaki(lessons.source(number))]
        texts = [*(page.text for page in lesson.pages), *(text for text, _ in lesson.exercises)]
        assert [tree["C"][0] for tree in trees] == [*(texts[place] for place in lesson.order), lesson.goal.text]
        shown = {place: len(tree.get("LB", [])) for place, tree in zip(lesson.order, trees[:-1], strict=True)}
        assert [shown[place] for place, _ in enumerate(lesson.pages)] == [len(page.numbers) for page in lesson.pages]


def test_the_booklet_has_all_boards_and_refers_to_nothing_outside() -> None:
    lessons = [lesson_of(number) for number in NUMBERS[:2]]
    text = booklet(lessons)
    reader = Reader(text)
    assert len(reader.pages) == 3 * len(lessons)
    assert "http" not in text.replace(' xmlns="http://www.w3.org/2000/svg"', "")
    assert reader.attributes & {"href", "src", "srcset", "data", "action"} == set()
    pages, problems, answers = (reader.pages[n]["svg"] for n in (0, 1, 2 * len(lessons)))
    assert pages >= len(lessons[0].pages)
    assert problems == answers == len(lessons[0].exercises)


@pytest.mark.parametrize(
    ("number", "goal"),
    [(1, "take a stone before"), (6, "take 3 stones"), (7, "take 10 stones"), (8, "fence in more free points")],
)
def test_the_rules_of_a_lesson_in_the_booklet_are_those_of_its_pages(number: int, goal: str) -> None:
    assert f"The goal: {goal}" in booklet([lesson_of(number)])


def test_the_booklet_does_not_answer_before_its_end() -> None:
    lesson = lesson_of(1)
    questions, _, answers = booklet([lesson]).partition("<h1>Answers")
    assert "The answer is" not in questions
    assert answers.count("The answer is") == sum(isinstance(task, Quiz) for _, task in lesson.exercises)
    assert sum(isinstance(task, Problem) for _, task in lesson.exercises) > 0
