"""What a second thread is worth: playouts per second with two threads, of two searches at once, and of one search.

    python -m tests.benchmarks.threads --seconds 2 --rounds 9

Two searches in processes of their own share nothing but the machine: more than they reach, no threads can.
"""

from __future__ import annotations

import statistics
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import click

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Limit

OPENING = "E5 D4 C6 F3"
"""Nothing is decided after these plays, so no search ends early."""


def speed(threads: int, size: int, seconds: float) -> float:
    """Playouts per second of a new player's search."""
    game = Game("first-capture", size)
    for vertex in OPENING.split():
        game.play(game.point(vertex))
    player = MctsPlayer(PlayerSettings(1, threads), loaded())
    limit = Limit(seconds)
    playouts = player.choose(game, BLACK, limit).playouts
    return playouts / limit.elapsed()


def summary(name: str, ratios: list[float]) -> str:
    """The median and the range."""
    return f"{name} {statistics.median(ratios):.2f} times one ({min(ratios):.2f} to {max(ratios):.2f})"


@click.command()
@click.option("--seconds", default=2.0, show_default=True)
@click.option("--rounds", default=9, show_default=True)
@click.option("--size", default=9, show_default=True)
def main(seconds: float, rounds: int, size: int) -> None:
    """Print the median ratios and their ranges."""
    threads, processes = [], []
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for again in [False, *[True] * rounds]:  # the first round is for warming up
            one, two = speed(1, size, seconds), speed(2, size, seconds)
            both = sum(pool.map(speed, [1, 1], [size, size], [seconds, seconds]))
            if again:
                threads.append(two / one)
                processes.append(both / one)
    print(f"{size}x{size}: " + summary("two threads", threads) + "; " + summary("two processes", processes))


if __name__ == "__main__":
    # Under its own name, by which other processes find `speed`.
    from tests.benchmarks import threads

    threads.main()
