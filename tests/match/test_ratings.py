"""Elo, intervals, SPRT and Bradley-Terry: closed forms, a general optimiser, simulation and published figures."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture.match.games import Contender, Match
from gtp_capture.match.openings import Openings
from gtp_capture.match.ratings import (
    BOUND,
    ELO,
    PRIOR,
    VIRTUAL,
    Outcomes,
    Score,
    Sprt,
    bradley_terry,
    elo,
    expected,
    wilson,
)
from gtp_capture.match.report import match_result
from gtp_capture.util.files import RequestError
from tests.match.test_results import CONDITIONS, adjudicated, game

few = st.integers(0, 20)
counts = st.tuples(few, few, few) | st.tuples(few, few, few, few, few)


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.24, -200), (0.909091, 400)])
def test_elo_matches_the_published_table(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference, abs=0.5)


@pytest.mark.slow
@given(st.integers(1, 300), st.data())
def test_the_interval_of_a_share_is_that_of_scipy(games: int, data: st.DataObject) -> None:
    from scipy.stats import binomtest  # a second to import

    wins = data.draw(st.integers(0, games))
    theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson(wins / games, games) == pytest.approx((theirs.low, theirs.high), abs=1e-4)


@given(st.integers(0, 200), st.integers(0, 20), st.integers(0, 200))
def test_superiority_is_the_normal_tail(wins: int, draws: int, losses: int) -> None:
    decided = wins + losses
    likelihood = NormalDist().cdf((wins - losses) / math.sqrt(decided)) if decided else 0.5
    assert Outcomes((losses, draws, wins)).superiority() == pytest.approx(likelihood, abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "difference", "error"),
    [
        ((89, 123, 76), -20.76, 40.13),
        ((96, 111, 136), 49.77, 36.77),
        ((356, 0, 34), -508.44, 34.48),
        ((34, 54, 63, 64, 75), 57.94, 28.28),
        ((332, 433, 498, 333, 334), -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -19.01, 2.65),
    ],
)
def test_normalised_elo_has_the_figures_of_fastchess(counts: tuple[int, ...], difference: float, error: float) -> None:
    # From its elo_test.cpp.
    normalized = Outcomes(counts).normalized_elo()
    assert normalized is not None
    assert normalized == pytest.approx((difference, difference - error, difference + error), abs=0.02)


def test_equal_outcomes_have_no_normalised_elo() -> None:
    assert Outcomes((0, 0, 0)).normalized_elo() is Outcomes((0, 0, 7, 0, 0)).normalized_elo() is None


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_likelihood_ratio_is_that_of_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, llr: float
) -> None:
    # From its sprt_test.cpp, "logistic trinomial" and "logistic pentanomial".
    assert Outcomes(counts).llr(elo0, elo1) == pytest.approx(llr, abs=0.006)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(counts, st.floats(-200, 200))
def test_the_support_of_a_score_is_the_greatest_likelihood(counts: tuple[int, ...], difference: float) -> None:
    from scipy.optimize import minimize

    shares, mean = np.linspace(0, 1, len(counts)), expected(difference)
    weights = np.array(counts) + VIRTUAL * ((shares == 0) | (shares == 1))
    limits = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ shares - mean},
    ]
    start = np.full(len(counts), 1 / len(counts))
    best = minimize(
        lambda p: -weights @ np.log(p),
        start,
        bounds=[(1e-9, 1)] * len(counts),
        constraints=limits,
        options={"ftol": 1e-10},
    )
    shown = weights[weights > 0]
    observed = shown @ np.log(shown / shown.sum())
    assert Outcomes(counts).support(mean) == pytest.approx(-best.fun - observed, abs=1e-3)


def test_the_sprt_of_games_without_draws_has_walds_ratio() -> None:
    likelihood = (60 + VIRTUAL) * math.log(2 * expected(100)) + (40 + VIRTUAL) * math.log(2 - 2 * expected(100))
    test = Sprt(0, 100, paired=False, halves=60 * (2,) + 40 * (0,))
    assert test.llr == test.progress[-1] == pytest.approx(likelihood)
    assert (test.verdict, test.unit, len(test.progress)) == ("undecided", "games", 100)
    assert pytest.approx(2.944, abs=1e-3) == BOUND
    assert Sprt(0, 50, paired=False, halves=30 * (0,)).verdict == "H0"
    assert Sprt(0, 50, paired=True, halves=60 * (4,)).verdict == "H1"


def test_the_games_of_an_opening_are_a_pair_in_the_order_in_which_pairs_end() -> None:
    # Black wins, so the first player wins the games with an even number, and game 1, which White wins. Game 2 has no
    # result, and game 9 is a duplicate.
    whole = Match((Contender("one", "x"), Contender("two", "y")), CONDITIONS, Openings(), games=12)
    undecided, lost = adjudicated("B1"), adjudicated("B1")
    undecided.result, lost.result = "?", "W+R"
    games = {number: game(number, number % 2 == 1) for number in (7, 0, 2, 3, 6, 1, 8, 9, 4)}
    games[1] = game(1, alternated=True, of=lost)
    games[2] = game(2, of=undecided)
    games[9] = replace(games[9], duplicate=7)
    ended = list(games.values())
    result = match_result(whole, ended, (0, 50))
    assert result.sprt == Sprt(0, 50, paired=True, halves=(2, 4))
    assert result.outcomes == {("one", "two"): Outcomes((0, 0, 1, 0, 1))}
    result = match_result(replace(whole, alternate=False), ended, (0, 50))
    assert result.sprt is not None
    assert result.sprt.halves == (0, 2, 0, 2, 2, 2, 2)


@given(st.integers(0, 50), st.integers(0, 10), st.integers(0, 50))
def test_ratings_of_two_players_have_the_elo_difference_of_their_score(wins: int, draws: int, losses: int) -> None:
    score = Score(wins, draws, losses)
    if score.games == 0:
        return
    one, two = sorted(bradley_terry(["a", "b"], {("a", "b"): score}), key=lambda r: r.name)
    share = (score.points + PRIOR / 2) / (score.games + PRIOR)
    assert one.elo - two.elo == pytest.approx(-400 * math.log10(1 / share - 1), abs=0.1)
    assert one.elo == pytest.approx(-two.elo, abs=1e-6)


pairs_of_four = list(combinations("abcd", 2))


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(st.builds(Score, st.integers(0, 30), st.integers(0, 5), st.integers(0, 30)), min_size=6, max_size=6))
def test_ratings_maximise_the_likelihood(results: list[Score]) -> None:
    from scipy.optimize import minimize

    scores = dict(zip(pairs_of_four, results, strict=True))
    if any(score.games == 0 for score in results):
        return
    ratings = {r.name: r for r in bradley_terry("abcd", scores)}

    def minus_log_likelihood(free: list[float]) -> float:
        strength = dict(zip("abcd", [0.0, *free], strict=True))
        total = 0.0
        for (x, y), score in scores.items():
            d = strength[x] - strength[y]
            total += (score.points + PRIOR / 2) * math.log1p(math.exp(-d))
            total += (score.games - score.points + PRIOR / 2) * math.log1p(math.exp(d))
        return total

    best = minimize(minus_log_likelihood, [0.0, 0.0, 0.0], options={"gtol": 1e-8})
    strengths = np.array([0.0, *best.x])
    strengths -= strengths.mean()
    for name, strength in zip("abcd", strengths, strict=True):
        assert ratings[name].elo == pytest.approx(strength * ELO, abs=0.5)


def test_about_95_percent_of_the_intervals_contain_the_true_rating() -> None:
    rng = np.random.default_rng(7)
    truth = np.array([-150.0, -50.0, 50.0, 150.0])
    covered = total = 0
    for _ in range(60):
        scores = {}
        for i, j in combinations(range(4), 2):
            wins = int(rng.binomial(60, 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))))
            scores["abcd"[i], "abcd"[j]] = Score(wins=wins, losses=60 - wins)
        for rating in bradley_terry("abcd", scores):
            covered += abs(rating.elo - truth["abcd".index(rating.name)]) <= rating.error
            total += 1
    assert 0.9 <= covered / total <= 0.99


def test_players_that_have_not_met_have_no_ratings() -> None:
    scores = {("a", "b"): Score(wins=1), ("c", "d"): Score(wins=1)}
    with pytest.raises(RequestError, match="have not met"):
        bradley_terry("abcd", scores)


def test_the_rating_of_an_unbeaten_player_is_finite() -> None:
    ratings = bradley_terry("abc", {("a", "b"): Score(wins=20), ("b", "c"): Score(wins=20)})
    assert [r.name for r in ratings] == ["a", "b", "c"]
    assert all(math.isfinite(r.elo) and r.error > 100 for r in ratings)
