"""How much memory and how many threads a search can have in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

MEBIBYTE: Final = 2**20
SPARE: Final = 64 * MEBIBYTE
"""What stays free for everything that is allocated later."""
PER_THREAD: Final = 2 * 72 * MEBIBYTE
"""What a thread of the search and one of the solver reserve: a stack, and an area that the C library allocates from."""
LEAST: Final = 16 * MEBIBYTE
"""What is always tried: with less, no search is of use."""
STEP: Final = 8
"""A size that is too large is made smaller by this part of itself."""


class Room(NamedTuple):
    """What a search may use."""

    memory: int
    """Bytes."""
    threads: int


def affordable(memory: int, threads: int, say: Callable[[str], None]) -> Room:
    """Return what is asked for, or the most below it that the process can get; less is said in a line for each.

    Nothing is written, so this takes no time and finds only limits that count what is reserved: `ulimit -v`, Windows.
    """
    room = Room(memory, threads)
    while room.threads > 1 and not _fits(Room(LEAST, room.threads)):
        room = room._replace(threads=room.threads - 1)
    while room.memory > LEAST and not _fits(room):
        room = room._replace(memory=max(LEAST, room.memory - room.memory // STEP))
    if room.memory < memory:
        say(f"memory: {room.memory // MEBIBYTE} of {memory // MEBIBYTE} MiB")
    if room.threads < threads:
        say(f"threads: {room.threads} of {threads}")
    return room


def _fits(room: Room) -> bool:
    threads = room.threads * PER_THREAD if room.threads > 1 else 0  # one needs no thread of its own
    try:
        np.empty(SPARE + threads + room.memory, np.uint8)
    except MemoryError:
        return False
    return True
