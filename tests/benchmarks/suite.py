"""Share of the problem suite that an engine solves in a given time: `python -m tests.benchmarks.suite`.

A problem is solved if the engine plays one of its winning plays. All winning plays of every problem are known: each
legal play was solved exactly (tests/data/hard_positions.txt). One process is used for each engine and time.
"""

from __future__ import annotations

from collections import Counter

import click

import gtp_capture as gc
from gtp_capture.match.ratings import wilson

from ..support.suite import problems


def share(part: int, whole: int) -> str:
    """A share in per cent with its 95 % interval."""
    low, high = wilson(part / whole, whole)
    return f"{part}/{whole}, {part / whole:.1%} [{low:.0%}, {high:.0%}]"


@click.command()
@click.option("--limits", default="0.1 0.3 1 3", show_default=True, help="Seconds for each move.")
@click.option("--engine", "engines", multiple=True, default=["gtp-capture --threads 1 --seed 1"], show_default=True)
def main(limits: str, engines: tuple[str, ...]) -> None:
    """Print the share of the problems that each engine solves within each limit, by the side of the board."""
    todo = list(problems())
    sides = Counter(problem.side for problem in todo)
    for command in engines:
        for limit in limits.split():
            with gc.GtpEngine(f"{command} --time-per-move {limit}") as engine:
                right = Counter(p.side for p in todo if engine.choose(p.game()) in p.winning)
            cells = [f"{side}x{side} {share(right[side], count)}" for side, count in sides.items()]
            print(f"{command}, {limit} s: {'; '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
