"""Bounded reading of regular files, writing of whole records, and the escape of text for a one-line message.

All files of users are read by this module.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, Final

from ..version import PROGRAM

MAX_SHOWN: Final = 300
"""Characters of a text in a message."""


class RequestError(ValueError):
    """The request cannot be met: a file, an option, an engine or a cluster cannot be used.

    The message is one printable line with the reason; a command of the terminal prints it and ends with exit code 2.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escaped(message))


class UnreadableError(ValueError):
    """The file cannot be read; the message gives the reason, and the caller adds the name of the file."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. UnreadableError: it cannot be opened, or is not regular and may never end."""
    try:
        # This is tested first, because opening a pipe waits for a writer, and opening a device may start something.
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


def read_bounded(path: Path, limit: int) -> bytes:
    """Read a regular file. UnreadableError: it is not one, or has more than `limit` bytes."""
    with open_regular(path) as file:
        return read_stream(file, limit)


def files_of(path: Path, suffix: str) -> list[Path]:
    """Return the files in a folder whose names end in a suffix, in lower or upper case, in the order of their names.

    Any other path stands for itself. UnreadableError: the folder cannot be read.
    """
    try:
        return sorted(file for file in path.iterdir() if file.suffix.lower() == suffix) if path.is_dir() else [path]
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None


def read_stream(stream: IO[bytes], limit: int) -> bytes:
    """Read a stream to its end. UnreadableError: it cannot be read, or has more than `limit` bytes."""
    try:
        data = stream.read(limit + 1)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    if len(data) > limit:
        raise UnreadableError(f"larger than {limit:,} bytes")
    return data


def write_whole(descriptor: int, data: bytes) -> None:
    """Write all of the data, with one system call if possible. OSError: a part could not be written."""
    while data:
        # If a disk is full, the first write is short and raises nothing; the next write raises the error.
        data = data[os.write(descriptor, data) :]


def printable(text: str) -> str:
    """Escape control characters and ends of lines."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def escaped(text: str) -> str:
    """Return a printable text, without the middle of one that is longer than MAX_SHOWN characters."""
    text = printable(text)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN // 2]}...{text[-MAX_SHOWN // 3 :]}"


def warn(text: str) -> None:
    """Print a line with the name of the program on stderr."""
    tell(escaped(f"{PROGRAM}: {text}"))


def tell(line: str) -> None:
    """Print a line on stderr. What cannot be written there is left out: the results matter more."""
    if sys.stderr is not None:  # otherwise `print` takes stdout
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)
