"""Measure the levels: each against the one below, two against scripted beginners, and what each overlooks.

    python -m tests.benchmarks.levels --games 200 --results levels.jsonl

Each opening is played with both colours; openings as in `strength`, two random plays. All levels have a fixed number of
playouts, level 10 too (PLAYOUTS_OF_FULL, a lower bound of its strength), so the speed of the machine does not matter.
On 5x5 the solver knows the winner of each opening: a step counts as met although it is below LEAST if the stronger
level won NEAR_PERFECT of the games that perfect play wins. The exit code is 1 if a target is missed. Finished games are
appended to the results file, and are not played again as long as both levels stay the same.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from gtp_capture.cli.levels import rows
from gtp_capture.go import board as bd
from gtp_capture.go.game import Game
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK, WHITE, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.openings import random_opening, solved_winner
from gtp_capture.match.ratings import wilson
from gtp_capture.match.referee import Conditions
from gtp_capture.players import life
from gtp_capture.players.levels import FIRST, FULL, LEVELS, RECOMMENDED
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import Player, PlayerSettings
from gtp_capture.players.simple import RandomPlayer
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

from ..support.child import Child

BOARDS: Final = {
    "5x5": ("first-capture", 5),
    "7x7": ("first-capture", 7),
    "9x9": ("first-capture", 9),
    "capture-5": ("capture-5", 9),
    "chinese": ("chinese", 9),
}
LEAST, MOST = 0.65, 0.85
"""Share of points of a level against the one below; the highest level may win more."""
CHILD_LEAST, CHILD_MOST = 0.35, 0.65
"""Share of points of the child against the recommended level."""
NEAR_PERFECT: Final = 0.95
CHILD: Final = 0
"""The number of the child among the levels; it plays the recommended one."""
RANDOM: Final = -1
"""The number of a player of random moves, which plays the first level on 5x5."""
RANDOM_LEAST, RANDOM_MOST = 0.2, 0.3
"""Share of points of the random moves."""
SCRIPTED: Final = {CHILD: "child", RANDOM: "random moves"}
PLAYOUTS_OF_FULL: Final = 9_000
MEMORY: Final = 64 * 2**20
MOST_MOVES: Final = 400
NONE_SEEN: Final = (0, 0, 0, 0)


class Opening(NamedTuple):
    """An opening, with its winner under perfect play if that is known."""

    board: str
    number: int
    moves: tuple[tuple[int, int], ...] = ()
    """Colour and point."""
    winner: int | None = None


class Pairing(NamedTuple):
    """Two games from one opening, with both colours."""

    a: int
    """A level, CHILD or RANDOM."""
    b: int
    opening: Opening

    @property
    def key(self) -> str:
        """A name that changes when one of the levels changes."""
        players = [SCRIPTED.get(n) or LEVELS[n - 1] for n in (self.a, self.b)]
        limit = PLAYOUTS_OF_FULL if FULL in (self.a, self.b) else 0
        code = zlib.crc32(repr([players, self.opening, limit]).encode())
        return f"{self.opening.board} {self.a} {self.b} {self.opening.number} {code:08x}"


@dataclass
class Score:
    """Games of a against b, added up."""

    games: int = 0
    points: float = 0.0
    should_win: int = 0
    """Games that perfect play wins for a."""
    did_win: int = 0
    """The number of these games that a won."""
    seen: dict[str, list[int]] = field(default_factory=dict)
    """For each player: turns with a capture, and those without it played; turns with a savable chain, and those in
    which it was not saved."""

    def add(self, other: Score) -> None:
        """Add the games of another score."""
        self.games += other.games
        self.points += other.points
        self.should_win += other.should_win
        self.did_win += other.did_win
        for player, counts in other.seen.items():
            self.seen[player] = [x + y for x, y in zip(self.seen.get(player, NONE_SEEN), counts, strict=True)]


class Results:
    """The results so far by key, kept in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        text = path.read_text(encoding="utf-8") if path is not None and path.exists() else ""
        self.known: dict[str, Any] = {line["key"]: line["result"] for line in map(json.loads, text.splitlines())}

    def add(self, key: str, result: Any) -> None:
        """Add a result."""
        self.known[key] = result
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "result": result}) + "\n")


def make_opening(opening: Opening) -> Opening:
    """Find the opening of a number."""
    rules, size = BOARDS[opening.board]
    conditions = Conditions(Rules.of(rules), size, size)
    game = conditions.game()
    for move in random_opening(conditions, 1, opening.number, 2):
        game.play_point(move.point, move.color)
    moves = tuple((int(move.color), int(move.point)) for move in game.moves)
    return opening._replace(moves=moves, winner=solved_winner(game))


def player(number: int, seed: int) -> Player:
    """Return the player of a level, or a scripted one."""
    if number == RANDOM:
        return RandomPlayer(PlayerSettings(seed))
    return MctsPlayer(PlayerSettings(seed, level=number, memory=MEMORY), loaded()) if number else Child(seed)


def play(pairing: Pairing) -> Score:
    """Play both games of a pairing."""
    score, opening = Score(), pairing.opening
    rules, size = BOARDS[opening.board]
    for color_of_a in (BLACK, WHITE):
        game = Game(rules, size)
        game.find_statuses = life.statuses
        for color, point in opening.moves:
            game.play_point(point, color)
        numbers = {color_of_a: pairing.a, opponent(color_of_a): pairing.b}
        sides = {color: player(number, 2 * opening.number + color) for color, number in numbers.items()}
        while game.outcome is None and len(game.moves) < MOST_MOVES:
            color = int(game.to_move)
            move = sides[color].choose(game, color, Limit(playouts=PLAYOUTS_OF_FULL).begin()).move
            count(game, color, move, score.seen.setdefault(str(numbers[color]), [*NONE_SEEN]))
            game.play_point(move, color)
        winner = game.outcome.winner if game.outcome is not None else None
        points = 0.5 if winner is None else float(winner == color_of_a)
        should = int(opening.winner == color_of_a)
        score.add(Score(1, points, should, should * int(points)))
    return score


def count(game: Game, color: int, move: int, seen: list[int]) -> None:
    """Count whether a turn has a capture or else a chain to save, and whether the move is one that does it."""
    board = game.board
    captures = {bd.last_liberty(board, p) for p in game.atari(opponent(color))}
    captures = {p for p in captures if game.is_legal_point(p, color)}
    if captures:
        seen[0] += 1
        seen[1] += move not in captures
        return
    liberties = {p: bd.last_liberty(board, p) for p in game.atari(color)}
    saves = {q for p, q in liberties.items() if game.is_legal_point(q, color) and escapes(board, p, q, color)}
    if saves:
        seen[2] += 1
        seen[3] += move not in saves


def escapes(board: bd.Board, chain: int, point: int, color: int) -> bool:
    """Whether a chain has two liberties or more after a play."""
    after = board.copy()
    return bd.play(after, point, color) >= 0 and len(bd.liberties(after, chain)) > 1


def pairings(boards: list[str], numbers: range, jobs: int, results: Results) -> list[Pairing]:
    """All pairs of games from the openings with these numbers: the steps and the child."""
    wanted = [Opening(board, number) for board in boards for number in numbers]
    missing = [opening for opening in wanted if f"opening {opening.board} {opening.number}" not in results.known]
    for opening, made in run_jobs(partial(executor, jobs), make_opening, missing):
        results.add(f"opening {opening.board} {opening.number}", [made.moves, made.winner])
    found = []
    for opening in wanted:
        moves, winner = results.known[f"opening {opening.board} {opening.number}"]
        found.append(opening._replace(moves=tuple((color, point) for color, point in moves), winner=winner))
    steps = [Pairing(n + 1, n, opening) for opening in found for n in range(1, FULL)]
    # The child knows only captures.
    child = [Pairing(CHILD, RECOMMENDED, opening) for opening in found if opening.board != "chinese"]
    return steps + child + [Pairing(RANDOM, FIRST, opening) for opening in found if opening.board == "5x5"]


def measure(todo: list[Pairing], jobs: int, results: Results) -> dict[tuple[str, int, int], Score]:
    """Play the pairings that are not in the results file, low levels first; return the scores by board and players."""
    missing = sorted((p for p in todo if p.key not in results.known), key=lambda p: max(p.a, p.b))
    for pairing, score in run_jobs(partial(executor, jobs), play, missing):
        results.add(pairing.key, asdict(score))
    scores: dict[tuple[str, int, int], Score] = defaultdict(Score)
    for pairing in todo:
        scores[pairing.opening.board, pairing.a, pairing.b].add(Score(**results.known[pairing.key]))
    return scores


def verdict(score: Score, number: int) -> str:
    """Return `met` or `missed` for a level against the one below, and the solver's figures where they decide that."""
    share = score.points / score.games
    if number in SCRIPTED:
        least, most = (CHILD_LEAST, CHILD_MOST) if number == CHILD else (RANDOM_LEAST, RANDOM_MOST)
        return "met" if least <= share <= most else "missed"
    if share < LEAST and score.should_win and score.did_win >= NEAR_PERFECT * score.should_win:
        return f"met: won {score.did_win} of the {score.should_win} that perfect play wins"
    return "met" if share >= LEAST and (share <= MOST or number == FULL) else "missed"


def percent(part: int, whole: int) -> str:
    """Return a share in per cent with the number of cases."""
    return f"{part / whole:.0%} of {whole}" if whole else "-"


@click.command()
@click.option("--games", default=200, show_default=True, help="For each step and board.")
@click.option("--board", "boards", type=click.Choice(list(BOARDS)), multiple=True, help="Default: all.")
@click.option("--first", default=0, show_default=True, help="Number of the first opening.")
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
@click.option("--results", type=click.Path(path_type=Path), help="File of the games; a run continues with it.")
@click.option("--only", type=click.IntRange(RANDOM, FULL), multiple=True, help="Levels; 0: child; -1: random.")
def main(
    games: int, boards: tuple[str, ...], first: int, jobs: int, results: Path | None, only: tuple[int, ...]
) -> None:
    """Print the table of failings, the steps, the child's share, and what was overlooked."""
    for row in rows():
        click.echo("  ".join(row))
    names, missed = list(boards or BOARDS), False
    loaded()
    stored = Results(results)
    todo = pairings(names, range(first, first + games // 2), jobs, stored)
    scores = measure([pairing for pairing in todo if not only or pairing.a in only], jobs, stored)
    for (board, a, b), score in scores.items():
        low, high = wilson(score.points / score.games, score.games)
        found = verdict(score, a)
        missed |= found == "missed"
        who = SCRIPTED.get(a) or f"level {a}"
        share = f"{score.points:g}/{score.games} = {score.points / score.games:.1%} [{low:.1%}, {high:.1%}]"
        click.echo(f"{board}: {who} - level {b}: {share} {found}")
    for board in names:
        total = Score()
        for (of, _, _), score in scores.items():
            if of == board:
                total.add(score)
        for number in range(RANDOM, FULL + 1):
            chances, lost, savable, left = total.seen.get(str(number), NONE_SEEN)
            who = SCRIPTED.get(number) or f"level {number}"
            click.echo(f"{board}: {who} missed captures {percent(lost, chances)}, left ataris {percent(left, savable)}")
    sys.exit(missed)


if __name__ == "__main__":
    # Import by its full name, so that other processes can unpickle `play`.
    from tests.benchmarks import levels

    levels.main()
