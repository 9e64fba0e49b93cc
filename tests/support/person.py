"""A person at `gtp-capture play` in a pseudo-terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PROMPT = r"(?:\n|\r|\x1b\[[0-9;?]*m)(Black|White|yes or no|name|)> "


class Person:
    """Types a line and reads the output until the next prompt; leaving the context ends the process."""

    def __init__(
        self, *options: str, seed: int | None = 1, columns: int = 100, environment: Mapping[str, str] | None = None
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM")}
        self.terminal: Any = pexpect.spawn(
            sys.executable,
            ["-m", "gtp_capture", "play", *(() if seed is None else ("--seed", str(seed))), *options],
            encoding="utf-8",
            codec_errors="replace",
            timeout=60,
            dimensions=(60, columns),
            env={**kept, "TERM": "xterm-256color", **(environment or {})},
        )
        self.seen = self.read()

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.terminal.close(force=True)

    def read(self) -> str:
        """Return the text up to the next prompt, without escape sequences."""
        self.terminal.expect(PROMPT)
        self.prompt: str = self.terminal.match[1]
        self.raw: str = self.terminal.before
        return ESCAPES.sub("", self.raw)

    def type(self, line: str) -> str:
        """Type a line; return the text up to the next prompt."""
        self.terminal.sendline(line)
        return self.read()

    def said(self, line: str) -> list[str]:
        """Type a line; return the lines that follow its echo."""
        return [text.strip() for text in self.type(line).splitlines()[1:] if text.strip()]

    def interrupt(self) -> str:
        """Type ^C; return the text up to the next prompt."""
        self.terminal.sendintr()
        return self.read()

    def end(self) -> int:
        """Wait for the end of the process; return its exit code."""
        self.terminal.expect(pexpect.EOF)
        self.rest = ESCAPES.sub("", self.terminal.before)
        self.terminal.close()
        code: int = self.terminal.exitstatus
        return code
