"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path, mode_of: Path | None = None) -> Iterator[BinaryIO]:
    """Open a new file to write. On success, synced to disk, it replaces the file at `path`; else that file stays.

    The new file gets the permissions of `mode_of`, or of the old file, before anything is written. If `path` is a link,
    the file that it leads to is replaced. If `path` is not a regular file but, for example, a device, it is written
    directly. OSError: the file cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    path = Path(os.path.realpath(path))
    file = _new_file(path)
    unfinished = Path(file.name)
    try:
        if (model := mode_of or path).exists():
            shutil.copymode(model, unfinished)
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()  # some systems do not rename an open file
        unfinished.replace(path)
    except BaseException:
        for clean in (file.close, unfinished.unlink):
            with contextlib.suppress(OSError):
                clean()
        raise


def _new_file(path: Path) -> BinaryIO:
    """Open a new file beside a path, under a name that no other file has. OSError: with the path as its file name."""
    for number in itertools.count(1):
        try:
            return path.with_name(f"{path.name}.new{number if number > 1 else ''}").open("xb")
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = str(path)  # a caller does not know the name of the new file
            raise
    raise AssertionError  # the numbers have no end
