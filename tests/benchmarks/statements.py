"""Count false hints, explanations and analyses: `python -m tests.benchmarks.statements --positions 50`.

The positions are random, and each statement is compared with the exact solver.
"""

from __future__ import annotations

import random
from collections import Counter

import click

from gtp_capture import analyse
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.teach.explain import explanation, hint
from gtp_capture.util.limit import Limit

from ..support.truth import false_explanation, false_hint, false_move, random_game, wins_with

BOARDS = (4, 4), (5, 4), (5, 5), (6, 6)


@click.command()
@click.option("--positions", default=25, show_default=True, help="Positions on each board.")
@click.option("--seconds", default=0.5, show_default=True, help="For each question, as for --time-per-move.")
@click.option("--seed", default=1, show_default=True)
def main(positions: int, seconds: float, seed: int) -> None:
    """Count the statements by form, and print every false one."""
    said = Counter[tuple[str, str]]()
    wrong = 0
    for width, height in BOARDS:
        rng = random.Random(f"{seed} {width}x{height}")
        player = MctsPlayer(PlayerSettings(seed=seed, threads=1, memory=256 * 2**20), loaded())
        # On 6x6 the solver is slow on an almost empty board.
        least = 12 if width * height == 36 else 1
        for _ in range(positions):
            game = random_game(width, height, rng.randrange(least, width * height // 2 + 1), rng)
            advice = hint(player, game, game.to_move, Limit(seconds).begin())
            assert advice is not None
            found = explanation(player, game, Limit(seconds).begin())
            reason, result = f"hint {advice.reason.name}", f"explanation {found.result.name}"
            complaints: list[tuple[str, str, object, str | None]] = [
                (reason, advice.known, advice, false_hint(game, advice)),
                (result, found.known, found, false_explanation(game, found)),
            ]
            if found.better is not None and not found.better.wins:
                before, mover = game.copy(len(game.moves) - 1), int(game.moves[-1].color)
                holds = "does not lose" if wins_with(before, mover, found.better.move) else "loses"
                complaints.append(("better move, not refuted", holds, found, None))
            for move in analyse(game, seconds=seconds):
                false = false_move(game, move.line, move.winrate, move.proof)
                complaints.append(("analysis", move.proof or "open", move, false))
            for kind, known, statement, complaint in complaints:
                said[kind, known] += 1
                if complaint is not None:
                    wrong += 1
                    moves = " ".join(f"{'BW'[m.color - 1]} {game.vertex(m.point)}" for m in game.moves)
                    click.echo(f"{width}x{height} {moves}\n    {statement}\n    {complaint}")
    for (kind, known), count in said.most_common():
        click.echo(f"{count:5} {kind}, {known}")
    click.echo(f"{said.total()} statements, {wrong} false")


if __name__ == "__main__":
    main()
