"""Elo, intervals, SPRT and Bradley-Terry, against closed forms, a general optimiser and published figures."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_capture.match.ratings import ELO, PRIOR, Score, bradley_terry, elo, sprt, wilson
from gtp_capture.util.files import RequestError

counts = st.builds(Score, st.integers(0, 200), st.integers(0, 20), st.integers(0, 200))


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.24, -200), (0.909091, 400)])
def test_elo_matches_the_published_table(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference, abs=0.5)


@given(st.integers(1, 300), st.data())
def test_the_interval_of_a_share_is_that_of_scipy(games: int, data: st.DataObject) -> None:
    from scipy.stats import binomtest  # a second to import

    wins = data.draw(st.integers(0, games))
    theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson(wins / games, games) == pytest.approx((theirs.low, theirs.high), abs=1e-4)


@given(counts)
def test_superiority_is_the_normal_tail(score: Score) -> None:
    decided = score.wins + score.losses
    expected = NormalDist().cdf((score.wins - score.losses) / math.sqrt(decided)) if decided else 0.5
    assert score.superiority() == pytest.approx(expected, abs=1e-9)


def test_the_sprt_has_walds_bounds_and_ratio() -> None:
    found = sprt(Score(wins=60, losses=40), 0, 100)
    assert (found.lower, found.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    p1 = 1 / (1 + 10 ** (-0.25))
    likelihood = p1**60 * (1 - p1) ** 40 / 0.5**100
    assert found.llr == pytest.approx(math.log(likelihood))
    assert found.verdict == "undecided"


def test_the_sprt_decides_and_is_rarely_wrong() -> None:
    rng = np.random.default_rng(1)
    for truth, accepted in ((0, "H0"), (100, "H1")):
        chance = 1 / (1 + 10 ** (-truth / 400))
        right = 0
        for _ in range(200):
            wins = games = 0
            verdict = "undecided"
            while verdict == "undecided":
                wins, games = wins + int(rng.random() < chance), games + 1
                verdict = sprt(Score(wins=wins, losses=games - wins), 0, 100).verdict
            right += verdict == accepted
        assert right >= 180  # 5 % may be wrong, 10 of 200; the rest is for chance


def test_the_sprt_decides_after_a_series_of_wins_or_losses() -> None:
    assert sprt(Score(losses=30), 0, 50).verdict == "H0"
    assert sprt(Score(wins=60), 0, 50).verdict == "H1"


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


@settings(max_examples=25)
@given(st.lists(st.builds(Score, st.integers(0, 30), st.integers(0, 5), st.integers(0, 30)), min_size=6, max_size=6))
def test_ratings_maximise_the_likelihood(results: list[Score]) -> None:
    from scipy.optimize import minimize

    scores = dict(zip(pairs_of_four, results, strict=True))
    if any(score.games == 0 for score in results):
        return
    found = {r.name: r for r in bradley_terry("abcd", scores)}

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
        assert found[name].elo == pytest.approx(strength * ELO, abs=0.5)


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
    found = bradley_terry("abc", {("a", "b"): Score(wins=20), ("b", "c"): Score(wins=20)})
    assert [r.name for r in found] == ["a", "b", "c"]
    assert all(math.isfinite(r.elo) and r.error > 100 for r in found)
