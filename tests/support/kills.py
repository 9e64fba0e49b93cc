"""Kill a match (SIGKILL) at random moments and resume it; every game must be kept exactly once.

python -m tests.support.kills --kills 20
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import click

from gtp_capture import PRESETS
from gtp_capture.match.referee import Conditions
from gtp_capture.match.rows import MatchGame

from .process import ENGINE

PLAYER = f"{sys.executable} -m gtp_capture --player random"
STARTING = 1.0
"""Approximate seconds before the first game of a match."""


def rows(path: Path) -> list[MatchGame]:
    """The games of the complete rows of a results file; they cannot be replayed, as their board may be another one."""
    under = Conditions(PRESETS["first-capture"], 9, 9)
    lines = path.read_bytes().decode().split("\n")[:-1]
    return [MatchGame.parse(line, under) for line in lines if not line.startswith("#")]


def run(folder: Path, kills: int, games: int, seed: int = 1) -> tuple[int, int, int]:
    """Kill and resume a match, then finish it. Returns the numbers of missing games, duplicate rows, missing SGFs."""
    rng = random.Random(seed)
    path = folder / "killed.dat"
    command = [*ENGINE, "match", "--black", f"{PLAYER} --seed 1", "--white", f"{PLAYER} --seed 2"]
    command += ["--games", str(games), "--size", "5", "--jobs", "2", "--results", str(path), "--resume"]
    command += ["--sgf-dir", str(folder / "sgf")]
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 1) * 2 * STARTING + rng.uniform(0, 0.5))
        process.kill()
        process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    counted = Counter(row.number for row in rows(path))
    doubled = sum(count - 1 for count in counted.values())
    files = sum((folder / "sgf" / f"game-{game:05}.sgf").exists() for game in range(games))
    return games - len(counted.keys() & set(range(games))), doubled, games - files


@click.command()
@click.option("--kills", default=20, show_default=True)
@click.option("--games", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(kills: int, games: int, seed: int) -> None:
    """Print the number of missing, duplicate and unwritten games."""
    with tempfile.TemporaryDirectory() as folder:
        lost, doubled, unwritten = run(Path(folder), kills, games, seed)
    print(f"{kills} kills, {games} games: {lost} lost, {doubled} doubled, {unwritten} without SGF")


if __name__ == "__main__":
    main()
