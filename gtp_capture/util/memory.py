"""The memory and the threads that a search can have in this process."""

from __future__ import annotations

import ctypes
import errno
import mmap
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

MEBIBYTE: Final = 2**20
SPARE: Final = 64 * MEBIBYTE
"""Bytes that stay free for later allocations."""
PER_THREAD: Final = 2 * 72 * MEBIBYTE
"""Bytes that a search thread and a solver thread reserve: for each a stack, and an arena of the C library."""
LEAST: Final = 16 * MEBIBYTE
"""Minimum bytes, tried in any case; a search does not work with less."""
STEP: Final = 8
"""A size that does not fit is reduced by 1/STEP of itself."""


SHORTAGE: Final = "not enough memory"
"""The message of an error that `is_shortage` recognises."""
_MESSAGES: Final = ("failed to map segment", "cannot allocate memory", "can't start new thread")
"""Parts of the messages about a shared library or a thread for which there is no memory."""


def require(size: int) -> None:
    """Check that a number of bytes can be reserved. MemoryError: the process cannot get this much."""
    _reserved(max(size, 1)).close()  # 0 is no length of a map


def is_shortage(error: BaseException | None) -> bool:
    """Return whether an error, or one that led to it, means that the process got no memory.

    Allocations raise MemoryError, and system calls OSError. If there is no memory for a library, such as LLVM, its
    import raises ImportError or OSError; if there is none for a thread, its start raises RuntimeError.
    """
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, OSError | ImportError | RuntimeError) and any(words in str(error) for words in _MESSAGES):
            return True
        error = error.__cause__ or error.__context__
    return False


class Allocation(NamedTuple):
    """The memory and threads that a search may use."""

    memory: int
    """Bytes."""
    threads: int


def affordable(memory: int, threads: int, notify: Callable[[str], None]) -> Allocation:
    """Return the requested allocation, or the largest below it that the process can get.

    `notify` gets one line for memory and one for threads if there is less than requested. Nothing is written to the
    memory, so this is fast and detects only limits on reserved address space: `ulimit -v`, and Windows.
    """
    allocation = Allocation(memory, threads)
    while allocation.threads > 1 and not _fits(Allocation(LEAST, allocation.threads)):
        allocation = allocation._replace(threads=allocation.threads - 1)
    while allocation.memory > LEAST and not _fits(allocation):
        allocation = allocation._replace(memory=max(LEAST, allocation.memory - allocation.memory // STEP))
    if allocation.memory < memory:
        notify(f"memory: {allocation.memory // MEBIBYTE} of {memory // MEBIBYTE} MiB")
    if allocation.threads < threads:
        notify(f"threads: {allocation.threads} of {threads}")
    return allocation


def sparse_zeros(count: int, dtype: Any, *, large_pages: bool = False) -> Any:
    """Return an array of `count` zeros, whose memory the system provides at its first use and gets back at its end.

    The array begins at a page. The C library would not give the memory of a freed array back if other memory follows.
    `large_pages`: pages of 2 MiB, where the system has them. The first use of such a page takes 0.1 ms, or 5 ms in a
    virtual machine that has to get it from its host, and a tree with several arrays needs several pages for its first
    nodes. Uniform access to a whole array is slower with normal pages. MemoryError: the system has less memory.
    """
    import numpy as np

    memory = _reserved(count * np.dtype(dtype).itemsize)
    if sys.platform == "linux":
        with suppress(OSError):  # a kernel without large pages
            memory.madvise(mmap.MADV_HUGEPAGE if large_pages else mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, dtype)


def _reserved(size: int) -> mmap.mmap:
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, size)
        return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # not shared with other processes
    except (OSError, OverflowError) as error:
        raise MemoryError(str(error)) from error


def forget_code(library: str) -> None:
    """Release the pages that hold the code of a shared library (Linux only).

    Loading LLVM and the machine code of kernels uses most of LLVM's code once: 51 MiB that a session does not need
    again. Pages of code are never written, so the system can read a page again if it is used after all.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError, ValueError):
        release = ctypes.CDLL(None).madvise
        release.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        with Path("/proc/self/maps").open(encoding="utf-8", errors="replace") as file:
            for line in file:
                place, rights, *_, name = line.split(maxsplit=5)
                if rights == "r-xp" and library in name.rpartition("/")[2]:
                    start, end = (int(number, 16) for number in place.split("-"))
                    release(start, end - start, mmap.MADV_DONTNEED)


def _fits(allocation: Allocation) -> bool:
    threads = allocation.threads * PER_THREAD if allocation.threads > 1 else 0  # a single thread is the caller's
    try:
        require(SPARE + threads + allocation.memory)
    except MemoryError:
        return False
    return True
