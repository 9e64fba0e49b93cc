"""What a search found, as others want to read it: each move with its visits, its win rate, its proof, its line."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from ..go import board as bd
from ..go.game import Game
from ..go.rules import Scoring
from ..go.vertex import BLACK
from ..util.limit import Limit
from .player import MctsPlayer, sensible_plays

LEAST_VISITS = 10
"""Frontends draw no move below this, and a win rate says nothing there; what is proven counts from the first visit."""
LONGEST_LINE = 30
OWNERSHIP_PLAYOUTS = 400
JUDGING = 5.0
"""Seconds to find out what each move is worth once the position's value is proven."""
FIRST_ROUND = 0.5
"""Seconds of solver and search before an unbounded analysis starts its next, longer round ..."""
LONGEST_ROUND = 4.0
"""... and the most that a round takes."""


@dataclass(frozen=True, slots=True)
class Insight:
    """A move and what the search knows of it, seen by the colour that plays it."""

    move: int
    visits: int
    winrate: float
    """0 to 1; exactly 0 or 1 where proven."""
    prior: float
    """The share that the search gave it before the first playout; all moves together have 1."""
    proven: int
    """1 won by force, -1 lost by force, else 0."""
    line: tuple[int, ...]
    """The moves expected, this one first ..."""
    line_visits: tuple[int, ...]
    """... and how often the search was there after each."""

    @property
    def bound(self) -> float:
        """The lower end of the 95 % interval of the win rate; exact where proven."""
        if self.proven:
            return self.winrate
        return max(0.0, self.winrate - 1.96 * math.sqrt(self.winrate * (1 - self.winrate) / max(1, self.visits)))


def insights(
    player: MctsPlayer, game: Game, color: int, only: frozenset[int] | None = None, least: int = 0
) -> list[Insight]:
    """What the player's tree says about the position, best move first; it may be read while the search goes on.

    Empty where nothing has been searched, or nothing with the same moves asked about (`only`). Where no move keeps the
    game open at all, each is given as lost. `least`: so many moves, if they have been tried at all.
    """
    found = player.node(game, color, only)
    if found is None:
        return []
    tree, root = found
    candidates = [c for c in tree.candidates(root) if only is None or c.move in only]
    if not candidates:
        if tree.verdict(root) is not False:
            return []
        plays = [p for p in sensible_plays(game, color) if only is None or p in only]
        return [Insight(p, LEAST_VISITS, 0.0, 1 / len(plays), -1, (p,), (LEAST_VISITS,)) for p in plays]
    shares = _priors(game, color, [c.move for c in candidates])
    told: list[Insight] = []
    for c in candidates:
        if c.visits >= LEAST_VISITS or c.proven or (c.visits and len(told) < least):
            visits = max(c.visits, LEAST_VISITS) if c.proven else c.visits
            line, counts = _line(tree, root, c.move)
            # Where the search goes on meanwhile, no move shall have more visits than the one before it.
            seen = tuple(accumulate([visits, *counts], min))
            told.append(Insight(c.move, visits, c.winrate, shares[c.move], c.proven, line, seen))
    return told


def proven(player: MctsPlayer, game: Game, color: int, only: frozenset[int] | None = None) -> bool | None:
    """Return whether the colour to move is proven to win or to lose by what the player has searched; else None."""
    found = player.node(game, color, only)
    return None if found is None else found[0].verdict(found[1])


def study(player: MctsPlayer, game: Game, color: int, limit: Limit) -> None:
    """Solve and search the position until the limit; end the work early once every move has its verdict.

    Without time or playouts in the limit, solver and search take turns in rounds until `limit.stop` is set.
    """
    if limit.seconds is not None or limit.playouts is not None:
        _study_round(player, game, color, limit)
        return
    seconds, settled = FIRST_ROUND, False
    while not (settled or limit.stop.is_set()):
        settled = _study_round(player, game, color, _round(limit, seconds))
        seconds = min(2 * seconds, LONGEST_ROUND)
    limit.stop.wait()


def _study_round(player: MctsPlayer, game: Game, color: int, limit: Limit) -> bool:
    """Solve and search once; whether nothing is left to find out."""
    if limit.expired() or game.positions[-1].decided is not None:
        return True
    player.choose(game, color, limit)
    verdict = proven(player, game, color, limit.only)
    if verdict is True:
        seconds = JUDGING if limit.watched else min(limit.left(), JUDGING)
        player.judge_moves(game, color, Limit(seconds, None, limit.stop, only=limit.only))
    elif verdict is False and limit.watched:
        player.choose(game, color, _round(limit, JUDGING))  # which of the lost moves resists best
    return verdict is not None or player.node(game, color, limit.only) is None


def _round(limit: Limit, seconds: float) -> Limit:
    """The same limit for some seconds from now on."""
    return replace(limit, seconds=seconds, started=time.monotonic(), watched=True)


def _line(tree: Any, root: int, move: int) -> tuple[tuple[int, ...], list[int]]:
    """A move with the best ones after it as far as the tree knows them, and the visits of those."""
    line, visits = [move], list[int]()
    node: int | None = tree.child(root, move)
    while node is not None and len(line) < LONGEST_LINE:
        following = tree.candidates(node)
        if not following or not (following[0].visits or following[0].proven):
            break
        line.append(following[0].move)
        visits.append(following[0].visits)
        node = tree.child(node, line[-1])
    return tuple(line), visits


def _priors(game: Game, color: int, moves: list[int]) -> dict[int, float]:
    """What the search expects of each move at sight, as shares of one."""
    from ..jit.records import rules_record
    from ..search.priors import shares

    last = game.last_move
    near = last.point if last is not None and last.point > 0 else 0
    return shares(game.board, rules_record(game.rules, game.komi), moves, color, near)


def ownership(game: Game, color: int) -> dict[int, float]:
    """How surely each point will be the colour's (1) or its opponent's (-1); empty where the rules score nothing."""
    if game.rules.scoring is Scoring.NONE:
        return {}
    from ..jit.records import rules_record
    from ..playout.ownership import owners

    found = owners(game.board, rules_record(game.rules, game.komi), color, OWNERSHIP_PLAYOUTS, seed=1)
    sign = 1.0 if color == BLACK else -1.0
    return {p: sign * float(found[p]) for p in bd.points(game.board)}
