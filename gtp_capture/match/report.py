"""The summary of a match, computed from its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ..util.files import RequestError
from .games import Match
from .ratings import Rating, Score, Sprt, bradley_terry, sprt
from .referee import CAUSES
from .rows import NONE, Row


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of one player."""

    name: str
    command: str
    black: Score
    white: Score
    won_by: dict[str, int]
    """Games won, by cause."""
    lost_by: dict[str, int]
    faults: dict[str, int]
    """Faults of the player, by cause."""
    seconds: float
    """Time for all moves of the player."""
    slowest: float
    """Seconds for the slowest move."""

    @property
    def score(self) -> Score:
        """The score with both colours together."""
        return self.black + self.white


@dataclass(frozen=True, slots=True)
class Report:
    """The summary of the games played so far."""

    games: int
    planned: int
    unknown: int
    """Games without a result; they are not scored."""
    duplicates: int
    """Games with the same moves as an earlier one; as in gogui-analyze, they are not scored."""
    standings: list[Standing]
    scores: dict[tuple[str, str], Score]
    """Score of each pair, from the view of its first player."""
    causes: dict[str, int]
    faults: list[str]
    """One line for each fault: game, player, cause, message and the last lines of the engine's stderr."""
    sprt: Sprt | None
    ratings: list[Rating] | None
    without_ratings: str
    """The reason if a round robin has no ratings."""

    def as_json(self) -> dict[str, Any]:
        """Convert to values that JSON can hold."""
        found = asdict(self)
        found["scores"] = [
            {"first": a, "second": b, **asdict(score), **_measures(score)} for (a, b), score in self.scores.items()
        ]
        for standing, entry in zip(self.standings, found["standings"], strict=True):
            entry["score"] = asdict(standing.score)
        if self.sprt is not None:
            found["sprt"]["verdict"] = self.sprt.verdict
        return found


def report(match: Match, rows: Iterable[Row], bounds: tuple[float, float] | None = None) -> Report:
    """Summarise the rows; `bounds` are elo0 and elo1 of an SPRT."""
    rows = sorted(rows, key=lambda row: row.game)
    pairs = [(a.name, b.name) for a, b in match.pairs]
    scores = {pair: Score() for pair in pairs}
    new = [row for row in rows if row.dup == NONE]
    for row in new:
        scores[row.first, row.second] += _score(row, row.first)
    ratings, reason = None, ""
    if len(match.contenders) > 2 and rows:
        try:
            ratings = bradley_terry([c.name for c in match.contenders], scores)
        except RequestError as error:
            reason = str(error)
    return Report(
        games=len(rows),
        planned=max(match.games * len(pairs), len(rows)),
        unknown=sum(not row.decided for row in new),
        duplicates=len(rows) - len(new),
        standings=[_standing(c.name, c.command, new) for c in match.contenders],
        scores=scores,
        causes=_count(row.cause for row in new),
        faults=[f"game {row.game}: {row.faulty}: {row.cause}: {row.err_msg}" for row in rows if row.faulty != NONE],
        sprt=sprt(scores[pairs[0]], *bounds) if bounds is not None else None,
        ratings=ratings,
        without_ratings=reason,
    )


def _score(row: Row, name: str) -> Score:
    if not row.decided:
        return Score()
    return Score(draws=1) if row.winner is None else Score(wins=1) if row.winner == name else Score(losses=1)


def _standing(name: str, command: str, rows: list[Row]) -> Standing:
    mine = [row for row in rows if name in (row.black, row.white)]
    return Standing(
        name,
        command,
        black=sum((_score(row, name) for row in mine if row.black == name), Score()),
        white=sum((_score(row, name) for row in mine if row.white == name), Score()),
        won_by=_count(row.cause for row in mine if row.winner == name),
        lost_by=_count(row.cause for row in mine if row.winner not in (name, None)),
        faults=_count(row.cause for row in mine if row.faulty == name),
        seconds=sum(row.time_b if row.first == name else row.time_w for row in mine),
        slowest=max((row.slowest_b if row.first == name else row.slowest_w for row in mine), default=0.0),
    )


def _count(causes: Iterable[str]) -> dict[str, int]:
    """Count the occurrences of every possible cause."""
    counted = Counter(causes)
    return {cause: counted[cause] for cause in CAUSES}


def _measures(score: Score) -> dict[str, Any]:
    if score.games == 0:
        return {"elo": None, "superiority": None}
    difference, low, high = score.elo()
    return {"elo": {"difference": difference, "low": low, "high": high}, "superiority": score.superiority()}
