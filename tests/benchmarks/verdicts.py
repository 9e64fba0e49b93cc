"""Measure when the engine knows the winner: the number of plies before the end of the game.

    python -m tests.benchmarks.verdicts --games 200 --seconds 0.5
    python -m tests.benchmarks.verdicts --games 40 --playouts 3000 --size 9 --without-solver

The engine plays against itself, each side with a tree and a solver of its own, from random openings without a chain in
atari; game N of a seed has the same opening in all versions. A side knows the verdict if its move is proven to win, or
if all its moves are proven to lose. The plies are counted from the first such move of the game, that one included, to
the capture.
"""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass
from functools import partial

import click

from gtp_capture.go.rules import PRESETS
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.openings import quiet
from gtp_capture.match.referee import Conditions
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

from ..support.unaided import Unaided

MEMORY = 256 * 2**20
AT_LEAST = (5, 10, 15, 20, 25, 30)


@dataclass(frozen=True)
class Setting:
    """What the games have in common."""

    size: int
    seconds: float | None
    playouts: int | None
    opening_plies: int
    threads: int
    seed: int
    solver: bool


def play(setting: Setting, number: int) -> tuple[int | None, int]:
    """Play a game to the end; return the number of its first move with a known verdict, counted from 0, and of all."""
    rng = random.Random(f"{setting.seed} {number}")
    game = quiet(Conditions(PRESETS["first-capture"], setting.size, setting.size), setting.opening_plies, rng)
    settings = PlayerSettings(seed=number, threads=setting.threads, memory=MEMORY)
    kind = MctsPlayer if setting.solver else Unaided
    players = {color: kind(settings, loaded()) for color in (BLACK, WHITE)}
    known = None
    while game.outcome is None:
        decision = players[game.to_move].choose(
            game, game.to_move, Limit(setting.seconds, playouts=setting.playouts).begin()
        )
        if known is None and decision.note.startswith(("wins", "lost")):
            known = len(game.moves)
        game.play_point(decision.move)
    return known, len(game.moves)


@click.command()
@click.option("--games", type=int, default=200, show_default=True)
@click.option("--size", type=int, default=9, show_default=True)
@click.option("--seconds", type=float, help="For each move.")
@click.option("--playouts", type=int, help="For each move, if there is no --seconds.")
@click.option("--opening-plies", type=int, default=6, show_default=True)
@click.option("--threads", type=int, default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--without-solver", is_flag=True, help="Only the tree search proves results.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Games at a time.")
def main(
    games: int,
    size: int,
    seconds: float | None,
    playouts: int | None,
    opening_plies: int,
    threads: int,
    seed: int,
    without_solver: bool,
    jobs: int,
) -> None:
    """Play games and print the distribution of the plies before the end."""
    most = None if seconds else playouts or 3_000
    setting = Setting(size, seconds, most, opening_plies, threads, seed, not without_solver)
    found: list[int] = []
    began = time.monotonic()
    loaded()
    for number, (known, plies) in run_jobs(partial(executor, jobs), partial(play, setting), range(games)):
        found.append(0 if known is None else plies - known)
        click.echo(f"{number:>4} {plies:>4} plies, known {found[-1]:>3} before the end", err=True)
    share = ", ".join(f"{least}: {sum(n >= least for n in found) / games:.0%}" for least in AT_LEAST)
    tenths = statistics.quantiles(found, n=10) if games > 1 else found * 9
    error = statistics.stdev(found) / games**0.5 if games > 1 else 0.0
    click.echo(f"{games} games of {size}x{size} in {time.monotonic() - began:.0f} s")
    click.echo(f"plies before the end: mean {statistics.fmean(found):.2f} +- {error:.2f}")
    click.echo(f"tenths of the games: {' '.join(f'{tenth:.0f}' for tenth in tenths)}")
    click.echo(f"at least {share}")


if __name__ == "__main__":
    # Import by its full name, so that other processes can unpickle `play`.
    from tests.benchmarks import verdicts

    verdicts.main()
