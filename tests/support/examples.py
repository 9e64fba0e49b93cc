"""The examples of the README and the manual: commands for a shell, sessions with their output, and Python."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Final

from .paths import MANUAL, ROOT

README: Final = ROOT / "README.md"
PAGES: Final = (README, *sorted(MANUAL.glob("*.md")))
PROGRAM: Final = "gtp-capture"
NAMES: Final = ("gtp-capture level 3",)
"""Code in the text that begins with the name of the program, but is not a command."""


def fenced(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [block for name, block in blocks if name == language]


def failures(source: str) -> int:
    """Run an example in Python; return the number of lines with another output."""
    example = doctest.DocTestParser().get_doctest(source, {}, "example", None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.attempted
    return result.failed


def sessions() -> list[tuple[str, list[str], str]]:
    """The lines that are piped into the program, its arguments, and what it prints."""
    piped = []
    for path in PAGES:
        for block in fenced(path.read_text(encoding="utf-8"), "console"):
            command, _, output = block.partition("\n")
            lines, _, program = command.removeprefix("$ printf '%s\\n' ").partition(f" | {PROGRAM} ")
            piped.append(("".join(f"{line}\n" for line in shlex.split(lines)), shlex.split(program), output))
    return piped


def commands(path: Path) -> list[list[str]]:
    """The arguments of each command for a shell that calls the program, in the order of a page."""
    calls = []
    for block in fenced(path.read_text(encoding="utf-8"), "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == [PROGRAM]:
                calls.append(words[1 : words.index(">") if ">" in words else None])
    return calls


def mentioned() -> list[list[str]]:
    """The arguments of each call of the program in the running text."""
    calls = []
    for path in PAGES:
        text = re.sub(r"^ *```.*?^ *```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for code in re.findall(rf"`({PROGRAM} [^`]+)`", text):
            if code not in NAMES:
                calls.append(shlex.split(code)[1:])
    return calls


def prepare(folder: Path) -> None:
    """Write the files that the commands read, under the names that they have there."""
    game = (MANUAL / "examples" / "review.sgf").read_bytes()
    for name in ("game.sgf", "first.sgf", "second.sgf", "FILE"):
        (folder / name).write_bytes(game)
    (folder / "position.sgf").write_text("(;GM[1]SZ[5];B[cc];W[cb];B[bb];W[ae])", encoding="utf-8")
    collection = ROOT / "gtp_capture" / "teach" / "puzzles" / "collection" / "problems.sgf"
    (folder / "problems.sgf").write_bytes(collection.read_bytes().partition(b"\n(;")[0])
    (folder / "home" / "Sabaki").mkdir(parents=True)
    (folder / "home" / "Sabaki" / "settings.json").write_text("{}", encoding="utf-8")
    engines = '[engines]\none = "gtp-capture --level 1"\nsix = "gtp-capture --level 6"\n'
    (folder / "engines.toml").write_text(engines, encoding="utf-8")
