"""The result of a match, computed from its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ..util import arguments
from ..util.above import above
from ..util.files import RequestError
from .games import Match
from .ratings import BOUND, Elo, Outcomes, Rating, Score, Sprt, bradley_terry
from .referee import CAUSES
from .rows import MatchGame


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match; as text, of two players, "a 3 - 1 b (4 games), Elo +191 [-158, +540]"."""

    names: tuple[str, ...]
    """The players; the first of two has Black in their first game."""
    games: tuple[MatchGame, ...]
    """All games that were played, by their numbers, duplicates included."""
    planned: int
    """Games to play in all."""
    scores: dict[tuple[str, str], Score]
    """Score of each pair of players, from the view of its first player; games without a result are not scored."""
    outcomes: dict[tuple[str, str], Outcomes]
    """The results of each pair of players, by pairs of games if openings are played with both colours.

    A game whose other game of the opening is not scored is left out.
    """
    sprt: Sprt | None = None
    """The state of the test, if there is one."""
    ratings: tuple[Rating, ...] | None = None
    """The ratings of a round robin, strongest player first."""
    without_ratings: str = ""
    """The reason if a round robin has no ratings."""

    def _repr_html_(self) -> str:
        return str(above("library.html.match_html", self))

    def __str__(self) -> str:
        (first, one), *others = self.points.items()
        score = " - ".join([f"{first} {one:g}", *(f"{points:g} {name}" for name, points in others)])
        left_out = f", {self.duplicates} duplicates left out" if self.duplicates else ""
        return f"{score} ({len(self.games)} games{left_out})" + (f", Elo {self.elo}" if self.elo is not None else "")

    @property
    def counted(self) -> list[MatchGame]:
        """The games without those that repeat an earlier one move by move; as in gogui-analyze, only these count."""
        return [game for game in self.games if game.duplicate is None]

    @property
    def duplicates(self) -> int:
        """The number of games that repeat an earlier one move by move."""
        return len(self.games) - len(self.counted)

    @property
    def unknown(self) -> int:
        """The number of games without a result; they are not scored."""
        return sum(not game.decided for game in self.counted)

    @property
    def points(self) -> dict[str, float]:
        """Points of each player; a draw counts half."""
        return {name: (self.score(name, black=True) + self.score(name, black=False)).points for name in self.names}

    @property
    def elo(self) -> Elo | None:
        """Elo of the first player against the second; None without a scored game."""
        score = self.scores[self.names[0], self.names[1]]
        return score.elo() if score.games else None

    @property
    def faults(self) -> list[str]:
        """One line for each fault: game, player, cause, message and the last lines of the engine's stderr."""
        return [f"game {g.number}: {g.faulty}: {g.cause}: {g.message}" for g in self.games if g.faulty is not None]

    def score(self, name: str, *, black: bool) -> Score:
        """The score of a player with one colour. ValueError: no player of the match. TypeError: `black` is no bool."""
        black = arguments.flag("black", black)
        self._check(name)
        mine = (game for game in self.counted if name == (game.black if black else game.white))
        return sum((score_of(game, name) for game in mine), Score())

    def causes(self, winner: str | None = None, faulty: str | None = None) -> dict[str, int]:
        """Count the ends of games by cause: of all games, or of the games that a player has won, or lost by a fault.

        ValueError: not a player of the match.
        """
        self._check(*(name for name in (winner, faulty) if name is not None))
        games = (g for g in self.counted if winner in (None, g.winner) and faulty in (None, g.faulty))
        counted = Counter(game.cause for game in games)
        return {cause: counted[cause] for cause in CAUSES}

    def slowest(self, name: str) -> float:
        """Seconds for the slowest move of a player; 0 without one. ValueError: not a player of the match."""
        self._check(name)
        return max((game.slowest[name] for game in self.games if name in game.slowest), default=0.0)

    def as_json(self) -> dict[str, Any]:
        """Convert to values that JSON can hold."""
        return {
            "games": len(self.games),
            "planned": self.planned,
            "unknown": self.unknown,
            "duplicates": self.duplicates,
            "standings": [self._standing(name) for name in self.names],
            "scores": [
                {"first": first, "second": second, **asdict(score), **self._measures((first, second))}
                for (first, second), score in self.scores.items()
            ],
            "causes": self.causes(),
            "faults": self.faults,
            "sprt": None if self.sprt is None else _test(self.sprt),
            "ratings": None if self.ratings is None else [asdict(rating) for rating in self.ratings],
            "without_ratings": self.without_ratings,
        }

    def _check(self, *names: object) -> None:
        """Check the names of players. ValueError: another one."""
        for name in names:
            if name not in self.names:
                raise ValueError(f"{name!r} is no player of this match: the players are {' and '.join(self.names)}")

    def _measures(self, pair: tuple[str, str]) -> dict[str, Any]:
        score, outcomes = self.scores[pair], self.outcomes[pair]
        normalized = outcomes.normalized_elo()
        return {
            "elo": score.elo()._asdict() if score.games else None,
            "normalized_elo": None if normalized is None else normalized._asdict(),
            "superiority": outcomes.superiority() if any(outcomes.counts) else None,
            "outcomes": outcomes.counts,
        }

    def _standing(self, name: str) -> dict[str, Any]:
        black, white = self.score(name, black=True), self.score(name, black=False)
        return {
            "name": name,
            "score": asdict(black + white),
            "black": asdict(black),
            "white": asdict(white),
            "won_by": self.causes(winner=name),
            "faults": self.causes(faulty=name),
            "slowest": self.slowest(name),
        }


def match_result(match: Match, games: Iterable[MatchGame], bounds: tuple[float, float] | None = None) -> MatchResult:
    """Summarise the games played so far, in the order in which they ended; `bounds` are elo0 and elo1 of an SPRT."""
    ended = list(games)
    played = tuple(sorted(ended, key=lambda game: game.number))
    names, pairs = tuple(c.name for c in match.contenders), [(a.name, b.name) for a, b in match.pairs]
    scores = dict.fromkeys(pairs, Score())
    for game in played:
        if game.duplicate is None:
            scores[game.first, game.second] += score_of(game, game.first)
    ratings, reason = None, ""
    if len(names) > 2 and played:
        try:
            ratings = tuple(bradley_terry(names, scores))
        except RequestError as error:
            reason = str(error)
    halves = _halves(match, ended)
    outcomes = {pair: Outcomes.of(points, match.alternate) for pair, points in halves.items()}
    test = Sprt(*bounds, match.alternate, tuple(halves[pairs[0]])) if bounds is not None else None
    planned = max(match.games * len(pairs), len(played))
    return MatchResult(names, played, planned, scores, outcomes, test, ratings, reason)


def score_of(game: MatchGame, name: str) -> Score:
    """The score of a player in one game."""
    if not game.decided:
        return Score()
    return Score(draws=1) if game.winner is None else Score(wins=1) if game.winner == name else Score(losses=1)


def _halves(match: Match, games: Iterable[MatchGame]) -> dict[tuple[str, str], list[int]]:
    """The half points of the first player of each pair of players, in each game or pair of games, as they ended."""
    ended: dict[tuple[str, str], list[int]] = {(a.name, b.name): [] for a, b in match.pairs}
    waiting: dict[tuple[str, str, int], int] = {}
    for game in games:
        if game.duplicate is not None or not game.decided:
            continue
        halves = int(2 * score_of(game, game.first).points)
        opening = game.first, game.second, game.number // len(ended) // 2
        if not match.alternate:
            ended[game.first, game.second].append(halves)
        elif opening in waiting:
            ended[game.first, game.second].append(halves + waiting.pop(opening))
        else:
            waiting[opening] = halves
    return ended


def _test(test: Sprt) -> dict[str, Any]:
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "unit": test.unit,
        "outcomes": test.outcomes.counts,
        "llr": test.llr,
        "lower": -BOUND,
        "upper": BOUND,
        "verdict": test.verdict,
        "progress": test.progress,
    }
