"""The public functions for teaching: reviews of games, and problems."""

from __future__ import annotations

import threading
from typing import Final

from ..go import sgf
from ..go.game import Game, GameError
from ..go.rules import DEFAULT, Rules
from ..go.sgf_tree import dump_trees, read_tree
from ..match.report import MatchResult
from ..solver.result import why_unsupported
from ..teach import sentences, words
from ..teach.explain import Explanation, Hint
from ..teach.puzzles import files
from ..teach.puzzles.find import GAMES_EACH, MOST_PLAYS, Request, Search
from ..teach.puzzles.problem import Problem
from ..teach.review.annotate import annotate
from ..teach.review.judge import Budget, review_game
from ..teach.review.reviewed import Review, ReviewedMove
from ..teach.sentences import ENGLISH
from ..util import arguments
from ..util.limit import Deadline
from .engine import _analyst
from .html import match_html, review_html
from .results import check_game


def review(game: Game, *, seconds_per_move: float = 0.2, stop: threading.Event | None = None) -> Review:
    """Judge every move of a game, in up to `seconds_per_move` each, on small boards five times as long for mistakes.

    The game is not changed, and may be unfinished. `stop`: as for `analyse`; the last moves are judged first. Source:
    as for `solve` and `analyse`.
    GameError: no move has been made. ValueError: no time. TypeError: not a game, or not a time.
    """
    check_game(game)
    budget = arguments.seconds("seconds_per_move", seconds_per_move, above=True)
    if not game.moves:
        raise GameError("no moves to review")
    deadline = Deadline(stop=stop)
    with _analyst()._searching(deadline) as player:
        return review_game(player, game, Budget(deadline, budget))


def puzzles(
    *,
    size: int | tuple[int, int] = 5,
    rules: Rules | str = DEFAULT,
    count: int = 3,
    depth: int = 2,
    seed: int = 1,
    stop: threading.Event | None = None,
) -> list[Problem]:
    """Find problems in games of the levels, the easiest first: at each turn exactly one play wins, which is proven.

    `depth`: plays of the winner, 1 to 9. The same `seed` finds the same problems. Fewer than `count` are returned if
    300 games for each are not enough, or if `stop` is set; 5x5 and `depth` 2 take some seconds.
    Source: the solver of `solve`.
    GameError: rules or a board that the solver does not take, or as for `Game`. RulesError: as for `Game`.
    ValueError: a number out of range. TypeError: no whole number.
    """
    start = Game(rules, size)
    count, seed = arguments.whole("count", count, 1), arguments.whole("seed", seed, 0)
    depth = arguments.whole("depth", depth, 1, MOST_PLAYS)
    if (reason := why_unsupported(start.rules, start.board)) is not None:
        raise GameError(reason)
    deadline = Deadline(stop=stop)
    with _analyst()._searching(deadline):  # the solvers of the search are shared too
        search = Search(Request(start.rules, *start.size, depth, seed), count, GAMES_EACH * count, 1, deadline.stop)
        search.run()
    return search.sorted()


def _review_text(review: Review) -> str:
    return "\n".join(words.review_lines(review))


def _review_sgf(review: Review, *, language: str = ENGLISH) -> str:
    """Return the game as SGF with win rates, marks, comments and better moves, as `gtp-capture review` writes.

    ValueError: another language than those of `gtp-capture review --language`. TypeError: not text.
    """
    tree = read_tree(sgf.dump(review.game))
    annotate(tree, review, _voice(language))
    return dump_trees([tree]).decode(errors="surrogateescape")


def _problem_text(problem: Problem) -> str:
    return f"{problem.game()}\n{words.about(problem, words.SHORT)}"


def _problem_sgf(problem: Problem, *, language: str = ENGLISH) -> str:
    """Return the problem as SGF, with its solution, wrong answers and refutations as variations.

    ValueError: another language than those of `gtp-capture puzzles --language`. TypeError: not text.
    """
    return files.dump([problem], _voice(language)).decode()


def _voice(language: str) -> words.Voice:
    if not isinstance(language, str):
        raise TypeError(f"a language is text such as 'de', not {language!r}")
    return words.Voice(language=sentences.language(language))


_TEXTS: Final = (
    (Hint, "__str__", words.hint),
    (Explanation, "__str__", words.explanation),
    (Problem, "__str__", _problem_text),
    (Problem, "sgf", _problem_sgf),
    (ReviewedMove, "__str__", words.move_line),
    (ReviewedMove, "remark", property(words.remark_on)),
    (Review, "__str__", _review_text),
    (Review, "sgf", _review_sgf),
    (Review, "_repr_html_", review_html),
    (MatchResult, "_repr_html_", match_html),
)
"""The texts of public values, which the functions of `words`, `files`, `annotate` and `html` make; none is set
elsewhere."""
for kind, name, text in _TEXTS:
    setattr(kind, name, text)
