"""The charset of SGF files: their text as UTF-8, and bytes that are not understood written as they were read.

In Shift_JIS, Big5 and GBK the second byte of a character may be a backslash or a bracket, so a file can be divided into
values only after its text is decoded. Many files name no charset (CA), or a wrong one. Readings of a file by several
charsets are therefore compared: a wrong one makes values run into each other, and gives characters that are rare.

Detectors such as charset-normalizer need more text than the names of two players, so common characters of each
language are listed in `characters.txt`. In charsets of one byte for each character, any bytes are text; there the words
of a reading are judged by the pairs of letters of each language, in `letters.txt`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby, islice, pairwise
from typing import Final, NamedTuple
from unicodedata import category

CHARSET: Final = re.compile(rb"(?<![A-Z])CA\s*\[([\w .:-]{1,40})\]")
"""The charset of a file; lower-case letters before it do not count (FF[3])."""
UTF_8: Final = b"CA[UTF-8]"
_PROBE: Final = r"[];()AZaz09\u0041\n+AGE-"
"""Text that a charset for SGF decodes as ASCII does."""
_SUPERSETS: Final = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "cp950",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
}
"""The charset that a file is read in, by the charset that it names: the larger one, as in browsers."""
_GAME: Final = re.compile(rb"(?<=\))\s*(?=\(\s*;(?:(?!\(\s*;).)*?(?<![A-Za-z])(?:CA|FF|GM|SZ)\s*\[)", re.DOTALL)
"""The gap before each further game of a collection. Unlike a variation, a game has one of these properties at first."""
_START: Final = re.compile(r"\(\s*;")
_TOKEN: Final = re.compile(r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]?|[A-Za-z][A-Za-z0-9_]*|[;()]", re.DOTALL)
_WORD: Final = re.compile(r"[A-Za-z]{0,40}[^\x00-\x7f][A-Za-z\x80-\U0010ffff]{0,40}")
"""A word with a letter or a sign that is not ASCII, or a part of a long one."""
_BOXES: Final = re.compile("[\u2500-\u25a0]")
_DOUBTFUL: Final = frozenset("ðþýÐÞÝ")
"""Western letters of Icelandic alone, whose bytes are letters of Romanian, Turkish and Baltic languages too."""
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_SEVEN_BITS: Final = re.compile(rb"\x1b[$(]|~\{")
"""Text that is not ASCII in the charsets of mail, whose bytes have seven bits."""
_PAIRS: Final = {
    "cp932": re.compile("[\udc81-\udc9f\udce0-\udcfc](?:[@-~]|[\udc80-\udcff])"),
    "": re.compile("[\udc81-\udcfe](?:[@-~]|[\udc80-\udcff])"),
}
"""Characters of two bytes in Shift_JIS, and in the other East Asian charsets."""
_SECOND: Final = re.compile(rb"[\x80-\xff]\\")
"""A backslash that may be the second byte of a character."""
_SHIELDED: Final = re.compile(rb"\xed[\xad-\xaf][\x80-\xbf](?!\xed[\xb0-\xbf])")
"""A byte that is not understood, as a lone surrogate: U+DB00 and the byte. No emoji has such a first half."""
_SHIELDS: Final = {0xDC00 + byte: 0xDB00 + byte for byte in range(0x40, 0x100)}
"""The surrogate of `_SHIELDED` for each one by which `surrogateescape` of Python writes a byte."""
_BYTES: Final = {0xDB00 + byte: byte if byte < 0x80 else 0xDC00 + byte for byte in range(0x40, 0x100)}
_HALVES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""A character as two surrogates, each in UTF-8: so programs of Java and JavaScript write an emoji (CESU-8)."""

_COMMON, _RARE, _NAMED, _ENOUGH, _MARGIN = 3, -4, 12, 60, 5
"""A reading gets _COMMON points for each common character, or letter in pairs of a language, and _RARE for each other
letter; _NAMED at least if CA names its charset and it is not Western. A reading with _ENOUGH points is taken without a
comparison; otherwise it needs _MARGIN points more than any other, and more points than any other of one byte if it has
one byte for each character. The charset that CA names gets _MARGIN points in addition."""
_SHORT: Final = 6
"""The greatest number of letters of a word of another alphabet, all small or all capitals, that says nothing."""
_SAMPLE: Final = 2000
"""The greatest number of characters that are judged."""
_WORDS: Final = 300
"""The greatest number of words that are judged."""

_LANGUAGES: Final = {
    "iso2022_jp": "japanese",
    "iso2022_kr": "korean",
    "cp932": "japanese",
    "euc_jp": "japanese",
    "cp950": "chinese",
    "big5hkscs": "chinese",
    "gb18030": "chinese",
    "cp949": "korean",
}
"""The language of the texts in a charset."""
_WESTERN: Final = ("cp1252", "iso8859-1")
_OF_ONE_BYTE: Final = (
    *("cp1250", "iso8859-2", "cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866", "cp1253", "iso8859-7"),
    *("cp1254", "cp1257", "iso8859-13", "cp1255", "cp874"),
)
"""Other charsets of one byte for each character."""


class _Reading(NamedTuple):
    """A file as text of a charset."""

    codec: str
    text: str
    order: tuple[int, int]
    """Greater for better SGF: less text outside of values, then more values, names and delimiters."""
    points: int
    """How common its characters are."""


def as_utf8(data: bytes) -> bytes:
    """Return data with its text in UTF-8, and CA[UTF-8], as far as the text is understood.

    Where the text is not understood, CA stays, and each byte that is not ASCII becomes a lone surrogate, which is not a
    delimiter; `restored` gives the bytes back.
    """
    data = data.removeprefix(codecs.BOM_UTF8)  # some programs write it before text in another charset too
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = CHARSET.sub(UTF_8, data.decode("utf-16", "replace").encode(errors="replace"))
    if _SHIELDED.search(data) and _decoded(data, "utf-8", "surrogatepass") is not None:
        return data
    return b"".join(_part_as_utf8(part) for part in _parts(data))


def readable(data: bytes) -> bytes:
    """Return data of `as_utf8` with U+FFFD for each byte that is not understood."""
    return _SHIELDED.sub("\N{REPLACEMENT CHARACTER}".encode(), data)


def restored(data: bytes) -> bytes:
    """Return data from `as_utf8` with the bytes that were not understood as they were in the file."""
    if not _SHIELDED.search(data):
        return data
    return data.decode("utf-8", "surrogatepass").translate(_BYTES).encode("utf-8", "surrogateescape")


def understood(data: bytes) -> bool:
    """Whether the text of data from `as_utf8` is understood as a whole."""
    return _decoded(data, "utf-8") is not None


def _parts(data: bytes) -> Iterator[bytes]:
    """Yield the games in order; consecutive ones that name the same charset are one part."""
    edges = [0, *(gap.start() for gap in _GAME.finditer(data)), len(data)]
    for _, games in groupby((data[start:end] for start, end in pairwise(edges)), _charset):
        yield b"".join(games)


def _charset(data: bytes) -> str:
    """Return the name that CA gives; "" if there is none."""
    name = CHARSET.search(data)
    return name[1].decode().strip().lower() if name is not None else ""


@lru_cache(maxsize=64)
def _named_codecs(name: str) -> list[str]:
    """Return the codecs for the name of a charset, a larger one first; none if Python has none for text."""
    for spelling in (name, name.removeprefix("x-"), name.replace("windows-", "cp")):
        try:
            if _PROBE.encode().decode(spelling) == _PROBE:
                codec = codecs.lookup(spelling).name
                return list(dict.fromkeys([_SUPERSETS.get(codec, codec), codec]))
        except (LookupError, ValueError):
            pass
    return []


def _part_as_utf8(data: bytes) -> bytes:
    """Return games that name the same charset, or none, as `as_utf8` does."""
    named = _named_codecs(_charset(data))
    if data.isascii() and not _SEVEN_BITS.search(data):
        return CHARSET.sub(UTF_8, data) if named else data
    readings: dict[str, _Reading] = {}
    for codec in dict.fromkeys(["utf-8", *named, *_LANGUAGES, *_WESTERN, *_OF_ONE_BYTE]):
        reading = _reading(data, codec, named)
        if reading is None or reading.text in readings:
            continue
        plausible = codec in named and reading.points > _MARGIN and not readings
        plausible = plausible and not (codec in _WESTERN and _SECOND.search(data))
        is_utf8 = codec == "utf-8" and not (named or data.isascii())
        enough = reading.points >= _ENOUGH and codec in ("utf-8", *_LANGUAGES)
        if reading.order[0] == 0 and (is_utf8 or plausible or enough):
            return _encoded(reading)
        readings[reading.text] = reading
    most = max(reading.order for reading in readings.values())
    first, *others = sorted((r for r in readings.values() if r.order == most), key=lambda r: -r.points)
    if first.points > 0 and all(first.points - other.points >= _margin(first, other) for other in others):
        return _encoded(first)
    if all(reading.points <= 0 for reading in (first, *others) if reading.codec not in named):
        for reading in (first, *others):
            if reading.codec in named and (reading.points > 0 or reading.codec not in _WESTERN):
                return _encoded(reading)  # rare characters in the charset of the file
    return _shielded(data, {reading.codec for reading in (first, *others)})


def _reading(data: bytes, codec: str, named: Collection[str]) -> _Reading | None:
    """Return data as text of a charset; None if it is none. `named`: the codecs of the charset that CA names."""
    text = _decoded(data, codec)
    if codec == "utf-8" and text is None:
        text = _joined(data, named=codec in named)
    if text is None:
        return None
    points = _points(codec, text)
    if codec in named and codec not in ("utf-8", *_LANGUAGES, *_WESTERN) and points >= 0:
        points = max(points, _NAMED)
    return _Reading(codec, text, _order(text), points + _MARGIN * (codec in named))


def _margin(first: _Reading, other: _Reading) -> int:
    """Return the points that a reading needs more than another one."""
    return 1 if {first.codec, other.codec} <= {*_WESTERN, *_OF_ONE_BYTE} else _MARGIN


def _decoded(data: bytes, codec: str, errors: str = "strict") -> str | None:
    try:
        return data.decode(codec, errors)
    except (LookupError, ValueError):
        return None


def _joined(data: bytes, *, named: bool) -> str | None:
    """Return UTF-8 whose surrogates are joined to characters; None if it is none, or if only CA says that it is UTF-8.

    A lone half of a character becomes U+FFFD.
    """
    text = _decoded(data, "utf-8", "surrogatepass")
    if text is None or not (named or _HALVES.search(text)):
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encoded(reading: _Reading) -> bytes:
    return CHARSET.sub(UTF_8, reading.text.encode(errors="replace"))


def _shielded(data: bytes, codecs_: set[str]) -> bytes:
    """Return data with the bytes that are not ASCII, and the second bytes of two-byte characters, as lone surrogates.

    The second bytes stay if a charset of one byte for each character divides the data as well as any other.
    """
    text = data.decode("ascii", "surrogateescape")
    if not codecs_ & {"utf-8", *_WESTERN}:
        pairs = _PAIRS["cp932" if "cp932" in codecs_ else ""]
        text = pairs.sub(lambda pair: pair[0][0] + chr(0xDC00 | ord(pair[0][1]) & 0xFF), text)
    return text.translate(_SHIELDS).encode("utf-8", "surrogatepass")


def _order(text: str) -> tuple[int, int]:
    """Return how well a text is SGF, see `_Reading`."""
    start = _START.search(text)
    rest, tokens = _TOKEN.subn("", text[0 if start is None else start.start() :])
    return -sum(map(len, rest.split())), tokens


def _points(codec: str, text: str) -> int:
    """Return the points of a reading: for common characters of the charset's language, less those for other letters."""
    others = islice(_NOT_ASCII.finditer(text), _SAMPLE)
    if codec in _LANGUAGES:
        common = _common_characters()[_LANGUAGES[codec]]
        return sum(_COMMON if char[0] in common else _RARE * _is_rare(text, char.start()) for char in others)
    if codec == "utf-8":  # that other text is valid UTF-8 is less likely, the longer its characters are
        by_place = sum(_ENOUGH if c[0] > "\u07ff" else max(1, 6 * _western(text, c.start())) for c in others)
        return by_place if by_place >= _ENOUGH else by_place + 2 * max(0, _points_of_words(text))
    return _points_of_words(text, western=codec in _WESTERN)


def _points_of_words(text: str, *, western: bool = False) -> int:
    """Return the points of a reading by its words that are not ASCII.

    A word of `western` text gets a point for each accented letter at least. Such text gets a point more, as this is the
    charset of SGF where no other one is named, unless it has a doubtful letter. In other text each word must be of a
    language.
    """
    points = 0
    for match in islice(_WORD.finditer(text), _WORDS):
        at, word = match.start(), match[0]
        fitting = _points_of_word(word)
        if western:
            fitting = max(fitting, sum(_western(text, at + n) for n, char in enumerate(word) if char > "\x7f"))
        elif fitting < 0:
            return -_ENOUGH
        points += fitting
    return points + (western and points > 0 and not _DOUBTFUL & set(text))


@lru_cache(maxsize=4096)
def _points_of_word(word: str) -> int:
    """Return the points of a word: the most that it gets as a word of one language.

    A word has no signs within it and none that draw boxes; there may be quotation marks around it.
    """
    kinds = [category(char)[0] if char > "\x7f" else "L" for char in word]
    inner = [kind for n, kind in enumerate(kinds) if kind in "SNC" or (kind == "P" and word[n] != "\u2019")]
    outer = [kind for kind in (kinds[0], kinds[-1]) if kind == "P"]
    if _BOXES.search(word) or "C" in kinds or ("L" in kinds and len(inner) > len(outer)):
        return -_ENOUGH
    parts = ["".join(group) for is_text, group in groupby(word, lambda char: category(char)[0] in "LM") if is_text]
    return sum(max(_points_in(part, language) for language in _pairs()) for part in parts)


def _points_in(word: str, language: str) -> int:
    """Return the points of letters as a word of a language."""
    pairs, letters = _pairs()[language]
    others = [char for char in word if char > "\x7f"]
    mixed = len(others) < len(word) and max(others, default="") >= "\u0370"
    if mixed or (word[1:] != word[1:].lower() and word != word.upper()):
        return _RARE * len(others)
    weight = _COMMON
    if len(others) == len(word) and word in (word.lower(), word.upper()):  # East Asian text in other alphabets is such
        weight = 1 if len(word) > _SHORT or word.lower() == word.upper() else 0
    small = f"-{word.replace('İ', 'i').lower()}-"
    points = 0
    for before, char, after in zip(small, small[1:], small[2:], strict=False):
        if char > "\x7f":
            fits = before + char in pairs and char + after in pairs
            points += weight if fits else -1 if char in letters else _RARE
    return points


@cache
def _pairs() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return the pairs of letters of each language in `letters.txt`, and its letters that are not ASCII."""
    _, *parts = (resources.files(__package__) / "letters.txt").read_text(encoding="utf-8").split("\n\n")
    by_language = {}
    for name, *groups in map(str.split, parts):
        pairs = frozenset(group[0] + char for group in groups for char in group[1:])
        by_language[name] = pairs, frozenset(char for pair in pairs for char in pair if char > "\x7f")
    return by_language


@cache
def _common_characters() -> dict[str, frozenset[str]]:
    """Return the common characters of each language in `characters.txt`."""
    _, *parts = (resources.files(__package__) / "characters.txt").read_text(encoding="utf-8").split("\n\n")
    return {name: frozenset("".join(rows)) for name, *rows in map(str.split, parts)}


def _is_rare(text: str, at: int) -> bool:
    """Whether a character is a letter, a control character or unassigned; full-width letters count in ASCII words."""
    char, beside = text[at], text[at - 1 : at] + text[at + 1 : at + 2]
    if "\uff00" < char < "\uff5f":
        return any(other.isascii() and other.isalpha() for other in beside)
    return category(char)[0] in "LC"


def _western(text: str, at: int) -> int:
    """Return the points of a character that should be an accented letter in a word, or a sign beside a word."""
    before, char, after = text[at - 1 : at], text[at], text[at + 1 : at + 2]
    if category(char)[0] == "L" and char < "\u0250":
        letter = any(other.isascii() and other.isalpha() for other in (before, after))
        return 1 if letter or (before + after).isascii() else _RARE
    return 0 if (before + after).isascii() and category(char)[0] != "C" else _RARE
