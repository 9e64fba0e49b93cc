"""Handlers of signals, such as ^C, for a block."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
