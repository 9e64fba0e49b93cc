"""A class while it is served: its changes, long work in two lanes, saving, and the streams that show it."""

from __future__ import annotations

import asyncio
import errno
import functools
import heapq
import itertools
import json
import os
import secrets
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Any, Final, Protocol, TypeVar

from ..classroom.desk import Desk
from ..classroom.room import Classroom
from ..classroom.seat import Seat
from ..tutor.session import Pace, Work
from . import view
from .results import csv_of
from .view.shapes import ChildView, Message, TeacherView, WallView

T = TypeVar("T")
News = Callable[[str], tuple[str, Message] | None]
"""Gets the version that a device has seen, "" for none; returns the new version with what has changed, or None."""
QUICK: Final = 2
"""The maximum number of moves of the engine and checks of answers at a time."""
SLOW: Final = 2
"""The maximum number of hints, explanations and reviews at a time; with QUICK this is the number of searches.

One of these places is never that of a review, so that a hint does not wait for several reviews.
"""
HIGHER: Final = -5
"""The nice value of the thread that answers."""
LOWER: Final = 5
"""The nice value of the threads for hints, explanations and reviews."""
HEARTBEAT: Final = 10.0
"""Seconds after which a quiet stream sends a sign of life, and a request for the next event is answered without one."""
PUSH: Final = 1.0
"""Seconds after an event until a sign of life: some filters hold the last piece of a stream back until the next one."""
LINGER: Final = 5.0
"""Seconds that a device still counts as here after the answer to a request for the next event."""
STREAMS: Final = 4
"""The maximum number of streams of one seat, and of one browser, which opens at most six connections to a server."""
PATIENCE: Final = 2.0
"""Seconds for which an action waits until it is saved. Then the teacher reads that nothing is saved at present."""
ELSEWHERE: Final[Message] = {"elsewhere": True}
"""The last message of a stream that gives way to one of another tab."""
ASK_AGAIN: Final = 5000
"""Milliseconds after which a page without a seat asks again whether the class lets it in."""


def set_nice(nice: int) -> None:
    """Ask the system for a share of the processor for this thread; on systems that have none for threads, nothing."""
    if sys.platform == "linux" and nice:
        with suppress(OSError):  # more than the usual share needs rights
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)


async def in_thread(call: Callable[[], None]) -> None:
    """Call a function in a thread of its own, which does not keep the program from ending, and wait for its end."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)

    def run() -> None:
        failure: BaseException | None = None
        try:
            call()
        except BaseException as error:
            failure = error
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, failure)

    threading.Thread(target=run, name="save", daemon=True).start()
    await done


class Store(Protocol):
    """Where a class is saved."""

    def write(self, state: dict[str, Any], results: str) -> None:
        """Write a state, the games in it, and the results as CSV. OSError: they cannot be written."""
        ...


class Stream:
    """A stream of events of one page."""

    def __init__(self, page: str, seat: Seat | None, device: str, tab: str) -> None:
        """`page`: the name of the page; `device`, `tab`: their names, or ""."""
        self.page, self.seat, self.device, self.tab = page, seat, device, tab
        self.owners = {("seat", seat and str(seat.number)), ("device", device)} - {("seat", None), ("device", "")}
        self.wake = asyncio.Event()
        self.is_over, self.is_elsewhere = False, False

    def end(self) -> None:
        """End the stream, after what has changed."""
        self.is_over = True
        self.wake.set()


class ViewMessages:
    """Makes the messages with whole views for one stream: with the first view in a language the words come, too."""

    def __init__(self) -> None:
        self._language = ""

    def view(self, shown: ChildView | TeacherView | WallView) -> Message:
        """Return the message of a view."""
        if shown["language"] == self._language:
            return {"view": shown}
        self._language = shown["language"]
        return {"view": shown, "words": view.page_words(self._language)}


class Lane:
    """Threads for work, whose shortest comes first. All but one may be busy with long work."""

    def __init__(self, threads: int, nice: int = 0) -> None:
        """`nice`: see `set_nice`."""
        self._executor = ThreadPoolExecutor(threads, initializer=set_nice, initargs=(nice,))
        self._threads, self._running = threads, Counter[Pace]()
        self._waiting: list[tuple[Pace, int, asyncio.Future[None]]] = []
        """Work that waits, as a heap: its pace, its number, and its turn."""
        self._numbers = itertools.count()

    async def run(self, work: Work, stop: threading.Event) -> Any:
        """Run a work when it is its turn, and return its result."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        heapq.heappush(self._waiting, (work.pace, next(self._numbers), turn))
        self._go_on()
        await turn
        try:
            return await loop.run_in_executor(self._executor, work.run, stop)
        finally:
            self._running[work.pace] -= 1
            self._go_on()

    def close(self) -> None:
        """Begin nothing any more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _go_on(self) -> None:
        while self._waiting and self._running.total() < self._threads:
            pace, _, turn = self._waiting[0]
            if pace is Pace.LONG and self._running[pace] >= self._threads - 1:
                return
            heapq.heappop(self._waiting)
            if not turn.cancelled():
                self._running[pace] += 1
                turn.set_result(None)


class Hub:
    """The hub of a class. Except `Work.run`, everything happens in the thread of the event loop."""

    def __init__(
        self,
        room: Classroom,
        door: view.Door,
        store: Store | None = None,
        look: Callable[[], view.Door] | None = None,
    ) -> None:
        """`look`: returns the door as it is now, as the machine may change to another network."""
        self.room, self.door, self._store, self._look = room, door, store, look
        self.streams: list[Stream] = []
        """The streams, the oldest first."""
        slow = Lane(SLOW, nice=LOWER)
        self.lanes = {Pace.QUICK: Lane(QUICK), Pace.SHORT: slow, Pace.LONG: slow}
        """The lanes of work, so that no move waits behind a hint."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._next_save: asyncio.Future[None] | None = None
        """Done when a state that is not read yet is written."""
        self._is_saving = False
        self.is_over = False
        self._run = secrets.token_hex(4)

    @property
    def keeps(self) -> bool:
        """Whether the class is saved."""
        return self._store is not None

    # --- Changes ---

    async def change(self, act: Callable[[], T]) -> T:
        """Do something with the class, save it, and then show it to all and do the work that follows."""
        self.room.tick(time.monotonic())
        before = self.room.count
        try:
            return act()
        finally:
            if self.room.count != before:
                await self.save()
                self._work()  # only now, or its result would be shown with this change before it is saved
                self.show()

    async def begin(self) -> None:
        """Save the class as it begins, for the word is shown before the first child comes; then do what is left."""
        await self.save()
        await self.change(lambda: None)

    def show(self) -> None:
        """Wake the streams, which send what has changed."""
        for stream in self.streams:
            stream.wake.set()

    async def watch(self) -> None:
        """Let time pass, follow the networks of this machine, and try again what could not be saved, until the end."""
        while not self.is_over:
            await asyncio.sleep(1)
            if self.room.trouble is not None and not self._is_saving:
                self.start(self.save())
            before = self.room.count
            self.room.tick(time.monotonic())
            if self._look is not None and (door := self._look()) != self.door:
                self.door = door
                self.room.mark_class_changed()
            if self.room.count != before:
                self.show()

    def close(self) -> None:
        """Show all that the class is over, and end all streams and all work."""
        self.is_over, self.room.has_ended = True, True
        self.room.mark_all_changed()
        for desk in self.room.desks:
            desk.abandon()
        for stream in self.streams:
            stream.end()
        for lane in self.lanes.values():
            lane.close()

    def start(self, coroutine: Any) -> None:
        """Run a coroutine beside the requests."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _work(self) -> None:
        if not self.is_over:
            for desk, work in self.room.work():
                self.start(self._do(desk, work))

    async def _do(self, desk: Desk, work: Work) -> None:
        try:
            result = await self.lanes[work.pace].run(work, desk.stop)
            await self.change(lambda: self.room.finish_work(desk, work, result))
        except Exception:  # a child goes on, and the person at the terminal sees what to report
            traceback.print_exc(file=sys.stderr)
            await self.change(lambda: self.room.fail(desk, work))

    async def save(self) -> None:
        """Wait until the present state is written; changes that come together are written together.

        Nobody waits for a drive that does not answer: after PATIENCE the teacher reads that nothing is saved at
        present, and until the drive answers again nothing waits for it. So what is done while the teacher does not
        read that has been written.
        """
        if self._store is None:
            return
        if self._next_save is None:
            self._next_save = asyncio.get_running_loop().create_future()
            if not self._is_saving:
                self._is_saving = True
                self.start(self._write(self._store))
        if not isinstance(self.room.trouble, TimeoutError):
            written, _ = await asyncio.wait([self._next_save], timeout=PATIENCE)
            if not written:
                self.room.complain(TimeoutError())

    async def _write(self, store: Store) -> None:
        """Write the class until nothing has changed. A failure of any kind is shown, and the next call tries again."""
        room, before = self.room, self.room.trouble
        while (saved := self._next_save) is not None:
            self._next_save = None
            trouble: Exception | None = None
            try:
                games = room.records.unwritten()
                await in_thread(functools.partial(store.write, room.state(), csv_of(room)))
                room.records.mark_written(games)
            except MemoryError:
                trouble = OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
            except Exception as error:
                trouble = error
                if not isinstance(error, OSError) and repr(error) != repr(room.trouble):
                    traceback.print_exc(file=sys.stderr)  # for the person at the terminal, to report
            if trouble is not None or self._next_save is None:  # or else what came meanwhile is not written yet
                room.complain(trouble)
            saved.set_result(None)
        self._is_saving = False
        if room.trouble is not before:
            self.show()

    # --- Streams ---

    def _open(self, stream: Stream) -> None:
        """Add a stream in the place of an older one of its tab.

        If its seat or its browser has too many, the oldest one of the page that has most gives way.
        """
        here = (other for other in self.streams if not (other.is_over and other.seat is stream.seat))
        self.streams = [*here, stream]
        for owner in stream.owners:
            same = [other for other in self.streams if owner in other.owners and not other.is_over]
            for other in same:
                if other.tab == stream.tab != "" and other is not stream:
                    other.end()  # its page has left it already
            same = [other for other in same if not other.is_over]
            if len(same) > STREAMS:
                counts = Counter(other.page for other in same)
                oldest = max(same, key=lambda other: counts[other.page])
                oldest.is_elsewhere = True
                oldest.end()
        if self.is_over:
            stream.end()

    async def events(self, stream: Stream, news: News) -> AsyncIterator[bytes]:
        """Yield the events of a stream, each with its version as id, and signs of life."""
        async with aclosing(self._changes(stream, news, "", 0.0)) as changes:
            async for seen, event in changes:
                if event is None:
                    yield b": here\n\n"
                else:
                    yield self.event(seen, event)

    def event(self, seen: str, message: Message) -> bytes:
        """Return an event of a stream, with its version."""
        return f"id: {seen}\ndata: {json.dumps(message, separators=(',', ':'))}\n\n".encode()

    async def next_event(self, stream: Stream, news: News, seen: str) -> dict[str, Any]:
        """Return the event after a version, with its own one; without an event if there is none for some time."""
        async with aclosing(self._changes(stream, news, seen, LINGER)) as changes:
            async for version, event in changes:
                return {"seen": version, "event": ELSEWHERE if stream.is_elsewhere else event}
        return {"seen": seen, "event": None}

    async def _changes(
        self, stream: Stream, news: News, seen: str, linger: float
    ) -> AsyncGenerator[tuple[str, Message | None], None]:
        """Yield versions with what has changed; None for nothing after some time."""
        self._open(stream)
        seat, loop = stream.seat, asyncio.get_running_loop()
        silent, deadline = False, loop.time() + HEARTBEAT
        try:
            if seat is not None:
                await self.change(lambda: self.room.present(seat, True))
            while True:
                stream.wake.clear()
                if (change := news(seen)) is not None:
                    seen, _ = change
                    yield change
                    deadline = loop.time() + PUSH
                elif silent:
                    yield seen, None
                    deadline = loop.time() + HEARTBEAT
                if stream.is_elsewhere:
                    yield seen, ELSEWHERE
                if stream.is_over or (seat is not None and self.room.seat_of(stream.device) is not seat):
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(deadline):
                        await stream.wake.wait()
                silent = loop.time() >= deadline
        finally:
            stream.is_over = True
            if linger and seat is not None:
                loop.call_later(linger, self._leave, stream)
            else:
                self._leave(stream)

    def _leave(self, stream: Stream) -> None:
        """Take a stream away, and if it was the last one of a child, say that the child is not here."""
        if stream in self.streams:
            self.streams.remove(stream)
        seat = stream.seat
        if seat is not None and all(other.seat is not seat for other in self.streams):
            self.room.present(seat, False)
            self.show()

    def _version(self, *parts: object) -> str:
        """Return a version as text; those of another run of the server differ."""
        return "-".join(map(str, (self._run, *parts)))

    def form(self, language: str) -> Message:
        """Return the message for a device without a seat: how to come in, and when to ask again."""
        shown = view.stranger(self.room, language)
        return {**ViewMessages().view(shown), "again": ASK_AGAIN}

    def of_child(self, device: str, language: str) -> News:
        """Return the news of a child's page; when its seat is another one's, it shows how to come in.

        `language`: of a device without a seat.
        """
        messages = ViewMessages()

        def news(seen: str) -> tuple[str, Message] | None:
            room, seat = self.room, self.room.seat_of(device)
            version = self._version(room.changed) if seat is None else self._version(seat.number, room.version(seat))
            if version == seen:
                return None
            return version, self.form(language) if seat is None else messages.view(view.child(room, seat))

        return news

    def of_wall(self) -> News:
        """Return the news of the projector's page."""
        messages = ViewMessages()

        def news(seen: str) -> tuple[str, Message] | None:
            version = self._version(self.room.wall_version())
            return None if version == seen else (version, messages.view(view.wall(self.room, self.door)))

        return news

    def of_teacher(self) -> News:
        """Return the news of the teacher's page."""
        messages = ViewMessages()

        def news(seen: str) -> tuple[str, Message] | None:
            room, version = self.room, self._version(self.room.wrong_words, self.room.count)
            run, *numbers = seen.split("-")
            wrong, before = map(int, numbers) if run == self._run else (-1, -1)
            if room.changed > before:
                return version, messages.view(view.teacher(room, self.door))
            message: Message = {}
            if seats := [view.of_seat(room, seat) for seat in room.seats.values() if seat.changed > before]:
                message["seats"], message["status"] = seats, view.status(room)
            if room.wrong_words != wrong:
                message["tries"] = view.tries(room)
            if room.teacher.changed > before:
                message["demo"], message["status"] = view.child(room, room.teacher), view.status(room)
            return (version, message) if message else None

        return news
