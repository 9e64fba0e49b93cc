"""Strength of player A against player B over many games, played in parallel, with a confidence interval.

    python -m tests.benchmarks.strength mcts uct --games 200 --seconds 0.2 --results mcts-uct.tsv

Colours alternate, and each opening is played twice, with colours exchanged. The openings are random plays after which
no chain is in atari and a search of 2,000 playouts gives neither side a win rate above 75 %; otherwise a ladder could
decide both games of an opening. Where the solver proves a winner, it is the colour to move in every second opening.
Every game is appended to the results file when it ends, so an interrupted run can be continued. A player is a name with
settings: `mcts`, `mcts:level=3`, `mcts:solver=0` (without the solver), `uct:seconds=1`, `mcts:playouts=1000`,
`pachi:simulations=2000` (ordinary Go only), or `gnugo:level=10`, which does not support capture games; our rules
decide. In games of Go (`--rules chinese`) GNU Go decides which stones are dead, and the games that A lost by WIPE_OUT
points or more are counted. GNU Go and Pachi have no clock.
"""

from __future__ import annotations

import math
import shutil
import time
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from gtp_capture.go.game import Game, IllegalMoveError
from gtp_capture.go.position import Termination
from gtp_capture.go.rules import Rules
from gtp_capture.go.vertex import BLACK, COLOR_NAMES, WHITE, opponent
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.openings import random_opening
from gtp_capture.match.ratings import elo, wilson
from gtp_capture.match.referee import Conditions
from gtp_capture.players.player import Decision, Player, PlayerSettings
from gtp_capture.players.registry import PLAYERS
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Deadline, Limit

from ..support.process import GtpProcess
from ..support.uct import UctPlayer
from ..support.unaided import Unaided

GRACE = 0.1
"""Grace period in seconds before a time loss."""
MOST_MOVES = 1000
WIPE_OUT = 30
"""Points from which a lost game of Go counts as a wipe-out."""


@dataclass(frozen=True)
class Setting:
    """One match."""

    a: str
    b: str
    rules: str
    width: int
    seconds: float
    plies: int
    seed: int


@dataclass(frozen=True)
class Result:
    """One game, as a line of the results file."""

    game: int
    winner: str
    """The winning player, `a` or `b`; `nobody` for a draw."""
    color_of_a: str
    cause: str
    moves: int
    slowest: float
    """Seconds over the limit of the slowest move."""
    margin: float = 0.0
    """Points by which a game of Go was won; 0 if there was no count."""


class Other(Player):
    """Another program as a player, synchronised with the game before each move."""

    def __init__(self, *command: str) -> None:
        self._process = GtpProcess(list(command))
        self._known: list[Any] = [None]

    def choose(self, game: Game, color: int, deadline: Deadline) -> Decision:
        """See Player."""
        ask = self._process.ask
        if not self._known or len(self._known) > len(game.moves) or self._known[0] is not game:
            self._known = [game]
            ask(f"boardsize {game.width}")
            ask("clear_board")
            ask(f"komi {game.komi}")
        for c, point, _ in game.moves[len(self._known) - 1 :]:
            ask(f"play {COLOR_NAMES[c]} {game.vertex(point)}")
            self._known.append((c, point))
        move = ask(f"genmove {COLOR_NAMES[color]}").lower()
        if move == "resign":
            return Decision(-1)
        point = game.point(move)
        self._known.append((color, point))
        return Decision(point)

    def count(self, game: Game) -> float:
        """Return Black's points more than White's after two passes, with dead stones and komi by GNU Go."""
        self._known = [None]
        for line in (f"boardsize {game.width}", "clear_board", f"komi {game.komi}"):
            self._process.ask(line)
        for c, point, _ in game.moves:
            self._process.ask(f"play {COLOR_NAMES[c]} {game.vertex(point)}")
        color, _, points = self._process.ask("final_score").partition("+")
        return {"B": 1, "W": -1}.get(color, 0) * float(points or 0)


@cache
def gnugo(level: int) -> Other:
    """Return the GNU Go that all games of this process share."""
    program = shutil.which("gnugo") or "/usr/games/gnugo"
    return Other(program, "--mode", "gtp", "--chinese-rules", "--level", str(level))


@cache
def pachi(simulations: int) -> Other:
    """Return the Pachi that all games of this process share."""
    return Other(shutil.which("pachi") or "pachi", "-t", f"={simulations}", "threads=1,pondering=0")


def player(text: str, seed: int) -> tuple[Player, dict[str, float]]:
    """Return the player of a description, and the limits per move that it sets."""
    name, _, rest = text.partition(":")
    values = {key: float(value) for key, _, value in (item.partition("=") for item in rest.split(",") if item)}
    bounds: dict[str, float] = {key: values.pop(key) for key in ("seconds", "playouts") if key in values}
    if name == "gnugo":
        return gnugo(int(values.get("level", 10))), {"seconds": math.inf}
    if name == "pachi":
        return pachi(int(values.get("simulations", 2000))), {"seconds": math.inf}
    settings = PlayerSettings(seed, int(values.get("threads", 1)), int(values.get("level", 10)), 128 * 2**20)
    kind = UctPlayer if name == "uct" else PLAYERS[name] if values.get("solver", 1) else Unaided
    return kind(settings, loaded()), bounds


def play(setting: Setting, index: int) -> Result:
    """Play one game."""
    conditions = Conditions(Rules.of(setting.rules), setting.width, setting.width)
    game = conditions.game()
    for move in random_opening(conditions, setting.seed, index // 2, setting.plies):
        game.play_point(move.point, move.color)
    color_of_a = BLACK if index % 2 == 0 else WHITE
    sides = {color_of_a: player(setting.a, 2 * index), opponent(color_of_a): player(setting.b, 2 * index + 1)}
    slowest, cause, winner, points = -math.inf, "", 0, 0.0
    while game.outcome is None and not cause:
        color = game.to_move
        thinker, bounds = sides[color]
        seconds = bounds.get("seconds", None if "playouts" in bounds else setting.seconds)
        playouts = int(bounds["playouts"]) if "playouts" in bounds else None
        deadline = Limit(None if seconds in (None, math.inf) else seconds, playouts=playouts).begin()
        started = time.monotonic()
        decision = thinker.choose(game, color, deadline)
        over = time.monotonic() - started - (deadline.limit.seconds or math.inf)
        slowest = max(slowest, over)
        try:
            game.play_point(decision.move, color)
        except IllegalMoveError:
            cause, winner = "illegal move", opponent(color)
        if over > GRACE:
            cause, winner = "time", opponent(color)
        if len(game.moves) > MOST_MOVES:
            cause = "too long"
    if game.outcome is not None and not cause:
        cause, winner = str(game.outcome.termination), game.outcome.winner or 0
        if game.rules.dead_stones and game.outcome.termination is Termination.TWO_PASSES:
            points = gnugo(10).count(game)
            winner = winner or (BLACK if points > 0 else WHITE if points < 0 else 0)
    name = "nobody" if not winner else "a" if winner == color_of_a else "b"
    return Result(index, name, COLOR_NAMES[color_of_a], cause, len(game.moves), slowest, abs(points))


def summary(setting: Setting, results: list[Result]) -> str:
    """Return the score so far as one line."""
    games = len(results)
    points = sum({"a": 1.0, "nobody": 0.5, "b": 0.0}[r.winner] for r in results)
    low, high = wilson(points / games, games)
    faults = sum(r.cause in ("illegal move", "time", "too long") for r in results)
    wiped = sum(r.winner == "b" and r.margin >= WIPE_OUT for r in results)
    wipe_outs = f", wiped out {wiped}" if any(r.margin for r in results) else ""
    return (
        f"{setting.a} - {setting.b}, {setting.rules} {setting.width}x{setting.width}, {setting.seconds:g} s: "
        f"{points:g}/{games} = {points / games:.1%} [{low:.1%}, {high:.1%}], "
        f"Elo {elo(points / games):+.0f} [{elo(low):+.0f}, {elo(high):+.0f}], faults {faults}, "
        f"latest answer {max(r.slowest for r in results):+.3f} s{wipe_outs}"
    )


def read(path: Path | None) -> list[Result]:
    """Return the games of a results file; an incomplete last line is ignored."""
    if path is None or not path.exists():
        return []
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1] == "\n"]
    return [Result(int(r[0]), r[1], r[2], r[3], int(r[4]), float(r[5]), *map(float, r[6:])) for r in rows]


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--games", default=40, show_default=True)
@click.option("--rules", default="first-capture", show_default=True)
@click.option("--size", default=9, show_default=True)
@click.option("--seconds", default=0.2, show_default=True, help="For a move, unless a player sets its own limit.")
@click.option("--plies", default=2, show_default=True, help="Random plays before the match begins.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
@click.option("--scheduler", help="Play on a Dask cluster, whose workers run in this folder, at this address.")
@click.option(
    "--results", type=click.Path(path_type=Path), help="File of the games; a run continues with those it holds."
)
def main(
    a: str,
    b: str,
    games: int,
    rules: str,
    size: int,
    seconds: float,
    plies: int,
    seed: int,
    jobs: int,
    scheduler: str | None,
    results: Path | None,
) -> None:
    """Play a match and print its result."""
    setting = Setting(a, b, rules, size, seconds, plies, seed)
    done = read(results)
    loaded()
    missing = sorted(set(range(games)) - {r.game for r in done})
    for _, result in run_jobs(partial(executor, jobs, scheduler), partial(play, setting), missing):
        done.append(result)
        if results is not None:
            with results.open("a", encoding="utf-8") as file:
                file.write("\t".join(str(value) for value in asdict(result).values()) + "\n")
    print(summary(setting, done))


if __name__ == "__main__":
    # Import by its full name, so that other processes and machines can unpickle `play`.
    from tests.benchmarks import strength

    strength.main()
