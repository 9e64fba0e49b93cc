"""Shared fixtures, and the markers `slow`, `external`, `long`, `posix` and `linux`.

`pytest` alone runs the quick tests. `pytest -m "slow or external"` runs the others that CI runs: those marked slow, and
those that need an external program. Tests marked `long` run with `pytest -m long` alone. Those marked `posix` or
`linux` are left out on other systems.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from gtp_capture.jit.cache import user_folder

from .support.browser import AXE, PROGRAMS, WEBKIT
from .support.cluster import Cluster
from .support.forks import COMPILING_SECONDS
from .support.paths import TESTS
from .support.process import ENGINE

# If a script starts the tests in the background, SIGINT is ignored, and processes that tests start would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests start hundreds of processes, each of which would otherwise compile the sources that it imports.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Programs write as on a user's machine: one that does not flush its answers is found.
os.environ.pop("PYTHONUNBUFFERED", None)

# Tests read English, in whatever language this machine speaks.
os.environ["LANGUAGE"] = "en"

# Shared machines stall at times, so no example of Hypothesis fails because it is slow.
for profile, examples in (("patient", 30), ("few", 5)):  # .ci/run uses few with each newer Python
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.load_profile("patient")

COMPILING = {"mended", "shipped"}
"""Fixtures that compile the search. The first test that uses one is slow, so all tests that use one are marked."""
EXTERNAL = {"gnugo", "node", "cluster", "chromium_here", "webkit_here"}
"""Fixtures for external programs."""
TURNS = {TESTS: 0, TESTS / "web": 1, TESTS / "jit": 3}
"""Folders whose tests come first, as their files take longest, or last, as they wait for processes of low priority; the
others are 2."""
SYSTEMS = {"posix": sys.platform != "win32", "linux": sys.platform == "linux"}
"""Markers of tests that need a certain system, and whether this system will do; the other tests are deselected."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", metavar="SEED", help="Run the files, and the tests in each, in a random order.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Compile the search, as an installation does, before there are several processes that would each compile it."""
    from gtp_capture.jit.build import MODULES

    command = [sys.executable, "-m", "gtp_capture.jit.compile"]
    for process in [subprocess.Popen([*command, *modules]) for modules in MODULES]:
        assert process.wait(COMPILING_SECONDS) == 0


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Set the markers, before pytest selects tests by them, and the order of the tests."""
    items.sort(key=lambda item: TURNS.get(item.path.parent, 2))
    if seed := config.getoption("--shuffle"):
        rng = random.Random(seed)
        places = {item.path: rng.random() for item in items}
        items.sort(key=lambda item: (places[item.path], rng.random()))
    absent = {name for name, here in SYSTEMS.items() if not here}
    if "long" not in config.getoption("markexpr"):
        absent.add("long")
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in absent)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if COMPILING & fixtures:
            item.add_marker("slow")
        if EXTERNAL & fixtures:
            item.add_marker("external")


@pytest.fixture(scope="session")
def gnugo() -> str:
    """The path of the GNU Go executable."""
    program = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
    if program is None:
        pytest.skip("GNU Go is not here: apt-get install gnugo")
    return program


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node.js; the packages of tests/package.json are installed."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("Node.js is not here: install nodejs and npm")
    if not (TESTS / "node_modules" / "@sabaki" / "gtp").is_dir():
        pytest.skip("the npm packages are not here: npm ci --prefix tests")
    return program


@pytest.fixture(scope="session")
def chromium_here(compiled: None) -> None:
    """Chromium, its driver, and axe-core of tests/package.json are installed; else the test is skipped."""
    if not all(map(shutil.which, PROGRAMS)):
        pytest.skip("Chromium is not here: apt-get install chromium chromium-driver")
    if not AXE.is_file():
        pytest.skip("the npm packages are not here: npm ci --prefix tests")


@pytest.fixture(scope="session")
def webkit_here() -> None:
    """WebKit with its driver, and a display for it, are installed; else the test is skipped."""
    if not all(map(shutil.which, WEBKIT)):
        pytest.skip("WebKit is not here: apt-get install webkit2gtk-driver xvfb")


@pytest.fixture(scope="session")
def compiled() -> Path | None:
    """Compile the search, so that games are not played by its stand-in; return the folder of its machine code."""
    subprocess.run([*ENGINE, "warmup"], check=True, capture_output=True, timeout=COMPILING_SECONDS)
    return user_folder()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A Dask cluster with two workers."""
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path)
