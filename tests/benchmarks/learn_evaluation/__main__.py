"""Learn the weights of the network by games of the search with itself, and write them.

    python -m tests.benchmarks.learn_evaluation FOLDER --out gtp_capture/network/capture.npz
    python -m tests.benchmarks.learn_evaluation FOLDER --out gtp_capture/network/ordinary.npz --ordinary

Each generation plays games, whose positions are the examples, and fits a network to those of the last LAST generations.
The first generation searches by playouts, without a network, or with the network of --start, from which then all fits
begin; each later one uses the network of the generation before. The value is fitted to the mean of the result (1 or 0)
and of the win rate that the search found, the policy to the shares of the visits. Some positions of a game become
examples; the others are searched with fewer playouts. A game ends when the search or, on boards that it takes, the
exact solver has proven the winner, or in ordinary Go when the search is sure for both colours. A tenth of the games is
held out, and the losses on these games are printed.

FOLDER keeps the positions and networks. The same command goes on after an interruption, or with more generations; a
folder that was made with other options is refused.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from rich.progress import Progress, track

from gtp_capture.network.network import DTYPE, KOMI_STEP
from gtp_capture.search.parameters import SCORED
from gtp_capture.util.atomic_file import atomic_write
from gtp_capture.util.executor import executor, run_jobs

from .fit import Examples, Weights, examples, first_weights, fit, losses, stored, weights_of
from .self_play import KOMI, LONGEST, PLAYED_ON, SURE, Job, play

SHARES: Final = {
    **{(side, 1): share for side, share in {5: 2, 6: 4, 7: 10, 8: 8, 9: 20, 11: 6, 13: 8, 19: 4}.items()},
    **{(5, 2): 1, (6, 3): 1, (7, 2): 4, (7, 3): 3, (7, 5): 4, (9, 2): 4, (9, 3): 5, (9, 5): 8, (9, 10): 4, (13, 5): 4},
}
"""Approximate share of the positions, in per cent, by the side of the board and the number of prisoners that win."""
ORDINARY: Final = {(7, 0): 14, (9, 0): 70, (13, 0): 12, (19, 0): 4}
"""The shares for ordinary Go."""
Shares = dict[tuple[int, int], int]
SHARD: Final = 2000
"""Number of positions of a job, which has one file."""
LAST: Final = 10
"""Number of generations to whose positions a network is fitted."""
HELD_OUT: Final = 10
"""One of every HELD_OUT games is not fitted."""


def shards(
    folder: Path, shares: Shares, generation: int, positions: int, playouts: int, seed: int, start: Path | None
) -> list[Job]:
    """Return the jobs of a generation; those whose file exists are done. `start`: the network of the first one."""
    network = folder / f"network-{generation - 1}.npz" if generation else start
    jobs = []
    for (side, captures), share in shares.items():
        whole = max(1, positions * share // 100)
        first = (((seed * 100 + generation) * 100 + side) * 100 + captures) * 1000
        for n in range(max(1, round(whole / SHARD))):
            file = folder / f"{generation}-{side}-{captures}-{n}.npz"
            jobs.append(Job(file, side, captures, min(SHARD, whole), playouts, first + n, network))
    return jobs


def play_all(jobs: list[Job], processes: int) -> None:
    """Play the games of the jobs that are not done."""
    left = [job for job in jobs if not job.file.exists()]
    done = run_jobs(lambda: executor(processes), play, left)
    for _ in track(done, "games", len(left)):
        pass


def read(shares: Shares, jobs: list[Job]) -> list[tuple[Examples, Any, Any]]:
    """Return the positions of each kind of game, and which rows are fitted and which are held out."""
    found = []
    for side, captures in shares:
        files = [np.load(job.file) for job in jobs if (job.side, job.captures) == (side, captures)]
        stones, needs, last, rate, visits, won, game = (
            np.concatenate([file[name] for file in files])
            for name in ("stones", "needs", "last", "rate", "visits", "won", "game")
        )
        held = game % HELD_OUT == HELD_OUT - 1
        aim = (rate + won) / 2
        data = examples(side, stones, needs, last, visits, aim, ordinary=captures == 0)
        found.append((data, np.flatnonzero(~held), np.flatnonzero(held)))
    return found


def learn(shares: Shares, jobs: list[Job], epochs: int, seed: int, start: Path | None, step: float) -> Weights:
    """Return weights fitted to the positions of these jobs, from those of the file `start` on."""
    sizes = read(shares, jobs)
    data, rows, held = (list(column) for column in zip(*sizes, strict=True))
    weights = first_weights(seed)
    if start is not None:
        with np.load(start) as network:
            weights = weights_of(network, seed)
    with Progress() as progress:
        task = progress.add_task("fit")
        fit(
            weights,
            data,
            rows,
            epochs,
            seed,
            step,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    for (side, captures), examples_, rest in zip(shares, data, held, strict=True):
        if len(rest) == 0:
            continue
        value, policy = losses(weights, examples_, rest)
        kind = f"capture {captures}" if captures else "ordinary Go"
        said = f"{side}x{side}, {kind}: {len(rest)} positions held out"
        print(f"{said}, value {value:.3f} nats, policy {policy:.3f} nats")
    return weights


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--generations", type=click.IntRange(min=1), default=11, show_default=True)
@click.option("--positions", default=100_000, show_default=True, help="Of each generation, about.")
@click.option("--playouts", default=400, show_default=True, help="For the move of an example.")
@click.option("--epochs", default=9, show_default=True)
@click.option("--step", default=0.003, show_default=True, help="Of Adam, at its greatest.")
@click.option(
    "--start", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A network to learn on from."
)
@click.option("--seed", default=1, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--ordinary", is_flag=True, help="Of ordinary Go instead of capture games.")
def main(
    folder: Path,
    out: Path,
    generations: int,
    positions: int,
    playouts: int,
    epochs: int,
    step: float,
    start: Path | None,
    seed: int,
    jobs: int,
    ordinary: bool,
) -> None:
    """Learn the weights of the network, and write them."""
    folder.mkdir(parents=True, exist_ok=True)
    if not out.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {out.parent}")
    shares = ORDINARY if ordinary else SHARES
    form: tuple[Any, ...] = (shares, LAST, DTYPE)  # the form of the network, and the options of the positions
    if start is not None:
        form = *form, start.read_bytes()
    if ordinary:
        form = *form, KOMI, KOMI_STEP, SURE, PLAYED_ON, LONGEST, SCORED
    mark = hashlib.sha256(repr(form).encode()).hexdigest()[:8]
    options = f"{positions} positions, {playouts} playouts, {epochs} epochs, step {step}, seed {seed}, form {mark}\n"
    noted = folder / "options.txt"
    if noted.exists() and noted.read_text() != options:
        raise click.UsageError(f"{folder} is of a run with {noted.read_text().strip()}")
    noted.write_text(options)
    known: list[list[Job]] = []
    for generation in range(generations):
        network = folder / f"network-{generation}.npz"
        known.append(shards(folder, shares, generation, positions, playouts, seed, start))
        if network.exists():
            continue
        print(f"generation {generation}")
        play_all(known[-1], jobs)
        weights = learn(shares, [job for part in known[-LAST:] for job in part], epochs, seed, start, step)
        with atomic_write(network) as file:
            np.savez(file, **stored(weights))  # not compressed, which loads faster
    with atomic_write(out) as file:
        file.write(network.read_bytes())


if __name__ == "__main__":
    main()
