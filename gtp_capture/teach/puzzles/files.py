"""Problems as SGF: a collection with solutions and refutations as variations, in the form that problem sites read.

Black and white stones are set up, PL names the side to move, and the comment RIGHT marks the end of a solution. Lines
without it are wrong answers. The private property GCP has the number in the collection, the theme and the difficulty as
`name=value`; for people they are also in the name of the game (GN) and in the root's comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from ...go import board as bd
from ...go import sgf
from ...go.game import Game
from ...go.rules import Rules
from ...go.sgf import SgfError
from ...go.sgf_tree import Node, dump_trees, point_text, points_by_text, read_tree
from ...go.vertex import COLOR_LETTERS, COLOR_NAMES, format_vertex
from ...util.atomic_file import atomic_write
from ...util.files import files_of, read_bounded
from .. import words
from ..words import Voice
from .problem import Difficulty, Problem, Start, Variation
from .theme import THEMES

RIGHT: Final = "RIGHT"
MOST_PROBLEMS: Final = 10_000
"""Maximum number of games that are read from a file."""
MOST_LINES: Final = 1000
"""Maximum number of variations of a problem."""
MOST_MOVES: Final = 100
"""Maximum number of moves of a variation."""
SHIPPED: Final = "shipped"
TUTORIAL: Final = "tutorial"
COLLECTIONS: Final = {SHIPPED: "problems.sgf", TUTORIAL: "tutorial.sgf"}
"""The files that come with this program by their names: problems with one winning play at each turn, and the positions
of the rule texts, one of which has six right plays."""
_RIGHT: Final = re.compile(rf"\b{RIGHT}\b")
FACTS: Final = "GCP"
"""The private property with the number, the theme and the difficulty."""
_MISSED: Final = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,5}", re.ASCII)
_EFFORT: Final = re.compile(r"\d{1,12}", re.ASCII)


def dump(problems: Sequence[Problem], voice: Voice = words.SHORT) -> bytes:
    """Return a collection of problems with their `numbers`."""
    pairs = zip(numbers(problems), problems, strict=True)
    return b"\n".join(dump_trees([_tree(problem, number, voice)]) for number, problem in pairs)


def problem_sgf(problem: Problem, language: str) -> str:
    """Return a problem as a file; see `Problem.sgf`."""
    return dump([problem], words.voice_of(language)).decode()


def write(path: Path, problems: Sequence[Problem], folder: bool, voice: Voice = words.SHORT) -> None:
    """Write problems to one file, or to a folder with a file for each. OSError: they cannot be written."""
    if not folder:
        with atomic_write(path) as file:
            file.write(dump(problems, voice))
        return
    path.mkdir(parents=True, exist_ok=True)
    names = numbers(problems)
    digits = max(2, len(str(max(names, default=0))))
    for number, problem in zip(names, problems, strict=True):
        with atomic_write(path / f"{number:0{digits}}.sgf") as file:
            file.write(dump_trees([_tree(problem, number, voice)]))


def read(
    path: Path,
    rules: Rules | None = None,
    *,
    named: set[Rules | None] | None = None,
    notice: sgf.Notice = lambda line: None,
    on_error: Callable[[Path, ValueError], None] | None = None,
) -> list[Problem]:
    """Return the problems of a file, or of the SGF files of a folder in the order of their names, with their `numbers`.

    `rules`, `notice`: see `sgf.load`. If `named` is given, the rules that the files name are added to it. `on_error` is
    called with each file of a folder that cannot be read or is not SGF, and the reason. ValueError: a single file, or
    any file without `on_error`, cannot be read or is not SGF, or there is no problem.
    """
    problems: list[Problem] = []
    for file in files_of(path, ".sgf"):
        try:
            data = read_bounded(file, sgf.MOST_BYTES)
            problems += parse(data, rules, notice)
        except ValueError as error:
            if file == path or on_error is None:
                raise
            on_error(file, error)
            continue
        if named is not None:
            named |= {sgf.named_rules(game) for game in sgf.split(data)}
    if not problems:
        needed = f"rules where captures win, stones, and a variation that ends with the comment {RIGHT}"
        raise SgfError(f"no problem: a problem has {needed}")
    return [replace(problem, number=number) for number, problem in zip(numbers(problems), problems, strict=True)]


class _Shipped(Sequence[Problem]):
    """The problems of a collection in which each game is a problem. Each is read when it is used: all take a second."""

    def __init__(self, games: Iterable[bytes]) -> None:
        self._games = tuple(games)

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, place: Any) -> Any:
        games = self._games[place]
        return list(parse(b"".join(games))) if isinstance(place, slice) else next(parse(games))


def numbers(problems: Sequence[Problem]) -> Sequence[int]:
    """Return the numbers of problems in their collection; if one has none, or two have the same, 1, 2, 3 and so on."""
    if not isinstance(problems, _Shipped):
        own = [problem.number for problem in problems]
        if 0 not in own and len({*own}) == len(own):
            return own
    return range(1, len(problems) + 1)


def shipped(name: str = SHIPPED) -> Sequence[Problem]:
    """Return the problems that come with this program under a name of COLLECTIONS."""
    return _Shipped(sgf.split((resources.files(__package__) / "collection" / COLLECTIONS[name]).read_bytes()))


def parse(data: bytes, rules: Rules | None = None, notice: sgf.Notice = lambda line: None) -> Iterator[Problem]:
    """Yield the problems of a collection; games without stones or without a solution are left out.

    SgfError: not SGF, too many games, or a variation with an illegal move.
    """
    for number, game_data in enumerate(sgf.split(data), 1):
        if number > MOST_PROBLEMS:
            raise SgfError(f"more than {MOST_PROBLEMS:,} games")
        try:
            problem = _problem(game_data, rules, notice)
        except SgfError as error:
            raise SgfError(f"game {number}: {error}") from None
        if problem is not None:
            yield problem


# --- Writing ---


def _tree(problem: Problem, number: int, voice: Voice) -> Node:
    start = problem.start
    side = f"{start.width}" if start.width == start.height else f"{start.width}:{start.height}"
    root = Node({"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"], "SZ": [side.encode()]})
    root.set_text("RU", str(start.rules))
    root.set_text("GN", words.title(problem, number, voice))
    for name, points in (("AB", start.black), ("AW", start.white)):
        if points:
            root.properties[name] = [point_text(p, start.width, start.height) for p in points]
    root.properties["PL"] = [COLOR_LETTERS[start.to_move].encode()]
    root.set_text("C", words.about(problem, voice, named=False))
    missed, tries, effort = problem.difficulty
    measured = {"missed": f"{missed}/{tries}" if tries else "", "effort": effort or ""}
    stated = {"number": number, "theme": problem.theme, **measured}
    root.properties[FACTS] = [f"{name}={value}".encode() for name, value in stated.items() if value]
    for variation in problem.variations:
        _add(root, start, variation, voice)
    return root


def _add(root: Node, start: Start, variation: Variation, voice: Voice) -> None:
    """Add a variation to the tree; moves that the tree has already are not repeated."""
    node = root.play(*(format_vertex(move, start.width) for move in variation.moves), color=start.to_move)
    said, moves = variation.comment, variation.moves
    refuted = variation.refuted or bool(said)
    if (not said and not variation.right) or said == words.end(start, moves, words.SHORT, refuted=refuted):
        said = words.end(start, moves, voice, refuted=refuted)  # an end that this program wrote is said in the language
    comment = f"{RIGHT * variation.right} {said}".strip()
    if comment:
        node.set_text("C", comment)


# --- Reading ---


def _problem(data: bytes, rules: Rules | None, notice: sgf.Notice) -> Problem | None:
    """Return the problem of one game; None if it has no stones or no solution."""
    game = sgf.load(data, rules, before_move=1, notice=notice)
    if game.outcome is not None or not bd.chains(game.board) or game.rules.captures is None:
        return None
    root = read_tree(data)
    lines = variations(root, game)
    if not lines or not lines[0].right:
        return None
    stated = facts(root)
    theme, missed, effort, number = (stated.get(name, "") for name in ("theme", "missed", "effort", "number"))
    counts = (int(match[1]), int(match[2])) if (match := _MISSED.fullmatch(missed)) else (0, 0)
    difficulty = Difficulty(*counts, int(effort) if _EFFORT.fullmatch(effort) else 0)
    start = Start.of(game.board, int(game.to_move), game.rules)
    known = theme if theme in THEMES else ""
    return Problem(start, lines, known, difficulty, int(number) if _NUMBER.fullmatch(number) else 0)


def facts(node: Node) -> dict[str, str]:
    """Return the private property of a node: names with their values."""
    pairs = (value.decode(errors="replace").partition("=") for value in node.properties.get(FACTS, []))
    return {name: value for name, _, value in pairs}


def variations(root: Node, game: Game) -> tuple[Variation, ...]:
    """Return the lines of a tree from a position on, right ones first. SgfError: see `_variations`."""
    lines = _variations(root, game, points_by_text(game.width, game.height))
    return tuple(sorted(lines, key=lambda variation: not variation.right))


def _variations(root: Node, game: Game, points: dict[bytes, int]) -> Iterator[Variation]:
    """Yield the lines of a tree, each up to a solution's end or to its last move.

    Nodes without a move, for example with a comment alone, count as part of the node before them. SgfError: an
    illegal move, too many lines, or too many moves in one.
    """
    trial, lines = game.copy(), 0
    rest = [(child, 0) for child in reversed(root.children)]
    while rest:
        node, depth = rest.pop()
        while len(trial.moves) > depth:
            trial.undo()
        if node.properties.keys() & {"B", "W"}:
            _play(trial, node, points)
        right = _RIGHT.search(node.text("C")) is not None
        if trial.moves and (right or not node.children):
            lines += 1
            if lines > MOST_LINES:
                raise SgfError(f"more than {MOST_LINES:,} variations")
            head, _, said = node.text("C").partition(RIGHT) if right else ("", "", node.text("C"))
            yield Variation(tuple(move.point for move in trial.moves), right, "" if head else said.strip())
        else:
            rest += [(child, len(trial.moves)) for child in reversed(node.children)]


def _play(game: Game, node: Node, points: dict[bytes, int]) -> None:
    """Play the move of a node. SgfError: it is illegal, or it is one of too many moves, or the game is over."""
    color, number = int(game.to_move), len(game.moves) + 1
    move = points.get(node.properties.get(COLOR_LETTERS[color], [b""])[0].strip())
    if move is None:
        raise SgfError(f"move {number} of a variation is not a play of {COLOR_NAMES[color]}")
    if game.outcome is not None:
        raise SgfError(f"a variation goes on after the end of the game: {game.vertex(move)}")
    if number > MOST_MOVES:
        raise SgfError(f"more than {MOST_MOVES} moves in a variation")
    try:
        game.play_point(move)
    except ValueError as error:
        raise SgfError(str(error)) from None
