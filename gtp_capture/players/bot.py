"""Bots: objects of other programs that choose moves, as players of a session.

The moves of a bot are checked before they are played, and an error of a bot becomes one line that names the bot.
"""

from __future__ import annotations

import math
import threading
import traceback
import weakref
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..go.game import Game
from ..go.vertex import RESIGN
from ..util.files import RequestError, escaped
from ..util.limit import Deadline, Terminated
from .analysis import LEAST_VISITS, AnalysedMove
from .player import Decision, Player

if TYPE_CHECKING:
    import asyncio

LONGEST_NAME: Final = 60
"""Characters of a name or a version that are shown."""
LAST_SECONDS: Final = 0.5
"""Seconds to wait for the end of an event loop."""
POLL: Final = 0.05
"""Seconds between two looks at the stop event while a coroutine runs."""
SHOWN: Final = 200
"""Characters of a wrong answer that are shown."""


class Bot(Protocol):
    """What `serve`, `play_match` and the entry points `gtp_capture.players` take; no base class is needed.

    A method may be a coroutine (`async def`), and `analyse` an asynchronous generator; all calls of a bot are awaited
    in one event loop, and cancelled when the session or the match ends the move.
    Optional: the attributes `name` and `version` (texts); `analyse(game, limit)` or `analyze`, which returns an
    `Analysis`, or yields several until `limit.expired()`, each with more visits: with it a session has the `analyze`
    commands and Sabaki's heat map; and `load()`, which sessions and `play_match` call at each start, for work that
    would delay the first move.
    """

    def choose(self, game: Game, limit: Deadline) -> str | Awaitable[str]:
        """Return a vertex such as "C3", "pass" or "resign" for the colour to move in a game that is not over.

        The game is a copy, which may be changed. The time for the move is `limit.left()` (s), infinite without a clock.
        """
        ...


class BotError(RequestError):
    """A bot cannot be loaded, raised an error, or returned something that is not a legal move."""


class BotStoppedError(BotError):
    """A coroutine of a bot was cancelled, because the session or the match needs no answer."""


class BotPlayer(Player):
    """Lets a bot choose the moves of a session."""

    def __init__(self, bot: Any, notify: Callable[[str], None]) -> None:
        """`notify`: gets the tracebacks of the bot. TypeError: see `check_bot`."""
        check_bot(bot)
        self.bot, self._notify = bot, notify
        self.name = _text(getattr(bot, "name", "")) or type(bot).__name__.lower()
        self.version = _text(getattr(bot, "version", ""))
        self._analyse: Any = getattr(bot, "analyse", None) or getattr(bot, "analyze", None)
        self.has_analysis = callable(self._analyse)
        self._latest: tuple[Game, int, list[AnalysedMove]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = threading.Lock()

    def load(self) -> None:
        """See Player. BotError: the bot fails."""
        if callable(load := getattr(self.bot, "load", None)):
            with _Errors(self.name, self._notify):
                self._awaited(load(), threading.Event())

    def choose(self, game: Game, color: int, limit: Deadline) -> Decision:
        """See Player. BotError: it has not chosen a legal move."""
        with _Errors(self.name, self._notify):
            chosen = self._awaited(self.bot.choose(_to_move(game, color), limit), limit.stop)
            return Decision(self._point(game, color, chosen))

    def _awaited(self, value: Any, stop: threading.Event) -> Any:
        """Return a value, or what an awaitable gives. BotStoppedError: it was cancelled, because `stop` is set."""
        if not isinstance(value, Awaitable):
            return value
        import asyncio

        async def result() -> Any:
            return await value

        with self._starting:  # a session loads the bot in another thread
            self._loop = self._loop or _begin_loop(self)
        future = asyncio.run_coroutine_threadsafe(result(), self._loop)
        try:
            while not (stop.is_set() or wait([future], POLL).done):
                pass
        finally:
            future.cancel()  # if it is not done
        if future.cancelled():
            raise BotStoppedError(f"{self.name} was stopped before it had a move")
        return future.result()

    def _point(self, game: Game, color: int, move: object) -> int:
        if not isinstance(move, str):
            raise BotError(f"{self.name} returned {repr(move)[:SHOWN]}, not a vertex, pass or resign")
        if move.lower() == "resign":
            return RESIGN
        try:
            point = game.point(move)
        except ValueError as error:
            raise BotError(f"{self.name} returned {repr(move)[:SHOWN]}: {str(error)[:SHOWN]}") from None
        if (reason := game.why_illegal_point(point, color)) is not None:
            raise BotError(f"{self.name} chose {game.vertex(point)}: {reason}")
        return point

    def study(self, game: Game, color: int, limit: Deadline) -> None:
        """Let the bot analyse a position until it ends or the limit is reached; `analyses` returns its last analysis.

        BotError: the bot has not returned an analysis of this position.
        """
        self._latest = None
        with suppress(BotStoppedError), _Errors(self.name, self._notify):  # the end of an analysis is no error
            for analysis in self._several(self._analyse(_to_move(game, color), limit), limit.stop):
                moves = getattr(analysis, "moves", None)
                if not isinstance(moves, Iterable):
                    raise BotError(f"{self.name} returned {repr(analysis)[:SHOWN]}, not an Analysis")
                self._latest = game, color, [self._analysis(game, color, move) for move in moves]
                if limit.expired():
                    break
        limit.stop.wait(limit.left() if math.isfinite(limit.left()) else None)

    def _several(self, answer: Any, stop: threading.Event) -> Iterator[Any]:
        """Yield one analysis, or each of several, also of a coroutine or an asynchronous generator."""
        if isinstance(answer, AsyncIterable):
            each, end = aiter(answer), object()
            while (analysis := self._awaited(anext(each, end), stop)) is not end:
                yield analysis
            return
        analysis = self._awaited(answer, stop)
        several = isinstance(analysis, Iterable) and not isinstance(analysis, str) and not hasattr(analysis, "moves")
        yield from analysis if several else [analysis]

    def analyses(self, game: Game, color: int, only: frozenset[int] | None) -> list[AnalysedMove]:
        """Return the moves of the position that `study` analyses, in the order of the bot."""
        if self._latest is None or self._latest[:2] != (game, color):
            return []
        return [move for move in self._latest[2] if only is None or game.point(move.move) in only]

    def _analysis(self, game: Game, color: int, move: Any) -> AnalysedMove:
        try:
            line = tuple(game.vertex(game.point(vertex)) for vertex in (move.line or (move.move,)))
            winrate, prior = (min(1.0, max(0.0, float(rate))) for rate in (move.winrate, move.prior))
            visits, vertex = max(LEAST_VISITS, int(move.visits)), game.vertex(game.point(move.move))
            analysed = AnalysedMove(vertex, winrate, visits, prior, move.proof, line, (visits,) * len(line))
        except (AttributeError, LookupError, TypeError, ValueError, ArithmeticError):
            raise BotError(f"{self.name} returned {repr(move)[:SHOWN]}, not an AnalysedMove of this board") from None
        self._point(game, color, move.move)
        return analysed


def _begin_loop(owner: object) -> asyncio.AbstractEventLoop:
    """Return an event loop that runs in a thread of its own as long as its owner exists."""
    import asyncio

    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        over = asyncio.Event()
        begun.set_result((asyncio.get_running_loop(), over))
        await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="bot", daemon=True)
    thread.start()
    loop, over = begun.result()

    def end() -> None:
        loop.call_soon_threadsafe(over.set)
        if threading.current_thread() is not thread:
            thread.join(LAST_SECONDS)  # it cancels what is left

    weakref.finalize(owner, end)
    return loop


def check_bot(value: object) -> None:
    """Check that a value is a bot. TypeError: it has no method `choose`, or it is a class, not an object of one."""
    if isinstance(value, type) or not callable(getattr(value, "choose", None)):
        raise TypeError(f"a bot is an object with a method choose(game, limit), not {value!r}")


class _Errors:
    """Turns an error of a bot into a BotError, and prints its traceback. SystemExit is an error of a bot too."""

    def __init__(self, name: str, notify: Callable[[str], None]) -> None:
        self._name, self._notify = name, notify

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception | SystemExit) and not isinstance(error, BotError | Terminated):
            self._notify(traceback.format_exc().rstrip())
            said = f": {error}" if str(error) else ""
            raise BotError(f"{self._name} failed: {type(error).__name__}{said}") from None


def _to_move(game: Game, color: int) -> Game:
    """Return a copy of a game with this colour to move."""
    copied = game.copy()
    if int(copied.to_move) != color:
        copied.set_to_move(color)
    if copied.is_over:  # a client may go on after two passes, for example
        copied.go_on()
    return copied


def _text(value: object) -> str:
    """Return a text in one printable line."""
    words = " ".join(str(value).split())
    return escaped(words)[:LONGEST_NAME].strip()
