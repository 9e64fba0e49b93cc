"""How promising a play looks before it is tried.

In a sharp position that was learned: `features` says what a play is like, and each feature has a weight such that the
sums tell where a search of full strength looks (a softmax over its visits). The weights come from games of the engine
with itself: `python -m tests.benchmarks.learn_priors`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import numba
import numpy as np

from ..go.board import Board
from ..go.vertex import BORDER, EMPTY
from ..jit.kernel import inner, wide
from ..playout.ladder import two_liberties
from ..playout.ordinary import ordinary_prior
from ..playout.patterns import CODES, code_around, seen_by
from ..playout.static import is_sharp

FILE: Final = "priors.npz"
FEATURES: Final = numba.int32[::1]
WEIGHTS: Final = numba.float32[::1]

# Where each group of features begins; the first is the code of the eight cells around the play.
TWO_AHEAD: Final = CODES
"""In each of the four directions: the next two cells."""
KNIGHTS: Final = TWO_AHEAD + 16
"""Each of the eight cells a knight's move away."""
ATTACK: Final = KNIGHTS + 4
"""The fewest liberties of an opposing chain next to the play, and whether it gives atari."""
SUPPORT: Final = ATTACK + 12
"""The fewest liberties of an own chain next to the play."""
LIBERTIES: Final = SUPPORT + 6
"""Those that its chain will have, some of them counted twice."""
DISTANCE: Final = LIBERTIES + 10
"""From the last play."""
LINE: Final = DISTANCE + 12
"""From the edge."""
RELIEF: Final = LINE + 6
"""Whether an own chain next to the play has two liberties, and whether it gets many."""
COUNT: Final = RELIEF + 3
ROOM: Final = 20
"""Features of one play, at most."""
MIDDLE: Final = 0.45
"""The prior of a play whose weights say nothing."""
LEAST, MOST = 0.05, 0.95
PASSING: Final = 0.01
"""What a pass looks like beside plays."""


@cache
def weights() -> Any:
    """The learned weights, float32, one for each feature."""
    with (resources.files(__package__) / FILE).open("rb") as file, np.load(file) as stored:
        return stored["weights"].astype(np.float32)


@inner
def kind(b: Board, p: int, c: int) -> int:
    """What a cell is for colour c: 0 empty, 1 own, 2 the opponent's, 3 off the board."""
    return seen_by(wide(b.color[p]), c)


@inner
def has_two_liberties(b: Board, p: int) -> bool:
    """Whether the chain at p has exactly two liberties."""
    return b.libs[b.root[p]] <= 8 and two_liberties(b, p)[0] != 0  # no two points have more neighbours than eight


@inner
def features(b: Board, p: int, c: int, last: int, found: Any) -> int:
    """Write the features of colour c's play at the empty point p to `found`; how many there are.

    `last`: the opponent's last play, or 0.
    """
    stride = int(b.stride)
    found[0] = seen_by(code_around(b, p), c)
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
    far = 0
    if last > 0:
        across, along = abs(p % stride - last % stride), abs(p // stride - last // stride)
        far = min(11, across + along + max(across, along) - 1)
    found[n + 3] = DISTANCE + far
    column, row = p % stride, p // stride
    found[n + 4] = LINE + min(5, min(column, int(b.width) + 1 - column), min(row, int(b.height) + 1 - row))
    found[n + 5] = RELIEF + (0 if weak == 0 else 1 if liberties <= 3 else 2)
    return n + 6


@inner
def learned_prior(b: Board, p: int, c: int, last: int, learned: Any, scale: float, found: Any) -> float:
    """How promising a play in a sharp position looks, 0 to 1; `scale` is what a weight of 1 is worth."""
    total = 0.0
    for i in range(features(b, p, c, last, found)):
        total += learned[found[i]]
    return min(MOST, max(LEAST, MIDDLE + scale * total))


@inner
def plain_prior(b: Board, rules: Any, p: int, c: int, last: int) -> float:
    """How promising a play looks by a few rules of thumb, 0 to 1."""
    if rules.captures == 0:
        return ordinary_prior(b, p, c, last)
    stride = int(b.stride)
    color = b.color
    value = MIDDLE
    enemies, empties = 0, 0
    for q in (p - 1, p + 1, p - stride, p + stride):
        if color[q] == 3 - c:
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
    """How the search would divide its attention among these moves of colour c at sight; they add up to 1."""
    plays = [move for move in moves if move > 0]
    if is_sharp(b, rules):
        found = np.zeros(ROOM, np.int32)
        totals = {p: float(weights()[found[: features(b, p, c, last, found)]].sum()) for p in plays}
        values = {p: math.exp(total - max(totals.values())) for p, total in totals.items()}
    else:
        # A pass has a value of its own in the tree; seen from here it is the least of all.
        values = {p: max(PASSING, plain_prior(b, rules, p, c, last)) for p in plays}
    values = {move: values.get(move, PASSING) for move in moves}
    whole = sum(values.values())
    return {move: value / whole for move, value in values.items()}
