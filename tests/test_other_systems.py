"""The branches for Windows and macOS, simulated: `sys.platform` is changed, and calls that the system lacks fail."""

from __future__ import annotations

import io
import mmap
import os
import re
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import filelock  # noqa: F401 - once it is imported, it does not look for the modules of another system
import numpy as np
import pytest
from rich.console import Console

import gtp_capture
from gtp_capture.cli import doctor
from gtp_capture.cli.screen import Screen
from gtp_capture.gtp import serve
from gtp_capture.jit import cache, compile, warmup
from gtp_capture.match import process
from gtp_capture.tutor.lesson import ContentsSession
from gtp_capture.util import memory
from gtp_capture.util.executor import executor

from .support.held import resources
from .support.paths import TESTS
from .support.process import HANG

pytestmark = pytest.mark.posix  # another system is simulated
SYSTEMS = ("win32", "darwin")
PACKAGE = Path(gtp_capture.__file__).parent


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """This system is Windows: calls that it lacks raise AttributeError."""
    lacking = {
        os: ("getuid", "killpg", "nice", "set_blocking", "sysconf"),
        select: ("poll", "select"),  # of these `select` takes sockets alone
        signal: ("pthread_sigmask",),
    }
    for module, names in lacking.items():
        for name in names:
            monkeypatch.delattr(module, name, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")


def test_the_guide_names_each_file_that_asks_for_the_system() -> None:
    guide = (PACKAGE / "README.md").read_text(encoding="utf-8").partition("## Other systems")[2].partition("\n## ")[0]
    asked = re.compile(r"sys\.platform|os\.name\b|(has|get)attr\((os|signal|select|subprocess)\b")
    files = [path for path in PACKAGE.rglob("*.py") if asked.search(path.read_text(encoding="utf-8"))]
    assert len(files) > 10
    assert [path for path in files if f"`{path.relative_to(PACKAGE).as_posix()}`" not in guide] == []


def test_on_windows_an_engine_is_ended_alone(tmp_path: Path, windows: None) -> None:
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {TESTS / 'support' / 'engine_double.py'} deaf\n")
    program.chmod(0o700)
    engine = process.EngineClient(str(program))  # the system splits the command
    engine.start(HANG)
    assert engine.close(0) is False
    assert not engine.running


def test_on_windows_sigint_is_not_blocked_while_workers_start(windows: None) -> None:
    with executor(1) as pool:
        pool.submit(abs, -1)


def test_on_windows_no_thread_waits_for_the_reader_of_the_output(windows: None) -> None:
    before = threading.active_count()
    serve.on_reader_gone(1, lambda: None)
    assert threading.active_count() == before


def test_on_windows_a_closed_terminal_sends_no_signal(windows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    Screen(Console(file=io.StringIO())).run(ContentsSession(resources()))


@pytest.mark.parametrize("system", SYSTEMS)
def test_elsewhere_than_on_linux_memory_is_plain(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    if system == "win32":
        real = mmap.mmap
        monkeypatch.setattr(mmap, "mmap", lambda number, size: real(number, size))  # it takes no flags there
    array = memory.sparse_zeros(1000, np.int64)
    array[999] = 1
    assert (int(array.sum()), array.flags.writeable) == (1, True)
    monkeypatch.setattr(memory, "Path", None)
    memory.forget_code("llvmlite")


def test_on_windows_the_cache_folder_of_the_user_is_trusted(tmp_path: Path, windows: None) -> None:
    tmp_path.chmod(0o777)
    assert cache.trusted(tmp_path)


def test_on_windows_the_compiler_starts_with_a_lower_priority(windows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[dict[str, Any]] = []
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    monkeypatch.setattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0x00004000, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: started.append(options))
    warmup.compile_aside(["gtp_capture.search.mcts"])
    assert [options["creationflags"] for options in started] == [0x08004000]
    monkeypatch.setattr(cache, "writable_folder", lambda: None)
    compile.main([])  # without `nice`


def test_without_fork_the_modules_that_prepare_for_it_are_imported() -> None:
    code = "import os; del os.fork, os.register_at_fork; import gtp_capture.jit.warmup, gtp_capture.library.engine"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=HANG)


def test_on_windows_the_memory_of_the_machine_is_not_known(windows: None) -> None:
    assert doctor._total_memory() == 0
