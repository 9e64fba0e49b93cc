"""Statistics of results: Elo with its interval, superiority, SPRT, Bradley-Terry ratings, and plots."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from ..util.extras import how_to_install
from ..util.figures import new_figure, save
from ..util.files import RequestError

Z95: Final = 1.96
"""Half the width of a 95 % interval, in standard deviations."""
ELO: Final = 400 / math.log(10)
"""Elo points in one natural unit of the logistic model."""
NORMALIZED: Final = 800 / math.log(10)
"""Points of normalised Elo in one standard deviation of the result of a game."""
ERROR: Final = 0.05
"""Error probability of the sequential test, of either kind."""
BOUND: Final = math.log((1 - ERROR) / ERROR)
"""The log-likelihood ratio at which the sequential test accepts a hypothesis (Wald 1945); it is negative for H0."""
VIRTUAL: Final = 0.1
"""Virtual outcomes without points, and as many with all points, in the sequential test.

Without them it is wrong in up to 6 % of the matches if nearly all pairs of games give each player one point.
"""
HALVINGS: Final = 50
"""Steps of the bisection in `Outcomes.support`."""
PRIOR: Final = 0.1
"""Virtual drawn games added to each pair that has met, so that the rating of an unbeaten player is finite."""


def elo(share: float) -> float:
    """The Elo difference for a share of the points; the share is clipped to 0.001 and 0.999."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / share - 1)


def expected(difference: float) -> float:
    """The share of the points that a difference in Elo gives."""
    return 1 / (1 + 10 ** (-difference / 400))


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = Z95
    center = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return center - half, center + half


class Elo(NamedTuple):
    """A difference in Elo with its 95 % interval; as text "+20 [-5, +45]"."""

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
        """The Elo difference with its interval (Wilson 1927). Requires at least one game."""
        share = self.points / self.games
        return Elo(*map(elo, (share, *wilson(share, self.games))))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How often a player made each number of points, in single games or in pairs of games.

    The two games of a pair have the same opening with the colours exchanged. If the opening favours a colour, the
    results of the two games depend on each other, but the points of different pairs do not.
    """

    counts: tuple[int, ...]
    """How many games gave 0, 1/2 and 1 point, or how many pairs gave 0, 1/2, 1, 3/2 and 2 points."""

    @classmethod
    def of(cls, halves: Sequence[int], paired: bool) -> Outcomes:
        """Count outcomes, each given as a number of half points."""
        return cls(tuple(halves.count(half) for half in range(5 if paired else 3)))

    def _deviations(self, share: float) -> list[tuple[float, float]]:
        """For each outcome that occurred, the difference between its share of the points and `share`, and its count."""
        most = len(self.counts) - 1
        return [(half / most - share, count) for half, count in enumerate(self.counts) if count]

    def normalized_elo(self) -> Elo | None:
        """Normalised Elo with its interval; None if all outcomes are equal.

        The share of the points above one half is divided by the standard deviation of a game, which is found from the
        pairs if there are pairs (Van den Bergh, "Comments on Normalized Elo",
        cantate.be/Fishtest/normalized_elo_practical.pdf). So the interval depends on the number of games alone.
        """
        outcomes, games_each = sum(self.counts), (len(self.counts) - 1) / 2
        share = 0.5 + sum(count * deviation for deviation, count in self._deviations(0.5)) / max(outcomes, 1)
        squares = sum(count * deviation**2 for deviation, count in self._deviations(share))
        if squares == 0:
            return None
        difference = NORMALIZED * (share - 0.5) / math.sqrt(games_each * squares / outcomes)
        error = Z95 * NORMALIZED / math.sqrt(games_each * outcomes)
        return Elo(difference, difference - error, difference + error)

    def superiority(self) -> float:
        """The likelihood of superiority of the player, by the normal approximation about equal strength."""
        above = self._deviations(0.5)
        squares = sum(count * deviation**2 for deviation, count in above)
        if squares == 0:
            return 0.5
        return 0.5 * (1 + math.erf(sum(count * deviation for deviation, count in above) / math.sqrt(2 * squares)))

    def support(self, share: float) -> float:
        """The greatest log-likelihood of a distribution with this mean share, relative to the observed distribution.

        The distribution gives an outcome the probability p / (1 + t (x - share)), where p is its observed frequency,
        x its share of the points, and t makes the mean right (Owen 1988, "Empirical likelihood ratio confidence
        intervals for a single functional"; Van den Bergh, cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition
        1.1). VIRTUAL outcomes are added.
        """
        deviations = [*self._deviations(share), (-share, VIRTUAL), (1 - share, VIRTUAL)]
        low, high = -1 / (1 - share), 1 / share
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            rising = sum(count * deviation / (1 + middle * deviation) for deviation, count in deviations) > 0
            low, high = (middle, high) if rising else (low, middle)
        return -sum(count * math.log1p(middle * deviation) for deviation, count in deviations)

    def llr(self, elo0: float, elo1: float) -> float:
        """The generalised log-likelihood ratio of two differences in Elo: positive speaks for elo1."""
        return self.support(expected(elo1)) - self.support(expected(elo0))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalised sequential probability ratio test of two differences in Elo (Wald 1945), of pairs or of games.

    The nuisance parameters, which are the other properties of the distribution of outcomes, have their most likely
    values under each hypothesis, as in the tests of Stockfish (fishtest, `LLRcalc.py`, `LLR_logistic`).
    """

    elo0: float
    elo1: float
    paired: bool
    """Whether the outcomes are of pairs of games with the same opening, the colours exchanged."""
    halves: tuple[int, ...]
    """The half points of the first player in each game or pair, in the order in which they ended."""

    @property
    def unit(self) -> str:
        """What is tested: "pairs of games" or "games"."""
        return "pairs of games" if self.paired else "games"

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes, counted."""
        return Outcomes.of(self.halves, self.paired)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of elo1 against elo0."""
        return self.outcomes.llr(self.elo0, self.elo1)

    @property
    def progress(self) -> list[float]:
        """The log-likelihood ratio after each outcome."""
        firsts = (self.halves[:number] for number in range(1, len(self.halves) + 1))
        return [Outcomes.of(first, self.paired).llr(self.elo0, self.elo1) for first in firsts]

    @property
    def verdict(self) -> str:
        """The accepted hypothesis: `H0`, `H1`, or `undecided`."""
        llr = self.llr
        return "H1" if llr >= BOUND else "H0" if llr <= -BOUND else "undecided"


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
    import numpy as np

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
    ratings = [Rating(n, float(strengths[i]) * ELO, float(errors[i]) * ELO) for n, i in place.items()]
    return sorted(ratings, key=lambda rating: -rating.elo)


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


def plot_sprt(test: Sprt, path: Path, title: str) -> None:
    """Plot the log-likelihood ratio after each outcome, and the bounds. RequestError: as for `plot`."""
    figure = new_figure(4)
    axes = figure.add_subplot()
    axes.plot([0, *test.progress], marker=".")
    axes.axhline(BOUND, color="C2", linestyle="--", label=f"H1: {test.elo1:g} Elo")
    axes.axhline(-BOUND, color="C3", linestyle="--", label=f"H0: {test.elo0:g} Elo")
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel(test.unit)
    axes.set_ylabel("log-likelihood ratio")
    axes.set_title(title, parse_math=False)
    axes.legend()
    axes.grid(alpha=0.4)
    save(figure, path)
