"""What bounds a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SLICE = 0.004
"""Seconds that a kernel runs before it is asked whether to go on."""


@dataclass(slots=True)
class Limit:
    """How long a player may think about one move; whichever bound comes first ends it."""

    seconds: float | None = None
    """From the moment this object is made; None for no limit."""
    playouts: int | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    """Set from outside to ask for the move at once."""
    clock: float | None = None
    """Seconds until the game is lost on time, which loading the search counts towards; None without a game clock."""
    watched: bool = False
    """Whether statistics are shown meanwhile: the search goes on when no time left can change the choice of move."""
    only: frozenset[int] | None = None
    """The moves that are thought about; None for all."""
    started: float = field(default_factory=time.monotonic)

    def permits(self, move: int) -> bool:
        """Whether a move is among those to think about."""
        return self.only is None or move in self.only

    def with_playouts(self, playouts: int | None) -> Limit:
        """The same limit for a part of the work."""
        return replace(self, playouts=playouts)

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.started

    def restart(self) -> None:
        """Count the time from now on."""
        self.started = time.monotonic()

    def left(self) -> float:
        """Seconds that remain, at least 0; infinite where time does not count."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.elapsed())

    def expired(self) -> bool:
        """Whether the time is over or someone asks for the move."""
        return self.stop.is_set() or self.left() <= 0


def run_in_slices(run: Callable[[int], int], limit: Limit, finished: Callable[[], bool] = lambda: False) -> int:
    """Call run(n) until the limit, with n such that a call takes about one slice; how many playouts there were."""
    done, count = 0, 16
    while limit.playouts is None or done < limit.playouts:
        if limit.playouts is not None:
            count = min(count, limit.playouts - done)
        before = limit.elapsed()
        done += run(count)
        took = limit.elapsed() - before
        if limit.expired() or finished():
            break
        # Never plan past the end; the first slices measure the machine.
        target = min(SLICE, limit.left() / 2)
        count = max(1, min(2 * count, int(count * target / max(took, 1e-6))))
    return done
