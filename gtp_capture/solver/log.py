"""Append-only logs: a line for each record, written at once, so that a run that was killed loses no record.

A line is the CRC-32 of the record as eight hexadecimal digits, a space, the record as JSON, and a line feed. The CRC
continues that of the line before, so a record that is missing, moved or repeated is found too. The first record is the
header: FORMAT, and what the log is about.

A process that is killed while it writes leaves the beginning of a line at the end of the file. This is not damage: the
rest after the last line feed is ignored, and cut off before the next record is written. Anything else that the format
does not permit is damage, and the file stays as it is.
"""

from __future__ import annotations

import errno
import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from ..util.files import RequestError, UnreadableError, open_regular, write_whole

FORMAT: Final = "gtp-capture solve log 2"
OLD_FORMAT: Final = "gtp-capture solve log 1"
"""With the results of jobs, see `checkpoint`; new records are appended to such a file."""
_OLD_TABLE: Final = b"gtp-capture solver table"
"""How the dumps of the whole table began that earlier versions made."""
LINE: Final = 100_000
"""Maximum bytes of a line."""
SYNC_SECONDS: Final = 1.0
"""Seconds between two syncs to disk. A killed process loses nothing; a power failure loses at most these."""
_START: Final = len(b"01234567 ")


class LogError(RequestError, ValueError):
    """The file cannot be used as this log; the message gives the reason in one line."""


class Log:
    """A log in a file, which is locked until `close`."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        """Lock the file. LogError: another process uses it, or it cannot be locked."""
        self.path, self._about = path, about
        self._crc, self._end, self._synced, self._descriptor = 0, 0, time.monotonic(), -1
        self._lock = FileLock(f"{path}.lock")
        try:
            if path.exists():
                open_regular(path).close()
            elif not path.parent.is_dir():  # the lock would create it
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self._lock.acquire(timeout=0)
        except UnreadableError as error:
            raise LogError(f"{path}: {error}") from None
        except Timeout:
            raise LogError(f"{path} is in use by another run") from None
        except (OSError, NotImplementedError) as error:
            raise LogError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records of the file, if it exists, without the header. LogError: another log, or damaged."""
        if not self.path.exists():
            return
        try:
            with open_regular(self.path) as file:
                for number, line in enumerate(iter(lambda: file.readline(LINE), b""), 1):
                    if not line.endswith(b"\n") and len(line) < LINE:
                        self._check_rest(number, line)
                        return
                    record = self._record(line, number)
                    self._crc, self._end = int(line[: _START - 1], 16), self._end + len(line)
                    if number == 1:
                        self._compare(record)
                    else:
                        yield record
        except (UnreadableError, OSError) as error:
            raise LogError(f"{self.path}: {error}") from None

    def begin(self) -> None:
        """Open the file for appending, after the last whole record of `records`. LogError: it cannot be written."""
        try:
            flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self.path, flags, 0o666)
            os.ftruncate(self._descriptor, self._end)
            os.lseek(self._descriptor, self._end, os.SEEK_SET)
        except OSError as error:
            raise LogError(f"{self.path}: {error.strerror}") from None
        if self._end == 0:
            self.append({"format": FORMAT, **self._about})

    def append(self, record: dict[str, Any]) -> None:
        """Write a record, with one system call if possible. LogError: it cannot be written; the file has none of it."""
        line, crc = _line(record, self._crc)
        try:
            write_whole(self._descriptor, line)
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self._sync()
        except OSError as error:
            os.ftruncate(self._descriptor, self._end)
            os.lseek(self._descriptor, self._end, os.SEEK_SET)
            raise LogError(f"{self.path}: {error.strerror}") from None
        self._crc, self._end = crc, self._end + len(line)

    def close(self) -> None:
        """Sync the file to disk and unlock it."""
        if self._descriptor >= 0:
            self._sync()
            os.close(self._descriptor)
            self._descriptor = -1
        self._lock.release()

    def _sync(self) -> None:
        os.fsync(self._descriptor)
        self._synced = time.monotonic()

    def _record(self, line: bytes, number: int) -> dict[str, Any]:
        """Return the record of a whole line. LogError: the line is damaged."""
        content = line[_START:-1]
        if line[:_START] != b"%08x " % zlib.crc32(content, self._crc) or not line.endswith(b"\n"):
            if number == 1:
                raise self._not_a_log(line)
            raise LogError(f"{self.path} is damaged: line {number} is not what was written")
        try:
            record = json.loads(content)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise LogError(f"{self.path} is damaged: line {number} is not a record")
        return record

    def _check_rest(self, number: int, rest: bytes) -> None:
        """Accept what a killed process may leave at the end. LogError: it is something else."""
        header, _ = _line({"format": FORMAT, **self._about}, 0)
        if number == 1 and not header.startswith(rest):
            raise self._not_a_log(rest)
        # A whole record with another byte in place of the line feed was not left by a killed process.
        content = rest[_START:-1]
        if number > 1 and rest[:_START] == b"%08x " % zlib.crc32(content, self._crc):
            raise LogError(f"{self.path} is damaged: line {number} is not what was written")

    def _not_a_log(self, line: bytes) -> LogError:
        if line.startswith(_OLD_TABLE):
            return LogError(f"{self.path} is a table of an earlier version: give the name of a new file for the log")
        return LogError(f"{self.path} is not a log of solve")

    def _compare(self, header: dict[str, Any]) -> None:
        """Compare the header. LogError: the log is about something else."""
        if header.get("format") not in (FORMAT, OLD_FORMAT):
            raise LogError(f"{self.path} has another format than this version writes")
        for name, ours in self._about.items():
            if header.get(name) != ours:
                raise LogError(f"{self.path} is the log of another position: {name} is {header.get(name)}, not {ours}")


def _line(record: dict[str, Any], crc: int) -> tuple[bytes, int]:
    """Return the line of a record after a line with this CRC, and its own CRC."""
    content = json.dumps(record, separators=(",", ":")).encode()
    crc = zlib.crc32(content, crc)
    return b"%08x %s\n" % (crc, content), crc
