"""Reader of GoGui's regression format: commands, and below each numbered one its test `#? [pattern]`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_COMMAND = re.compile(r'^# gogui-regress "gtp-capture ([^"]*)"')
_PATTERN = re.compile(r"^#\? \[(.*)\]\*?$")


class Regression(NamedTuple):
    """A command, and the pattern of its answer if it is a test."""

    line: int
    command: str
    pattern: str | None

    def holds(self, ok: bool, text: str) -> bool:
        """Whether an answer passes; an error never does."""
        if not ok or self.pattern is None:
            return ok
        negated = self.pattern.startswith("!")
        matches = re.fullmatch(self.pattern[negated:], text, re.DOTALL) is not None
        return matches != negated


def options(path: Path) -> list[str]:
    """Return the options in the first line of a file."""
    match = _COMMAND.match(path.read_text())
    assert match is not None, f"{path.name}: the first line must name the command"
    return shlex.split(match[1])


def read(text: str) -> Iterator[Regression]:
    """Yield the commands of a file in order."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            pattern = _PATTERN.match(lines[number]) if number < len(lines) else None
            assert (pattern is not None) == line[0].isdigit(), f"line {number}: a number and a pattern belong together"
            yield Regression(number, line, pattern[1] if pattern else None)
