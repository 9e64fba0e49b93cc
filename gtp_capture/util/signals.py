"""Handlers of signals, such as ^C, for a block."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_FOR_MAIN: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def leave_to_main_thread() -> None:
    """Let the system deliver signals of the user to other threads than this one and those that it starts.

    The system may choose any thread of a process. Python calls a handler in the main thread alone, which notices it
    only if its own wait, such as that for a line, is interrupted. Windows has no such choice.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, _FOR_MAIN)


def take_signals() -> None:
    """Take signals again, in a process that a thread has started which leaves them to the main thread."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _FOR_MAIN)


@contextmanager
def on_signals(function: Callable[[], None], *numbers: int) -> Iterator[None]:
    """Let these signals call a function during a block. In other threads than the main one this does nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda number, frame: function()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
