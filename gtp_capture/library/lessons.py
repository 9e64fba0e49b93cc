"""The public functions for teaching: reviews of games, and problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..go import sgf
from ..go.game import Game, GameError
from ..go.rules import DEFAULT, Rules
from ..go.sgf_tree import dump_trees, read_tree
from ..go.vertex import COLOR_LETTERS, Color, format_vertex
from ..solver.result import why_unsupported
from ..teach import words
from ..teach.explain import Explanation, Hint
from ..teach.puzzles import files
from ..teach.puzzles.find import GAMES_EACH, MOST_PLAYS, Request, Search
from ..teach.puzzles.problem import Problem
from ..teach.review import judge
from ..teach.review.annotate import annotate
from ..teach.review.judge import Budget, Grade, Judgement, review_game
from ..teach.review.summary import deciding_mistake
from ..util import arguments
from ..util.limit import Limit
from .engine import _analyst
from .results import check_game


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game with its judgement."""

    number: int
    """Counted from 1."""
    color: Color
    vertex: str
    """A vertex or "pass"."""
    grade: Grade
    before: float | None
    """Win rate of its colour before the move, 0 to 1; exactly 0 or 1 if proven; None if the move was not judged."""
    after: float | None
    """The same after the move."""
    better: tuple[str, ...]
    """For a mistake: vertices of a line with a better play first, which is proven to win if the grade is LOSING."""
    punishment: tuple[str, ...]
    """For a losing move: vertices of the winner's line after it."""
    remark: str
    """One sentence, or "" if there is nothing to say."""

    def __str__(self) -> str:
        return f"{self.number} {COLOR_LETTERS[self.color]} {self.vertex}: {self.remark or self.grade}"


@dataclass(frozen=True, slots=True)
class Review:
    """A judged game. `str` is what `gtp-capture review` says about it: a line for each remark, then the summary."""

    moves: tuple[ReviewedMove, ...]
    """All moves up to a resignation, which is not one of them."""
    deciding: ReviewedMove | None
    """The mistake that decided the game, if there is one."""
    _game: Game = field(repr=False, hash=False)
    _judged: judge.Review = field(repr=False)

    def __str__(self) -> str:
        return "\n".join(words.review_lines(self._judged))

    def sgf(self) -> str:
        """Return the game as SGF with win rates, marks, comments and better moves, as `gtp-capture review` writes."""
        tree = read_tree(sgf.dump(self._game))
        annotate(tree, self._judged)
        return dump_trees([tree]).decode(errors="surrogateescape")


def review(game: Game, *, seconds_per_move: float = 0.2) -> Review:
    """Judge every move of a game, in up to `seconds_per_move` each, on small boards five times as long for mistakes.

    The game is not changed, and may be unfinished. Source: as for `solve` and `analyse`.
    GameError: no move has been made. ValueError: no time. TypeError: not a game, or not a time.
    """
    check_game(game)
    budget = arguments.seconds("seconds_per_move", seconds_per_move, above=True)
    if not game.moves:
        raise GameError("no moves to review")
    analyst = _analyst()
    with analyst._lock:
        found = review_game(analyst._ready(), game, Budget(Limit().begin(), budget))
    moves = tuple(_reviewed(found, number, move) for number, move in enumerate(found.judgements))
    deciding = deciding_mistake(found)
    judged = game.copy(len(moves) + 1)  # with a resignation
    return Review(moves, None if deciding is None else moves[deciding.number], judged, found)


def _reviewed(review: judge.Review, number: int, move: Judgement) -> ReviewedMove:
    def vertices(points: Sequence[int]) -> tuple[str, ...]:
        return tuple(format_vertex(point, review.width) for point in points)

    return ReviewedMove(
        number=number + 1,
        color=Color(move.color),
        vertex=format_vertex(move.point, review.width),
        grade=move.grade,
        before=move.before.rate(move.color) if move.judged else None,
        after=move.after.rate(move.color) if move.judged else None,
        better=vertices(move.better),
        punishment=vertices(move.punishment),
        remark=words.remark_on(review, number),
    )


def puzzles(
    *, size: int | tuple[int, int] = 5, rules: Rules | str = DEFAULT, count: int = 3, depth: int = 2, seed: int = 1
) -> list[Problem]:
    """Find problems in games of the levels, the easiest first: at each turn exactly one play wins, which is proven.

    `depth`: plays of the winner, 1 to 9. The same `seed` finds the same problems. Fewer than `count` are returned if
    300 games for each are not enough; 5x5 and `depth` 2 take some seconds. Source: the solver of `solve`.
    GameError: rules or a board that the solver does not take, or as for `Game`. RulesError: as for `Game`.
    ValueError: a number out of range. TypeError: no whole number.
    """
    start = Game(rules, size)
    count, seed = arguments.whole("count", count, 1), arguments.whole("seed", seed, 0)
    depth = arguments.whole("depth", depth, 1, MOST_PLAYS)
    if (reason := why_unsupported(start.rules, start.board)) is not None:
        raise GameError(reason)
    analyst = _analyst()
    with analyst._lock:  # the solvers of the search are shared too
        analyst._ready()
        search = Search(Request(start.rules, *start.size, depth, seed), count, GAMES_EACH * count, jobs=1)
        search.run()
    return search.sorted()


def _text(problem: Problem) -> str:
    return f"{problem.game()}\n{words.about(problem, words.SHORT)}"


def _sgf(problem: Problem) -> str:
    """Return the problem as SGF, with its solution, wrong answers and refutations as variations."""
    return files.dump([problem]).decode()


# Below this package a value has no text: `words` makes its sentences, and `files` its SGF.
for kind, text in ((Hint, words.hint), (Explanation, words.explanation), (Problem, _text)):
    setattr(kind, "__str__", text)  # noqa: B010 (mypy permits no assignment to a method)
Problem.sgf = _sgf
