"""Statistics of results: Elo with its interval, superiority, SPRT, Bradley-Terry ratings and their plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np

from ..util.extras import how_to_install
from ..util.figures import new_figure, save
from ..util.files import RequestError

Z95: Final = 1.96
"""Half the width of a 95 % interval, in standard deviations."""
ELO: Final = 400 / math.log(10)
"""Elo points in one natural unit of the logistic model."""
ERROR: Final = 0.05
"""Error probability of the sequential test, of either kind."""
PRIOR: Final = 0.1
"""Virtual drawn games added to each pair that has met, so that the rating of an unbeaten player is finite."""


def elo(share: float) -> float:
    """The Elo difference for a share of the points; the share is clipped to 0.001 and 0.999."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / share - 1)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = Z95
    center = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return center - half, center + half


class Elo(NamedTuple):
    """A difference in Elo with its 95 % interval (Wilson 1927); as text "+20 [-5, +45]"."""

    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{rounded(self.difference)} [{rounded(self.low)}, {rounded(self.high)}]"


def rounded(difference: float) -> str:
    """Format a difference in Elo."""
    return f"{round(difference):+d}"  # not -0


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points; a draw counts half a point."""
        return self.wins + self.draws / 2

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def elo(self) -> Elo:
        """The Elo difference with its interval. Requires at least one game."""
        share = self.points / self.games
        return Elo(*map(elo, (share, *wilson(share, self.games))))

    def superiority(self) -> float:
        """The likelihood of superiority of this side, by the normal approximation."""
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
        """The accepted hypothesis: `H0`, `H1`, or `undecided`."""
        return "H1" if self.llr >= self.upper else "H0" if self.llr <= self.lower else "undecided"


def sprt(score: Score, elo0: float, elo1: float) -> Sprt:
    """The state of the test after these games; a draw counts as half a win and half a loss."""
    p0, p1 = (1 / (1 + 10 ** (-e / 400)) for e in (elo0, elo1))
    llr = score.points * math.log(p1 / p0) + (score.games - score.points) * math.log((1 - p1) / (1 - p0))
    bound = math.log((1 - ERROR) / ERROR)
    return Sprt(elo0, elo1, llr, -bound, bound)


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player, relative to the mean of all players."""

    name: str
    elo: float
    error: float
    """Half the 95 % interval, in Elo."""


def load_choix() -> ModuleType:
    """Import choix, the library for Bradley-Terry estimates. RequestError: it is not installed."""
    try:
        import choix
    except ImportError:
        raise RequestError(f"ratings need more packages: {how_to_install('ratings')}") from None
    return choix  # type: ignore[no-any-return]


def bradley_terry(names: Sequence[str], scores: Mapping[tuple[str, str], Score]) -> list[Rating]:
    """Maximum-likelihood ratings for the results between pairs, strongest player first.

    The estimate is choix's (Maystre and Grossglauser 2015); the errors come from the curvature of the likelihood.
    RequestError: choix is not installed, or the graph of players that have met is not connected.
    """
    choix = load_choix()
    place = {name: index for index, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (a, b), score in scores.items():
        if score.games:
            wins[place[a], place[b]] += score.points + PRIOR / 2
            wins[place[b], place[a]] += score.games - score.points + PRIOR / 2
    games = wins + wins.T
    if not np.linalg.matrix_power(np.eye(len(names)) + (games > 0), len(names)).all():  # the paths between players
        raise RequestError("no ratings: some players have not met, not even through others")
    strengths = np.asarray(choix.ilsr_pairwise_dense(wins, max_iter=10_000))
    strengths -= strengths.mean()
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    curvature = -games * chance * (1 - chance)
    curvature -= np.diag(curvature.sum(axis=1))
    errors = Z95 * np.sqrt(np.diag(np.linalg.pinv(curvature)))
    found = [Rating(n, float(strengths[i]) * ELO, float(errors[i]) * ELO) for n, i in place.items()]
    return sorted(found, key=lambda rating: -rating.elo)


def plot(ratings: Sequence[Rating], path: Path, title: str) -> None:
    """Plot the ratings with their 95 % intervals; the suffix of the path selects the file type.

    RequestError: as for `figures.check`, or the file cannot be written.
    """
    figure = new_figure(1 + 0.35 * len(ratings))
    axes = figure.add_subplot()
    places = range(len(ratings), 0, -1)
    axes.errorbar([r.elo for r in ratings], places, xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(list(places), [r.name for r in ratings], parse_math=False)  # names may contain dollar signs
    axes.set_xlabel("Elo, relative to the mean of all, with 95 % intervals")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    save(figure, path)
