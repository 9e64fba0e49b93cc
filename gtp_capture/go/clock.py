"""Time control: the clocks of GTP's time commands, and the time budget of a move."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from .vertex import BLACK, WHITE

OVERHEAD: Final = 0.05
"""Maximum seconds reserved from a move's time for latency between search and client."""
SHARE: Final = 1 / 5
"""Maximum reserve as a share of a move's time; the smaller maximum applies."""


def thinking_time(seconds: float, overhead: float) -> float:
    """Return the seconds to search if a move has `seconds`: all but the overhead, and at least four fifths."""
    return max(0.0, seconds - min(overhead, SHARE * seconds))


@dataclass(slots=True)
class _Left:
    seconds: float
    stones: int
    """Moves to make in that time, or 0 in main time."""


class Clock:
    """The clocks of both colours. They also run without time_left, which some clients do not send."""

    def __init__(self, overhead: float = OVERHEAD) -> None:
        """`overhead`: maximum seconds to reserve from a move's time."""
        self.overhead = overhead
        self.main = 0.0
        self.byoyomi = 0.0
        self.stones = 0
        self.limited = False
        self.by_periods = False
        """Whether byo-yomi is Japanese: one period for each move, reset by a move in time."""
        self.increment, self.cap, self.per_move = 0.0, math.inf, math.inf
        """A Fischer clock: seconds that each move adds, and the maximum seconds of the clock and of a move."""
        self._left: dict[int, _Left] = {}
        """The colours that have a time limit."""

    def set_time(self, main: float, byoyomi: float, stones: int) -> None:
        """Apply GTP's time_settings: seconds of main time, then seconds for a number of stones (Canadian).

        No byo-yomi time means absolute time; byo-yomi time for no stones means no limit.
        """
        self.main, self.byoyomi, self.stones = main, byoyomi, stones
        self.by_periods = False
        self.increment, self.cap, self.per_move = 0.0, math.inf, math.inf
        self.limited = not (byoyomi > 0 and stones == 0)
        self.reset()

    def set_periods(self, main: float, seconds: float, count: int) -> None:
        """Apply Japanese byo-yomi: seconds of main time, then periods. Moves are planned to lose no period."""
        self.set_time(main, seconds if count else 0, 1 if count else 0)
        self.by_periods = count > 0

    def set_fischer(self, main: float, increment: float, cap: float = math.inf, per_move: float = math.inf) -> None:
        """Apply a Fischer clock: each move adds `increment` seconds, as long as there are at most `cap`."""
        self.set_time(main, 0, 0)
        self.increment, self.cap, self.per_move = increment, cap, per_move

    def reset(self) -> None:
        """Reset both clocks for a new game."""
        self._left = {color: self._full() for color in (BLACK, WHITE)} if self.limited else {}

    def set_left(self, color: int, seconds: float, stones: int) -> None:
        """Apply GTP's time_left, which overrides our count. With Japanese byo-yomi, `stones` are periods."""
        if self.by_periods:
            stones = min(stones, 1)
        self._left[color] = _Left(seconds, stones)

    def spend(self, color: int, seconds: float) -> None:
        """Subtract the seconds of a move; byo-yomi starts, continues or is reset."""
        if color not in self._left:
            return
        left = self._left[color]
        left.seconds = min(left.seconds - seconds + self.increment, max(self.cap, left.seconds - seconds))
        if left.stones > 1:
            left.stones -= 1
        elif left.stones == 1:
            self._left[color] = _Left(self.byoyomi, self.stones) if self.stones else _Left(left.seconds, 1)
        elif left.seconds <= 0 and self.stones:
            spent = 0.0 if self.stones == 1 else -left.seconds  # with one stone, a period begins with each move
            self._left[color] = _Left(self.byoyomi - spent, max(1, self.stones - 1))

    def left(self, color: int) -> tuple[float, int]:
        """Return the seconds and stones (0: main time) that time_left would report; there must be a time limit."""
        left = self._left[color]
        return left.seconds, left.stones

    def flag(self, color: int) -> float | None:
        """Return the seconds until a colour loses on time; None without a limit."""
        if color not in self._left:
            return None
        left = self._left[color]
        return min(left.seconds + (self.byoyomi if self.stones and not left.stones else 0.0), self.per_move)

    def budget(self, color: int, moves_to_go: int) -> float | None:
        """Return the seconds to search for the next move if about `moves_to_go` follow; None without a limit."""
        if color not in self._left:
            return None
        left = self._left[color]
        if left.stones:
            share = left.seconds / left.stones
        else:
            share = left.seconds / moves_to_go + (self.byoyomi / self.stones if self.stones else self.increment)
        reserve = self.byoyomi if self.stones and not left.stones else 0.0
        return thinking_time(min(share, left.seconds + reserve, self.per_move), self.overhead)

    def _full(self) -> _Left:
        return _Left(self.main, 0) if self.main > 0 or not self.stones else _Left(self.byoyomi, self.stones)
