"""A live session: lines are sent and read one by one, also during a search."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Callable

from .forks import HANG, Program
from .process import end


class Live:
    """A running engine; lines of stdout are queued, lines of stderr are kept in `said`."""

    def __init__(self, *options: str) -> None:
        self.process = Program(options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines: queue.Queue[str] = queue.Queue()
        self.said: list[str] = []
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines.put), daemon=True),
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

    def __exit__(self, *args: object) -> None:
        end(self.process)
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, *lines: str) -> None:
        """Send lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """Return the next line of stdout."""
        return self.lines.get(timeout=HANG)

    def answer(self) -> list[str]:
        """Return the lines of the next response."""
        return [*iter(self.line, "")]

    def ask(self, line: str) -> str:
        """Send a line; return the text of its answer, which must be a success."""
        self.send(line)
        answer = "\n".join(self.answer())
        assert answer.startswith("="), f"{line}: {answer}"
        return answer.partition(" ")[2]
