"""What several tests need: the tools that are not ours, each skip naming what to install."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .cluster import Cluster
from .process import ENGINE

TESTS = Path(__file__).parent

# A suite that a script starts in the background ignores SIGINT, and so would every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def gnugo() -> str:
    """The GNU Go executable."""
    found = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
    if found is None:
        pytest.skip("GNU Go is not here: apt-get install gnugo")
    return found


@pytest.fixture(scope="session")
def node() -> str:
    """Node.js, with the clients of tests/package.json beside it."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not here: install nodejs and npm")
    if not (TESTS / "node_modules" / "@sabaki" / "gtp").is_dir():
        pytest.skip("the npm packages are not here: npm ci --prefix tests")
    return found


@pytest.fixture(scope="session")
def compiled() -> None:
    """The search is ready, so that a game is not played by what stands in for it."""
    subprocess.run([*ENGINE, "warmup"], check=True, capture_output=True, timeout=300)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers."""
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path)
