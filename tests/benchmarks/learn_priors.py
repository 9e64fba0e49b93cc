"""Learn the weights of the priors from games of the engine with itself, and write them.

    python -m tests.benchmarks.learn_priors --out gtp_capture/search/priors.npz
    python -m tests.benchmarks.learn_priors --several --out gtp_capture/search/race_priors.npz

The second line learns those of games that several prisoners decide, which begin with the weights of first capture.

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
from gtp_capture.jit.records import Turn, rules_record
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.playout.patterns import CODES, orientations
from gtp_capture.playout.static import next_capture_wins
from gtp_capture.search import race_priors
from gtp_capture.search.priors import COUNT, features
from gtp_capture.search.priors import weights as weights_of_first_capture
from gtp_capture.search.race_priors import SURVEY_DTYPE, race_features, take_survey
from gtp_capture.util.executor import executor, run_jobs
from gtp_capture.util.limit import Limit

MEMORY = 64 * 2**20
OPENING = 8
"""Random plays at the start of a game, at most."""
STRAY = 0.1
"""Chance that a game continues with another of the best plays."""
SURVEY = np.zeros(1, SURVEY_DTYPE).view(np.recarray)[0]
LEVEL = 9
"""Of the engine: the highest one that searches first capture with the learned priors, with at most 3,000 playouts."""
SURE = 0.93
"""Win rate from which a position is not used."""


SEVERAL = [("capture-5", 9)] * 4 + [("capture-10", 9)] * 4
SEVERAL += [("capture-3", 9), ("capture-2", 9), ("capture-5", 7), ("capture-10", 7), ("capture-3", 7)]
SEVERAL += [("capture-20", 9), ("capture-5", 13), ("capture-10", 13)]
"""Rules and sizes of the games with several prisoners, in turn."""


class Job(NamedTuple):
    rules: str
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
    player = MctsPlayer(PlayerSettings(job.seed, 1, memory=MEMORY, level=LEVEL), loaded())
    game = Game(job.rules, job.size)
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
            late = job.rules != "first-capture" and next_capture_wins(game.board, rules_record(game.rules, 0.0))
            if 1 - SURE < candidates[0].winrate < SURE and not late:
                found.append(example(game, [(c.move, c.visits) for c in candidates if c.proven >= 0]))
            if chance.random() < STRAY:
                best = candidates[:5]
                move = chance.choices(best, [c.visits + 1 for c in best])[0].move
        game.play(move)
    return found


def example(game: Game, visits: list[tuple[int, int]]) -> Example:
    """Return the example of a position; `visits`: (move, visits) for each play."""
    last = game.last_move
    near = last.point if last is not None else 0
    turn = Turn(game.board, rules_record(game.rules, 0.0), int(game.to_move), near)
    rows = np.zeros((len(visits), race_priors.MOST_FEATURES), np.int32)
    number = write_rows(turn, np.array([move for move, _ in visits]), SURVEY, rows)
    counts = np.array([count for _, count in visits], np.float32)
    return Example(rows[:, :number], counts / counts.sum())


@numba.njit  # type: ignore[untyped-decorator]
def write_rows(turn: Turn, moves: Any, survey: Any, rows: Any) -> int:
    """Write the features of these plays, one row for each; return how many there are of a play."""
    number = 0
    tactical = next_capture_wins(turn.board, turn.rules)
    if not tactical:
        take_survey(turn.board, turn.color, survey)
    for i in range(len(moves)):
        if tactical:
            number = features(turn.board, moves[i], turn.color, turn.last, rows[i])
        else:
            number = race_features(turn, moves[i], survey, rows[i])
    return number


def representatives(count: int) -> Any:
    """Return for each of `count` features its representative: the codes of symmetric surroundings share a weight."""
    codes = np.arange(CODES)
    least = np.full(CODES, CODES)
    for image in orientations(np.arange(9).reshape(3, 3)):
        cells = [int(cell) - (cell > 4) for cell in image.flat if cell != 4]
        least = np.minimum(least, sum((codes >> 2 * cell & 3) << 2 * i for i, cell in enumerate(cells)))
    return np.concatenate([least, np.arange(CODES, count)]).astype(np.int32)


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


def fit(examples: list[Example], seed: int, start: Any) -> tuple[Any, str]:
    """Return the weights of all features, and a report of their loss on a tenth of the examples that was held out.

    `start`: the weights to begin with.
    """
    representative = representatives(len(start))
    rows = representative[np.concatenate([e.features for e in examples])]
    shares = np.concatenate([e.shares for e in examples])
    ends = np.concatenate([[0], np.cumsum([len(e.shares) for e in examples])])
    order = np.random.default_rng(seed).permutation(len(examples))
    kept, rest = order[: len(order) // 10], order[len(order) // 10 :]
    weights, squares = start.astype(np.float64), np.zeros(len(start))
    before = improve(rows, shares, ends, kept, weights, squares, 0.0)
    for step in (0.1, 0.1, 0.1, 0.1, 0.1, 0.03, 0.03, 0.03):
        improve(rows, shares, ends, rest, weights, squares, step)
    after = improve(rows, shares, ends, kept, weights, squares, 0.0)
    return weights[representative], f"{len(examples)} positions; {before:.3f} nats at the start, {after:.3f} at the end"


@click.command()
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--games", default=1200, show_default=True, help="On 9x9; half as many on 7x7, a third on 13x13.")
@click.option("--playouts", default=2000, show_default=True, help="For a move.")
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Games at a time.")
@click.option("--several", is_flag=True, help="Games of several prisoners, as many as --games in all.")
def main(out: Path, games: int, playouts: int, seed: int, jobs: int, several: bool) -> None:
    """Play the games, fit the weights and write them."""
    kinds = [("first-capture", size) for size in [9] * games + [7] * (games // 2) + [13] * (games // 3)]
    start = np.zeros(COUNT)
    if several:
        kinds = [SEVERAL[i % len(SEVERAL)] for i in range(games)]
        start = np.concatenate([weights_of_first_capture(), np.zeros(race_priors.COUNT - COUNT)])
    work = [Job(rules, size, seed * 1_000_000 + i) for i, (rules, size) in enumerate(kinds)]
    done = run_jobs(lambda: executor(jobs), partial(play, playouts=playouts), work)
    by_game = dict(track(done, total=len(work)))
    weights, report = fit([e for job in work for e in by_game[job]], seed, start)
    print(report)
    np.savez_compressed(out, weights=weights.astype(np.float16))


if __name__ == "__main__":
    # Import by name, so that other processes can unpickle `play`.
    from tests.benchmarks import learn_priors

    learn_priors.main()
