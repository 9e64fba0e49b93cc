"""Compare the marks of `review` with an exhaustive check: `python -m tests.benchmarks.reviews --games 60`.

Random pairs of levels play on 5x5 and 6x6, from random stones or a crosscut. Each game is reviewed within a budget, and
a separate solver with its own table and without a book checks all marks. Statements about positions that it does not
solve within --check-seconds are counted as unchecked.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

import click

from gtp_capture.go import sgf
from gtp_capture.go.game import Game
from gtp_capture.go.opening import crosscut
from gtp_capture.go.rules import PRESETS
from gtp_capture.go.sgf_tree import dump_trees, read_tree
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.jit.warmup import loaded
from gtp_capture.match.openings import quiet
from gtp_capture.match.referee import Conditions
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.review.annotate import annotate
from gtp_capture.teach.review.judge import Budget, review_game
from gtp_capture.util.limit import Limit

from ..support.review_truth import Truth, check_review

LEVELS: Final = (2, 3, 4, 5)
SIDES: Final = (5, 6)
PLIES: Final = {5: (2, 4), 6: (6, 8)}
"""Random stones at the start of a game; on 6x6 the solver would take long for earlier positions."""
MISSED: Final = "false marked turning point"
SECONDS_TO_PLAY: Final = 0.2


@click.command()
@click.option("--games", default=60, show_default=True)
@click.option("--seconds", default=1.0, show_default=True, help="Of a review, for each move.")
@click.option("--check-seconds", default=20.0, show_default=True, help="Of the check, for each position.")
@click.option("--seed", default=1, show_default=True)
def main(games: int, seconds: float, check_seconds: float, seed: int) -> None:
    """Print the counts of all statements, and every false one."""
    counts: Counter[str] = Counter()
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        game = played(rng, SIDES[number % 2])
        reviewer = MctsPlayer(PlayerSettings(seed=1, threads=1, memory=256 * 2**20), loaded())
        tree = read_tree(sgf.dump(game))
        annotate(tree, review_game(reviewer, game, Budget(Limit().begin(), seconds)))
        truth = Truth(game.width, game.height, check_seconds)
        findings = check_review(dump_trees([tree]), game, truth)
        click.echo(f"{number + 1} of {games} games", err=True)
        counts += findings.counts
        counts["moves"] += len(game.moves)
        for complaint in findings.complaints:
            if complaint.startswith(MISSED) and not decided_in_time(game, int(complaint.split()[-1]), seconds):
                counts[MISSED] -= 1
                counts["turning point that the solver does not decide within the budget"] += 1
            else:
                click.echo(f"game {number}: {complaint}\n{sgf.dump(game).decode()}")
    for name, count in sorted(counts.items()):
        click.echo(f"{count:6} {'missed turning point' if name == MISSED else name}")
    click.echo(f"{sum(count for name, count in counts.items() if name.startswith('false'))} false or missed")


def played(rng: random.Random, side: int) -> Game:
    """Return a finished game of two random levels, which starts from a crosscut or a few random stones."""
    game = Game("first-capture", side)
    if rng.random() < 0.5:
        game.setup_points(*crosscut(side, side), BLACK)
    else:
        first = quiet(Conditions(PRESETS["first-capture"], side, side), rng.choice(PLIES[side]), rng)
        black, white = ([move.point for move in first.moves if move.color == color] for color in (BLACK, WHITE))
        game.setup_points(black, white, first.to_move)
    players = [
        MctsPlayer(PlayerSettings(rng.getrandbits(30), level=rng.choice(LEVELS), memory=2**26), loaded())
        for _ in range(2)
    ]
    while game.outcome is None:
        color = int(game.to_move)
        game.play_point(players[color - 1].choose(game, color, Limit(SECONDS_TO_PLAY).begin()).move)
    return game


def decided_in_time(game: Game, number: int, seconds: float) -> bool:
    """Whether a solver with an empty table decides the positions before and after a move, each within some seconds."""
    trial = game.copy()
    while len(trial.moves) > number:
        trial.undo()
    after = Truth(game.width, game.height, seconds).winner(trial)
    trial.undo()
    return None not in (after, Truth(game.width, game.height, seconds).winner(trial))


if __name__ == "__main__":
    main()
