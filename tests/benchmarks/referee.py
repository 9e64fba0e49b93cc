"""The referee's overhead: whole games between engines that respond at once, minus the bare exchange of lines.

python -m tests.benchmarks.referee
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import click

from gtp_capture.go.rules import PRESETS
from gtp_capture.go.vertex import BLACK, WHITE
from gtp_capture.match.process import EngineClient
from gtp_capture.match.referee import Conditions, play_game

from ..support.paths import TESTS

DOUBLE = (sys.executable, str(TESTS / "support" / "engine_double.py"))


def bare(lines: int) -> float:
    """Seconds for one command and its response over a pipe, without a referee."""
    pipe = subprocess.PIPE
    with subprocess.Popen(DOUBLE, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        start = time.perf_counter()
        for _ in range(lines):
            process.stdin.write(b"komi 0\n")
            process.stdin.flush()
            process.stdout.readline()
            process.stdout.readline()
        took = time.perf_counter() - start
        process.stdin.close()
    return took / lines


@click.command()
@click.option("--games", default=30, show_default=True)
@click.option("--size", default=9, show_default=True)
def main(games: int, size: int) -> None:
    """Print milliseconds per move."""
    conditions = Conditions(PRESETS["first-capture"], size, size, clock=(0.0, 1.0, 1))
    engines = {color: EngineClient(" ".join(DOUBLE)) for color in (BLACK, WHITE)}
    play_game(engines, conditions)
    per_move = []
    moves = 0
    for _ in range(games):
        start = time.perf_counter()
        ruling = play_game(engines, conditions)
        per_move.append((time.perf_counter() - start) / len(ruling.game.moves))
        moves += len(ruling.game.moves)
    for engine in engines.values():
        engine.close()
    whole = statistics.median(per_move) * 1000
    exchange = 2 * bare(5000) * 1000  # genmove to one engine, play to the other
    print(
        f"{moves} moves of {games} games on {size}x{size}: {whole:.3f} ms a move, the bare exchange of its two lines "
        f"{exchange:.3f} ms, the referee {whole - exchange:.3f} ms"
    )


if __name__ == "__main__":
    main()
