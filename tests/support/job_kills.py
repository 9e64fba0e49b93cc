"""Kill a search in jobs (SIGKILL) at random moments and go on; every job must be counted exactly once.

python -m tests.support.job_kills --kills 20
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import click

from .process import ENGINE


class Outcome(NamedTuple):
    """What a run that was killed several times found."""

    found: dict[str, Any]
    """The output of the last run."""
    text: str
    """The output of a run after the last one, as text."""
    lost: int
    """Jobs of a log that were missing in the log after the next kill."""
    doubled: int
    """Jobs that are in the log more than once."""
    nodes: int
    """Nodes of all jobs in the log."""
    jobs: int
    middle: int
    """Kills after which the log had some jobs, and not the last one."""


def records(path: Path) -> list[dict[str, Any]]:
    """The whole records of a log, without the header and without the CRCs."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line[9:]) for line in lines[1:]]


def run(folder: Path, kills: int, size: str = "5x7", seed: int = 1) -> Outcome:
    """Kill runs, then finish the search."""
    rng, path = random.Random(seed), folder / "killed.log"
    command = [*ENGINE, "solve", "--size", size, "--jobs", "2", "--memory", "64", "--checkpoint", str(path)]
    lost = middle = 0
    before: list[dict[str, Any]] = []
    for _ in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
    again = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60)
    whole = records(path)
    lost += whole[: len(before)] != before
    doubled = sum(count - 1 for count in Counter(record["job"] for record in whole).values())
    nodes = sum(record["nodes"] for record in whole)
    return Outcome(json.loads(done.stdout), again.stdout, lost, doubled, nodes, len(whole), middle)


@click.command()
@click.option("--kills", default=20, show_default=True)
@click.option("--size", default="5x7", show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(kills: int, size: str, seed: int) -> None:
    """Print the number of lost and doubled jobs, and the totals."""
    with tempfile.TemporaryDirectory() as folder:
        found = run(Path(folder), kills, size, seed)
    print(f"{kills} kills: {found.lost} logs with a loss, {found.doubled} jobs doubled, {found.middle} in the middle")
    print(f"{found.jobs} jobs, {found.nodes} nodes; the last run: {found.found}\n{found.text}")


if __name__ == "__main__":
    main()
