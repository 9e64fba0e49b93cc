"""Analysis of a position: each move with its win rate, visits, proof and principal variation, read from the tree.

Sabaki's heat map, GoGui's pictures and hints all come from `move_analyses`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, PASS, WHITE, opponent
from ..util.limit import Deadline, Limit
from .player import Analyst, past_matters, sensible_plays

if TYPE_CHECKING:
    from ..search.mcts import Candidate, Tree

LEAST_VISITS = 10
"""Unproven moves with fewer visits are left out: frontends do not draw them, and their win rates are noise."""
LONGEST_LINE = 30
OWNERSHIP_PLAYOUTS = 400
JUDGING = 5.0
"""Seconds to prove the single moves once the position itself is proven."""
FIRST_ROUND = 0.5
"""Seconds of the first round of solver and search in an analysis without a limit; each round takes twice as long."""
LONGEST_ROUND = 4.0
"""The greatest seconds of a round."""


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """Search results of a move; rates are those of the colour that plays it."""

    move: int
    visits: int
    winrate: float
    """0 to 1; exactly 0 or 1 if and only if proven."""
    prior: float
    """Share that the network's policy predicts; the shares of all moves add up to 1."""
    proven: int
    """1: proven win, -1: proven loss, else 0."""
    line: tuple[int, ...]
    """Principal variation, beginning with this move; of a proven one, each move of the winner is proven to win."""
    line_visits: tuple[int, ...]
    """Visits after each move of the principal variation."""

    @property
    def bound(self) -> float:
        """The win rate less 1.96 standard deviations of as many won or lost games as visits; exact if proven."""
        if self.proven:
            return self.winrate
        return max(0.0, self.winrate - 1.96 * math.sqrt(self.winrate * (1 - self.winrate) / max(1, self.visits)))


def move_analyses(
    analyst: Analyst, game: Game, color: int, only: frozenset[int] | None = None, least: int = 0
) -> list[MoveAnalysis]:
    """Return the analysed moves of a position, best first; the search may be running meanwhile.

    Empty if the position, restricted to the moves `only`, is not the one searched last, or if its search has just
    begun. If the position is proven lost without a move in the tree, all moves are listed as lost. `least`: moves to
    include even if they have few visits.
    """
    found = analyst.node(game, color, only)
    if found is None:
        return []
    tree, root = found
    candidates = [c for c in tree.candidates(root) if only is None or c.move in only]
    shares = _priors(candidates)
    analyses: list[MoveAnalysis] = []
    for c in candidates:
        if c.visits >= LEAST_VISITS or c.proven or (c.visits and len(analyses) < least):
            visits = max(c.visits, LEAST_VISITS) if c.proven else c.visits
            line, counts = _line(tree, root, c, game, color)
            if not line:
                continue
            # The counts may have grown while they were read; along a line they must not increase.
            line_visits = tuple(accumulate([visits, *counts], min))
            analyses.append(MoveAnalysis(c.move, visits, c.winrate, shares[c.move], c.proven, line, line_visits))
    if analyses and analyses[0].proven < 0 and any(c.proven == 0 for c in candidates):
        return []  # the moves that are not lost have too few visits yet, and a lost one is not the best
    if tree.proven(root) is False and not (candidates and game.rules.is_scored):  # plays without a node lose too
        known = {analysis.move for analysis in analyses}
        plays = [p for p in sensible_plays(game, color) if (only is None or p in only) and p not in known]
        prior = 0.0 if candidates else 1 / len(plays)
        analyses += [MoveAnalysis(p, LEAST_VISITS, 0.0, prior, -1, (p,), (LEAST_VISITS,)) for p in plays]
    return analyses


def decided_analysis(game: Game, color: int) -> MoveAnalysis | None:
    """Return a move of a game that is decided, with the result as its win rate; None if the game goes on.

    Any move will do, but it is a play if one is legal, because frontends leave out passes.
    """
    decided = game.positions[-1].decided
    if decided is None or decided.winner is None:
        return None
    move = next(iter(game.legal_plays(color)), PASS)
    won = decided.winner == color
    return MoveAnalysis(move, LEAST_VISITS, float(won), 1.0, 1 if won else -1, (move,), (LEAST_VISITS,))


def proven(analyst: Analyst, game: Game, color: int, only: frozenset[int] | None = None) -> bool | None:
    """Return True or False if the colour to move is proven to win or to lose in the position searched last, else None.

    `only`: as in `move_analyses`.
    """
    found = analyst.node(game, color, only)
    return None if found is None else found[0].proven(found[1])


def study(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> None:
    """Solve and search the position until the limit, or until every move is proven.

    A limit without time and playouts means until `limit.stop` is set: solver and search then take turns in rounds.
    """
    if deadline.limit.seconds is not None or deadline.limit.playouts is not None:
        _study_round(analyst, game, color, deadline)
        return
    analyst.ready(deadline)  # compiling takes longer than many rounds
    seconds, settled = FIRST_ROUND, False
    while not (settled or deadline.stop.is_set()):
        settled = _study_round(analyst, game, color, _round(deadline, seconds))
        seconds = min(2 * seconds, LONGEST_ROUND)
    deadline.stop.wait()


def _study_round(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> bool:
    """Solve and search once; return whether nothing is left to prove."""
    if deadline.expired() or game.positions[-1].decided is not None:
        return True
    analyst.choose(game, color, deadline)
    won = proven(analyst, game, color, deadline.limit.only)
    if won is True:
        seconds = JUDGING if deadline.limit.watched else min(deadline.left(), JUDGING)
        analyst.prove_moves(game, color, Limit(seconds, only=deadline.limit.only).begin(deadline.stop))
    elif won is False and deadline.limit.watched:
        analyst.choose(game, color, _round(deadline, JUDGING))  # find the lost move that resists best
    return won is not None or analyst.node(game, color, deadline.limit.only) is None


def _round(deadline: Deadline, seconds: float) -> Deadline:
    """Return the same limit, with `seconds` from now on."""
    return replace(deadline.limit, seconds=seconds, watched=True).begin(deadline.stop)


def _line(tree: Tree, root: int, first: Candidate, game: Game, color: int) -> tuple[tuple[int, ...], list[int]]:
    """Return a move followed by the best moves in the tree, and the visits of those that follow.

    From a proven move on, each move of the winner is proven to win: the line ends before one that is not, as where the
    solver has proven a move whose continuation the tree has not. It also ends before a play that repeats a position
    against the rules, which the tree does not know.
    """
    line, visits, proven = [first.move], list[int](), first.proven
    node: int | None = tree.child(root, first.move)
    while node is not None and len(line) < LONGEST_LINE:
        best = next(iter(tree.candidates(node)), None)
        if best is None or not (best.visits or best.proven) or (proven < 0 and best.proven <= 0):
            break
        line.append(best.move)
        visits.append(best.visits)
        node, proven = tree.child(node, best.move), best.proven or -proven
    legal = _legal_part(game, color, line)
    return tuple(line[:legal]), visits[: max(0, legal - 1)]


def _legal_part(game: Game, color: int, line: list[int]) -> int:
    """Return the number of moves of a line that are legal one after the other.

    The tree knows all rules but those about repetition. Without suicide, they can forbid a play of the tree only at a
    point where that colour has stood before.
    """
    if not past_matters(game.rules):
        return len(line)
    moves = [(color if n % 2 == 0 else opponent(color), point) for n, point in enumerate(line)]
    stood = {(int(move.color), move.point) for move in game.moves}
    stood |= {(c, p) for p, c in enumerate(game.positions[0].colors) if c in (BLACK, WHITE)}
    if not game.rules.suicide and len(set(moves)) == len(moves) and stood.isdisjoint(moves):
        return len(line)
    trial = game.copy()
    for n, (side, point) in enumerate(moves):
        if not trial.is_legal_point(point, side):
            return n
        trial.play_point(point, side)
    return len(line)


def _priors(candidates: list[Candidate]) -> dict[int, float]:
    """Return the prior of each move as a share of 1."""
    whole = sum(c.policy for c in candidates)
    return {c.move: c.policy / whole if whole > 0 else 1 / len(candidates) for c in candidates}


def ownership(game: Game, color: int) -> dict[int, float]:
    """Estimate the owner of each point, 1 (the colour) to -1 (its opponent); empty under rules without scoring."""
    if not game.rules.is_scored:
        return {}
    from ..jit.records import rules_record
    from ..playout.ownership import owners

    found = owners(game.board, rules_record(game.rules, game.komi), color, OWNERSHIP_PLAYOUTS, seed=1)
    sign = 1.0 if color == BLACK else -1.0
    return {p: sign * float(found[p]) for p in bd.points(game.board)}
