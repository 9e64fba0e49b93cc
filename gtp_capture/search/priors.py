"""Priors: estimates of a play's win rate before its first visit, used as virtual AMAF visits (Gelly and Silver 2007).

Where the next capture wins, the prior is learned: it is linear in the weights of the play's features (`features`). The
weights were fitted so that a softmax over their sums predicts how a search divides its visits, in games of the engine
with itself: `python -m tests.benchmarks.learn_priors`. Elsewhere a few hand-made rules give the prior.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from ..go.board import Board, neighbors4
from ..go.vertex import BORDER, EMPTY, opponent
from ..jit.kernel import inner, wide
from ..jit.records import Turn
from ..network.network import distance
from ..playout.endings import is_capture_game
from ..playout.ladder import two_liberties
from ..playout.ordinary import ordinary_prior
from ..playout.patterns import CODES, code_of, relative_to
from ..playout.static import next_capture_wins

FILE: Final = "priors.npz"

# The first feature of each group; the group before TWO_AHEAD is the code of the eight cells around the play.
TWO_AHEAD: Final = CODES
"""The next two cells in each of the four directions."""
KNIGHTS: Final = TWO_AHEAD + 16
"""Each of the eight cells at a knight's move."""
ATTACK: Final = KNIGHTS + 4
"""The fewest liberties of an opposing chain next to the play, and whether it gives atari."""
SUPPORT: Final = ATTACK + 12
"""The fewest liberties of an own chain next to the play."""
LIBERTIES: Final = SUPPORT + 6
"""Liberties of the chain after the play; one shared by two of its parts counts twice."""
DISTANCE: Final = LIBERTIES + 10
"""Distance to the last play."""
LINE: Final = DISTANCE + 12
"""Distance to the edge."""
RELIEF: Final = LINE + 6
"""Whether an own chain next to the play has two liberties, and whether it gets more than three."""
COUNT: Final = RELIEF + 3
MOST_FEATURES: Final = 20
"""Maximum number of features of one play."""
NEUTRAL: Final = 0.45
"""The prior of a play whose weights add up to 0."""
LEAST, MOST = 0.05, 0.95
"""Bounds of a learned prior."""
PASS_VALUE: Final = 0.01
"""The value of a pass in `shares`, on the scale of the plays' priors."""


@cache
def weights() -> Any:
    """Return the learned weights: float32, shape (COUNT,)."""
    with (resources.files(__package__) / FILE).open("rb") as file, np.load(file) as stored:
        return stored["weights"].astype(np.float32)


@inner
def kind(b: Board, p: int, c: int) -> int:
    """Return the kind of a cell as seen by colour c: 0 empty, 1 own, 2 opposing, 3 off the board."""
    return relative_to(wide(b.color[p]), c)


@inner
def has_two_liberties(b: Board, p: int) -> bool:
    """Return whether the chain at p has exactly two liberties."""
    return b.libs[b.root[p]] <= 8 and two_liberties(b, p)[0] != 0  # two points have eight neighbours at most


@inner
def features(b: Board, p: int, c: int, last: int, found: Any) -> int:
    """Write the features of colour c's play at the empty point p to `found` (int32); return their number.

    `last`: the opponent's last play, or 0.
    """
    stride = int(b.stride)
    found[0] = relative_to(code_of(b, p), c)
    n = 1
    fewest_theirs, fewest_own, liberties = 7, 7, 0
    atari, weak = 0, 0
    for q in (p - stride, p + 1, p + stride, p - 1):
        step = q - p
        aside = stride if abs(step) == 1 else 1
        beside = kind(b, q, c)
        if beside == 3:
            found[n] = TWO_AHEAD + 15
            found[n + 1] = KNIGHTS + 3
            found[n + 2] = KNIGHTS + 3
        else:
            found[n] = TWO_AHEAD + 4 * beside + kind(b, q + step, c)
            found[n + 1] = KNIGHTS + kind(b, q + step + aside, c)
            found[n + 2] = KNIGHTS + kind(b, q + step - aside, c)
        n += 3
        libs = int(b.libs[b.root[q]])
        if beside == 0:
            liberties += 1
        elif beside == 1:
            fewest_own = min(fewest_own, libs)
            liberties += libs - 1
            weak |= has_two_liberties(b, q)
        elif beside == 2:
            fewest_theirs = min(fewest_theirs, libs)
            atari |= has_two_liberties(b, q)
    found[n] = ATTACK + 2 * (0 if fewest_theirs == 7 else max(1, fewest_theirs - 1)) + atari
    found[n + 1] = SUPPORT + (0 if fewest_own == 7 else max(1, fewest_own - 1))
    found[n + 2] = LIBERTIES + min(9, max(0, liberties))
    found[n + 3] = DISTANCE + distance(p, last, stride)
    column, row = p % stride, p // stride
    found[n + 4] = LINE + min(5, min(column, int(b.width) + 1 - column), min(row, int(b.height) + 1 - row))
    found[n + 5] = RELIEF + (0 if weak == 0 else 1 if liberties <= 3 else 2)
    return n + 6


@inner
def learned_prior(turn: Turn, p: int, learned: Any, scale: float, found: Any) -> float:
    """Return the learned prior of a play, 0 to 1, where the next capture wins.

    `learned`: the weights; `scale`: amount that a weight of 1 adds; `found`: scratch memory for MOST_FEATURES features.
    """
    total = 0.0
    for i in range(features(turn.board, p, turn.color, turn.last, found)):
        total += learned[found[i]]
    return min(MOST, max(LEAST, NEUTRAL + scale * total))


@inner
def plain_prior(b: Board, rules: Any, p: int, c: int, last: int) -> float:
    """Return the hand-made prior of a play, 0 to 1."""
    if not is_capture_game(rules):
        return ordinary_prior(b, p, c, last)
    stride = int(b.stride)
    color = b.color
    value = NEUTRAL
    enemies, empties = 0, 0
    for q in neighbors4(p, stride):
        if color[q] == opponent(c):
            enemies += 1
            if b.libs[b.root[q]] <= 3:
                value += 0.06
        elif color[q] == EMPTY:
            empties += 1
        elif color[q] == BORDER:
            value -= 0.06
    if enemies > 0:
        value += 0.06
    if empties >= 3 and enemies > 0:
        value += 0.04
    if last > 0:
        d = abs(p - last)
        if d == 1 or stride - 1 <= d <= stride + 1:
            value += 0.05
    return value


def shares(b: Board, rules: Any, moves: Sequence[int], c: int, last: int) -> dict[int, float]:
    """Return the share of a search's visits that the priors predict for each of these moves; the shares add up to 1."""
    plays = [move for move in moves if move > 0]
    if next_capture_wins(b, rules):
        found = np.zeros(MOST_FEATURES, np.int32)
        totals = {p: float(weights()[found[: features(b, p, c, last, found)]].sum()) for p in plays}
        values = {p: math.exp(total - max(totals.values())) for p, total in totals.items()}
    else:
        # In the tree a pass has a prior of its own; here it gets the least share.
        values = {p: max(PASS_VALUE, plain_prior(b, rules, p, c, last)) for p in plays}
    values = {move: values.get(move, PASS_VALUE) for move in moves}
    whole = sum(values.values())
    return {move: value / whole for move, value in values.items()}
