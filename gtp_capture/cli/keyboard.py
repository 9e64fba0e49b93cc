"""Lines typed in a terminal, and ^C while the program waits for them."""

from __future__ import annotations

import os
import select
import signal
import sys

from rich.console import Console

from .options import Unusable


def read_line(console: Console, prompt: str) -> str:
    """Print a prompt and return the line that is typed.

    EOFError: the end of the input, or the process was started without stdin. KeyboardInterrupt: ^C. Unusable: the
    input is not text in the encoding that Python was told to use; all encodings that contain ASCII read anything.
    """
    console.print(prompt, end="", markup=False, highlight=False)
    if sys.stdin is not None and sys.stdin.isatty() and sys.platform != "win32":
        _wait_for_line(sys.stdin.fileno())
    try:
        return console.input()
    except RuntimeError:  # Python's error if there is no stdin
        raise EOFError from None
    except UnicodeError:
        raise Unusable(f"the input is not {sys.stdin.encoding} text, as PYTHONIOENCODING or the locale says") from None


def _wait_for_line(terminal: int) -> None:
    """Wait until a terminal has a line to read.

    A signal that comes between Python's last look for signals and the system call that reads does not end the read: ^C
    would seem to do nothing. So this waits for the line and for the byte that Python writes when a signal comes.
    """
    reader, writer = os.pipe()
    if sys.platform != "win32":  # on Windows this is not called: select takes no terminal there
        os.set_blocking(writer, False)  # required of a descriptor that a signal writes to
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        while terminal not in select.select([terminal, reader], [], [])[0]:
            os.read(reader, 1024)  # a signal that raised nothing, such as a change of the window's size
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
