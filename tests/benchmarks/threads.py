"""What a second thread is worth: playouts per second of one search, with two threads and with one, in turns.

python -m tests.benchmarks.threads --seconds 2 --pairs 9
"""

from __future__ import annotations

import statistics

import click

from gtp_capture.game import Game
from gtp_capture.players import MctsPlayer, Settings
from gtp_capture.search.limit import Limit
from gtp_capture.search.warm import loaded
from gtp_capture.vertex import BLACK

OPENING = "E5 D4 C6 F3"
"""Nothing is decided after these plays, so no search ends early."""


def speed(threads: int, size: int, seconds: float) -> float:
    """Playouts per second of a new player's search."""
    game = Game("first-capture", size)
    for vertex in OPENING.split():
        game.play(game.to_move, game.point(vertex))
    player = MctsPlayer(Settings(1, threads), loaded())
    limit = Limit(seconds)
    playouts = player.choose(game, BLACK, limit).playouts
    return playouts / limit.elapsed()


@click.command()
@click.option("--seconds", default=2.0, show_default=True)
@click.option("--pairs", default=9, show_default=True)
@click.option("--size", default=9, show_default=True)
def main(seconds: float, pairs: int, size: int) -> None:
    """Print the median ratio and its range."""
    speed(2, size, 0.2)
    ratios = sorted(speed(2, size, seconds) / speed(1, size, seconds) for _ in range(pairs))
    print(f"{size}x{size}: two threads {statistics.median(ratios):.2f} times one ({ratios[0]:.2f} to {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
