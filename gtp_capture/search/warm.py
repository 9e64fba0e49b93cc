"""Getting the compiled search ready beside a session that is already useful.

This module does not import Numba. On a machine that has never run this version, a process of its own compiles
into the user's cache folder (so the session stays quick and small); then, as always, a thread loads from there.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

KERNELS: Final = ("gtp_capture.search.mcts", "gtp_capture.search.uct", "gtp_capture.search.proof")
ASIDE: Final = KERNELS[-1]
"""What has nothing in common with the others, so that another process may as well compile it at the same time."""
REST: Final = ("gtp_capture.search.ownership",)
"""What is compiled after that, while the session is under way: only scoring and analysis need it."""
SOURCES: Final = ("board.py", "rules.py", "vertex.py")
"""Modules outside this folder that kernels are made of."""
_READY: Final = "ready"
_COMPLETE: Final = "complete"
_PATIENCE: Final = 0.3
"""Seconds to leave the client's first command alone before the import of Numba competes with it."""
_STEP: Final = 0.05
"""Seconds between two looks at whether anyone still wants to wait."""


def _load_or_mend(say: Callable[[str], None]) -> None:
    """Load; a cache that cannot be read (a full disk, a copy cut short) is thrown away and made again."""
    try:
        load()
    except Exception:
        say("preparing again: bad cache")
        shutil.rmtree(cache_folder(), ignore_errors=True)
        for name in [name for name in sys.modules if name.startswith(f"{__package__}.") and name != __name__]:
            del sys.modules[name]
        compile_all()


@functools.cache
def cache_folder() -> Path:
    """Return the folder for machine code made of these sources by this Numba and Python on this processor.

    Numba checks the time stamp of the kernel's own file only; the key covers every module that kernels call into.
    """
    import importlib.metadata  # these two here, for a quick start

    import platformdirs

    digest = hashlib.sha256()
    package = Path(__file__).parent.parent
    for source in [*sorted((package / "search").glob("*.py")), *(package / name for name in SOURCES)]:
        digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    for part in ("numba", "llvmlite", "numpy"):
        digest.update(importlib.metadata.version(part).encode())
    digest.update(repr((sys.version, platform.machine(), platform.processor())).encode())
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("gtp-capture", appauthor=False)
    return Path(base) / f"gtp-capture-{digest.hexdigest()[:16]}"


def is_warm() -> bool:
    """Whether nothing is left to compile."""
    return _is_interpreted() or (cache_folder() / _READY).exists()


def is_complete() -> bool:
    """Whether not even scoring has anything left to compile."""
    return _is_interpreted() or (cache_folder() / _COMPLETE).exists()


def _is_interpreted() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def load() -> None:
    """Import the compiled search in this process, compiling what the cache lacks."""
    for name in KERNELS:
        importlib.import_module(name)


def _background(command: list[str]) -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, creationflags=flags)


def compile_all() -> None:
    """Fill the cache; of several processes one works and the others wait. OSError: the folder can't be written."""
    import filelock

    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(folder / "lock"):
        helper = _background([sys.executable, "-c", f"import {ASIDE}"])
        try:
            for name in KERNELS:
                if name == ASIDE:
                    helper.wait()  # should it have failed, this import compiles, and says what is wrong
                importlib.import_module(name)
        finally:
            helper.kill()
            helper.wait()
        (folder / _READY).touch()
    _forget_other_versions(folder)


def compile_rest() -> None:
    """Fill the cache with what no first move waits for. OSError: the folder can't be written."""
    import filelock

    folder = cache_folder()
    with filelock.FileLock(folder / "lock"):
        for name in REST:
            importlib.import_module(name)
        (folder / _COMPLETE).touch()


def _forget_other_versions(current: Path) -> None:
    """Drop the caches of older versions, which nothing would ever read again."""
    month = 30 * 86400
    newest = (current / _READY).stat().st_mtime
    for folder in current.parent.glob("gtp-capture-*"):
        with contextlib.suppress(OSError):
            if folder != current and (folder / _READY).stat().st_mtime < newest - month:
                shutil.rmtree(folder)


class Warmup:
    """Brings the search up in the background."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._announced = False
        self._thread: threading.Thread | None = None

    def start(self, after: threading.Event | None = None) -> None:
        """Begin, once `after` is set or it has been waited for long enough. A second call does nothing."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(after,), name="warmup", daemon=True)
                self._thread.start()

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Whether the search is there within so many seconds, or before `stop` is set; says once what it waits for."""
        self.start()
        if not self._ready.is_set() and not self._announced and not is_warm():
            self._announced = True
            self._say("preparing, once per machine")
        end = time.monotonic() + seconds
        while not (self._ready.is_set() or stop.is_set()) and time.monotonic() < end:
            self._ready.wait(min(_STEP, max(0.0, end - time.monotonic())))
        return self._ready.is_set() and self._failure is None

    def stop(self) -> None:
        """Give up; the process that compiles ends, and leaves a cache that the next one completes."""
        with self._lock:
            self._stopped = True
            if self._child is not None and self._child.poll() is None:
                self._child.kill()
                self._child.wait()

    def _run(self, after: threading.Event | None) -> None:
        if after is not None:
            after.wait(_PATIENCE)
        try:
            if not is_warm():
                self._compile_aside()
            _load_or_mend(self._say)
        except BaseException as failure:  # whatever it is, the session plays on without the search
            self._failure = failure
            self._say(f"no compiled search: {failure}")
        self._ready.set()
        if self._child is not None:
            self._child.wait()  # it is at work on the rest, and belongs to someone until it ends

    def _compile_aside(self) -> None:
        command = [sys.executable, "-m", "gtp_capture", "warmup", "--quiet"]
        with self._lock:
            if self._stopped:
                return
            self._child = _background(command)
        # Should it fail, `load` compiles in this process and says what is wrong. It goes on with the rest.
        while self._child.poll() is None and not is_warm():
            time.sleep(_STEP)


@cache
def loaded() -> Warmup:
    """A warm-up that has come to its end, for whoever has nothing else to do meanwhile; one for the whole process."""
    warmup = Warmup(lambda text: None)
    warmup.wait(300, threading.Event())
    return warmup
