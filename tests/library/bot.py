"""Bots for tests; `python -m tests.library.bot NAME` serves one."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from types import SimpleNamespace

import gtp_capture as gc


class Corner:
    """A complete bot: it plays on the first legal point."""

    name, version = "corner", "1"

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        return game.legal_moves()[0]


class Loud(Corner):
    """Prints to stdout, and changes the game that it gets."""

    name = "loud\nbot"

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        print("= A1\n")
        print("? lost", file=sys.__stdout__, flush=True)
        game.play(move := game.legal_moves()[-2])
        return move


class Wrong:
    """Returns what it was made with, or raises it."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


class Warm(Corner):
    """Analyses: the first legal point is the better the longer it looks."""

    name = "warm"

    def analyse(self, game: gc.Game, limit: gc.Deadline) -> Iterator[gc.Analysis]:
        first, second, *_ = game.legal_moves()
        for visits in (20, 30, 40):
            moves = [gc.AnalysedMove(first, 0.4 + visits / 200, visits), gc.AnalysedMove(second, 0.25, 5)]
            yield gc.Analysis.of(game, moves)


class Patient(Corner):
    """Analyses in an asynchronous generator, and says when it is closed."""

    name = "patient"

    async def analyse(self, game: gc.Game, limit: gc.Deadline) -> AsyncIterator[gc.Analysis]:
        try:
            for visits in (20, 30):
                yield gc.Analysis.of(game, [gc.AnalysedMove("A1", 0.5, visits)])
                await asyncio.sleep(0)
            await asyncio.get_running_loop().create_future()
        finally:
            print("closed", file=sys.stderr, flush=True)


class Endless(Corner):
    """Never answers."""

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        threading.Event().wait()
        raise AssertionError


class Stubborn(Corner):
    """Says on stderr that it begins to think, never answers, and cannot be stopped by an exception."""

    def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        print("thinking", file=sys.stderr, flush=True)
        while True:
            with suppress(BaseException):
                threading.Event().wait()

    analyse = choose


class Waiting:
    """Chooses in a coroutine, always in the same event loop; its second move waits for ever."""

    def __init__(self) -> None:
        self.loops: set[object] = set()
        self.calls = 0
        self.waits, self.cancelled = threading.Event(), threading.Event()

    async def load(self) -> None:
        self.loops.add(asyncio.get_running_loop())

    async def choose(self, game: gc.Game, limit: gc.Deadline) -> str:
        self.loops.add(asyncio.get_running_loop())
        self.calls += 1
        if self.calls == 1 and game.size == (3, 3):
            return game.legal_moves()[0]
        print("thinking", file=sys.stderr, flush=True)
        self.waits.set()
        try:
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


class Liar(Corner):
    """Returns something else than an analysis of the position, each time another thing."""

    name = "liar"

    def __init__(self) -> None:
        move = gc.AnalysedMove
        self.answers: list[object] = [5, None, "A1", [7], SimpleNamespace(moves=5)]
        wrong = "A1", move("Z9"), move("A1", line=("Z9",)), move("resign")
        self.answers += [SimpleNamespace(moves=[value]) for value in wrong]

    def analyse(self, game: gc.Game, limit: gc.Deadline) -> object:
        return self.answers.pop(0)


BOTS: dict[str, gc.Bot] = {
    "corner": Corner(),
    "loud": Loud(),
    "warm": Warm(),
    "stubborn": Stubborn(),
    "waiting": Waiting(),
    "liar": Liar(),
    "patient": Patient(),
    "occupied": Wrong("A1"),
    "number": Wrong(5),
    "nonsense": Wrong("Z99"),
    "error": Wrong(ZeroDivisionError("a\nb")),
    "exit": Wrong(SystemExit(3)),
}

if __name__ == "__main__":
    gc.serve(BOTS[sys.argv[1]], size=4)
    print("served")
