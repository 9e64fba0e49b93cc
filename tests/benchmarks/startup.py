"""Time before the first move: `python -m tests.benchmarks.startup`; `--install` also installs in a new environment.

Prints a table. Everything runs in new processes with separate cache folders.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ..jit.test_startup import Started
from ..support.paths import ROOT
from ..support.process import ENGINE

assert sys.platform != "win32"  # which has no times of child processes

SIZES = 5, 9, 19
COPIED = ("pyproject.toml", "README.md", "LICENSE", "gtp_capture")
"""Files that an installation reads."""


def first_move(engine: Sequence[str], size: int, home: Path, *options: str) -> float:
    """Seconds from the start of a new process to the end of `genmove b`."""
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": "", "NUMBA_CACHE_DIR": str(home / "cache")}
    began = time.perf_counter()
    lines = f"boardsize {size}\ngenmove b\nquit\n"
    options = (*options, "--no-opening-book")
    subprocess.run([*engine, *options], input=lines, capture_output=True, text=True, check=True, env=environment)
    return time.perf_counter() - began


def installed(folder: Path) -> Iterator[tuple[str, str]]:
    """Install as described in the README, then time first moves with an empty home."""
    source = folder / "source"
    source.mkdir()
    for name in COPIED:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, source / name)
        else:
            ignored = shutil.ignore_patterns("__pycache__", "machine_code")
            shutil.copytree(ROOT / name, source / name, ignore=ignored)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    subprocess.run([str(folder / "venv/bin/pip"), "install", "--quiet", str(source)], check=True)
    yield "install, s", f"{time.perf_counter() - began:.0f}"
    (folder / "home").mkdir()
    for size in SIZES:
        seconds = first_move([str(folder / "venv/bin/gtp-capture")], size, folder / "home")
        yield f"first genmove after it, {size}x{size}, s", f"{seconds:.1f}"
    yield "files written to the home", str(len(list((folder / "home").rglob("*"))))


def without_machine_code(folder: Path) -> Iterator[tuple[str, str]]:
    """Time first moves and compilation without machine code."""
    for size in SIZES:
        home = folder / f"cold{size}"
        home.mkdir()
        yield f"first genmove without machine code, {size}x{size}, s", f"{first_move(ENGINE, size, home):.1f}"
    with Started(folder / "whole") as engine:
        engine.ask("name")
        began = time.perf_counter()
        while "full strength" not in engine.stderr():
            time.sleep(0.05)
        yield "full strength after, s", f"{time.perf_counter() - began:.0f}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "compiled")}
    modules = "gtp_capture.search.mcts", "gtp_capture.solver.solver"
    for module in modules:
        subprocess.run([sys.executable, "-m", "gtp_capture.jit.compile", module], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield "processor time to compile for a first genmove, s", f"{spent:.1f}"


def with_machine_code(folder: Path, starts: int) -> Iterator[tuple[str, str]]:
    """Time the start, and count the playouts of first moves, with machine code."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "compiled")}
    subprocess.run([*ENGINE, "warmup", "--quiet"], check=True, env=environment)
    times = []
    for _ in range(starts):
        began = time.perf_counter()
        with Started(folder / "compiled") as engine:
            engine.ask("name")
            times.append(time.perf_counter() - began)
    yield f"name, s, median of {starts}", f"{statistics.median(times):.3f}"
    for size, seconds in ((7, 0.5), (8, 0.5), (9, 0.1)):
        with Started(folder / "compiled", "--time-per-move", str(seconds), "--no-opening-book") as engine:
            engine.ask(f"boardsize {size}")
            for color in "bwb":
                engine.ask(f"genmove {color}")
            engine.ask("name")
            playouts = re.findall(r"(\d+) playouts", engine.stderr())
        yield f"playouts of the first three moves, {size}x{size}, {seconds} s a move", ", ".join(playouts)


@click.command()
@click.option("--install", is_flag=True, help="Install in a new environment first, as the README says.")
@click.option("--starts", default=7, show_default=True, help="Starts for the answer to `name`.")
def main(install: bool, starts: int) -> None:
    """Measure the wait before the first move."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts = [without_machine_code(folder), with_machine_code(folder, starts)]
        for part in [*([installed(folder)] if install else []), *parts]:
            for what, figure in part:
                click.echo(f"{what:<62} {figure}")


if __name__ == "__main__":
    main()
