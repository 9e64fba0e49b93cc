"""Reading a typed line: it is a point, a number, a word or an answer, or a sentence says what to type."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple

from ..go.vertex import COLUMNS, parse_vertex, point_at
from ..teach.event import Refusal, RefusedError, Wanted
from ..teach.sentences import ENGLISH, catalogue, languages, table
from ..teach.terms import TERMS
from ..util.files import escaped

SHORTEST: Final = 3
"""The fewest letters that may stand for a command that begins with them."""
SHORTEST_WIDE: Final = 2
"""The fewest characters of Chinese or Japanese that may stand for a command that begins with them."""
QUOTED: Final = 30
"""Maximum characters of a typed text that a sentence repeats."""
NARROW: Final = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20, 0x3001: 0x2C}
"""The translation of full-width characters, which Japanese keyboards type, to ASCII, and of the Japanese comma."""
_KEYS: Final = str.maketrans(
    "あいうえおアイウエオㅁㅠㅊㅇㄷㄹㅎㅗㅓㅏㅣㅡㅜㅐㅔㅂㄱㄴㅅㄸㅒㅖㅃㄲㅆ",
    "AIUEOAIUEOABCDEFGHJKLMNOPQRSTEOPQRT",
)
"""What a Japanese keyboard writes for the columns that are vowels, and a Korean one (Dubeolsik) for each column."""
_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
_HIRAGANA: Final = {katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)}
"""The code of each Hiragana by the code of its Katakana."""
_ONE: Final = r"(?:[A-Za-z]\s*-?\s*\d{1,2}|\d{1,2}\s*-?\s*[A-Za-z])"
_POINTS: Final = re.compile(rf"{_ONE}(?:[\s,;:-]+{_ONE})*", re.ASCII)
"""Points with something between each two of them, so that no text can be read in two ways."""
_POINT: Final = re.compile(r"(\d{1,2})?\s*-?\s*([A-Za-z])(?(1)|\s*-?\s*(\d{1,2}))", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d{1,2})(?:\s*,\s*|\s+)(\d{1,2})", re.ASCII)
"""A column and a row as numbers, from 1 at the lower left."""
_BEFORE: Final = re.compile(r"(?:(?:play|at)\s+)+", re.IGNORECASE)
"""Words that may stand before a point."""
_AROUND: Final = " .,;!()"
"""Characters that may stand around a point."""

_NUMBER_KEY: Final = "typed.numbers"
NUMBER_WORDS: Final = tuple(table()[_NUMBER_KEY].split())
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
    """A text, such as the name of a file."""

    text: str


@dataclass(frozen=True, slots=True)
class Continue:
    """Going on: Enter alone, or the button Next."""


Input = Play | Number | Command | Answer | Text | Continue
"""The input of a session: read from a typed line, or made by a screen on which a person taps."""


def read(line: str, words: Collection[str], wanted: Wanted, language: str = ENGLISH) -> Play | Number | Command:
    """Return the meaning of a line, whose words are of a language or English.

    RefusedError: it has no meaning or several; the sentence says what to type.
    """
    line = line.strip()
    text = line.translate(NARROW).strip()
    word, _, rest = text.partition(" ")
    if folded(word.strip(_AROUND)) in forms("hello", language):
        raise RefusedError(Refusal.GREETING, wanted=wanted)
    points = wanted.width > 0
    if points and (match := _BEFORE.match(text)):
        text = text[match.end() :]
    elif not (points and _is_column(word, wanted.width)) and (name := full_name(word, words, language)):
        return Command(name, line[len(word) :].strip() if rest else "")  # the name of a file keeps its characters
    if points:
        return Play(_point(text.strip(_AROUND), words, wanted, language))
    if wanted.number and (value := number(text, language)) is not None:
        return Number(value)
    raise _not_understood(text, words, wanted, language)


def yes_or_no(line: str) -> bool | None:
    """Return whether a line says yes or no in a language of the program; None if it says neither."""
    word = re.sub(r"^\W+|\W+$", "", folded(line))
    said = [catalogue(language) for language in languages()]
    for key, yes in (("typed.yes", True), ("typed.no", False)):
        if any(word in map(folded, words.pgettext(key, table()[key]).split()) for words in said):
            return yes
    return None


def number(line: str, language: str = ENGLISH) -> int | None:
    """Return the number in a line, in digits or as a word of English; alone in a line also as a word of the language.

    None: the line has no number or several, or also a single letter or digit.
    """
    said = [folded(word) for word in catalogue(language).pgettext(_NUMBER_KEY, table()[_NUMBER_KEY]).split()]
    if folded(line) in said:
        return said.index(folded(line))
    text = line.lower()
    numbers, rest = _NUMBER.findall(text), _NUMBER.sub(" ", text)
    if len(numbers) != 1 or re.search(r"\d|\b\w\b", rest):
        return None
    return NUMBER_WORDS.index(numbers[0]) if numbers[0] in NUMBER_WORDS else int(numbers[0])


def _is_column(word: str, width: int) -> bool:
    """Whether a word is the letter of a column, so that it may be the beginning of a point: `Q 4`."""
    return len(word) == 1 and word.upper() in COLUMNS[:width]


def forms(name: str, language: str) -> list[str]:
    """Return what a person may type for a word of the program: its name and the words of the table, each `folded`.

    The table has them in English and in the language; they are the one place where typed words come from.
    """
    key = f"term.{name}.word" if name in TERMS else f"typed.{name}"
    english = table().get(key, name)
    return [folded(word) for word in f"{name} {catalogue(language).pgettext(key, english)} {english}".split()]


def full_name(word: str, words: Collection[str], language: str = ENGLISH) -> str | None:
    """Return the word of the program that a typed text is or begins; see `forms` and `folded`.

    RefusedError: it begins several words.
    """
    word = folded(word)
    known = {name: forms(name, language) for name in words}
    if exact := [name for name, said in known.items() if word in said]:
        return exact[0]
    if len(word) < (SHORTEST if word.isascii() else SHORTEST_WIDE):
        return None
    begun = [name for name, said in known.items() if any(form.startswith(word) for form in said)]
    if len(begun) > 1:
        raise RefusedError(Refusal.SEVERAL, words=begun)
    return begun[0] if begun else None


def folded(word: str) -> str:
    """Return a word in one form for all cases, accents, full-width letters, and Katakana, which become Hiragana."""
    bare = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", word)).translate(_ACCENTS)
    return unicodedata.normalize("NFC", bare).strip().casefold().translate(_HIRAGANA)


def example(width: int, height: int, without: Collection[int] = ()) -> str:
    """Return a point of the board as an example of what to type. Points in `without` are avoided."""
    columns, row = [min(width // 2, 3), *range(width)], min(height // 2, 2)
    column = next((column for column in columns if point_at(column, row, width) not in without), columns[0])
    return f"{COLUMNS[column]}{row + 1}"


def shortened(text: str) -> str:
    """Return a short form of a typed text, without control characters."""
    text = escaped(text)
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 3]}..."


def _point(text: str, words: Collection[str], wanted: Wanted, language: str) -> int:
    """Return the point that a text such as `D5`, `d 5`, `d-5`, `5d` or `4,5` names. RefusedError: none or several."""
    width, height = wanted.width, wanted.height
    if _POINT.fullmatch(narrow := text.translate(_KEYS)):
        text = narrow
    if (pair := _NUMBERS.fullmatch(text)) and 1 <= int(pair[1]) <= width:
        text = f"{COLUMNS[int(pair[1]) - 1]}{pair[2]}"
    if not _POINTS.fullmatch(text):
        raise _unknown(text, words, wanted, language)
    names = [f"{letter}{first or last}".upper() for first, letter, last in _POINT.findall(text)]
    if len(names) > 1:
        raise RefusedError(Refusal.SEVERAL_MOVES, points=names[:4])
    (name,) = names
    if name[0] == "I":
        row = int(name[1:])
        if width > COLUMNS.index("J") and 1 <= row <= height:
            raise RefusedError(Refusal.COLUMN_I_NEAR, first=f"H{row}", second=f"J{row}")
        raise RefusedError(Refusal.COLUMN_I, columns=" ".join(COLUMNS[:width]))
    try:
        return parse_vertex(name, width, height)
    except ValueError:
        fields = {"last": COLUMNS[width - 1], "height": height, "example": wanted.sample}
        raise RefusedError(Refusal.OUTSIDE, move=name, **fields) from None


def _unknown(text: str, words: Collection[str], wanted: Wanted, language: str) -> RefusedError:
    """Return the refusal of a text that is no point; its sentence says what is missing, or names a similar word."""
    if _is_column(text, wanted.width):
        return RefusedError(Refusal.NO_ROW, example=f"{text.upper()}{min(wanted.height, 3)}")
    if text.isascii() and text.isdigit():
        return RefusedError(Refusal.NO_COLUMN, example=wanted.sample)
    if point := _beside_colour(text, language):
        return RefusedError(Refusal.COLOR_TOO, example=point)
    return _not_understood(text, words, wanted, language)


def _beside_colour(text: str, language: str) -> str:
    """Return the point that stands before or after a colour in a text such as `black C3` or `C3 black`; "" if none."""
    for colour in (*forms("black", language), *forms("white", language)):
        gap = r"\s+" if colour.isascii() else r"\s*"
        for pattern in (rf"{re.escape(colour)}{gap}({_ONE})", rf"({_ONE}){gap}{re.escape(colour)}"):
            if match := re.fullmatch(pattern, folded(text)):
                return match[1].upper()
    return ""


def _not_understood(text: str, words: Collection[str], wanted: Wanted, language: str) -> RefusedError:
    """Return the refusal of a text without a meaning; its sentence names a similar word."""
    known = {form: name for name in words for form in forms(name, language)}
    close = difflib.get_close_matches(folded(text.split(" ")[0])[:QUOTED], known, 4, 0.7)
    near = [*dict.fromkeys(known[form] for form in close)][:2]
    key = Refusal.NEAR if near else Refusal.UNKNOWN
    return RefusedError(key, text=shortened(text), words=near, wanted=wanted)
