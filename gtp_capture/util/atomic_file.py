"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

NO_SYNC: Final = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES)
"""The errors of file systems that do not sync a folder."""


@contextmanager
def atomic_write(path: Path, mode_of: Path | None = None, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a new file to write. On success, synced to disk, it replaces the file at `path`; else that file stays.

    The new file gets the permissions of `mode_of`, or of the old file, before anything is written; with `private` no
    other account may read it. If `path` is a link, the file that it leads to is replaced. If `path` is not a regular
    file but, for example, a device, it is written directly. OSError: the file cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    path = Path(os.path.realpath(path))
    file = _new_file(path, 0o600 if private else 0o666)
    unfinished = Path(file.name)
    try:
        if not private and (model := mode_of or path).exists():
            shutil.copymode(model, unfinished)
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()  # some systems do not rename an open file
        unfinished.replace(path)
        sync_folder(path.parent)
    except BaseException:
        for clean in (file.close, unfinished.unlink):
            with contextlib.suppress(OSError):
                clean()
        raise


def sync_folder(path: Path) -> None:
    """Sync the names in a folder to disk, so that a loss of power undoes no renaming. OSError: it cannot be synced.

    Systems and drives on which a folder cannot be opened or synced do so by themselves.
    """
    try:
        folder = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in NO_SYNC:
            raise
    finally:
        os.close(folder)


def unfinished_files(folder: Path, name: str) -> list[Path]:
    """Return the new files that writing files of these names (a pattern) has left behind when it was killed.

    OSError: the folder cannot be read.
    """
    names = re.compile(rf"(?:{name})\.new\d*", re.ASCII)
    return [path for path in folder.iterdir() if names.fullmatch(path.name)]


def _new_file(path: Path, mode: int) -> BinaryIO:
    """Open a new file beside a path, under a name that no other file has. OSError: with the path as its file name."""
    for number in itertools.count(1):
        new = path.with_name(f"{path.name}.new{number if number > 1 else ''}")
        try:
            return open(new, "xb", opener=lambda name, flags: os.open(name, flags, mode))
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = str(path)  # a caller does not know the name of the new file
            raise
    raise AssertionError  # the numbers have no end
