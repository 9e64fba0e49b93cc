"""Compare random positions with sgfmill's board: stones, prisoners, legal plays of both colours, and area.

    python -m tests.benchmarks.positions --count 10000

Games of random plays on 9x9, 13x13 and 19x19 under rules with and without suicide and with every ko rule; both boards
make the same plays, and some positions of each game are compared.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import click

from gtp_capture import Game
from gtp_capture.go import scoring
from gtp_capture.go.vertex import BLACK, PASS, WHITE, column_row

from ..go.test_against_sgfmill import Twin, check_every_point, stones_of
from ..support.random_games import random_play

RULES = ("japanese", "chinese", "tromp-taylor", "aga", "capture-20")
SIDES = (9,) * 16 + (13,) * 3 + (19,)
APART = 12
"""Plays between two compared positions, on average."""


def compare(rules: str, side: int, chance: random.Random) -> int:
    """Play one game. Returns the number of positions compared."""
    game, twin, seen, color = Game(rules, side), Twin(side), 0, BLACK
    for _ in range(3 * side * side // 2):
        point = random_play(game, color, chance)
        if point == PASS:
            break
        game.play_point(point, color)
        column, row = column_row(point, side)
        twin.play(color, row, column)
        if chance.random() < 1 / APART:
            assert stones_of(game) == twin.positions[-1][0], game.moves
            assert {c: game.prisoners(c) for c in (BLACK, WHITE)} == twin.prisoners, game.moves
            assert scoring.area(game.board).lead == twin.board.area_score(), game.moves
            check_every_point(game, twin, rules)
            seen += 1
        color = 3 - color
    return seen


@click.command()
@click.option("--count", default=10_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(count: int, seed: int) -> None:
    """Compare COUNT positions; stop at the first difference."""
    chance = random.Random(seed)
    seen: Counter[int] = Counter()
    while seen.total() < count:
        side = chance.choice(SIDES)
        seen[side] += compare(chance.choice(RULES), side, chance)
        print(f"\r{seen.total()} positions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{seen.total()} positions agree: {', '.join(f'{n} on {side}x{side}' for side, n in sorted(seen.items()))}")


if __name__ == "__main__":
    main()
