"""Learned priors where several prisoners decide: features of first capture, and the stones that a play wins or loses.

Numbers of stones are relative to what a colour still needs: see `bucket`. The weights were fitted as those of first
capture: `python -m tests.benchmarks.learn_priors --several`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from ..go import board as bd
from ..go.board import CELLS, Board, neighbors4
from ..go.vertex import EMPTY, opponent
from ..jit.kernel import inner, wide
from ..jit.records import Turn
from ..playout.endings import stones_to_win
from ..playout.ladder import two_liberties
from ..playout.static import keeps_two_liberties
from . import priors
from .priors import LEAST, MOST, NEUTRAL

FILE: Final = "race_priors.npz"
SIZES: Final = 6
"""Values of `bucket`."""

# The first feature of each group; those of first capture come before.
TAKES: Final = priors.COUNT
"""Opposing stones that the play captures."""
RESCUES: Final = TAKES + SIZES
"""Own stones that it takes out of atari."""
LEAVES: Final = RESCUES + SIZES
"""Own stones that it leaves in atari."""
EXPOSES: Final = LEAVES + SIZES
"""Own stones that it puts into atari."""
ATTACKS: Final = EXPOSES + SIZES
"""Opposing stones that it puts into atari."""
SUPPORTS: Final = ATTACKS + SIZES
"""Own stones with two liberties, one of which is the point."""
COUNT: Final = SUPPORTS + SIZES
GROUPS: Final = 6
MOST_FEATURES: Final = priors.MOST_FEATURES + GROUPS

SURVEY_DTYPE: Final = np.dtype(
    [
        ("danger", "i8"),  # own stones in atari
        ("rescues", "i2", (CELLS,)),  # for each point the own stones that a play there takes out of atari
        ("attacks", "i2", (CELLS,)),  # ... the opposing stones that it puts into atari
        ("supports", "i2", (CELLS,)),  # ... the own stones with two liberties of which it is one
        ("seen", "i2", (CELLS,)),  # scratch memory: the chain for which a point was counted last
    ],
    align=True,
)
"""The chains of a position with one or two liberties, as seen by the colour to move."""


@cache
def weights() -> Any:
    """Return the learned weights: float32, shape (COUNT,)."""
    with (resources.files(__package__) / FILE).open("rb") as file, np.load(file) as stored:
        return stored["weights"].astype(np.float32)


@inner
def bucket(stones: int, need: int) -> int:
    """Return the class of a number of stones: 0 to 4 (or more), or 5 if they are as many as needed to win."""
    return 5 if 0 < need <= stones else min(stones, 4)


@inner
def add_rescues(b: Board, chain: int, c: int, survey: Any) -> None:
    """Add the plays that take an own chain, given by its root, out of atari."""
    stride = int(b.stride)
    rescues, seen = survey.rescues, survey.seen
    size = wide(b.chain_size[chain])
    survey.danger += size
    liberty = bd.last_liberty(b, chain)
    if keeps_two_liberties(b, liberty, c) or bd.captures_at(b, liberty, c) > 0:
        rescues[liberty] += size
        seen[liberty] = chain
    stone = chain
    while True:
        for q in neighbors4(stone, stride):
            if b.color[q] == opponent(c) and bd.in_atari(b, q):
                p = bd.last_liberty(b, q)
                if seen[p] != chain:
                    rescues[p] += size
                    seen[p] = chain
        stone = wide(b.next[stone])
        if stone == chain:
            break


@inner
def take_survey(b: Board, c: int, survey: Any) -> None:
    """Fill a survey of the position for colour c to move."""
    cells = wide(b.cells)
    survey.danger = 0
    for p in range(cells):
        survey.rescues[p] = 0
        survey.attacks[p] = 0
        survey.supports[p] = 0
        survey.seen[p] = 0
    for p in range(b.stride + 1, cells - b.stride):
        if b.color[p] == EMPTY or b.root[p] != p:
            continue
        if bd.in_atari(b, p):
            if b.color[p] == c:
                add_rescues(b, p, c, survey)
        elif b.libs[p] <= 2 * b.chain_size[p] + 2:
            points = survey.supports if b.color[p] == c else survey.attacks
            first, second = two_liberties(b, p)
            if first > 0:
                points[first] += b.chain_size[p]
                points[second] += b.chain_size[p]


@inner
def exposed(b: Board, p: int, c: int) -> int:
    """Return the size of the chain of colour c after a play at p if it then has one liberty at most, else 0."""
    if keeps_two_liberties(b, p, c) or bd.captures_at(b, p, c) > 0:
        return 0
    stones, r1, r2, r3 = 1, -1, -1, -1
    for q in neighbors4(p, int(b.stride)):
        r = wide(b.root[q])
        if b.color[q] == c and r != r1 and r != r2 and r != r3:
            stones += wide(b.chain_size[r])
            r1, r2, r3 = r, r1, r2
    return stones


@inner
def race_features(turn: Turn, p: int, survey: Any, found: Any) -> int:
    """Write the features of a play at the empty point p to `found` (int32); return their number."""
    b, c = turn.board, turn.color
    n = priors.features(b, p, c, turn.last, found)
    mine, theirs = stones_to_win(b, turn.rules, c), stones_to_win(b, turn.rules, opponent(c))
    rescued = int(survey.rescues[p])
    found[n] = TAKES + bucket(bd.captures_at(b, p, c), mine)
    found[n + 1] = RESCUES + bucket(rescued, theirs)
    found[n + 2] = LEAVES + bucket(max(0, int(survey.danger) - rescued), theirs)
    found[n + 3] = EXPOSES + bucket(exposed(b, p, c), theirs)
    found[n + 4] = ATTACKS + bucket(int(survey.attacks[p]), mine)
    found[n + 5] = SUPPORTS + bucket(int(survey.supports[p]), theirs)
    return n + GROUPS


@inner
def race_prior(turn: Turn, p: int, learned: Any, scale: float, survey: Any, found: Any) -> float:
    """Return the learned prior of a play, 0 to 1; see `learned_prior`."""
    total = 0.0
    for i in range(race_features(turn, p, survey, found)):
        total += learned[found[i]]
    return min(MOST, max(LEAST, NEUTRAL + scale * total))
