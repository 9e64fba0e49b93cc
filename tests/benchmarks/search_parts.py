"""What each part of an iteration of the tree search costs: `python -m tests.benchmarks.search_parts`.

In a copy of the package a part is done twice where it is done once, with the same result; the time that an iteration
takes longer is what the part costs. Parts whose repetition would change the search, such as playouts and the backup,
are the rest. First capture on 9x9 from the empty board, one thread, processor time, median of runs in turn.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import click

import gtp_capture

PACKAGE = Path(gtp_capture.__file__).parent
RUN = """
import sys, time
from gtp_capture.cli import bench

def run():
    began = time.process_time()
    bench.PLAYOUTS = int(sys.argv[1])
    nodes = bench.measure_search('first-capture', 1)[1]
    return time.process_time() - began, nodes

run()
print(*run())
"""


class Part(NamedTuple):
    """A part of an iteration, and the line of the source that does it."""

    name: str
    path: str
    line: str


PARTS = [
    Part(
        "win rate by the network",
        "search/kernel.py",
        "estimate = win_rate(worker.board, rules, leaf.color, network, worker.network)",
    ),
    Part(
        "policy by the network, for new children",
        "search/kernel.py",
        "set_policy(nodes, wide(arena.next), end, turn, parameters.flatness, worker, network)",
    ),
    Part(
        "choice of a child, at all depths",
        "search/kernel.py",
        "child = select(nodes, index, parameters, worker.values)",
    ),
    Part(
        "captures and forced wins in a new node",
        "search/kernel.py",
        "move, length = winning_move(turn, tactical, forced, parameters, worker) if legal else (0, 0)",
    ),
    Part(
        "forced wins of the opponent there",
        "search/children.py",
        "threat = forced_win(b, opponent(c), worker.reader, int(parameters.threat_budget), int(parameters.longest))",
    ),
    Part("copy of the root's board", "search/kernel.py", "copy_board(b, turn.board)"),
]


def with_part_twice(folder: Path, part: Part) -> None:
    """Copy the package to a folder, with a part done twice."""
    copy = folder / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "machine_code"))
    path = copy / part.path
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (at,) = (i for i, line in enumerate(lines) if line.strip() == part.line)
    lines.insert(at, lines[at])
    path.write_text("".join(lines), encoding="utf-8")


def measure(folder: Path, playouts: int) -> tuple[float, int]:
    """Return the microseconds of an iteration, and the nodes of the search, of the package in a folder."""
    command = [sys.executable, "-c", RUN, str(playouts)]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=folder)
    seconds, nodes = done.stdout.split()
    return 1e6 * float(seconds) / playouts, int(nodes)


@click.command()
@click.option("--playouts", default=60_000, show_default=True, help="Iterations of a run.")
@click.option("--rounds", default=5, show_default=True)
def main(playouts: int, rounds: int) -> None:
    """Print the microseconds of an iteration, and of each of its parts. The first round compiles the copies."""
    with tempfile.TemporaryDirectory() as name:
        folders = {part: Path(name) / str(i) for i, part in enumerate(PARTS)}
        for part, folder in folders.items():
            with_part_twice(folder, part)
        all_folders = [PACKAGE.parent, *folders.values()]
        times: dict[Path, list[float]] = {folder: [] for folder in all_folders}
        sizes = set()
        for number in range(rounds + 1):
            for folder in all_folders:
                microseconds, nodes = measure(folder, playouts)
                sizes.add(nodes)
                if number > 0:
                    times[folder].append(microseconds)
        if len(sizes) > 1:
            raise click.ClickException(f"a repeated part changed the search: {sizes} nodes")
        once = times[PACKAGE.parent]
        click.echo(f"an iteration: {statistics.median(once):.2f} us; {sizes.pop():,} nodes")
        rest = statistics.median(once)
        for part, folder in folders.items():
            cost = statistics.median(after - before for after, before in zip(times[folder], once, strict=True))
            rest -= cost
            click.echo(f"{part.name}: {cost:.2f} us")
        click.echo(f"the rest: {rest:.2f} us")


if __name__ == "__main__":
    main()
