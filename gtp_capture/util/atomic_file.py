"""Files that are replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path, mode_of: Path | None = None) -> Iterator[BinaryIO]:
    """Open a file to write. It replaces an older one, synced to disk, on success; on an error the older one stays.

    The file gets the permissions of `mode_of` before anything is written. A path that exists and is not a regular file,
    such as a device, is written directly. OSError: the file cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    unfinished = path.with_name(path.name + ".new")
    try:
        with unfinished.open("wb") as file:
            if mode_of is not None:
                shutil.copymode(mode_of, unfinished)
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
