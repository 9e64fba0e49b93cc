"""Seconds from the start of the engine to its answer to `name`: python -m tests.benchmarks.startup [STARTS].

0.3 were asked for, where all is compiled and beside a first compilation.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from ..test_startup import Started


def measured(cache: Path, starts: int) -> str:
    """The median and the range of so many starts, one after the other."""
    times = []
    for _ in range(starts):
        with Started(cache) as engine:
            times.append(engine.seconds_to_name())
    return f"{statistics.median(times):.3f} ({min(times):.3f} to {max(times):.3f})"


def main(starts: int) -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        with Started(cache) as first:
            first.seconds_to_name()
            first.compilers()
            print("while it compiles:", measured(cache, starts), flush=True)
            first.ask("reg_genmove b")  # waits until it is done
        print("compiled:", measured(cache, starts))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
