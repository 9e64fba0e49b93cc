"""A live session: lines are sent and read one by one, also during a search."""

from __future__ import annotations

import queue
import subprocess
import threading
import time
from collections.abc import Callable
from types import TracebackType

from .forks import HANG, Program
from .process import end


class Live:
    """A running engine; lines of stdout are queued with their time of arrival, lines of stderr are kept in `said`."""

    def __init__(self, *options: str) -> None:
        self.process = Program(options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines: queue.Queue[tuple[float, str]] = queue.Queue()
        self.said: list[str] = []
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        keep: Callable[[str], None] = lambda line: self.lines.put((time.monotonic(), line))  # noqa: E731
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, keep), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.said.append), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream: object, keep: Callable[[str], None]) -> None:
        for line in stream:  # type: ignore[attr-defined]
            keep(line.decode().rstrip("\n"))

    def __enter__(self) -> Live:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self.process)
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, *lines: str) -> float:
        """Send lines; return the time (`time.monotonic`)."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()
        return time.monotonic()

    def line(self, timeout: float = HANG) -> str:
        """Return the next line of stdout."""
        return self.timed_line(timeout)[1]

    def timed_line(self, timeout: float = HANG) -> tuple[float, str]:
        """Return the time of arrival and the next line of stdout."""
        return self.lines.get(timeout=timeout)

    def answer(self, timeout: float = HANG) -> list[str]:
        """Return the lines of the next response."""
        found = []
        while line := self.line(timeout):
            found.append(line)
        return found

    def ask(self, line: str) -> str:
        """Send a line; return the text of its answer, which must be a success."""
        self.send(line)
        answer = "\n".join(self.answer())
        assert answer.startswith("="), f"{line}: {answer}"
        return answer.partition(" ")[2]
