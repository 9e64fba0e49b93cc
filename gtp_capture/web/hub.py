"""A class while it is served: its changes, long work in two lanes, saving, and the streams that show it."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeVar

from ..classroom import view
from ..classroom.results import csv_of
from ..classroom.room import Classroom
from ..classroom.seat import Seat
from ..classroom.table import Table
from ..tutor.reply import Work

T = TypeVar("T")
QUICK: Final = 2
"""The maximum number of moves of the engine and checks of answers at a time."""
SLOW: Final = 2
"""The maximum number of hints, explanations and reviews at a time; with QUICK this is the number of searches."""
HEARTBEAT: Final = 15.0
"""Seconds after which a quiet stream sends a sign of life."""
STREAMS: Final = 4
"""The maximum number of streams of one seat; a further stream ends the oldest one."""
MOST_STREAMS: Final = 250


class Store(Protocol):
    """Where a class is saved."""

    def write(self, state: dict[str, Any], games: dict[int, bytes], results: str) -> None:
        """Write a state, games that are over as SGF, and the results as CSV. OSError: they cannot be written."""
        ...


class Stream:
    """A stream of events of one device."""

    def __init__(self) -> None:
        self.wake = asyncio.Event()
        self.is_over = False

    def end(self) -> None:
        """End the stream, after what has changed."""
        self.is_over = True
        self.wake.set()


class _Whole:
    """Makes the messages with whole views for one stream: a view in a language that is new there has the words too."""

    def __init__(self) -> None:
        self._language = ""

    def view(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Return the message of a view."""
        if shown["language"] == self._language:
            return {"view": shown}
        self._language = shown["language"]
        return {"view": {**shown, "words": view.page_words(self._language)}}


class Hub:
    """The hub of a class. Except `Work.run`, everything happens in the thread of the event loop."""

    def __init__(self, room: Classroom, address: str, code: str, store: Store | None = None) -> None:
        self.room, self.address, self.code, self._store = room, address, code, store
        self.streams: dict[Stream, int | None] = {}
        """The streams, the oldest first, with the number of their seat."""
        self.lanes = {slow: ThreadPoolExecutor(SLOW if slow else QUICK) for slow in (False, True)}
        """The executors of work, by whether the work is slow, so that no move waits behind a hint."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._next_save: asyncio.Future[None] | None = None
        """Done when a state that is not read yet is written."""
        self._is_saving = False
        self.is_over = False

    # --- Changes ---

    async def change(self, act: Callable[[], T]) -> T:
        """Do something with the class, save it, and then show it to all and do the work that follows."""
        self.room.tick(time.monotonic())
        before = self.room.count
        try:
            return act()
        finally:
            if self.room.count != before:
                await self._save()
                self._work()  # only now, or its result would be shown with this change before it is saved
                self.show()

    async def begin(self) -> None:
        """Save the class as it begins, for the word is shown before the first child comes; then do what is left."""
        await self._save()
        await self.change(lambda: None)

    def show(self) -> None:
        """Wake the streams, which send what has changed."""
        for stream in self.streams:
            stream.wake.set()

    async def watch(self) -> None:
        """Let time pass for the class, until the server ends."""
        while not self.is_over:
            await asyncio.sleep(1)
            before = self.room.count
            self.room.tick(time.monotonic())
            if self.room.count != before:
                self.show()

    def close(self) -> None:
        """End all streams and all work."""
        self.is_over = True
        for table in self.room.tables:
            table.abandon()
        for stream in self.streams:
            stream.end()
        for lane in self.lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)

    def start(self, coroutine: Any) -> None:
        """Run a coroutine beside the requests."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _work(self) -> None:
        if not self.is_over:
            for table, work in self.room.work():
                self.start(self._do(table, work))

    async def _do(self, table: Table, work: Work) -> None:
        try:
            result = await asyncio.get_running_loop().run_in_executor(self.lanes[work.slow], work.run, table.stop)
            await self.change(lambda: self.room.deliver(table, work, result))
        except Exception:  # a child goes on, and the person at the terminal sees what to report
            traceback.print_exc(file=sys.stderr)
            await self.change(lambda: self.room.fail(table, work))

    async def _save(self) -> None:
        """Wait until the present state is written; changes that come together are written together."""
        if self._store is None:
            return
        if self._next_save is None:
            self._next_save = asyncio.get_running_loop().create_future()
            if not self._is_saving:
                self._is_saving = True
                self.start(self._write(self._store))
        await asyncio.shield(self._next_save)

    async def _write(self, store: Store) -> None:
        while (saved := self._next_save) is not None:
            self._next_save, content = None, (self.room.state(), self.room.records.to_write(), csv_of(self.room))
            try:
                await asyncio.to_thread(store.write, *content)
            except OSError as error:
                self.room.complain(error.strerror or str(error))
            saved.set_result(None)
        self._is_saving = False

    # --- Streams ---

    def _open(self, seat: Seat | None) -> Stream:
        """Return a new stream, of a seat or of another page; too many of one seat end the oldest."""
        stream, number = Stream(), None if seat is None else seat.number
        same = [other for other, owner in self.streams.items() if owner == number]
        if seat is not None and len(same) >= STREAMS:
            same[0].end()
        self.streams[stream] = number
        return stream

    async def events(self, seat: Seat | None, news: Callable[[], Any]) -> AsyncIterator[bytes]:
        """Yield the events of a device. `news`: returns what has changed, or all the first time; None for nothing."""
        stream, silent = self._open(seat), False
        try:
            if seat is not None:
                await self.change(lambda: self.room.present(seat, True))
            while True:
                stream.wake.clear()
                found = news()
                if found is not None:
                    yield f"id: {self.room.count}\ndata: {json.dumps(found, separators=(',', ':'))}\n\n".encode()
                elif silent:
                    yield b": here\n\n"
                if stream.is_over:
                    return
                silent = False
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await stream.wake.wait()
                except TimeoutError:
                    silent = True
        finally:
            del self.streams[stream]
            if seat is not None and seat.number not in self.streams.values():
                self.room.present(seat, False)
                self.show()

    def of_child(self, key: str, language: str) -> Callable[[], Any]:
        """Return the news of a child's page; without a seat, or when it was removed, it shows how to come in.

        `language`: of a device without a seat.
        """
        seen: list[Any] = [None]
        whole = _Whole()

        def news() -> Any:
            room, seat = self.room, self.room.seat_of(key)
            version = (room.changed,) if seat is None else (seat.number, room.version(seat))
            if version == seen[0]:
                return None
            seen[0] = version
            return whole.view(view.stranger(room, language) if seat is None else view.child(room, seat))

        return news

    def of_wall(self) -> Callable[[], Any]:
        """Return the news of the projector's page."""
        seen, whole = [-1], _Whole()

        def news() -> Any:
            version = self.room.wall_version()
            if version == seen[0]:
                return None
            seen[0] = version
            return whole.view(view.wall(self.room, self.address, self.code))

        return news

    def of_teacher(self) -> Callable[[], Any]:
        """Return the news of the teacher's page."""
        seen, whole = [-1], _Whole()

        def news() -> Any:
            room, (before,) = self.room, seen
            seen[0] = room.count
            if room.changed > before:
                return whole.view(view.teacher(room, self.address, self.code))
            found: dict[str, Any] = {}
            if seats := [view.of_seat(room, seat) for seat in room.seats.values() if seat.changed > before]:
                found["seats"] = seats
            if room.teacher.changed > before:
                found["demo"] = view.child(room, room.teacher)
            return found or None

        return news
