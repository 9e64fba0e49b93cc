"""Count false hints and explanations of random positions: `python -m tests.benchmarks.statements --positions 50`.

Each statement is compared with the exact solver.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import click

from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.explain import explain, hint
from gtp_capture.util.limit import Limit

from ..support.truth import false_explanation, false_hint, random_game

BOARDS = (4, 4), (5, 4), (5, 5), (6, 6)


@click.command()
@click.option("--positions", default=25, show_default=True, help="Positions on each board.")
@click.option("--seconds", default=0.5, show_default=True, help="For each question, as for --time-per-move.")
@click.option("--seed", default=1, show_default=True)
def main(positions: int, seconds: float, seed: int) -> None:
    """Count the statements by form, and print every false one."""
    said: Counter[str] = Counter()
    wrong = 0
    for width, height in BOARDS:
        rng = random.Random(f"{seed} {width}x{height}")
        player = MctsPlayer(PlayerSettings(seed=seed, threads=1, memory=256 * 2**20), loaded())
        # On 6x6 the solver is slow on an almost empty board.
        least = 12 if width * height == 36 else 1
        for _ in range(positions):
            game = random_game(width, height, rng.randrange(least, width * height // 2 + 1), rng)
            advice = hint(player, game, game.to_move, Limit(seconds))
            assert advice is not None
            text = explain(player, game, Limit(seconds))
            complaints = {
                text: false_explanation(game, text),
                f"{game.vertex(advice.move)} {advice.reason}": false_hint(game, advice.move, advice.reason),
            }
            for sentence, complaint in complaints.items():
                said[form(sentence)] += 1
                if complaint is not None:
                    wrong += 1
                    moves = " ".join(f"{'BW'[m.color - 1]} {game.vertex(m.point)}" for m in game.moves)
                    click.echo(f"{width}x{height} {moves}\n    {sentence}\n    {complaint}")
    for sentence, count in said.most_common():
        click.echo(f"{count:5} {sentence}")
    click.echo(f"{said.total()} statements, {wrong} false")


def form(sentence: str) -> str:
    """Return a sentence with placeholders for its moves and numbers."""
    plain = re.sub(r"(?:[BW] [A-Z]\d+ ?)+", "LINE ", sentence)
    return re.sub(r"\d+", "N", re.sub(r"\b[A-HJ-Z]\d+\b", "V", plain))


if __name__ == "__main__":
    main()
