"""Speed-up by a second thread: playouts per second of two threads and of two processes, relative to one thread.

    python -m tests.benchmarks.threads --seconds 2 --rounds 9

Two processes share only the machine, so their speed-up is the upper limit for two threads.
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
"""Plays after which no result is proven, so that no search ends early."""


def speed(threads: int, size: int, seconds: float) -> float:
    """Return the playouts per second of a new player's search."""
    game = Game("first-capture", size)
    for vertex in OPENING.split():
        game.play(game.point(vertex))
    player = MctsPlayer(PlayerSettings(1, threads), loaded())
    limit = Limit(seconds)
    playouts = player.choose(game, BLACK, limit).playouts
    return playouts / limit.elapsed()


def summary(name: str, ratios: list[float]) -> str:
    """Format the median and the range of ratios."""
    return f"{name} {statistics.median(ratios):.2f} times one ({min(ratios):.2f} to {max(ratios):.2f})"


@click.command()
@click.option("--seconds", default=2.0, show_default=True)
@click.option("--rounds", default=9, show_default=True)
@click.option("--size", default=9, show_default=True)
def main(seconds: float, rounds: int, size: int) -> None:
    """Print the median ratios and their ranges."""
    threads, processes = [], []
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for again in [False, *[True] * rounds]:  # the first round is a warm-up
            one, two = speed(1, size, seconds), speed(2, size, seconds)
            both = sum(pool.map(speed, [1, 1], [size, size], [seconds, seconds]))
            if again:
                threads.append(two / one)
                processes.append(both / one)
    print(f"{size}x{size}: " + summary("two threads", threads) + "; " + summary("two processes", processes))


if __name__ == "__main__":
    # Import by name, so that other processes can unpickle `speed`.
    from tests.benchmarks import threads

    threads.main()
