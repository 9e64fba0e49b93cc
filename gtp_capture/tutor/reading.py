"""Reading a typed line: it is a point, a number, a word or an answer, or a sentence says what to type."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..go.vertex import COLUMNS, parse_vertex, point_at
from ..util.files import escaped
from .reply import Refused

SHORTEST: Final = 3
"""The fewest letters that may stand for a command that begins with them."""
ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit", "liberty": "liberties", "eye": "eyes"}
"""Other words for commands, and for words that `help` explains."""
GREETINGS: Final = ("hi", "hello", "hey")
YES: Final = ("y", "yes")
NO: Final = ("n", "no")
QUOTED: Final = 30
"""Maximum characters of a typed text that a sentence repeats."""
NARROW: Final = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}
"""The translation of full-width characters, which Japanese keyboards type, to ASCII."""
_HIRAGANA: Final = {katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)}
"""The code of each Hiragana by the code of its Katakana."""
_ONE: Final = r"(?:[A-Za-z]\s*-?\s*\d{1,2}|\d{1,2}\s*-?\s*[A-Za-z])"
_POINTS: Final = re.compile(rf"{_ONE}(?:[\s,;:-]+{_ONE})*", re.ASCII)
"""Points with something between each two of them, so that no text can be read in two ways."""
_POINT: Final = re.compile(r"(\d{1,2})?\s*-?\s*([A-Za-z])(?(1)|\s*-?\s*(\d{1,2}))", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d{1,2})\s*,\s*(\d{1,2})", re.ASCII)
"""A column and a row as numbers, from 1 at the lower left."""
_BEFORE: Final = re.compile(r"(?:(?:play|at)\s+)+", re.IGNORECASE)
"""Words that may stand before a point."""
_AROUND: Final = " .,;!()"
"""Characters that may stand around a point."""

NUMBER_WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_NUMBER: Final = re.compile(rf"(?<![\w-])(?<!\d[.,])(?:\d{{1,6}}|{'|'.join(reversed(NUMBER_WORDS))})(?!\w)")
"""A number, which punctuation may stand beside; not a part of a point or of a negative number."""


class Play(NamedTuple):
    """A point of the board."""

    point: int


class Number(NamedTuple):
    """A number."""

    value: int


class Command(NamedTuple):
    """A word of the session by its full name, and the text after it."""

    name: str
    rest: str = ""


class Answer(NamedTuple):
    """Yes or no."""

    yes: bool


class Text(NamedTuple):
    """A text, such as the name of a file; "" is Enter alone."""

    text: str


Input = Play | Number | Command | Answer | Text
"""The input of a session: read from a typed line, or made by a screen on which a person taps."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The input that a session waits for, besides its words: points if the width is not 0, numbers if `number`."""

    sentence: str
    """The sentence that says what to type."""
    instruction: str
    """The first sentence of the help."""
    width: int = 0
    height: int = 0
    sample: str = ""
    """A point as an example, which is not the answer to a problem."""
    number: bool = False


def read(line: str, words: Collection[str], wanted: Wanted) -> Play | Number | Command:
    """Return the meaning of a line. Refused: it has no meaning or several; the sentence says what to type."""
    line = line.strip()
    text = line.translate(NARROW).strip()
    word, _, rest = text.partition(" ")
    if word.strip(_AROUND).lower() in GREETINGS:
        raise Refused("unclear.hello", wanted=wanted.sentence)
    points = wanted.width > 0
    if points and (found := _BEFORE.match(text)):
        text = text[found.end() :]
    elif not (points and _is_column(word, wanted.width)) and (name := full_name(word, words)):
        return Command(name, line[len(word) :].strip() if rest else "")  # the name of a file keeps its characters
    if points:
        return Play(_point(text.strip(_AROUND), words, wanted))
    if wanted.number and (value := number(text)) is not None:
        return Number(value)
    raise _not_understood(text, words, wanted)


def yes_or_no(line: str) -> bool | None:
    """Return whether a line says yes or no; None if it says neither."""
    word = line.translate(NARROW).strip(_AROUND).lower()
    return word in YES if word in (*YES, *NO) else None


def number(line: str) -> int | None:
    """Return the number in a line, in digits or as a word.

    None: the line has no number or several, or also a single letter or digit.
    """
    text = line.lower()
    found, rest = _NUMBER.findall(text), _NUMBER.sub(" ", text)
    if len(found) != 1 or re.search(r"\d|\b\w\b", rest):
        return None
    return NUMBER_WORDS.index(found[0]) if found[0] in NUMBER_WORDS else int(found[0])


def _is_column(word: str, width: int) -> bool:
    """Whether a word is the letter of a column, so that it may be the beginning of a point: `Q 4`."""
    return len(word) == 1 and word.upper() in COLUMNS[:width]


def full_name(word: str, words: Collection[str]) -> str | None:
    """Return the word that a typed text is or begins; case does not matter. Refused: it begins several words."""
    word = ALIASES.get(word.lower(), word.lower())
    if word in words:
        return word
    found = [name for name in words if len(word) >= SHORTEST and name.startswith(word)]
    if len(found) > 1:
        raise Refused("unclear.several", words=found)
    return found[0] if found else None


def folded(word: str) -> str:
    """Return a word in one form for all cases, full-width letters, and Katakana, which become Hiragana."""
    return unicodedata.normalize("NFKC", word).strip().casefold().translate(_HIRAGANA)


def example(width: int, height: int, without: Collection[int] = ()) -> str:
    """Return a point of the board as an example of what to type. Points in `without` are avoided."""
    columns, row = [min(width // 2, 3), *range(width)], min(height // 2, 2)
    column = next((column for column in columns if point_at(column, row, width) not in without), columns[0])
    return f"{COLUMNS[column]}{row + 1}"


def quoted(text: str) -> str:
    """Return a short form of a typed text in quotes, without control characters."""
    text = escaped(text)
    return f"'{text if len(text) <= QUOTED else text[: QUOTED - 3] + '...'}'"


def _point(text: str, words: Collection[str], wanted: Wanted) -> int:
    """Return the point that a text such as `D5`, `d 5`, `d-5`, `5d` or `4,5` names. Refused: no point, or several."""
    width, height = wanted.width, wanted.height
    if (pair := _NUMBERS.fullmatch(text)) and 1 <= int(pair[1]) <= width:
        text = f"{COLUMNS[int(pair[1]) - 1]}{pair[2]}"
    if not _POINTS.fullmatch(text):
        raise _unknown(text, words, wanted)
    names = [f"{letter}{first or last}".upper() for first, letter, last in _POINT.findall(text)]
    if len(names) > 1:
        raise Refused("unclear.moves", points=names[:4])
    (name,) = names
    if name[0] == "I":
        row = int(name[1:])
        if width > COLUMNS.index("J") and 1 <= row <= height:
            raise Refused("unclear.i.near", first=f"H{row}", second=f"J{row}")
        raise Refused("unclear.i", columns=" ".join(COLUMNS[:width]))
    try:
        return parse_vertex(name, width, height)
    except ValueError:
        fields = {"last": COLUMNS[width - 1], "height": height, "example": wanted.sample}
        raise Refused("unclear.outside", move=name, **fields) from None


def _unknown(text: str, words: Collection[str], wanted: Wanted) -> Refused:
    """Return the refusal of a text that is no point; its sentence says what is missing, or names a similar word."""
    if _is_column(text, wanted.width):
        return Refused("unclear.row", example=f"{text.upper()}{min(wanted.height, 3)}")
    if text.isascii() and text.isdigit():
        return Refused("unclear.column", example=wanted.sample)
    if re.fullmatch(rf"(?:b|w|black|white)\s+{_ONE}", text, re.IGNORECASE | re.ASCII):
        return Refused("unclear.colour", example=text.split(maxsplit=1)[1].upper())
    return _not_understood(text, words, wanted)


def _not_understood(text: str, words: Collection[str], wanted: Wanted) -> Refused:
    """Return the refusal of a text without a meaning; its sentence names a similar word."""
    near = difflib.get_close_matches(text.split(" ")[0].lower()[:QUOTED], words, 2, 0.7)
    key = "unclear.near" if near else "unclear.unknown"
    return Refused(key, text=quoted(text), words=near, wanted=wanted.sentence)
