"""The bounded queue of input lines that were read and not yet executed.

Of a line longer than MAX_LINE bytes only the beginning is kept, enough for its id and an error. At most MAX_LINES lines
with MAX_BYTES bytes in all are queued. While the queue is full the reader does not read, so the client's writes block,
as with any full pipe; no line is dropped. Consequently `# interrupt` and the end of the input are noticed at once
unless the queue before them is full; see `protocol.Session` for what this means for a search without a time limit.
"""

from __future__ import annotations

import codecs
import threading
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

MAX_LINE: Final = 2**20
MAX_LINES: Final = 100_000
MAX_BYTES: Final = 2**24


class Line(NamedTuple):
    """One line of the input."""

    number: int
    """Counted from 1."""
    data: bytes

    @property
    def too_long(self) -> bool:
        """Whether the command is cut off; a cut comment does not matter."""
        return len(self.data) > MAX_LINE and b"#" not in self.data


def read_lines(stdin: BinaryIO) -> Iterator[bytes]:
    """Yield each line with its line end; of a line longer than MAX_LINE bytes, the first MAX_LINE + 1 bytes.

    A byte-order mark before the first line, as Windows programs write it, is left out.
    """
    first = True
    while line := stdin.readline(MAX_LINE + 1):
        line, first = line.removeprefix(codecs.BOM_UTF8) if first else line, False
        rest = line
        while len(line) > MAX_LINE and rest and not rest.endswith(b"\n"):
            rest = stdin.readline(MAX_LINE)
        yield line


class Backlog:
    """A queue bounded by lines and by bytes; one thread puts, another one gets."""

    def __init__(self, lines: int = MAX_LINES, size: int = MAX_BYTES) -> None:
        """`lines`: maximum number of lines in the queue; `size`: maximum number of bytes of all lines."""
        self._most, self._most_bytes = lines, size
        self._lines: deque[Line] = deque()
        self._bytes = 0
        self._ended = False
        self._changed = threading.Condition()

    @property
    def empty(self) -> bool:
        """Whether the queue holds neither a line nor the end of the input."""
        return not self._lines and not self._ended

    @property
    def ended(self) -> bool:
        """Whether the input has ended and all its lines were taken."""
        return self._ended and not self._lines

    def put(self, line: Line, timeout: float | None = None) -> bool:
        """Append a line; return False if there was no room for it within `timeout` seconds."""

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
        """Take the first line; return None if there was none within `timeout` seconds, or the input has ended."""
        with self._changed:
            self._changed.wait_for(lambda: not self.empty, timeout)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._bytes -= len(line.data)
            self._changed.notify_all()
            return line
