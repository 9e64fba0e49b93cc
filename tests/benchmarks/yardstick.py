"""The baselines of the yardstick: one command prints the two tables of the page `learning`.

python -m tests.benchmarks.yardstick --openings 100
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from typing import Final

import click

import gtp_capture as gc
from gtp_capture.yardstick import Report, Share, measure

from .self_play import Learner

TASKS: Final = ("capture-go-4x4", "capture-go-5x5")
EXPLORATION: Final = 1.0
LARGER: Final = ("4x4", "5x5", "6x6", "6x7", "7x7", "9x9")
"""Boards of the table of games."""
RIVALS: Final = ("random", "greedy", "level-1", "level-3", "level-5", "level-7")
OPPONENT: Final = 5
"""The level that they play against."""


class Uct:
    """Plain UCT (Kocsis and Szepesvari 2006): a tree of visits and wins, and a random game for each leaf."""

    version = "1"

    def __init__(self, playouts: int) -> None:
        self.name, self.playouts, self.chance = f"plain UCT, {playouts} playouts", playouts, random.Random(1)

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        tree: dict[tuple[str, ...], list[float]] = {(): [0, 0.0]}
        root = [move for move in game.legal_moves() if move != "pass"] or ["pass"]
        for _ in range(self.playouts):
            path, state = [()], game.copy()
            while not state.is_over:
                moves = [move for move in state.legal_moves() if move != "pass"] or ["pass"]
                new = [move for move in moves if (*path[-1], move) not in tree]
                parent = math.log(tree[path[-1]][0] + 1)
                move = (
                    self.chance.choice(new) if new else max(moves, key=lambda m: _bound(tree[(*path[-1], m)], parent))
                )
                state.play(move)
                path.append((*path[-1], move))  # type: ignore[arg-type]
                if new:
                    break
            outcome = state.outcome
            counts = {outcome.winner: 1} if outcome else gc.playouts(state, 1, seed=self.chance.getrandbits(60)).winners
            winner = max(counts, key=lambda color: counts[color])
            for depth, node in enumerate(path):
                mover = game.to_move.opponent if depth % 2 == 0 else game.to_move
                entry = tree.setdefault(node, [0, 0.0])
                entry[0] += 1
                entry[1] += winner == mover
        return max(root, key=lambda move: tree.get((move,), [0])[0])


def _bound(entry: list[float], log_parent: float) -> float:
    """The upper bound of a move: its win rate and the exploration term."""
    return entry[1] / entry[0] + EXPLORATION * math.sqrt(log_parent / entry[0])


def agents(uct: int, steps: int) -> Iterator[tuple[str, object]]:
    """Yield the baselines with their names; the network is trained for each board."""
    yield from (("random", "random"), ("greedy", "greedy"))
    yield from ((f"level {n}", f"level-{n}") for n in range(1, 11))
    yield f"plain UCT, {uct} playouts", Uct(uct)
    yield f"self-play network, {steps} steps", None


@click.command()
@click.option("--openings", default=100, show_default=True, help="Openings of each task.")
@click.option("--uct", default=100, show_default=True, help="Playouts of plain UCT.")
@click.option("--steps", default=6000, show_default=True, help="Steps of the training on 4x4; on 5x5 none is trained.")
@click.option("--games", default=40, show_default=True, help="Games of each agent on each board against a level.")
@click.option("--table", type=click.Choice(["perfect", "games", "both"]), default="both", show_default=True)
def main(openings: int, uct: int, steps: int, games: int, table: str) -> None:
    """Print the tables of the baselines: against perfect play on 4x4 and 5x5, and of games up to 9x9."""
    began = time.process_time()
    if table != "games":
        _against_perfect_play(openings, uct, steps)
    if table != "perfect":
        _in_games(games)
    click.echo(f"{time.process_time() - began:.0f} s of processor time")


def _in_games(games: int) -> None:
    """Print a row for each agent: 6x6 against perfect play with half as many openings as games, and games won."""
    heads = ["6x6: thrown", "6x6: held", *(f"{board}: won" for board in LARGER)]
    click.echo(f"| agent | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
    for agent in RIVALS:
        cells, won = [], []
        for board in LARGER:
            report = measure(
                agent, f"capture-go-{board}", openings=games // 2 if board == "6x6" else 1, games=games,
                levels=(OPPONENT,), playouts=1000,
            )  # fmt: skip
            won.append(_percent(report.won[OPPONENT]))
            if board == "6x6":
                cells = [_percent(share) for share in (report.thrown, report.held) if share is not None]
        click.echo(f"| {agent.replace('-', ' ')} | {' | '.join([*cells, *won])} |")


def _percent(share: Share) -> str:
    """Return a share with its interval in percent."""
    return f"{100 * share.value:.0f} % [{100 * share.interval[0]:.0f}, {100 * share.interval[1]:.0f}]"


def _against_perfect_play(openings: int, uct: int, steps: int) -> None:
    """Print a row for each baseline: won positions thrown away, regret in plies, and openings held."""
    columns = [f"{task.removeprefix('capture-go-')}: {what}" for task in TASKS for what in ("thrown", "regret", "held")]
    click.echo(f"| agent | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for name, agent in agents(uct, steps):
        cells: list[str] = []
        for task in TASKS:
            if agent is None and task != TASKS[0]:
                cells += ["-"] * 3
                continue
            used = agent
            if used is None:
                used = Learner(4, 1)
                used.train(steps)
            cells += cells_of(measure(used, task, openings=openings, games=0))  # type: ignore[arg-type]
        click.echo(f"| {name} | {' | '.join(cells)} |")


def cells_of(report: Report) -> list[str]:
    """Return the cells of a task: a share or a mean with its interval."""
    assert report.thrown is not None
    assert report.held is not None
    assert report.regret is not None
    regret = f"{report.regret.value:.2f} ± {report.regret.high - report.regret.value:.2f}"
    return [_percent(report.thrown), regret, _percent(report.held)]


if __name__ == "__main__":
    main()
