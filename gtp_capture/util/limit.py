"""The limits of a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

SLICE = 0.004
"""Seconds that a kernel runs between two checks of the limit."""


@dataclass(slots=True)
class Limit:
    """The limits on the search for one move; the first one reached ends it."""

    seconds: float | None = None
    """Counted from the creation of this object or from `restart`; None for no limit."""
    playouts: int | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    """Set from outside to end the search at once."""
    clock: float | None = None
    """Seconds until the game is lost on time, including the time to load the search; None without a game clock."""
    watched: bool = False
    """Whether a user watches the statistics: then the search goes on after the choice of move is certain."""
    only: frozenset[int] | None = None
    """The moves to search; None for all."""
    started: float = field(default_factory=time.monotonic)

    def permits(self, move: int) -> bool:
        """Whether a move may be searched."""
        return self.only is None or move in self.only

    def within(self, seconds: float) -> Limit:
        """The same limit with at most `seconds` from now on, if it has a time."""
        return self if self.seconds is None else replace(self, seconds=min(self.seconds, self.elapsed() + seconds))

    def with_playouts(self, playouts: int | None) -> Limit:
        """The same limit with another number of playouts."""
        return replace(self, playouts=playouts)

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.monotonic() - self.started

    def restart(self) -> None:
        """Count the time from now on."""
        self.started = time.monotonic()

    def left(self) -> float:
        """Seconds that remain, at least 0; infinite without a time limit."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.elapsed())

    def expired(self) -> bool:
        """Whether the time is over or `stop` is set."""
        return self.stop.is_set() or self.left() <= 0


def run_in_slices(run: Callable[[int], int], limit: Limit, finished: Callable[[], bool] = lambda: False) -> int:
    """Call `run(n)`, n playouts of about SLICE seconds, until the limit or `finished`. Returns the playouts done."""
    done, count = 0, 16
    while limit.playouts is None or done < limit.playouts:
        if limit.playouts is not None:
            count = min(count, limit.playouts - done)
        before = limit.elapsed()
        done += run(count)
        took = limit.elapsed() - before
        if limit.expired() or finished():
            break
        # Never plan past the end; the first slices measure the speed of the machine.
        target = min(SLICE, limit.left() / 2)
        count = max(1, min(2 * count, int(count * target / max(took, 1e-6))))
    return done
