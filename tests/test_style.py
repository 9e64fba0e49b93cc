"""Style: ruff, mypy, and no quick test that depends on the speed of the machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import COMPILING, EXTERNAL
from .support import speed
from .support.paths import ROOT, TESTS

SPEED = {
    "support/process.py::wait_until": "the one loop that waits for an event",
    "support/live.py::Live": "lines with their times, for the slow tests of pondering and analysis",
    "support/engine_double.py": "some of its faults are to hang",
    "support/kills.py": "kills at random times; for slow tests",
    "support/minimax.py::main": "no test: prints what it took",
    "util/test_memory.py": "the size of a table for a limit; nothing runs",
    "util/test_executor.py": "jobs that sleep until they are ended",
    "support/slow_machine/sitecustomize.py": "makes the time run faster",
    "test_manual.py::SMALLER": "examples of the manual, for slow tests",
    "test_style.py": "examples for the lint",
}
"""Parts that may depend on the speed of the machine although quick tests use them, each with the reason."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--no-cache", "."],
        ["ruff", "format", "--no-cache", "--check", "."],
        ["mypy"],
        ["mypy", "--platform", "win32", "gtp_capture"],
        ["mypy", "--platform", "darwin", "gtp_capture"],
    ],
    ids=" ".join,
)
def test_style(command: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_quick_tests_do_not_depend_on_speed() -> None:
    """Quick tests wait for events, with HANG as the limit; searches have limits of playouts, nodes or CPU time."""
    found = set()
    for path in TESTS.rglob("*.py"):
        if {"node_modules", "benchmarks"}.isdisjoint(path.parts):
            name = str(path.relative_to(TESTS))
            parts = speed.findings(path.read_text(encoding="utf-8"), COMPILING | EXTERNAL)
            found |= {f"{name}::{part}" for part, _ in parts}
    assert {part for part in found if SPEED.keys().isdisjoint({part, part.partition("::")[0]})} == set()


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(1)",
        "assert time.monotonic() < end",
        "player.choose(game, seconds=0.5)",
        "player.choose(game, color, Limit(1.0).begin())",
        "process.wait(10)",
        "run('--time-per-move', '0.2')",
        "run('solve --time 5')",
        "[*ENGINE, '--seconds-per-move', 2]",
        "engine.ask('capture-solve 20')",
        "wait = lambda seconds=2: None",
        "helper()",
    ],
)
def test_the_lint_finds_what_depends_on_speed(line: str) -> None:
    source = f"def helper():\n    time.sleep(1)\n\n\ndef test_it():\n    {line}\n"
    assert "test_it" in {name for name, _ in speed.findings(source)} or line == "helper()"
    assert ("helper" in {name for name, _ in speed.findings(source)}) == (line == "helper()")
    assert list(speed.findings(source.replace("def test_it", "@pytest.mark.slow\ndef test_it"))) == []
    assert list(speed.findings(source.replace("test_it()", "test_it(warm)"), {"warm"})) == []
