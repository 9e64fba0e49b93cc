"""The course: lessons of pages and problems, read from SGF, one file a lesson.

Each game of a file is a page, a problem, or the game to play at the end. A person meets them in the order of the file:
pages and problems may alternate. GN is its title and C its text; the title of a problem is `Problem N`, numbered from 1
in each lesson. LB puts letters on empty points, and for other programs the numbers of the moves of a page; TB and TW
mark territory. The first game of a file also has the title of the lesson (EV), advice for teachers (GC), and plans of
45 minutes, which are steps with minutes: `explain 1-5: 8; round: 12` by the name `plan 1`. The private property GCP has
`name=value`. The names `level` and `handicap` mark the game to play. The name `goal` marks a problem
and says which answer is right, by one of `PLAYS` or by the name of a statement. Any other name is a statement about the
position: the table `FACTS` of `tests/support/course.py` has all of them, and that module proves goals and statements.

If a problem is answered by a play, its variations contain every legal play at each turn. If it is answered by a point
or a number, its last node has no move: it has the points (LB), and the number in its comment (`RIGHT: 4`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import count
from typing import Final, NamedTuple

from ...go import sgf
from ...go.game import Game
from ...go.rules import Rules
from ...go.sgf_tree import Node, dump_trees, points_by_text, read_tree
from ...go.vertex import BLACK, EMPTY, WHITE, numbered
from ..puzzles.examiner import Clue, clues_to
from ..puzzles.files import RIGHT, facts, variations
from ..puzzles.problem import Problem, Start
from ..sentences import ENGLISH
from ..words import Voice

FOLDER: Final = "english"
"""The folder with the lessons. A translation is a catalogue of gettext, with the texts of these files as messages."""
TEXTS: Final = ("EV", "GC", "GN", "C")
"""The properties with texts."""
PLAYS: Final = ("win", "soon", "take", "atari", "save", "live", "kill", "most")
"""Goals that a play reaches. The answer to any other goal is a point or a number."""
TERRITORY: Final = {BLACK: "TB", WHITE: "TW"}
"""The properties that mark the territory of a side."""
STEPS: Final = ("explain", "problems", "look", "game", "round", "closing")
"""The kinds of steps of a plan: pages on the projector, problems, one problem for all, games, pairs, and the end."""
PLAN: Final = "plan "
"""How the name of a plan begins."""
_STEP: Final = re.compile(rf"({'|'.join(STEPS)})(?: (\d+)(?:-(\d+))?)?: (\d+)")
_NUMBER: Final = re.compile(rf"{RIGHT}: (\d+)")
_MARK: Final = re.compile(rf"\s*(?:{RIGHT}(?:: \d+)?)?\s*")
"""The mark of a right answer before the text of a comment, with the number if that is the answer."""
_PROBLEM: Final = re.compile(r"Problem (\d+)")


@dataclass(frozen=True, slots=True)
class Page:
    """A page: a title, a text, and a position with letters on empty points and moves."""

    title: str
    text: str
    game: Game
    """The position, after the moves."""
    labels: Mapping[int, str]
    territory: Mapping[int, int] = field(default_factory=dict)
    """The points that are marked as territory (TB, TW), with the colour of the side."""

    @property
    def start(self) -> Game:
        """The position before the moves."""
        return self.game.copy(0)

    @property
    def numbers(self) -> dict[int, tuple[int | str, int]]:
        """The letters, and the numbers of the moves, that are drawn on the first position."""
        moves = self.game.moves
        later = numbered(int(moves[0].color), [move.point for move in moves]) if moves else {}
        return {**{point: (text, EMPTY) for point, text in self.labels.items()}, **later}

    @property
    def captures(self) -> bool:
        """Whether a move captures, so that the board after the moves is drawn too."""
        return self.game.positions[0].prisoners != self.game.positions[-1].prisoners


@dataclass(frozen=True, slots=True)
class Quiz:
    """A problem that is answered by a point or a number."""

    game: Game
    points: Mapping[int, str]
    """The right points, or the points to count, with their letters."""
    count: int | None
    """The right number; None if a point is the answer."""

    def is_right(self, answer: int) -> bool:
        """Whether a point, or a number, is right."""
        return answer == self.count if self.count is not None else answer in self.points

    def clues(self, refused: Collection[int] = ()) -> Iterator[Clue]:
        """Yield clues to the answer, each saying more than the one before.

        `refused`: wrong answers that were given, of which a clue names none.
        """
        if self.count is None:
            yield from clues_to(min(self.points), self.game.width)
            return
        if self.points:
            yield Clue("counted", self.game.vertex(min(self.points)))
        others = (self.count ^ 1, *range(self.count + 1, self.count + len(refused) + 2))
        other = next(number for number in others if number not in refused)
        yield Clue("number", *map(str, sorted((self.count, other))))

    @property
    def numbers(self) -> dict[int, tuple[int | str, int]]:
        """The letters of the answer, as they are drawn."""
        return {p: (text, EMPTY) for p, text in self.points.items() if self.game.board.color[p] == EMPTY}


class Exercise(NamedTuple):
    """A problem of a lesson, with the text that sets it."""

    text: str
    task: Problem | Quiz


class Goal(NamedTuple):
    """The game at the end of a lesson."""

    text: str
    rules: Rules
    size: int
    level: int
    handicap: int
    """Black's stones before White begins; 0 for none."""


class Step(NamedTuple):
    """A step of a plan."""

    kind: str
    """One of STEPS."""
    minutes: int
    first: int
    """The first page or problem; 0 for a step without."""
    last: int
    """The last one."""


class Lesson(NamedTuple):
    """A lesson of the course."""

    number: int
    title: str
    advice: str
    """For teachers: paragraphs of text."""
    plans: tuple[tuple[Step, ...], ...]
    """The steps of each lesson of 45 minutes."""
    pages: tuple[Page, ...]
    exercises: tuple[Exercise, ...]
    goal: Goal
    order: tuple[int, ...]
    """The pages and problems as they follow each other: a page by its index, a problem by its index plus the pages."""

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each exercise, such as `3.4`; see `event.Task.name`."""
        return tuple(f"{self.number}.{n}" for n, _ in enumerate(self.exercises, 1))


def source(number: int, language: str = ENGLISH) -> bytes:
    """Return the file of a lesson in a language."""
    data = (resources.files(__package__) / FOLDER / f"lesson-{number}.sgf").read_bytes()
    if language == ENGLISH:
        return data
    return b"\n".join(_translated(game, Voice(language=language)) for game in sgf.split(data))


def _translated(data: bytes, voice: Voice) -> bytes:
    """Return a game of a lesson in the language of a voice."""
    root = read_tree(data)
    for node, name, mark, text in texts(root):
        node.set_text(name, mark + voice.translated(text))
    if problem := _PROBLEM.fullmatch(root.text("GN")):
        root.set_text("GN", voice.text("problem.title", number=problem[1]))
    return dump_trees([root])


def texts(root: Node) -> Iterator[tuple[Node, str, str, str]]:
    """Yield the texts of a game of a lesson: the node, the property, the mark before the text, and the text.

    The title of a problem is its number, and no text.
    """
    for node in root.walk():
        for name in TEXTS:
            whole = node.text(name)
            mark = _MARK.match(whole) if name == "C" else None
            start = 0 if mark is None else mark.end()
            if whole[start:] and not (name == "GN" and _PROBLEM.fullmatch(whole)):
                yield node, name, whole[:start], whole[start:]


def numbers() -> list[int]:
    """Return the numbers of all lessons."""
    names = (file.name for file in (resources.files(__package__) / FOLDER).iterdir())
    return sorted(int(match[1]) for name in names if (match := re.fullmatch(r"lesson-(\d+)\.sgf", name)))


@cache
def title(number: int, language: str = ENGLISH) -> str:
    """Return the title of a lesson, without reading all of it."""
    return read_tree(source(number, language)).text("EV")


@cache
def lesson(number: int, language: str = ENGLISH) -> Lesson:
    """Return a lesson in a language. It is cached, so that callers must not change it."""
    games = [*sgf.split(source(number, language))]
    roots = [*map(read_tree, games)]
    *tasks, (data, root, stated) = zip(games, roots, map(facts, roots), strict=True)
    game = sgf.load(data)
    goal = Goal(root.text("C"), game.rules, game.width, int(stated["level"]), int(stated.get("handicap", 0)))
    pages = tuple(_page(root, sgf.load(data)) for data, root, stated in tasks if "goal" not in stated)
    exercises = tuple(_exercise(root, data, stated) for data, root, stated in tasks if "goal" in stated)
    places = {False: count(), True: count(len(pages))}
    order = tuple(next(places["goal" in stated]) for _, _, stated in tasks)
    first, plans = roots[0], _plans(facts(roots[0]))
    return Lesson(number, first.text("EV"), first.text("GC"), plans, pages, exercises, goal, order)


def _plans(stated: Mapping[str, str]) -> tuple[tuple[Step, ...], ...]:
    """Return the plans among the statements of a game."""
    return tuple(tuple(map(_step, text.split("; "))) for name, text in stated.items() if name.startswith(PLAN))


def _step(text: str) -> Step:
    match = _STEP.fullmatch(text)
    assert match is not None, f"{text!r} is no step"
    return Step(match[1], int(match[4]), int(match[2] or 0), int(match[3] or match[2] or 0))


def labels(node: Node, game: Game) -> dict[int, str]:
    """Return the letters (LB) of a node, by point; not the numbers of moves."""
    points = points_by_text(game.width, game.height)
    pairs = (value.partition(b":") for value in node.properties.get("LB", []))
    return {points[point]: text.decode() for point, _, text in pairs if text.isalpha()}


def territory(node: Node, game: Game) -> dict[int, int]:
    """Return the points that a node marks as territory (TB, TW), with the colour of the side."""
    points = points_by_text(game.width, game.height)
    sides = ((color, node.properties.get(name, [])) for color, name in TERRITORY.items())
    return {points[text]: color for color, texts in sides for text in texts}


def _page(root: Node, game: Game) -> Page:
    return Page(root.text("GN"), root.text("C"), game, labels(root, game), territory(root, game))


def _exercise(root: Node, data: bytes, stated: Mapping[str, str]) -> Exercise:
    if stated["goal"].partition(" ")[0] not in PLAYS:
        game, last = sgf.load(data), list(root.main_line())[-1]
        number = _NUMBER.search(last.text("C"))
        return Exercise(root.text("C"), Quiz(game, labels(last, game), int(number[1]) if number else None))
    game = sgf.load(data, before_move=1)
    start = Start.of(game.board, int(game.to_move), game.rules)
    return Exercise(root.text("C"), Problem(start, variations(root, game), stated.get("theme", "")))
