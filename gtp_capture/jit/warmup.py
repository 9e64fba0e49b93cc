"""Load or compile the kernels in the background of a session.

A thread loads the machine code. If there is none, separate processes compile it into the user's cache folder, so that
the session stays responsive and small, and the thread then loads it. This module does not import Numba.
"""

from __future__ import annotations

import enum
import importlib
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from typing import Final

from ..util.files import warn
from ..util.memory import MEBIBYTE, SHORTAGE, forget_code, is_shortage, require
from ..util.signals import leave_to_main_thread
from .cache import NotCompiledError, load_only, no_cache, writable_folder

SEARCH: Final = ("gtp_capture.search.mcts", "gtp_capture.solver.solver")
"""Modules that the first move needs. They share no kernel, so one process compiles each of them."""
REST: Final = ("gtp_capture.playout.ownership",)
"""Modules that only scoring and ownership need; compiled after the others, while the session goes on."""
LARGE: Final = "gtp_capture.solver.dfpn_large"
"""The solver's code for boards of more than 64 points; loaded, and if necessary compiled, for the first such board."""
EVERYTHING: Final = (*SEARCH, *REST, LARGE)
COMPILE_SECONDS: Final = 20.0
"""Approximate time (s) to compile everything."""
COMPILED: Final = "compiled: full strength"
LONGEST: Final = 600.0
"""Maximum time (s) that a program waits until everything is compiled."""
ROOM: Final = 410 * MEBIBYTE
"""Bytes of address space that loading NumPy, Numba, LLVM and the machine code takes, and 80 MiB for a small search."""
ROOM_PER_CORE: Final = 40 * MEBIBYTE
"""Bytes of address space of a thread for linear algebra; NumPy starts one for each core, and so does SciPy, which Numba
loads if it is installed."""
MOST_CORES: Final = 64
"""Maximum number of these threads."""
_PATIENCE: Final = 0.3
"""Delay (s) before the import of Numba, which would slow down the answer to the first command."""
_STEP: Final = 0.05
"""Polling interval (s) of `wait`."""


_warmups: Final[weakref.WeakSet[Warmup]] = weakref.WeakSet()
"""All warm-ups, for `stop_all`."""


class State(enum.Enum):
    """State of the machine code."""

    LOADING = "loading"
    COMPILING = "compiling"
    READY = "ready"
    FAILED = "failed"


def compile_aside(modules: Iterable[str]) -> list[subprocess.Popen[bytes]]:
    """Start one process for each module, which compiles it into the user's cache folder."""
    nothing = subprocess.DEVNULL
    # Windows has no `os.nice`, by which compile.py lowers its priority on other systems.
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    command = [sys.executable, "-m", "gtp_capture.jit.compile"]
    return [
        subprocess.Popen([*command, module], stdin=nothing, stdout=nothing, stderr=nothing, creationflags=flags)
        for module in modules
    ]


def check_room(more: int = 0) -> None:
    """Check that the process gets memory for the machine code, unless it is loaded, and `more` bytes.

    Without it the libraries that Numba loads end the process, or ask the system again for ever. MemoryError: there is
    less.
    """
    if "numba" not in sys.modules:
        threads = min(os.cpu_count() or 1, MOST_CORES)
        libraries = [name for name in ("numpy", "scipy") if name not in sys.modules and find_spec(name)]
        more += ROOM + len(libraries) * threads * ROOM_PER_CORE
    require(more)


def load(modules: Iterable[str]) -> None:
    """Import compiled modules in this process, and call their `rehearse`. NotCompiledError: see `cache.load_only`."""
    for name in modules:
        module = importlib.import_module(name)
        if hasattr(module, "rehearse"):
            module.rehearse()


class Warmup:
    """Loads the compiled search in a background thread, and compiles it before if necessary."""

    def __init__(
        self, notify: Callable[[str], None], modules: tuple[str, ...] = SEARCH, rest: tuple[str, ...] = REST
    ) -> None:
        """`notify`: receives lines for stderr; `modules`: needed before a search; `rest`: loaded after them."""
        self._notify = notify
        self._modules, self._rest = modules, rest
        self._large: Warmup | None = None
        self._changed = threading.Condition()
        self.state = State.LOADING
        """The state of the code; LOADING before the start too."""
        self._children: list[subprocess.Popen[bytes]] = []
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._compiling_since = 0.0
        self.complete = False
        """Whether the modules of REST are compiled too."""
        _warmups.add(self)

    def completed(self, seconds: float) -> bool:
        """Wait at most `seconds` for the modules of REST too; return whether they are ready."""
        if not self.complete and self._thread is not None:
            self._thread.join(seconds)
        return self.complete

    def start(self, after: threading.Event | None = None) -> None:
        """Start once `after` is set, or after a short delay. A second call does nothing."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(after,), name="warmup", daemon=True)
                self._thread.start()

    def wait(self, seconds: float, stop: threading.Event, *, compiling: bool = True) -> bool:
        """Wait until the search is ready, `seconds` have passed or `stop` is set; return whether it is ready.

        Without `compiling`, return as soon as something has to be compiled.
        """
        self.start()
        end = time.monotonic() + seconds
        going_on = (State.LOADING, State.COMPILING) if compiling else (State.LOADING,)
        with self._changed:
            while self.state in going_on and not stop.is_set() and time.monotonic() < end:
                self._changed.wait(min(_STEP, max(0.0, end - time.monotonic())))
            return self.state is State.READY

    def large(self) -> Warmup:
        """Return the warm-up of the code for large boards, which `stop` of this one stops too."""
        with self._changed:
            if self._large is None:
                self._large = Warmup(self._notify, (LARGE,), rest=())
            return self._large

    def seconds_left(self) -> float:
        """Return the estimated time (s) until compiling ends; 0 if it takes longer than usual."""
        return max(0.0, self._compiling_since + COMPILE_SECONDS - time.monotonic())

    def stop(self) -> None:
        """Kill the compiling processes; finished kernels stay in the cache."""
        with self._changed:
            self._stopped = True
            for child in self._children:
                if child.poll() is None:
                    child.kill()
                    child.wait()
            if self._large is not None:
                self._large.stop()

    def _enter(self, state: State) -> None:
        with self._changed:
            self.state = state
            self._changed.notify_all()

    def _run(self, after: threading.Event | None) -> None:
        leave_to_main_thread()
        if after is not None:
            after.wait(_PATIENCE)
        try:
            check_room()
            try:
                with load_only():
                    load(self._modules)
            except NotCompiledError:
                self._compile()
            self._enter(State.READY)
        except BaseException as failure:  # the session goes on without the search
            self._notify(f"no compiled search: {SHORTAGE if is_shortage(failure) else failure}")
            self._enter(State.FAILED)
            return
        self._bring_up_rest()
        forget_code("llvmlite")

    def _compile(self) -> None:
        self._compiling_since = time.monotonic()
        from .numba_parts import why_unused  # noqa: PLC0415 - imports Numba

        self._notify("; ".join(filter(None, [why_unused(), f"compiling, about {COMPILE_SECONDS:.0f} s"])))
        self._enter(State.COMPILING)
        if writable_folder() is None:
            self._notify(no_cache())
        else:
            self._finish(self._modules)
        load(self._modules)  # if a process has failed, this compiles here or raises the error
        self._notify(COMPILED)

    def _bring_up_rest(self) -> None:
        try:
            with load_only():
                load(self._rest)
        except NotCompiledError:
            if writable_folder() is not None:
                self._finish(self._rest)
        except Exception as failure:
            self._notify(f"no compiled scoring: {SHORTAGE if is_shortage(failure) else failure}")
            return
        self.complete = True

    def _finish(self, modules: Iterable[str]) -> None:
        """Compile in separate processes and wait for them, or for `stop`."""
        with self._changed:
            if self._stopped:
                return
            self._children = compile_aside(modules)
        for child in self._children:
            child.wait()


def stop_all() -> None:
    """Kill the compiling processes of all warm-ups, before this process ends."""
    for warmup in list(_warmups):
        warmup.stop()


@cache
def loaded(modules: tuple[str, ...] = SEARCH) -> Warmup:
    """Return a finished warm-up of modules, shared by the process, for programs that cannot continue without them.

    A line on stderr says that it compiles, or that it fails.
    """
    warmup = Warmup(_say, modules, rest=REST if modules == SEARCH else ())
    warmup.wait(LONGEST, threading.Event())
    return warmup


def _say(text: str) -> None:
    if text != COMPILED:
        warn(text)
