"""A person at `gtp-capture play` in a pseudo-terminal."""

from __future__ import annotations

import os
import re
import signal
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect
from pexpect import fdpexpect

from .forks import HANG, Program
from .process import wait_until

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PROMPT = r"(?:\n|\r|\x1b\[[0-9;?]*[mh])(Black|White|yes or no|name|)> "


class Terminal(fdpexpect.fdspawn):  # type: ignore[misc]
    """The command line in a pseudo-terminal, with the interface of `pexpect.spawn` as far as tests use it."""

    program: Program

    def __init__(self, *args: str, columns: int = 100, environment: Mapping[str, str] | None = None) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        import fcntl
        import termios

        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 60, columns, 0, 0))
        env = {"NO_COLOR": None, "COLUMNS": None, "TERM": "xterm-256color", **(environment or {})}
        self.program = Program(args, stdin=theirs, stdout=theirs, stderr=theirs, env=env, terminal=True)
        os.close(theirs)
        super().__init__(ours, encoding="utf-8", codec_errors="replace", timeout=HANG)

    def sendintr(self) -> None:
        """Type ^C."""
        self.send("\x03")

    def sendeof(self) -> None:
        """Type ^D."""
        self.send("\x04")

    def wait_for_input(self) -> None:
        """Wait until the program reads its stdin: Python would see a signal before that at the next key."""
        if sys.platform == "linux":
            call = Path(f"/proc/{self.program.pid}/syscall")  # its number, then its arguments
            wait_until(lambda: call.read_text().split()[1:2] in (["0x0"], ["0x1"]))  # read(0, ...) or pselect(1, ...)

    def end(self) -> int:
        """Wait for the end of the output, and of the program; return its exit code."""
        self.expect(pexpect.EOF)
        return self.program.wait()

    def close(self) -> None:
        """End the program."""
        self.program.kill()
        self.program.wait()
        super().close()


class Person:
    """Types a line and reads the output until the next prompt; leaving the context ends the process."""

    def __init__(
        self,
        *options: str,
        seed: int | None = 1,
        columns: int = 100,
        environment: Mapping[str, str] | None = None,
        command: str = "play",
    ) -> None:
        """`seed`: the seed of the engine's moves; None if the engine plays no move."""
        seeded = () if seed is None else ("--seed", str(seed))
        self.terminal = Terminal(command, *seeded, *options, columns=columns, environment=environment)
        self.seen = self.read()

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *args: object) -> None:
        self.terminal.close()

    def read(self) -> str:
        """Return the text up to the next prompt, without escape sequences."""
        self.terminal.expect(PROMPT)
        self.prompt: str = self.terminal.match[1]
        self.raw: str = self.terminal.before
        self.terminal.wait_for_input()
        return ESCAPES.sub("", self.raw)

    def type(self, line: str) -> str:
        """Type a line; return the text up to the next prompt."""
        self.terminal.sendline(line)
        return self.read()

    def interrupt(self) -> str:
        """Type ^C; return the text up to the next prompt."""
        self.terminal.sendintr()
        return self.read()

    def hang_up(self) -> None:
        """Send the signal of a closed terminal, which stays open.

        A signal between the prompt and the wait for a key has its effect at the next key, so Enter follows it.
        """
        if sys.platform == "win32":
            raise NotImplementedError
        self.terminal.program.send_signal(signal.SIGHUP)
        self.terminal.sendline("")

    def end(self) -> int:
        """Wait for the end of the process; return its exit code."""
        code = self.terminal.end()
        self.rest = ESCAPES.sub("", self.terminal.before)
        return code
