"""Strength of the search against plain UCT: `python -m tests.benchmarks.strength --games 200 --rules capture-5`.

The reference is no engine of the program, so it plays as a bot. `gtp-capture match` compares versions, other engines
and settings.
"""

from __future__ import annotations

from pathlib import Path

import click

import gtp_capture as gc
from gtp_capture.go.game import Game
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.player import PlayerSettings
from gtp_capture.util.limit import Deadline

from ..support.uct import UctPlayer


class Uct:
    """The reference as a bot."""

    def __init__(self, seed: int) -> None:
        self._player = UctPlayer(PlayerSettings(seed), loaded())

    def choose(self, game: Game, limit: Deadline) -> str:
        """See Bot."""
        return game.vertex(self._player.choose(game, game.to_move, limit).move)


@click.command()
@click.option("--games", default=40, show_default=True)
@click.option("--rules", default="first-capture", show_default=True)
@click.option("--size", default=9, show_default=True)
@click.option("--seconds", default=0.2, show_default=True, help="For a move.")
@click.option("--plies", default=2, show_default=True, help="Random plays before each game begins.")
@click.option("--seed", default=1, show_default=True)
@click.option("--results", type=click.Path(path_type=Path), help="File of the games; a run continues with it.")
def main(games: int, rules: str, size: int, seconds: float, plies: int, seed: int, results: Path | None) -> None:
    """Play a match and print its result and its faults."""
    found = gc.play_match(
        gc.Player(seed=seed), Uct(seed), games=games, rules=rules, size=size, seconds=seconds,
        openings=f"random-{plies}", seed=seed, results=results, resume=results is not None,
    )  # fmt: skip
    click.echo(f"{found}, {sum(game.message != '' for game in found.games)} faults")


if __name__ == "__main__":
    main()
