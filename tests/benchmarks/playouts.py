"""Speed of light playouts relative to the same work in C++: `python -m tests.benchmarks.playouts` (needs g++).

The two run alternately, and their processor times are compared, because other processes may run on the machine. The
result is the median ratio of the pairs. The speed of tactical playouts is printed too.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click

from gtp_capture.go import board as bd
from gtp_capture.go.vertex import BLACK
from gtp_capture.jit.records import new_rng
from gtp_capture.playout.first_capture import light_board, light_playouts
from gtp_capture.search.bench import measure_playouts

assert sys.platform != "win32"  # which has no times of child processes

SOURCE: Final = Path(__file__).with_name("playout_anchor.cpp")


def anchor_seconds(binary: Path, side: int, count: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([binary, str(side), str(count)], check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def light_seconds(side: int, count: int, seed: int) -> float:
    start, rng = light_board(bd.new(side, side)), new_rng(seed)
    before = time.process_time()
    light_playouts(start, start.copy(), rng, BLACK, count)
    return time.process_time() - before


@click.command()
@click.option("--pairs", type=click.IntRange(min=1), default=9, show_default=True)
def main(pairs: int) -> None:
    """Print the ratio of our speed to that of C++ on 9x9 and 19x19."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "anchor"
        subprocess.run(["g++", "-O3", "-march=native", "-o", binary, SOURCE], check=True)
        for side, count in ((9, 300_000), (19, 60_000)):
            ratios, speeds = [], []
            for pair in range(pairs):
                seconds = light_seconds(side, count, pair)
                ratios.append(anchor_seconds(binary, side, count) / seconds)
                speeds.append(count / seconds)
            tactical = measure_playouts(side, "tactical", 1.0, 1).playouts_per_second
            click.echo(
                f"{side}x{side}: {statistics.median(ratios):.2f} of C++ ({min(ratios):.2f} to {max(ratios):.2f}, "
                f"{pairs} pairs), {statistics.median(speeds):.0f} playouts/s; tactical {tactical:.0f}/s"
            )


if __name__ == "__main__":
    main()
