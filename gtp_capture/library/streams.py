"""Analysis as a stream: values that grow while a search runs in a thread of its own."""

from __future__ import annotations

import asyncio
import atexit
import threading
import weakref
from collections.abc import AsyncGenerator, Generator
from typing import Final

from ..go.game import Game
from ..go.vertex import ColorLike
from ..players.analysis import study
from ..util import arguments
from ..util.limit import Limit
from .engine import LINES, NO_LINES, Player, analysis_of
from .results import Analysis, side_of

EVERY: Final = 0.2
"""Seconds between two values, if nothing else is given."""
SHORTEST: Final = 0.01
"""Least seconds between two values."""
PATIENCE: Final = 1.0
"""Seconds to wait for the end of a stopped search. Only a search that still loads its code takes longer."""


class Stream:
    """The growing analysis of a position, from `stream`; the iterable of a `for` or an `async for` loop.

    Each loop is a search of its own, with a player of its own (up to 512 MiB), so that a loop may call `hint` and the
    other functions. It ends when the loop is left, by `break`, `return` or an error too, or by `close`.
    """

    def __init__(self, game: Game, side: int, seconds: float | None, every: float) -> None:
        """Take the arguments of `stream`, with the colour as a number."""
        self._game, self._side, self._seconds, self._every = game, side, seconds, every
        self._searches: weakref.WeakSet[_Search] = weakref.WeakSet()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the position and the options; the loops stay in this process."""
        return Stream, (self._game, self._side, self._seconds, self._every)

    def __iter__(self) -> Generator[Analysis, None, None]:
        search = self._begin()
        try:
            while (value := search.following(self._every)) is not None:
                yield value
        finally:
            search.end()

    async def __aiter__(self) -> AsyncGenerator[Analysis, None]:
        search = self._begin()
        try:  # the wait is in a thread, so that other tasks run
            while (value := await asyncio.to_thread(search.following, self._every)) is not None:
                yield value
        finally:
            search.end()

    def close(self) -> None:
        """End all loops over this stream, from any thread."""
        for search in list(self._searches):
            search.end()

    def _begin(self) -> _Search:
        search = _Search(self._game, self._side, self._seconds)
        self._searches.add(search)
        return search


def stream(game: Game, seconds: float | None = None, every: float = EVERY, *, color: ColorLike | None = None) -> Stream:
    """Analyse the position for a colour (default: the one to move), and return values that grow meanwhile.

    `seconds`: time of the search; None: until the loop is left. `every`: seconds between two values. The first value
    comes when there is a move, the last one has the lines of proven moves. The event loop of `async for` stays free.
    Source: as for `analyse`. GameError: the game is over. ValueError: not a colour, or a time below 0.
    TypeError: not a game, or not a time.
    """
    side = side_of(game, color)
    most = None if seconds is None else arguments.seconds("seconds", seconds, endless=True)
    return Stream(game.copy(), side, most, arguments.seconds("every", every))


class _Search:
    """A search in a thread, for one loop."""

    def __init__(self, game: Game, side: int, seconds: float | None) -> None:
        self._game, self._side, self._limit = game, side, Limit(seconds)
        self._player, self._stop, self._over = Player(), threading.Event(), False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        atexit.register(self.end)  # a loop that is never left would search while the interpreter ends
        self._thread.start()

    def _run(self) -> None:
        try:
            study(self._player._ready(self._game), self._game, self._side, self._limit.begin(self._stop))
        except BaseException as error:
            self._error = error

    def following(self, every: float) -> Analysis | None:
        """Wait for the next value; None after the last one, and after `end`. An error of the search is raised here.

        The last value has whole lines of proven moves; the lines of the others come from the tree.
        """
        while not self._over:
            self._thread.join(max(SHORTEST, every))
            self._over = not self._thread.is_alive()
            if self._error is not None:
                raise self._error
            if self._stop.is_set():
                return None
            value = analysis_of(self._player._player, self._game, self._side, LINES if self._over else NO_LINES)
            if value.moves or self._over:
                return value
        return None

    def end(self) -> None:
        """Stop the search and free its memory."""
        atexit.unregister(self.end)
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(PATIENCE)
        self._player.close()
