"""Share of won positions in which a player's move wins: `python -m tests.benchmarks.accuracy mcts:level=7 --size 6`.

The positions come from games of first capture by `uct`, after a few random plays and up to a random move; only those
that the colour to move wins count. The share of a random legal play is printed for comparison.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import click

from gtp_capture.go.game import Game
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.ratings import wilson
from gtp_capture.players.player import PlayerSettings
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit

from ..support.uct import UctPlayer
from .strength import player

PLAYOUTS = 200
"""Playouts per move in the games that give the positions."""
SECONDS = 2.0
"""Seconds of the solver per position; unsolved ones do not count."""


def positions(size: int, seed: int) -> Iterator[Game]:
    """Yield unfinished games without end."""
    rng = random.Random(seed)
    thinker = UctPlayer(PlayerSettings(seed), loaded())
    while True:
        game = Game("first-capture", size)
        random_plays, length = rng.randrange(2, 5), rng.randrange(size, size * size // 2)
        while game.outcome is None and len(game.moves) < length:
            if len(game.moves) < random_plays:
                game.play_point(rng.choice(game.legal_plays()))
            else:
                game.play_point(thinker.choose(game, game.to_move, Limit(playouts=PLAYOUTS).begin()).move)
        if game.outcome is None:
            yield game


def keeps(game: Game, move: int, solver: Solver) -> bool | None:
    """Whether a play keeps the win of the colour to move; None if the solver does not decide it in time."""
    color = game.to_move
    game.play_point(move, color)
    outcome = game.outcome
    winner = (
        outcome.winner if outcome is not None else solver.solve(game.board, game.to_move, Limit(SECONDS).begin()).winner
    )
    game.undo()
    return None if winner is None else winner == color


@click.command()
@click.argument("name")
@click.option("--size", type=click.IntRange(2, 8), default=6, show_default=True)
@click.option("--positions", "count", default=200, show_default=True)
@click.option("--seconds", default=0.2, show_default=True, help="For a move, unless the player sets its own limit.")
@click.option("--seed", default=1, show_default=True)
def main(name: str, size: int, count: int, seconds: float, seed: int) -> None:
    """Print the share of won positions in which a player's move wins."""
    solver, rng = Solver(size, size), random.Random(seed)
    thinker, bounds = player(name, seed)
    playouts = int(bounds["playouts"]) if "playouts" in bounds else None
    judged = kept = by_chance = 0
    for game in positions(size, seed):
        if solver.solve(game.board, game.to_move, Limit(SECONDS).begin()).winner != game.to_move:
            continue
        deadline = Limit(bounds.get("seconds", None if playouts else seconds), playouts=playouts).begin()
        own = keeps(game, thinker.choose(game, game.to_move, deadline).move, solver)
        chance = keeps(game, rng.choice(game.legal_plays()), solver)
        if own is None or chance is None:
            continue
        judged, kept, by_chance = judged + 1, kept + own, by_chance + chance
        if judged == count:
            break
    low, high = wilson(kept / judged, judged)
    click.echo(
        f"{name} on {size}x{size}: keeps {kept}/{judged} wins = {kept / judged:.1%} [{low:.1%}, {high:.1%}]; "
        f"a random play keeps {by_chance / judged:.1%}"
    )


if __name__ == "__main__":
    main()
