"""The limits of a search: `Limit` has the maximum of each kind, and `Deadline` is a limit whose time runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from . import arguments

SLICE = 0.004
"""Seconds that a kernel runs between two checks of the limit."""


class Terminated(SystemExit):
    """SIGTERM ends the session: unlike the exit of a bot, no part of the work handles it."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The maximum that the search for one move may take; the first one reached ends it. None: no limit."""

    seconds: float | None = None
    playouts: int | None = None
    """Playouts of the tree search."""
    nodes: int | None = None
    """Nodes of the solver."""
    clock: float | None = None
    """Seconds until the game is lost on time, including the time to load the search; None without a game clock."""
    watched: bool = False
    """Whether a user watches the statistics; the search then goes on when no other move can be chosen any more."""
    only: frozenset[int] | None = None
    """The moves to search; None for all."""
    end: float = float("inf")
    """A time of `time.monotonic` at which all work ends, also if it begins this limit again for further positions."""

    def permits(self, move: int) -> bool:
        """Whether a move may be searched."""
        return self.only is None or move in self.only

    def begin(self, stop: threading.Event | None = None) -> Deadline:
        """Begin the work now. `stop`: an event that ends it at once when set from outside."""
        return Deadline(limit=self, stop=stop)


@dataclass(slots=True, init=False)
class Deadline:
    """A limit whose time runs, handed down to all parts of the work: `Deadline(seconds=1.0)` ends in a second.

    A bot gets one for each move. `stop` is an event that ends the work at once, when set from any thread.
    """

    limit: Limit
    stop: threading.Event
    began: float

    def __init__(
        self,
        seconds: float | None = None,
        playouts: int | None = None,
        *,
        stop: threading.Event | None = None,
        limit: Limit | None = None,
        began: float | None = None,
    ) -> None:
        """Begin now. `limit` and `began` are for use inside the package.

        ValueError: a number out of range. TypeError: no number, or no event.
        """
        if not isinstance(stop, threading.Event | None):
            raise TypeError(f"stop is a threading.Event, not {stop!r}")
        if not isinstance(limit, Limit | None):
            raise TypeError(f"a limit is made of seconds and playouts, not {limit!r}")
        if limit is None:
            most = None if playouts is None else arguments.whole("playouts", playouts, 1)
            limit = Limit(None if seconds is None else arguments.seconds("seconds", seconds, endless=True), most)
        self.limit, self.stop = limit, stop or threading.Event()
        self.began = time.monotonic() if began is None else began

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the limit and the time that has passed; the copy has an event of its own, set if `stop` is set."""
        return _continued, (self.limit, self.elapsed(), self.stop.is_set())

    def limited(self, **changes: Any) -> Deadline:
        """The same deadline with other fields of its limit; the time runs on."""
        return replace(self, limit=replace(self.limit, **changes))

    def within(self, seconds: float) -> Deadline:
        """The same deadline with at most `seconds` from now on, if it has a time."""
        most = self.limit.seconds
        return self if most is None else self.limited(seconds=min(most, self.elapsed() + seconds))

    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self.began

    def restart(self) -> None:
        """Count the time from now on."""
        self.began = time.monotonic()

    def left(self) -> float:
        """Seconds that remain, at least 0; infinite without a time limit."""
        seconds, now = self.limit.seconds, time.monotonic()
        end = self.limit.end if seconds is None else min(self.limit.end, self.began + seconds)
        return max(0.0, end - now)

    def expired(self) -> bool:
        """Whether the time is over or `stop` is set."""
        return self.stop.is_set() or self.left() <= 0


def _continued(limit: Limit, elapsed: float, stopped: bool) -> Deadline:
    """Return a deadline from its pickle."""
    deadline = Deadline(limit=limit, began=time.monotonic() - elapsed)
    if stopped:
        deadline.stop.set()
    return deadline


def run_in_slices(run: Callable[[int], int], deadline: Deadline, finished: Callable[[], bool] = lambda: False) -> int:
    """Call `run(n)`, n playouts of about SLICE seconds, until the deadline or `finished`. Returns the playouts done."""
    done, count, most = 0, 16, deadline.limit.playouts
    while most is None or done < most:
        if most is not None:
            count = min(count, most - done)
        before = deadline.elapsed()
        done += run(count)
        took = deadline.elapsed() - before
        if deadline.expired() or finished():
            break
        # Never plan past the end; the first slices measure the speed of the machine.
        target = min(SLICE, deadline.left() / 2)
        count = max(1, min(2 * count, int(count * target / max(took, 1e-6))))
    return done
