"""What bounds a search."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Limit:
    """How long a player may think about one move; whichever bound comes first ends it."""

    seconds: float | None = None
    """From the moment this object is made; None for no limit."""
    playouts: int | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    """Set from outside to ask for the move at once."""
    patient: bool = False
    """Whether a first start may take its time: nobody loses by waiting."""
    started: float = field(default_factory=time.monotonic)

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
