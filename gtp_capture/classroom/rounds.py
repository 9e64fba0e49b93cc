"""The pairs of a round: children of near levels who have not met yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

MOST_STEPS: Final = 5000
"""The maximum number of tries for a round in which no pair has met; then pairs may meet again."""
Pair = tuple[int, int]


def pairs_of_round(levels: Mapping[int, int], met: Collection[Pair]) -> tuple[list[Pair], int | None]:
    """Return the pairs of a round, and the child without a partner; None if the number of children is even.

    `levels`: the level of each child by its number, in an order that decides between equal ones; `met`: the pairs that
    have met, the lower number first; a child that was without a partner has met itself. Each child, from the lowest
    level on, gets the child of the nearest level whom it has not met, if the others can then be paired like that.
    """
    waiting = sorted(levels, key=lambda number: levels[number])
    odd = None
    if len(waiting) % 2:
        odd = min(reversed(waiting), key=lambda number: (number, number) in met)
        waiting.remove(odd)
    steps = [MOST_STEPS]
    return _paired(waiting, met, steps) or [*zip(waiting[::2], waiting[1::2], strict=True)], odd


def _paired(waiting: Sequence[int], met: Collection[Pair], steps: list[int]) -> list[Pair] | None:
    """Return pairs of all who wait, of whom none have met; None if there are none, or after too many steps."""
    if not waiting:
        return []
    first, *others = waiting
    for other in others:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if (min(first, other), max(first, other)) not in met:
            rest = _paired([number for number in others if number != other], met, steps)
            if rest is not None:
                return [(first, other), *rest]
    return None
