"""The lines of a client that wait for their turn: how they are read, and how many are kept.

Of a line longer than MAX_LINE bytes only the beginning is kept, enough for its id and for an error. At most MAX_LINES
lines, or MAX_BYTES bytes of them, wait at a time. While there is no room the reader does not read, so the client's
writes block, as they do at any full pipe; nothing is dropped, and a script of any length is answered. It follows that
`# interrupt` and the end of the input are seen at once if less than that waits before them, and otherwise when enough
of it has been answered; `Session` says what that means for a search without an end.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

MAX_LINE: Final = 2**20
MAX_LINES: Final = 100_000
MAX_BYTES: Final = 2**24


class Line(NamedTuple):
    """One line of the client."""

    number: int
    """Counted from 1."""
    data: bytes

    @property
    def too_long(self) -> bool:
        """Whether the command is not known in full; a remark that is cut short does not matter."""
        return len(self.data) > MAX_LINE and b"#" not in self.data


def read_lines(stdin: BinaryIO) -> Iterator[bytes]:
    """Yield each line with its end; of a line longer than MAX_LINE bytes, the first MAX_LINE + 1."""
    while line := stdin.readline(MAX_LINE + 1):
        rest = line
        while len(line) > MAX_LINE and rest and not rest.endswith(b"\n"):
            rest = stdin.readline(MAX_LINE)
        yield line


class Backlog:
    """A queue of lines with room for a number of lines and of bytes; one thread puts, another one gets."""

    def __init__(self, lines: int = MAX_LINES, size: int = MAX_BYTES) -> None:
        """`size`: bytes."""
        self._most, self._most_bytes = lines, size
        self._lines: deque[Line] = deque()
        self._bytes = 0
        self._ended = False
        self._changed = threading.Condition()

    @property
    def empty(self) -> bool:
        """Whether neither a line nor the end of the input waits."""
        return not self._lines and not self._ended

    @property
    def ended(self) -> bool:
        """Whether the input is over and every line of it was taken."""
        return self._ended and not self._lines

    def put(self, line: Line, timeout: float | None = None) -> bool:
        """Append a line; False if there was no room for it within so many seconds."""

        def has_room() -> bool:
            waiting = len(self._lines)
            return not waiting or (waiting < self._most and self._bytes + len(line.data) <= self._most_bytes)

        with self._changed:
            if not self._changed.wait_for(has_room, timeout):
                return False
            self._lines.append(line)
            self._bytes += len(line.data)
            self._changed.notify_all()
            return True

    def end(self) -> None:
        """Append the end of the input."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def get(self, timeout: float) -> Line | None:
        """Take the first line; None if there was none within so many seconds, or the input is over."""
        with self._changed:
            self._changed.wait_for(lambda: not self.empty, timeout)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._bytes -= len(line.data)
            self._changed.notify_all()
            return line
