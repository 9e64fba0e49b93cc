"""The searches of sessions: a process has a few players and solvers, and lends them for single pieces of work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ..jit.warmup import Warmup
from ..players.levels import FULL
from ..players.player import Analyst, Player, PlayerSettings
from ..players.registry import DEFAULT_PLAYER, make
from ..solver.choice import solver_for
from ..teach.puzzles.examiner import NODES
from ..teach.puzzles.problem import Start
from ..teach.review.judge import SECONDS as REVIEW_SECONDS
from ..util.limit import Limit

if TYPE_CHECKING:
    from ..solver.exact import ExactSolver

T = TypeVar("T")
SECONDS: Final = 1.0
"""Default seconds for a move, a hint, or each position of an explanation."""


class Pool(Generic[T]):
    """At most `count` values in use at a time; a value that comes back waits for the next request with its key."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._idle: list[tuple[Hashable, T]] = []
        """The keys and values that are not in use, in the order in which they came back."""
        self._lock, self._free = threading.Lock(), threading.Semaphore(count)

    @contextmanager
    def lend(self, key: Hashable, make: Callable[[], T]) -> Iterator[T]:
        """Lend a value of this key, or a new one; wait while all are in use."""
        with self._free:
            with self._lock:
                place = next((n for n, (known, _) in enumerate(self._idle) if known == key), None)
                value = None if place is None else self._idle.pop(place)[1]
            if value is None:
                value = make()
            try:
                yield value
            finally:
                with self._lock:
                    self._idle.append((key, value))
                    del self._idle[: -self._count]  # so that no more than `count` are kept


class Searches:
    """The players of all levels, and the solvers of problems."""

    def __init__(
        self,
        settings: PlayerSettings,
        *,
        player: str = DEFAULT_PLAYER,
        count: int = 2,
        limit: Limit | None = None,
        review: Limit | None = None,
    ) -> None:
        """`settings`: the settings of each player. `count`: the maximum of players, and of solvers, at the same time.

        `limit`: the limit for a move, a hint, or each position of an explanation; `review`: the limit for all moves of
        a game.
        """
        self.limit, self.review = limit or Limit(SECONDS), review or Limit(REVIEW_SECONDS)
        self._settings, self._player, self._made = settings, player, 0
        self.warmup = Warmup(lambda line: None)
        """Loads the compiled search, and compiles it before if necessary; it starts with the first work."""
        self._players: Pool[Player] = Pool(count)
        self._solvers: Pool[ExactSolver] = Pool(count)

    @contextmanager
    def player(self, level: int) -> Iterator[Player]:
        """Lend a player of a level."""
        with self._players.lend(level, lambda: self._make(level)) as player:
            yield player

    @contextmanager
    def analyst(self) -> Iterator[Analyst]:
        """Lend a player of full strength for a hint, an explanation or a review."""
        with self.player(FULL) as player:
            analyst = player.as_analyst()
            assert analyst is not None, "only players with a search can explain"
            yield analyst

    @contextmanager
    def solver(self, start: Start) -> Iterator[ExactSolver]:
        """Lend the solver of problems with these rules on a board of this size."""
        key, board = (start.rules, start.width, start.height), start.game().board
        with self._solvers.lend(key, lambda: solver_for(start.rules, board, nodes=NODES)) as solver:
            yield solver

    def _make(self, level: int) -> Player:
        """Make a player. If the settings have a seed, the seeds of the players count up from it."""
        seed = self._settings.seed
        own = replace(self._settings, level=level, seed=seed if seed is None else seed + self._made)
        self._made += 1
        return make(self._player, own, self.warmup)
