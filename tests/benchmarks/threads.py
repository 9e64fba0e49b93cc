"""Speed-up by a second thread, of the search and of the solver.

    python -m tests.benchmarks.threads playouts --seconds 2 --rounds 9
    python -m tests.benchmarks.threads solver --rounds 5

`playouts` also runs two processes: they share only the machine, so their speed-up is the upper limit for two threads.
`solver` solves ten positions with one thread and with two, in turn. Its figures by processor time take the mean
processor time of a thread as the time, so that other work on the machine disturbs them less.
"""

from __future__ import annotations

import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import click

from gtp_capture.go.game import Game
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.warmup import loaded
from gtp_capture.players.mcts import MctsPlayer
from gtp_capture.players.player import PlayerSettings
from gtp_capture.solver.solver import Solver
from gtp_capture.util.limit import Limit
from gtp_capture.util.memory import MEBIBYTE

OPENING = "E5 D4 C6 F3"
"""Plays after which no result is proven, so that no search ends early."""

POSITIONS = (
    ((5, 6), ""),
    ((5, 6), "B3"),
    ((5, 6), "E3"),
    ((5, 6), "A4 B4"),
    ((5, 6), "E2 A4 C2"),
    ((4, 8), ""),
    ((5, 7), "E3 A5"),
    ((6, 6), "F4 B6 D3 C5"),
    ((7, 7), "B4 F5 C4 B6 C3 E5"),
    ((7, 7), "G4 D4 B6 E3 E6 C3 A6 B4 G1 A3"),
)
"""Boards and plays: positions that take 3e6 to 2e7 nodes."""


def speed(threads: int, size: int, seconds: float) -> float:
    """Return the playouts per second of a new player's search."""
    game = Game("first-capture", size)
    for vertex in OPENING.split():
        game.play_point(game.point(vertex))
    player = MctsPlayer(PlayerSettings(1, threads), loaded())
    deadline = Limit(seconds).begin()
    playouts = player.choose(game, BLACK, deadline).playouts
    return playouts / deadline.elapsed()


def summary(name: str, ratios: list[float]) -> str:
    """Format the median and the range of ratios."""
    return f"{name} {statistics.median(ratios):.2f} times one ({min(ratios):.2f} to {max(ratios):.2f})"


@click.group()
def main() -> None:
    """Measure the speed-up by a second thread."""


@main.command("playouts")
@click.option("--seconds", default=2.0, show_default=True)
@click.option("--rounds", default=9, show_default=True)
@click.option("--size", default=9, show_default=True)
def compare_playouts(seconds: float, rounds: int, size: int) -> None:
    """Print the median ratios of playouts per second and their ranges."""
    threads, processes = [], []
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for again in [False, *[True] * rounds]:  # the first round is a warm-up
            one, two = speed(1, size, seconds), speed(2, size, seconds)
            both = sum(pool.map(speed, [1, 1], [size, size], [seconds, seconds]))
            if again:
                threads.append(two / one)
                processes.append(both / one)
    print(f"{size}x{size}: " + summary("two threads", threads) + "; " + summary("two processes", processes))


class Run(NamedTuple):
    """A solved position."""

    nodes: int
    seconds: float
    processor: float
    """Seconds of processor time, divided by the threads."""


def run(size: tuple[int, int], moves: str, threads: int, memory: int) -> Run:
    """Solve a position with an empty table."""
    game = Game("first-capture", size)
    for vertex in moves.split():
        game.play_point(game.point(vertex))
    solver = Solver(*size, memory * MEBIBYTE, threads)
    solver.table[:] = 0  # so that the memory is allocated before the clock starts
    began, before = time.perf_counter(), time.process_time()
    assert solver.value(game.board, game.to_move, Limit().begin())
    return Run(solver.nodes, time.perf_counter() - began, (time.process_time() - before) / threads)


@main.command("solver")
@click.option("--rounds", default=5, show_default=True)
@click.option("--memory", default=1024, show_default=True, help="MiB of the table.")
def compare_solver(rounds: int, memory: int) -> None:
    """Print the speed-up of each position, and the medians and ranges over the positions."""
    print("| position | nodes | two threads: nodes | nodes/s | time to solve | by processor time: nodes/s | time |")
    print("|---" * 7 + "|")
    columns: list[list[float]] = []
    for size, moves in POSITIONS:
        pairs = []
        for i in range(rounds):
            both = {threads: run(size, moves, threads, memory) for threads in ((1, 2) if i % 2 else (2, 1))}
            pairs.append(ratios(both[1], both[2]))
        columns.append([statistics.median(column) for column in zip(*pairs, strict=True)])
        name, cells = f"{size[0]}x{size[1]} {moves}".strip(), " | ".join(f"{cell:.2f}" for cell in columns[-1][1:])
        print(f"| {name} | {columns[-1][0]:,.0f} | {cells} |", flush=True)
    more, clock_speed, clock_time, own_speed, own_time = list(zip(*columns, strict=True))[1:]
    print(summary("nodes of two threads:", list(more)))
    for name, found in (("the clock", (clock_speed, clock_time)), ("processor time", (own_speed, own_time))):
        print(summary(f"by {name}: nodes per second of two threads", list(found[0])))
        print(summary(f"by {name}: speed-up of the time to solve,", list(found[1])))


def ratios(one: Run, two: Run) -> tuple[float, ...]:
    """Return the nodes of one thread, and the factors by which two threads need more nodes and are faster."""
    more = two.nodes / one.nodes
    clock, processor = one.seconds / two.seconds, one.processor / two.processor
    return one.nodes, more, more * clock, clock, more * processor, processor


if __name__ == "__main__":
    # Import by name, so that other processes can unpickle `speed`.
    from tests.benchmarks import threads

    threads.main()
