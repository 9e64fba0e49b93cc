"""Analysis of a position: each move with its win rate, visits, proof and principal variation, read from the tree.

Sabaki's heat map, GoGui's pictures and hints all come from `move_analyses`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, Literal

from ..go import board as bd
from ..go.game import Game
from ..go.vertex import BLACK, PASS
from ..judgement.endgame import sensible_plays
from ..util import arguments
from ..util.limit import Deadline, Limit
from .lines import of_tree
from .perfect_play import EASY
from .player import Analyst

if TYPE_CHECKING:
    from ..search.mcts import Candidate
    from .perfect_play import Resistance

LEAST_VISITS = 10
"""Unproven moves with fewer visits are left out: frontends do not draw them, and their win rates are noise."""
PROOFS: Final[dict[int, Literal["win", "loss"]]] = {1: "win", -1: "loss"}
"""The proof of a move by its number in the tree."""
LINE_NODES: Final = 64 * EASY
"""These nodes: about half a second."""
OWNERSHIP_PLAYOUTS = 400
JUDGING = 5.0
"""Seconds to prove the single moves once the position itself is proven."""
FIRST_ROUND = 0.5
"""Seconds of the first round of solver and search in an analysis without a limit; each round takes twice as long."""
LONGEST_ROUND = 4.0
"""Maximum seconds of a round."""


@dataclass(frozen=True, slots=True)
class AnalysedMove:
    """A move of an analysis, from the viewpoint of the colour that plays it: `AnalysedMove("C3", winrate=0.6)`.

    ValueError: a number is out of range, or `proof` is another text. TypeError: a value has the wrong type.
    """

    move: str
    """A vertex or "pass"."""
    winrate: float = 0.5
    """Estimated chance to win, 0 to 1; exactly 0 or 1 if proven."""
    visits: int = 0
    """Playouts that began with this move; at least 10 if `analyse` has proven it."""
    prior: float = 0.0
    """Share of the move before the first playout, 0 to 1. The shares of all legal moves add up to 1."""
    proof: Literal["win", "loss"] | None = None
    """Proven result under best play, or None. It sets the win rate."""
    line: tuple[str, ...] = ()
    """Expected continuation, this move first. After a proven move it leads to the result, as far as that was computed,
    and each move of the winner in it is proven to win."""
    line_visits: tuple[int, ...] = field(default=(), repr=False)
    """Visits after each move of the line; empty if they are not counted."""

    def __post_init__(self) -> None:
        """Check the values and complete them."""
        if not isinstance(self.move, str):
            raise TypeError(f"a move is a vertex such as 'C3', not {self.move!r}")
        line = () if isinstance(self.line, str) else tuple(listed("a line", self.line))
        if isinstance(self.line, str) or not all(isinstance(move, str) for move in line):
            raise TypeError(f"a line is a tuple of moves, not {self.line!r}")
        arguments.whole("visits", self.visits, 0)
        if self.proof not in ("win", "loss", None):
            raise ValueError(f"a proof is 'win', 'loss' or None, not {self.proof!r}")
        winrate = {"win": 1.0, "loss": 0.0}.get(self.proof or "", self.winrate)
        for name, share in (("a win rate", winrate), ("a prior", self.prior)):
            if not isinstance(share, Real):
                raise TypeError(f"{name} is a number from 0 to 1, not {share!r}")
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is 0 to 1, not {share!r}")
        for visits in listed("line_visits", self.line_visits):
            arguments.whole("visits", visits, 0)
        move = written(self.move)
        object.__setattr__(self, "move", move)
        object.__setattr__(self, "winrate", float(winrate))
        object.__setattr__(self, "line", line or (move,))

    @property
    def bound(self) -> float:
        """The win rate less 1.96 standard deviations, a visit counted as a game; the win rate itself if proven."""
        if self.proof:
            return self.winrate
        return max(0.0, self.winrate - 1.96 * math.sqrt(self.winrate * (1 - self.winrate) / max(1, self.visits)))

    def __str__(self) -> str:
        rate = self.proof or f"{self.winrate:.0%}"
        return f"{self.move:>4} {rate:>4} {self.visits:>7}  {' '.join(self.line)}".rstrip()


def move_analyses(
    analyst: Analyst, game: Game, color: int, only: frozenset[int] | None = None, least: int = 0
) -> list[AnalysedMove]:
    """Return the analysed moves of a position, best first; the search may be running meanwhile.

    Empty if the position, restricted to the moves `only`, is not the one searched last, or if its search has just
    begun. If the position is proven lost without a move in the tree, all moves are listed as lost. `least`: moves to
    include even if they have few visits.
    """
    node = analyst.node(game, color, only)
    if node is None:
        return []
    tree, root = node
    candidates = [c for c in tree.candidates(root) if only is None or c.move in only]
    shares = _priors(candidates)
    analyses: list[AnalysedMove] = []
    for c in candidates:
        if c.visits >= LEAST_VISITS or c.proven or (c.visits and len(analyses) < least):
            visits = max(c.visits, LEAST_VISITS) if c.proven else c.visits
            line, counts = of_tree(tree, root, c, game, color)
            if not line:
                continue
            # The counts may have grown while they were read; along a line they must not increase.
            line_visits = tuple(accumulate([visits, *counts], min))
            vertices = tuple(map(game.vertex, line))
            proof = PROOFS.get(c.proven)
            analyses.append(AnalysedMove(vertices[0], c.winrate, visits, shares[c.move], proof, vertices, line_visits))
    if analyses and analyses[0].proof == "loss" and any(c.proven == 0 for c in candidates):
        return []  # the moves that are not lost have too few visits yet, and a lost one is not the best
    lost = tree.proven(root) is False
    if lost and not (candidates and game.rules.is_scored):  # plays without a node lose too
        known = {analysis.move for analysis in analyses}
        plays = [game.vertex(p) for p in sensible_plays(game, color) if only is None or p in only]
        prior = 0.0 if candidates else 1 / len(plays)
        analyses += [
            AnalysedMove(vertex, 0.0, LEAST_VISITS, prior, "loss", line_visits=(LEAST_VISITS,))
            for vertex in plays
            if vertex not in known
        ]
    known_resistance = analyst.resistance(game, color, Limit(0.0, only=only).begin()) if lost else None
    return analyses if known_resistance is None else _in_order(game, analyses, known_resistance)


def _in_order(game: Game, analyses: list[AnalysedMove], resistance: Resistance) -> list[AnalysedMove]:
    """Return the moves of a lost position in the order of resistance, the first with the line that is known for it."""
    places = {game.vertex(play): place for place, play in enumerate(resistance.order)}
    ordered = sorted(analyses, key=lambda analysis: places.get(analysis.move, len(places)))
    line = tuple(map(game.vertex, resistance.solution.line))
    if ordered and line[:1] == (ordered[0].move,) and len(line) > len(ordered[0].line):
        ordered[0] = replace(ordered[0], line=line, line_visits=())
    return ordered


def decided_analysis(game: Game, color: int) -> AnalysedMove | None:
    """Return a move of a game that is decided, with the result as its win rate; None if the game goes on.

    Any move will do, but it is a play if one is legal, because frontends leave out passes.
    """
    decided = game.positions[-1].decided
    if decided is None or decided.winner is None:
        return None
    move = game.vertex(next(iter(game.legal_plays(color)), PASS))
    proof: Literal["win", "loss"] = "win" if int(decided.winner) == color else "loss"
    return AnalysedMove(move, visits=LEAST_VISITS, prior=1.0, proof=proof, line_visits=(LEAST_VISITS,))


def proven(analyst: Analyst, game: Game, color: int, only: frozenset[int] | None = None) -> bool | None:
    """Return True or False if the colour to move is proven to win or to lose in the position searched last, else None.

    `only`: as in `move_analyses`.
    """
    node = analyst.node(game, color, only)
    return None if node is None else node[0].proven(node[1])


def study(analyst: Analyst, game: Game, color: int, deadline: Deadline) -> None:
    """Solve and search the position until the limit, or until every move is proven.

    Without a limit of time or playouts, solver and search take turns in rounds until `deadline.stop` is set.
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
    if game.positions[-1].decided is not None:
        return True
    if deadline.expired():
        return False
    analyst.choose(game, color, deadline)
    won = proven(analyst, game, color, deadline.limit.only)
    if won is True:
        analyst.prove_moves(game, color, _judging(deadline))
    elif won is False and deadline.limit.watched:
        analyst.choose(game, color, _round(deadline, JUDGING))  # find the lost move that resists best
    if won is False:
        analyst.resistance(game, color, deadline)
    # Without a node the analyst does not search here, or had no time for it in this round.
    return won is not None or (analyst.node(game, color, deadline.limit.only) is None and not deadline.expired())


def _judging(deadline: Deadline) -> Deadline:
    """Return the limit of the proofs of single moves. After a number of playouts it is one of nodes, not of time."""
    limit = deadline.limit
    if limit.seconds is None and limit.playouts is not None and not limit.watched:
        return Limit(nodes=EASY, only=limit.only).begin(deadline.stop)
    seconds = JUDGING if limit.watched else min(deadline.left(), JUDGING)
    return Limit(seconds, only=limit.only).begin(deadline.stop)


def _round(deadline: Deadline, seconds: float) -> Deadline:
    """Return the same limit, with `seconds` from now on."""
    return replace(deadline.limit, seconds=seconds, watched=True).begin(deadline.stop)


def with_lines(
    analyst: Analyst, game: Game, color: int, moves: list[AnalysedMove], deadline: Deadline
) -> list[AnalysedMove]:
    """Let the solver continue the lines of proven moves: first each by a reply, then each as far as the time allows."""
    nodes = 0
    for whole in (False, True):
        for n, move in enumerate(moves):
            if move.proof and (whole or len(move.line) == 1) and nodes < LINE_NODES:
                known = tuple(map(game.point, move.line))
                line, spent = analyst.perfect_play.continued(game, color, known, deadline, whole=whole)
                nodes += 0 if deadline.limit.seconds is not None else spent
                if len(line) > len(known):
                    moves[n] = replace(move, line=tuple(map(game.vertex, line)), line_visits=())
    return moves


def _priors(candidates: list[Candidate]) -> dict[int, float]:
    """Return the prior of each move as a share of 1."""
    whole = sum(c.policy for c in candidates)
    return {c.move: c.policy / whole if whole > 0 else 1 / len(candidates) for c in candidates}


def ownership(game: Game, color: int) -> dict[int, float]:
    """Estimate the owner of each point, 1 (the colour) to -1 (its opponent); empty under rules without scoring."""
    if not game.rules.is_scored:
        return {}
    from ..playout.ownership import owners

    mean = owners(game.board, game.rules, game.komi, color, OWNERSHIP_PLAYOUTS, seed=1)
    sign = 1.0 if color == BLACK else -1.0
    return {p: sign * float(mean[p]) for p in bd.points(game.board)}


def listed(name: str, values: Iterable[Any]) -> Iterable[Any]:
    """Return an iterable as it is. TypeError: the value is not iterable."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{name} is a list or a tuple, not {values!r}")
    return values


def written(vertex: str) -> str:
    """Return a move as `Game.vertex` writes it."""
    return "pass" if vertex.lower() == "pass" else vertex.upper()
