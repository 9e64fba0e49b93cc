"""What results say about strength: Elo with its interval, likelihood of superiority, SPRT, Bradley-Terry ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

Z95: Final = 1.96
"""Half the width of a 95 % interval, in standard deviations."""
ELO: Final = 400 / math.log(10)
"""Elo points in one natural unit of the logistic model."""
ERROR: Final = 0.05
"""Of both kinds, that the sequential test allows."""
PRIOR: Final = 0.1
"""Drawn games that each pair which has met is thought to have played besides, so that a clean sheet stays finite."""


class RatingsError(Exception):
    """There are no ratings; the message says why."""


def elo(share: float) -> float:
    """The difference in rating that a share of the points stands for, with shares next to 0 and 1 cut off."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / share - 1)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = Z95
    center = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return center - half, center + half


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A draw is half a point."""
        return self.wins + self.draws / 2

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def elo(self) -> tuple[float, float, float]:
        """The difference in rating, and its 95 % interval (Wilson). At least one game."""
        share = self.points / self.games
        low, high = wilson(share, self.games)
        return elo(share), elo(low), elo(high)

    def superiority(self) -> float:
        """The likelihood that this side is the stronger one, by the normal approximation."""
        decided = self.wins + self.losses
        return 0.5 if decided == 0 else 0.5 * (1 + math.erf((self.wins - self.losses) / math.sqrt(2 * decided)))


@dataclass(frozen=True, slots=True)
class Sprt:
    """The state of a sequential probability ratio test (Wald 1945) of two differences in rating."""

    elo0: float
    elo1: float
    llr: float
    """The log-likelihood ratio of elo1 against elo0."""
    lower: float
    upper: float

    @property
    def verdict(self) -> str:
        """What the test accepts: `H0`, `H1`, or `undecided`."""
        return "H1" if self.llr >= self.upper else "H0" if self.llr <= self.lower else "undecided"


def sprt(score: Score, elo0: float, elo1: float) -> Sprt:
    """The test after these games; a draw counts as half a win and half a loss."""
    p0, p1 = (1 / (1 + 10 ** (-e / 400)) for e in (elo0, elo1))
    llr = score.points * math.log(p1 / p0) + (score.games - score.points) * math.log((1 - p1) / (1 - p0))
    bound = math.log((1 - ERROR) / ERROR)
    return Sprt(elo0, elo1, llr, -bound, bound)


@dataclass(frozen=True, slots=True)
class Rating:
    """Of one player, relative to the mean of all."""

    name: str
    elo: float
    error: float
    """Half the 95 % interval, in Elo."""


def load_choix() -> Any:
    """The library that estimates ratings. RatingsError: it is not installed."""
    try:
        import choix
    except ImportError:
        raise RatingsError("ratings need more packages: pip install 'gtp-capture[ratings]'") from None
    return choix


def bradley_terry(names: Sequence[str], scores: Mapping[tuple[str, str], Score]) -> list[Rating]:
    """The ratings that explain the results between pairs the best, strongest first.

    The estimate is choix's (Maystre and Grossglauser 2015); the errors come from the curvature of the likelihood.
    RatingsError: the library is not installed, or the players fall apart into groups that never met.
    """
    choix = load_choix()
    place = {name: index for index, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (a, b), score in scores.items():
        if score.games:
            wins[place[a], place[b]] += score.points + PRIOR / 2
            wins[place[b], place[a]] += score.games - score.points + PRIOR / 2
    games = wins + wins.T
    if len(names) < 2 or not _connected(games > 0):
        raise RatingsError("no ratings: some players have not met, not even through others")
    strengths = np.asarray(choix.ilsr_pairwise_dense(wins, max_iter=10_000))
    strengths -= strengths.mean()
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    curvature = -games * chance * (1 - chance)
    curvature -= np.diag(curvature.sum(axis=1))
    errors = Z95 * np.sqrt(np.diag(np.linalg.pinv(curvature)))
    found = [Rating(n, float(strengths[i]) * ELO, float(errors[i]) * ELO) for n, i in place.items()]
    return sorted(found, key=lambda rating: -rating.elo)


def _connected(met: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> bool:
    reached = {0}
    frontier = [0]
    while frontier:
        fresh = {int(j) for j in np.flatnonzero(met[frontier.pop()])} - reached
        reached |= fresh
        frontier += fresh
    return len(reached) == len(met)
