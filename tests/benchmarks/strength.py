"""Strength: the steps of the levels, a scripted child as a GTP engine, and the hard positions that an engine solves.

    python -m tests.benchmarks.strength levels --size 5 --games 100
    python -m tests.benchmarks.strength hard --limits "0.1 0.3"
    gtp-capture match --black 'python -m tests.benchmarks.strength child' --white 'gtp-capture --level 3'

`gtp-capture match` compares versions, other engines and settings. A hard position is solved if the engine plays one of
its winning plays. All of them are known: each legal play was solved exactly (tests/data/hard_positions.txt).
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Final

import click

import gtp_capture as gc
from gtp_capture.go import board as bd
from gtp_capture.judgement.endgame import sensible_plays
from gtp_capture.match.ratings import wilson
from gtp_capture.players.levels import FULL, RECOMMENDED
from gtp_capture.players.player import without_play
from gtp_capture.util.limit import Deadline

from ..support.suite import problems

ENGINE: Final = f"{sys.executable} -m gtp_capture --threads 1 --seed {{seed}} --playouts 9000 --level"
"""A level; 9,000 playouts are a lower bound of the strength of level 10, which does not depend on the machine."""
CHILD: Final = f"{sys.executable} -m tests.benchmarks.strength child --seed {{seed}}"


class Child:
    """A careful beginner, as a measure for the levels; written without the code that the levels use.

    It captures, else saves, avoids self-atari, gives atari half of the time, else plays at random.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, game: gc.Game, limit: Deadline) -> str:
        """See Bot."""
        return game.vertex(self._point(game, int(game.to_move)))

    def _point(self, game: gc.Game, color: int) -> int:
        board = game.board
        after = {p: board.copy() for p in sensible_plays(game, color)}
        if not after:
            return without_play(game, color)
        taken = {p: bd.play(b, p, color) for p, b in after.items()}
        if max(taken.values()) > 0:
            return max(taken, key=lambda p: taken[p])
        safe = [p for p, b in after.items() if b.color[p] == color and not bd.in_atari(b, p)]
        if saves := [p for p in safe if p in {bd.last_liberty(board, q) for q in game.atari(color)}]:
            return self._random.choice(saves)
        attacks = [p for p in safe if any(_in_atari(after[p], q, 3 - color) for q in bd.neighbors(board, p))]
        if attacks and self._random.random() < 0.5:
            return self._random.choice(attacks)
        return self._random.choice(safe or list(after))


def _in_atari(board: bd.Board, point: int, color: int) -> bool:
    return bool(board.color[point] == color and bd.in_atari(board, point))


def share(part: float, whole: int) -> str:
    """Return a share in per cent with its 95 % interval."""
    low, high = wilson(part / whole, whole)
    return f"{part:g}/{whole}, {part / whole:.1%} [{low:.0%}, {high:.0%}]"


@click.group()
def main() -> None:
    """Measure strength."""


@main.command()
@click.option("--seed", default=1)
def child(seed: int) -> None:
    """Play as a scripted child, by GTP."""
    gc.serve(Child(seed))


@main.command()
@click.option("--games", default=100, show_default=True, help="For each step.")
@click.option("--rules", default="first-capture", show_default=True)
@click.option("--size", default=9, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
@click.option("--only", type=click.IntRange(1, FULL), multiple=True, help="Levels; 1 plays random moves.")
def levels(games: int, rules: str, size: int, jobs: int, only: tuple[int, ...]) -> None:
    """Print the points of each level against the one below, and of a child against the recommended one."""
    steps = [(f"level {n}", f"{ENGINE} {n}", n - 1) for n in range(2, FULL + 1) if not only or n in only]
    if not only or 1 in only:
        steps += [("random", f"{sys.executable} -m gtp_capture --player random --seed {{seed}}", 1)]
        steps += [("child", CHILD, RECOMMENDED)]
    for name, command, below in steps:
        result = gc.play_match(
            command, f"{ENGINE} {below}", games=games, rules=rules, size=size, openings="random-2", jobs=jobs
        )
        points = share(result.points[result.names[0]], len(result.counted))
        click.echo(f"{name} - level {below}: {points}, {len(result.faults)} faults")


@main.command()
@click.option("--limits", default="0.1 0.3 1 3", show_default=True, help="Seconds for each move.")
@click.option("--engine", default=f"{sys.executable} -m gtp_capture --threads 1 --seed 1", show_default=True)
def hard(limits: str, engine: str) -> None:
    """Print the share of the hard positions that an engine solves within each limit, by the side of the board."""
    todo = list(problems())
    for limit in limits.split():
        with gc.GtpEngine(f"{engine} --time-per-move {limit}") as player:
            right = Counter(p.side for p in todo if player.choose(p.game()) in p.winning)
        for side, count in Counter(problem.side for problem in todo).items():
            click.echo(f"{limit} s, {side}x{side}: {share(right[side], count)}")


if __name__ == "__main__":
    main()
