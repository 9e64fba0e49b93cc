"""Time control: what GTP's time commands leave for the next move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..go.vertex import BLACK, WHITE

OVERHEAD: Final = 0.05
"""Seconds kept back of a move's time for what happens between the search and the client's clock, at most."""
SHARE: Final = 1 / 5
"""The part of a move's time that is kept back, at most: under very short limits thinking is worth more."""


def thinking_time(seconds: float, overhead: float) -> float:
    """Seconds to think if the move must be with the client in so many: all but the overhead, at least four fifths."""
    return max(0.0, seconds - min(overhead, SHARE * seconds))


@dataclass(slots=True)
class _Left:
    seconds: float
    stones: int
    """Moves to make in that time, or 0 in main time."""


class Clock:
    """The clocks of both colours; runs by itself where the client does not send time_left."""

    def __init__(self, overhead: float = OVERHEAD) -> None:
        """`overhead`: seconds that a move takes beyond thinking."""
        self.overhead = overhead
        self.main = 0.0
        self.byoyomi = 0.0
        self.stones = 0
        self.limited = False
        self.by_periods = False
        """Whether byo-yomi is Japanese: a period for each move, that begins again when the move came in time."""
        self._left: dict[int, _Left] | None = None

    @property
    def running(self) -> bool:
        """Whether there is any time limit."""
        return self._left is not None

    def settings(self, main: float, byoyomi: float, stones: int) -> None:
        """GTP's time_settings: seconds of main time, then seconds for a number of stones (Canadian).

        No byo-yomi time means absolute time; byo-yomi time for no stones means no limit.
        """
        self.main, self.byoyomi, self.stones = main, byoyomi, stones
        self.by_periods = False
        self.limited = not (byoyomi > 0 and stones == 0)
        self.reset()

    def periods(self, main: float, seconds: float, count: int) -> None:
        """Japanese byo-yomi: seconds of main time, then so many periods; one is enough, so none is ever given away."""
        self.settings(main, seconds if count else 0, 1 if count else 0)
        self.by_periods = count > 0

    def reset(self) -> None:
        """A new game: both clocks are full again."""
        self._left = {color: self._full() for color in (BLACK, WHITE)} if self.limited else None

    def set_left(self, color: int, seconds: float, stones: int) -> None:
        """GTP's time_left: it is the client that knows. By periods, the stones are the periods that are left."""
        if self.by_periods:
            stones = min(stones, 1)
        if self._left is None:
            self._left = {c: self._full() for c in (BLACK, WHITE)}
        self._left[color] = _Left(seconds, stones)

    def spend(self, color: int, seconds: float) -> None:
        """A move has been made; byo-yomi starts, goes on or starts again."""
        if self._left is None:
            return
        left = self._left[color]
        left.seconds -= seconds
        if left.stones > 1:
            left.stones -= 1
        elif left.stones == 1:
            self._left[color] = _Left(self.byoyomi, self.stones) if self.stones else _Left(left.seconds, 1)
        elif left.seconds <= 0 and self.stones:
            spent = 0.0 if self.by_periods else -left.seconds  # a period begins with each move
            self._left[color] = _Left(self.byoyomi - spent, max(1, self.stones - 1))

    def left(self, color: int) -> tuple[float, int]:
        """The seconds of a colour and the stones to play in them (0: main time), as time_left says it; a clock runs."""
        assert self._left is not None
        left = self._left[color]
        return left.seconds, left.stones

    def flag(self, color: int) -> float | None:
        """Seconds until a colour has lost on time; None without a limit."""
        if self._left is None:
            return None
        left = self._left[color]
        return left.seconds + (self.byoyomi if self.stones and not left.stones else 0.0)

    def budget(self, color: int, moves_to_go: int) -> float | None:
        """Seconds to think about the next move if about so many are still to come; None without a limit."""
        if self._left is None:
            return None
        left = self._left[color]
        if left.stones:
            share = left.seconds / left.stones
        else:
            share = left.seconds / moves_to_go + (self.byoyomi / self.stones if self.stones else 0.0)
        reserve = self.byoyomi if self.stones and not left.stones else 0.0
        return thinking_time(min(share, left.seconds + reserve), self.overhead)

    def _full(self) -> _Left:
        return _Left(self.main, 0) if self.main > 0 or not self.stones else _Left(self.byoyomi, self.stones)
