"""Files written whole or not at all, and files of others read within a bound."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final

SHOWN: Final = 300
"""Characters of a message at most."""


class UnreadableError(ValueError):
    """The file cannot be read; the message says why, and the caller names the file."""


def regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. UnreadableError: anything else; a device or a pipe may never end."""
    try:
        # Before it is opened: opening a pipe waits for a writer, and opening a device may start something.
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableError(os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise UnreadableError("not a regular file")
        return path.open("rb")
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    except ValueError as error:  # a NUL in the name
        raise UnreadableError(str(error)) from None


def read(path: Path, most: int) -> bytes:
    """The content of a regular file. UnreadableError: not one, or it has more than `most` bytes."""
    with regular(path) as file:
        return bounded(file, most)


def bounded(file: IO[bytes], most: int) -> bytes:
    """Read a stream to its end. UnreadableError: it cannot be read, or has more than `most` bytes."""
    try:
        data = file.read(most + 1)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    if len(data) > most:
        raise UnreadableError(f"larger than {most:,} bytes")
    return data


def printable(text: str) -> str:
    """A text of any origin as part of one line: shortened, and escaped where it has control characters."""
    text = text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}...{text[-SHOWN // 3 :]}"


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of an older one once it is whole; else that one stays as it was.

    What is no plain file, as a device, is written to directly. OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    unfinished = path.with_name(path.name + ".new")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
