"""Games in plain Python: `python -m tests.benchmarks.games`. Needs two packages: `pip install chess pygame`.

Prints the moves a second of a loop of `legal_moves()` and a random `play()`, in processor time and as ratios to
python-chess in the same run, and the steps a second of the environment as ratios to PettingZoo's Go; then the times of
`copy` and `undo`, of reading games from SGF, and of a million random games by `playouts`.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import chess
import click
import numpy as np
from pettingzoo.classic.go import go
from rich.console import Console
from rich.table import Table

import gtp_capture as gc
from gtp_capture.environment import GoEnv

PLIES = 60
KINDS = (("first-capture", 9), ("capture-5", 9), ("tromp-taylor", 9), ("chinese", 9), ("japanese", 9))
LARGE = (("capture-5", 19), ("tromp-taylor", 19))


def moves_of_chess(chance: random.Random) -> int:
    """Play random moves from the start; return their number."""
    board, played = chess.Board(), 0
    while played < PLIES and (moves := list(board.legal_moves)):
        board.push(chance.choice(moves))
        played += 1
    return played


def moves_of_go(rules: str, size: int) -> Callable[[random.Random], int]:
    """Return a function that plays random moves from the empty board and returns their number."""
    return lambda chance: len(random_game(rules, size, chance).moves)


def steps_of(environment: Any) -> Callable[[random.Random], int]:
    """Return a function that plays a random episode and returns its number of steps."""

    def play(chance: random.Random) -> int:
        steps = 0
        environment.reset()
        for _ in environment.agent_iter():
            seen, _, terminated, truncated, _ = environment.last()
            over = terminated or truncated
            environment.step(None if over else chance.choice(np.flatnonzero(seen["action_mask"])))
            steps += not over
        return steps

    return play


def random_game(rules: str, size: int, chance: random.Random) -> gc.Game:
    """Return a random game of at most PLIES moves."""
    game = gc.Game(rules, size)
    for _ in range(PLIES):
        if not (moves := game.legal_moves()):
            break
        game.play(chance.choice(moves))
    return game


def rate(play: Callable[[random.Random], int], seconds: float) -> float:
    """Return the moves a second of processor time."""
    chance, moves, began = random.Random(1), 0, time.process_time()
    while time.process_time() - began < seconds:
        moves += play(chance)
    return moves / (time.process_time() - began)


def mean(call: Callable[[], object], count: int) -> float:
    """Return the mean time of a call (s)."""
    began = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - began) / count


@click.command(help=__doc__)
@click.option("--seconds", default=1.0, show_default=True, help="Processor time of each measurement.")
@click.option("--rounds", default=5, show_default=True, help="Measurements of each kind; the table has medians.")
def main(seconds: float, rounds: int) -> None:
    """Print the tables."""
    kinds = [*KINDS, *LARGE]
    found: dict[tuple[str, int], list[tuple[float, ...]]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for rules, size in kinds:  # each beside its own measurements of the others
            moves = rate(moves_of_go(rules, size), seconds)
            steps = rate(steps_of(GoEnv(gc.Game(rules, size))), seconds)
            others = rate(moves_of_chess, seconds), rate(steps_of(go.env(board_size=size)), seconds)
            found[rules, size].append((moves, moves / others[0], steps, steps / others[1]))
    table = Table("rules", "size", "moves/s", "ratio to python-chess", "steps/s", "ratio to PettingZoo's Go")
    for (rules, size), measured in found.items():
        moves, faster, steps, ratio = (statistics.median(values) for values in zip(*measured, strict=True))
        table.add_row(rules, f"{size}x{size}", f"{moves:,.0f}", f"{faster:.2f}", f"{steps:,.0f}", f"{ratio:.2f}")
    console = Console()
    console.print(table)
    game, chance = random_game("tromp-taylor", 9, random.Random(1)), random.Random(2)
    copies = [game.copy() for _ in range(100)]
    console.print(f"copy: {1e6 * mean(game.copy, 2000):.1f} microseconds")
    console.print(f"undo: {1e6 * mean(lambda: copies.pop().undo(), 100):.1f} microseconds")
    texts = [gc.dump_sgf(random_game("tromp-taylor", 9, chance)) for _ in range(100)]
    seconds = 10 * mean(lambda: [gc.load_sgf(text) for text in texts], 3)
    console.print(f"reading 1,000 games of {PLIES} moves: {seconds:.1f} s")
    gc.playouts(gc.Game(), 1)  # loads the compiled code
    seconds = mean(lambda: gc.playouts(gc.Game(), 1_000_000, seed=1), 1)
    console.print(f"a million random games of first capture on 9x9: {seconds:.1f} s")


if __name__ == "__main__":
    main()
