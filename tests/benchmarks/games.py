"""Games in plain Python: `python -m tests.benchmarks.games`. Needs python-chess (`pip install chess`).

Prints the moves a second of a loop of `legal_moves()` and a random `play()`, in processor time and as ratios to
python-chess in the same run, then the times of `copy` and `undo` and of reading games from SGF.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import chess
import click
from rich.console import Console
from rich.table import Table

import gtp_capture as gc

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
    found: dict[tuple[str, int], list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind in kinds:  # each beside its own measurement of python-chess
            mine = rate(moves_of_go(*kind), seconds)
            found[kind].append((mine, mine / rate(moves_of_chess, seconds)))
    table = Table("rules", "size", "moves/s", "ratio to python-chess")
    for (rules, size), pairs in found.items():
        mine, ratio = (statistics.median(values) for values in zip(*pairs, strict=True))
        table.add_row(rules, f"{size}x{size}", f"{mine:,.0f}", f"{ratio:.2f}")
    console = Console()
    console.print(table)
    game, chance = random_game("tromp-taylor", 9, random.Random(1)), random.Random(2)
    copies = [game.copy() for _ in range(100)]
    console.print(f"copy: {1e6 * mean(game.copy, 2000):.1f} microseconds")
    console.print(f"undo: {1e6 * mean(lambda: copies.pop().undo(), 100):.1f} microseconds")
    texts = [gc.dump_sgf(random_game("tromp-taylor", 9, chance)) for _ in range(100)]
    seconds = 10 * mean(lambda: [gc.load_sgf(text) for text in texts], 3)
    console.print(f"reading 1,000 games of {PLIES} moves: {seconds:.1f} s")


if __name__ == "__main__":
    main()
