"""Count the reasons of hints in random positions, and those that give none: `python -m tests.benchmarks.hints`.

Half of the positions come from random plays, half from plays of `greedy`, which fights for its stones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import click

import gtp_capture as gc
from gtp_capture.players.player import PlayerSettings
from gtp_capture.players.simple import GreedyPlayer
from gtp_capture.util.limit import Limit

BOARDS = [(rules, size) for rules in ("first-capture", "capture-5", "japanese") for size in (5, 7, 9)]
BARE = ("rate", "sight", "force", "loss")
"""Reasons that name nothing on the board; a loss has its length where the solver finds it."""


def positions(rules: str, size: int, count: int, seed: int) -> Iterator[gc.Game]:
    """Yield unfinished games of 3 plies to half of the board's points."""
    rng = random.Random(f"{seed} {rules} {size}")
    while count:
        game, greedy = gc.Game(rules, size), GreedyPlayer(PlayerSettings(seed=rng.randrange(1000)))
        plies = rng.randrange(3, size * size // 2 + 2)
        while game.outcome is None and len(game.moves) < plies:
            fights = count % 2 and rng.random() < 0.7
            move = greedy.choose(game, int(game.to_move), Limit().begin()).move if fights else 0
            game.play_point(move or rng.choice(game.legal_plays()))
        if game.outcome is None:
            count -= 1
            yield game


@click.command()
@click.option("--positions", "count", default=40, show_default=True, help="Positions of each game and board.")
@click.option("--playouts", default=300, show_default=True, help="For each hint.")
@click.option("--seed", default=1, show_default=True)
@click.option("--show", is_flag=True, help="Print every sentence.")
def main(count: int, playouts: int, seed: int, show: bool) -> None:
    """Count the reasons by rules and board."""
    whole = Counter[str]()
    for rules, size in BOARDS:
        found = Counter[str]()
        for game in positions(rules, size, count, seed):
            hint = gc.hint(game, playouts=playouts)
            bare = hint.reason in BARE and hint.plies is None
            found[f"{hint.reason}{' (bare)' * bare}"] += 1
            if show:
                click.echo(f"{rules} {size} {' '.join(game.vertex(move.point) for move in game.moves)}: {hint}")
        whole += found
        click.echo(f"{rules} {size}: {', '.join(f'{count} {reason}' for reason, count in found.most_common())}")
    bare_ones = sum(number for reason, number in whole.items() if "bare" in reason)
    click.echo(
        f"{bare_ones} of {whole.total()} without a reason: {', '.join(f'{n} {r}' for r, n in whole.most_common())}"
    )


if __name__ == "__main__":
    main()
