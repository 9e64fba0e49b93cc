"""Learn the weights of the priors from games of the engine with itself, and write them.

    python -m tests.benchmarks.learn_priors --out gtp_capture/search/priors.npz

Each position of a game that is neither proven nor nearly decided gives an example: the features of its plays, and how
the search divided its visits among them. The weights minimise the cross-entropy between these shares and a softmax over
the sums of weights. The engine plays with the present weights.
"""

from __future__ import annotations

import math
import random
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numba
import numpy as np
from rich.progress import track

from gtp_capture.go.game import Game
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.playout.patterns import CODES, orientations
from gtp_capture.search.priors import COUNT, MOST_FEATURES, features
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

MEMORY = 64 * 2**20
OPENING = 8
"""Random plays at the start of a game, at most."""
STRAY = 0.1
"""Chance that a game continues with another of the best plays."""
SURE = 0.93
"""Win rate from which a position is not used."""


class Job(NamedTuple):
    size: int
    seed: int


class Example(NamedTuple):
    features: Any
    """int32, shape (plays, features of a play)."""
    shares: Any
    """float32, shape (plays,): shares of the visits."""


def play(job: Job, playouts: int) -> list[Example]:
    """Play one game; return its examples."""
    chance, found = random.Random(job.seed), []
    player = MctsPlayer(PlayerSettings(job.seed, 1, memory=MEMORY), loaded())
    game = Game("first-capture", job.size)
    for _ in range(chance.randint(0, OPENING)):
        if game.outcome is None:
            game.play(chance.choice(game.legal_plays()))
    while game.outcome is None:
        move = player.choose(game, game.to_move, Limit(playouts=playouts)).move
        tree, root = player.node(game, game.to_move) or (None, 0)
        candidates = tree.candidates(root) if tree is not None else []
        if len(candidates) > 1:
            if candidates[0].proven:
                break  # the rest of the game is decided
            if 1 - SURE < candidates[0].winrate < SURE:
                found.append(example(game, [(c.move, c.visits) for c in candidates]))
            if chance.random() < STRAY:
                best = candidates[:5]
                move = chance.choices(best, [c.visits + 1 for c in best])[0].move
        game.play(move)
    return found


def example(game: Game, visits: list[tuple[int, int]]) -> Example:
    """Return the example of a position; `visits`: (move, visits) for each play."""
    last = game.last_move
    near = last.point if last is not None else 0
    rows = np.zeros((len(visits), MOST_FEATURES), np.int32)
    number = 0
    for row, (move, _) in zip(rows, visits, strict=True):
        number = features(game.board, move, game.to_move, near, row)
    counts = np.array([count for _, count in visits], np.float32)
    return Example(rows[:, :number], counts / counts.sum())


def representatives() -> Any:
    """Return for each feature its representative: the codes of symmetric surroundings share a weight."""
    codes = np.arange(CODES)
    least = np.full(CODES, CODES)
    for image in orientations(np.arange(9).reshape(3, 3)):
        cells = [int(cell) - (cell > 4) for cell in image.flat if cell != 4]
        least = np.minimum(least, sum((codes >> 2 * cell & 3) << 2 * i for i, cell in enumerate(cells)))
    return np.concatenate([least, np.arange(CODES, COUNT)]).astype(np.int32)


@numba.njit  # type: ignore[untyped-decorator]
def improve(rows: Any, shares: Any, ends: Any, order: Any, weights: Any, squares: Any, step: float) -> float:
    """Run one epoch of AdaGrad (Duchi, Hazan and Singer 2011) in place; return the mean loss in nats.

    A step of 0 only computes the loss.
    """
    loss = 0.0
    for k in order:
        first, end = ends[k], ends[k + 1]
        totals = np.zeros(end - first)
        for i in range(first, end):
            for feature in rows[i]:
                totals[i - first] += weights[feature]
        chances = np.exp(totals - totals.max())
        chances /= chances.sum()
        for i in range(first, end):
            p, share = chances[i - first], shares[i]
            if share > 0:
                loss -= share * math.log(p)
            if step > 0:
                for feature in rows[i]:
                    slope = p - share + 1e-4 * weights[feature]
                    squares[feature] += slope * slope
                    weights[feature] -= step * slope / math.sqrt(squares[feature] + 1e-3)
    return loss / len(order)


def fit(examples: list[Example], seed: int) -> tuple[Any, str]:
    """Return the weights of all features, and a report of their loss on a tenth of the examples that was held out."""
    representative = representatives()
    rows = representative[np.concatenate([e.features for e in examples])]
    shares = np.concatenate([e.shares for e in examples])
    ends = np.concatenate([[0], np.cumsum([len(e.shares) for e in examples])])
    order = np.random.default_rng(seed).permutation(len(examples))
    kept, rest = order[: len(order) // 10], order[len(order) // 10 :]
    weights, squares = np.zeros(COUNT), np.zeros(COUNT)
    before = improve(rows, shares, ends, kept, weights, squares, 0.0)
    for step in (0.1, 0.1, 0.1, 0.1, 0.1, 0.03, 0.03, 0.03):
        improve(rows, shares, ends, rest, weights, squares, step)
    after = improve(rows, shares, ends, kept, weights, squares, 0.0)
    return weights[
        representative
    ], f"{len(examples)} positions; {before:.3f} nats with no weights, {after:.3f} with them"


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--games", default=1200, show_default=True, help="On 9x9; half as many on 7x7, a third on 13x13.")
@click.option("--playouts", default=2000, show_default=True, help="For a move.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
def main(out: Path, games: int, playouts: int, seed: int, jobs: int) -> None:
    """Play the games, fit the weights and write them."""
    sizes = [9] * games + [7] * (games // 2) + [13] * (games // 3)
    work = [Job(size, seed * 1_000_000 + i) for i, size in enumerate(sizes)]
    done = run_jobs(lambda: executor(jobs), partial(play, playouts=playouts), work)
    by_game = dict(track(done, total=len(work)))
    weights, report = fit([e for job in work for e in by_game[job]], seed)
    print(report)
    np.savez_compressed(out, weights=weights.astype(np.float16))


if __name__ == "__main__":
    # Import by name, so that other processes can unpickle `play`.
    from tests.benchmarks import learn_priors

    learn_priors.main()
