"""What a person types at the board: a line is read, and is a point or a command, or gets an answer that helps."""

from __future__ import annotations

import difflib
import os
import re
import select
import signal
import sys
from collections.abc import Collection
from typing import Final, NamedTuple

from rich.console import Console

from ..go.vertex import COLUMNS, parse_vertex, point_at
from ..teach.words import either
from ..util.files import escaped
from .options import Unusable

SHORTEST: Final = 2
"""Letters of a word from which it may stand for the one command that begins with it."""
ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit", "liberty": "liberties", "eye": "eyes"}
"""Other words for commands, and for words that `help` explains."""
QUOTED: Final = 30
"""Characters of a typed text that an answer repeats at most."""
_LETTER_FIRST: Final = r"(?P<column>[A-Za-z])\s*(?P<row>\d{1,2})"
_DIGIT_FIRST: Final = r"(?P<row2>\d{1,2})\s*(?P<column2>[A-Za-z])"
_POINT: Final = re.compile(rf"{_LETTER_FIRST}|{_DIGIT_FIRST}", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})", re.ASCII)
"""A column and a row as numbers, from 1 at the lower left."""
_BEFORE: Final = re.compile(r"(?:(?:play|at)\s+)+", re.IGNORECASE)
"""Words that may stand before a point."""
_ONE: Final = r"(?:[A-Za-z]\s*\d{1,2}|\d{1,2}\s*[A-Za-z])"
_POINTS: Final = re.compile(rf"{_ONE}(?:[\s,;:-]+{_ONE})*", re.ASCII)
"""Points with something between each two of them, so that no text can be read in two ways."""


_UNITS: Final = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS: Final = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBER_WORDS: Final = {
    **{word: number for number, word in enumerate(["zero", *_UNITS, *_TEENS])},
    **{ten: number for number, ten in zip(range(20, 100, 10), _TENS, strict=True)},
    **{f"{ten}-{unit}": 10 * n + k for n, ten in enumerate(_TENS, 2) for k, unit in enumerate(_UNITS, 1)},
}
"""The words for numbers below 100."""
_TEN_AND_UNIT: Final = re.compile(rf"\b({'|'.join(_TENS)})\s+(?=(?:{'|'.join(_UNITS)})\b)")
_WORDS: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_NUMBER: Final = re.compile(rf"(?<![\w-])(?<!\d[.,])(?:\d{{1,6}}|{_WORDS})(?!\w)")
"""A number, which punctuation may stand beside; not a part of a point or of a negative number."""


class UnclearError(ValueError):
    """The line is neither a point nor a command; the message is a sentence for the person."""


class Play(NamedTuple):
    """A point of the board."""

    point: int


class Command(NamedTuple):
    """The full name of a command, and the text after it."""

    name: str
    rest: str


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


def read(line: str, commands: Collection[str], width: int, height: int, sample: str = "") -> Play | Command:
    """Return the point or the command that a line means; `sample`: the point that an answer names as an example.

    UnclearError: it has no single meaning.
    """
    text, sample = line.strip(), sample or example(width, height)
    word, _, rest = text.partition(" ")
    if found := _BEFORE.match(text):
        text = text[found.end() :]
    elif not _is_column(word, width) and (command := full_name(word, commands)):
        return Command(command, rest.strip())
    return Play(_point(text.strip(" .,;!"), commands, width, height, sample))


def read_number(line: str, commands: Collection[str], wanted: str) -> int | Command:
    """Return the command or the number that a line means. UnclearError: it is neither; `wanted`: what to type."""
    try:
        return read_command(line, commands, wanted)
    except UnclearError:
        if (found := number(line)) is None:
            raise
        return found


def read_command(line: str, commands: Collection[str], wanted: str) -> Command:
    """Return the command that a line means. UnclearError: it has no single meaning; `wanted`: what to type."""
    word, _, rest = line.strip().partition(" ")
    if command := full_name(word, commands):
        return Command(command, rest.strip())
    raise UnclearError(f"{_not_understood(line.strip(), commands)} {wanted}")


def number(line: str) -> int | None:
    """Return the only number of a line, in digits or as a word; None if there is another sign that may mean a point."""
    text = _TEN_AND_UNIT.sub(r"\1-", line.lower())
    found, rest = _NUMBER.findall(text), _NUMBER.sub(" ", text)
    if len(found) != 1 or re.search(r"\d|\b\w\b", rest):
        return None
    return NUMBER_WORDS[found[0]] if found[0] in NUMBER_WORDS else int(found[0])


def _is_column(word: str, width: int) -> bool:
    """Whether a word is the letter of a column, so that it may be the beginning of a point: `Q 4`."""
    return len(word) == 1 and word.upper() in COLUMNS[:width]


def full_name(word: str, commands: Collection[str]) -> str | None:
    """Return the command that a word is, or begins in any case. UnclearError: it begins several."""
    word = ALIASES.get(word.lower(), word.lower())
    if word in commands:
        return word
    found = [name for name in commands if len(word) >= SHORTEST and name.startswith(word)]
    if len(found) > 1:
        raise UnclearError(f"Do you mean {either(found)}? Please type a bit more of the word.")
    return found[0] if found else None


def example(width: int, height: int, without: Collection[int] = ()) -> str:
    """Return a point of the board, as an example of what to type; not one of the points `without`."""
    columns, row = [min(width // 2, 3), *range(width)], min(height // 2, 2)
    column = next((column for column in columns if point_at(column, row, width) not in without), columns[0])
    return f"{COLUMNS[column]}{row + 1}"


def quoted(text: str) -> str:
    """Return a short form of a typed text in quotes, without control characters."""
    text = escaped(text)
    return f"'{text if len(text) <= QUOTED else text[: QUOTED - 3] + '...'}'"


def _point(text: str, commands: Collection[str], width: int, height: int, sample: str) -> int:
    """Return the point that a text names, as `D5`, `d 5`, `5d` or `4,5`. UnclearError: it names none, or several."""
    if (pair := _NUMBERS.fullmatch(text)) and 1 <= int(pair[1]) <= width:
        text = f"{COLUMNS[int(pair[1]) - 1]}{pair[2]}"
    if not _POINTS.fullmatch(text):
        raise UnclearError(_unknown(text, commands, width, height, sample))
    names = [f"{found['column'] or found['column2']}{found['row'] or found['row2']}" for found in _POINT.finditer(text)]
    names = [name.upper() for name in names]
    if len(names) > 1:
        raise UnclearError(f"One move at a time, please: {either(names[:4])}?")
    if names[0][0] == "I":
        raise UnclearError(_no_column_i(names[0], width, height))
    try:
        return parse_vertex(names[0], width, height)
    except ValueError:
        columns = f"The columns go from A to {COLUMNS[width - 1]}, and the rows from 1 to {height}."
        raise UnclearError(f"{names[0]} is not on this board. {columns} Type for example {sample}.") from None


def _no_column_i(name: str, width: int, height: int) -> str:
    """Return the answer to a point in column I, which boards leave out."""
    reason = "There is no column I, because it looks like a 1."
    row = int(name[1:])
    if width > COLUMNS.index("J") and 1 <= row <= height:
        return f"{reason} Do you mean H{row} or J{row}?"
    return f"{reason} The columns are {' '.join(COLUMNS[:width])}."


def _unknown(text: str, commands: Collection[str], width: int, height: int, sample: str) -> str:
    """Return the answer to a text that is not a point: what is missing, or the command that it resembles."""
    if len(text) == 1 and text.upper() in COLUMNS[:width]:
        return f"Which row? Type a letter and a number, for example {text.upper()}{min(height, 3)}."
    if text.isascii() and text.isdigit():
        return f"Which column? Type a letter and a number, for example {sample}."
    if re.fullmatch(rf"(?:b|w|black|white)\s+{_ONE}", text, re.IGNORECASE | re.ASCII):
        return f"Please type the point alone, for example {text.split(maxsplit=1)[1].upper()}."
    return f"{_not_understood(text, commands)} Type a point such as {sample}, or help."


def _not_understood(text: str, commands: Collection[str]) -> str:
    """Return the beginning of the answer to such a text, with the command that it resembles."""
    near = difflib.get_close_matches(text.split(" ")[0].lower()[:QUOTED], commands, 2, 0.7)
    return f"I do not understand {quoted(text)}.{f' Do you mean {either(near)}?' if near else ''}"
