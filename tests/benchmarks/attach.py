"""Attach and detach the engine many times with Sabaki's library: python -m tests.benchmarks.attach [CYCLES]."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.process import ENGINE

from ..support.paths import TESTS

SCRIPT = TESTS / "node" / "controller.mjs"


def main(cycles: int) -> int:
    """Print the processes and files left over; return 1 if there are any."""
    steps = [{"do": do, "engine": "a"} for _ in range(cycles) for do in ("attach", "stop")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["node", str(SCRIPT), *ENGINE, "--player", "random"],
            input=json.dumps(steps), capture_output=True, text=True, check=True, cwd=folder,
        )  # fmt: skip
        files = len(list(Path(folder).iterdir()))
    results = [json.loads(line) for line in done.stdout.splitlines()]
    stopped = results[1::2]
    alive = sum(result["alive"] for result in stopped)
    clean = sum(result["code"] == 0 for result in stopped)
    seconds = (time.monotonic() - began) / cycles
    print(f"{cycles} cycles, {seconds:.2f} s each: {clean} ended with code 0, {alive} processes and {files} files left")
    return int(alive > 0 or clean < cycles or files > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
