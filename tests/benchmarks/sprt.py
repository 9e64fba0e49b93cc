"""Error rates and lengths of the sequential test, on pairs of games and on games: python -m tests.benchmarks.sprt.

Simulated matches: each opening gives one of the colours an advantage, and is played with both colours.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from typing import Final

from gtp_capture.match.ratings import BOUND, Outcomes, expected

ADVANTAGES: Final = (0, 200, 400, 800)
"""Elo that an opening gives to one of the colours."""


def strength(elo: float, advantage: float) -> float:
    """The strength, in Elo, that scores as much over openings with an advantage as `elo` without one."""
    low, high = -4000.0, 4000.0
    for _ in range(60):
        middle = (low + high) / 2
        share = (expected(middle + advantage) + expected(middle - advantage)) / 2
        low, high = (middle, high) if share < expected(elo) else (low, middle)
    return low


@cache
def llr(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of the test."""
    return Outcomes(counts).llr(elo0, elo1)


def match(
    rng: random.Random, elo: float, advantage: float, bounds: tuple[float, float], draws: float = 0.0
) -> dict[bool, tuple[str, int]]:
    """Play one match; the accepted hypothesis and the games of the test on pairs (True) and of the test on games.

    `elo` is the true difference, `advantage` that of an opening, and `draws` the probability of a draw.
    """
    better, found = strength(elo, advantage), dict[bool, tuple[str, int]]()
    counts, games = {True: [0] * 5, False: [0] * 3}, 0
    while len(found) < 2:
        favoured, total = rng.choice((advantage, -advantage)), 0
        for bias in (favoured, -favoured):
            halves = 1 if rng.random() < draws else 2 * (rng.random() < expected(better + bias))
            counts[False][halves] += 1
            games, total = games + 1, total + halves
            _decide(found, False, counts[False], games, bounds)
        counts[True][total] += 1
        _decide(found, True, counts[True], games, bounds)
    return found


def _decide(
    found: dict[bool, tuple[str, int]], paired: bool, counts: list[int], games: int, bounds: tuple[float, float]
) -> None:
    if paired not in found and abs(ratio := llr(tuple(counts), *bounds)) >= BOUND:
        found[paired] = "H1" if ratio > 0 else "H0", games


def main() -> None:
    """Print one row for each advantage and true difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="simulated matches for each row")
    parser.add_argument("--elo0", type=float, default=0)
    parser.add_argument("--elo1", type=float, default=100)
    parser.add_argument("--draws", type=float, default=0)
    options = parser.parse_args()
    print("| advantage | truth | wrong: pairs, games | games played: pairs, games | saved |\n|---|---|---|---|---|")
    for advantage in ADVANTAGES:
        for elo, right in ((options.elo0, "H0"), (options.elo1, "H1")):
            rng = random.Random(1)
            bounds = options.elo0, options.elo1
            played = [match(rng, elo, advantage, bounds, options.draws) for _ in range(options.matches)]
            wrong = [sum(one[kind][0] != right for one in played) / len(played) for kind in (True, False)]
            games = [sum(one[kind][1] for one in played) / len(played) for kind in (True, False)]
            print(
                f"| {advantage} | {elo:g} | {wrong[0]:.1%}, {wrong[1]:.1%} | {games[0]:.0f}, {games[1]:.0f} "
                f"| {1 - games[0] / games[1]:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
