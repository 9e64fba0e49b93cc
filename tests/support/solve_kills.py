"""Kill a search (SIGKILL) at random moments and go on from its log; no record may be lost.

python -m tests.support.solve_kills --kills 20
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import click

from .process import ENGINE


class Outcome(NamedTuple):
    """What a run that was killed several times found."""

    found: dict[str, Any]
    """The output of the last run."""
    lost: int
    """Kills after which a record of the log was missing."""
    middle: int
    """Kills after which the log had more records than after the kill before."""


def records(path: Path) -> list[dict[str, Any]]:
    """The whole records of a log, without the header and without the CRCs."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line[9:]) for line in lines[1:]]


def run(folder: Path, kills: int, size: str = "5x7", seed: int = 1) -> Outcome:
    """Kill runs with one thread and with two in turn, then finish the search."""
    rng, path = random.Random(seed), folder / "killed.log"
    command = [*ENGINE, "solve", "--size", size, "--memory", "64", "--checkpoint", str(path)]
    lost = middle = 0
    before: list[dict[str, Any]] = []
    for number in range(kills):
        threads = ["--threads", str(1 + number % 2)]
        process = subprocess.Popen([*command, *threads], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        began = time.monotonic()
        while process.poll() is None and len(records(path)) == len(before) and time.monotonic() - began < 60:
            time.sleep(0.05)
        time.sleep(rng.expovariate(10))
        process.kill()
        process.wait()
        after = records(path)
        lost += after[: len(before)] != before
        middle += 0 < len(before) < len(after)
        before = after
    done = subprocess.run([*command, "--json"], check=True, stdout=subprocess.PIPE, timeout=600)
    lost += records(path)[: len(before)] != before
    return Outcome(json.loads(done.stdout), lost, middle)


@click.command()
@click.option("--kills", default=20, show_default=True)
@click.option("--size", default="5x7", show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(kills: int, size: str, seed: int) -> None:
    """Print the number of logs with a loss, and the result."""
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), kills, size, seed)
    print(f"{kills} kills: {found.lost} logs with a loss, {found.middle} in the middle; {found.found}")


if __name__ == "__main__":
    main()
