"""Translations: `python -m tests.support.translations LANGUAGE` makes or updates a catalogue, checks and compiles it.

A catalogue is `gtp_capture/locale/LANGUAGE/LC_MESSAGES/gtp_capture.po`. Its messages are the sentences of the table,
each with its key as the context, and the texts of the lessons. Here is also a made-up language for tests.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter
from typing import Final

import pytest
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import read_tree
from gtp_capture.teach import sentences
from gtp_capture.teach.course import lessons
from gtp_capture.teach.puzzles.files import facts
from gtp_capture.util.catalogue import compile_catalogue

MADE_UP: Final = "pl"
"""The made-up language has the plural forms of Polish, which are three: for 1, for 2 to 4, and for 5 and more."""
WIDE: Final = {ord("A") + n: chr(0xFF21 + n) for n in range(26)} | {ord("a") + n: chr(0xFF41 + n) for n in range(26)}
"""Each letter as a full-width letter."""
PLURALS: Final = {"es": "(n != 1)", "fr": "(n > 1)", "it": "(n != 1)", "pt_BR": "(n != 1)", "pt_PT": "(n != 1)"}
"""The two plural forms of languages for which Babel has a third one, which is for millions."""
HEADER: Final = """\
{language} translation of gtp-capture.

Terms chosen; write each term after the English one: chain, liberty, atari, capture, take, double atari,
ladder, net, cut, connect, eye, ko, seki, snapback, safe move, safe point, pass, prisoner,
territory, komi, handicap, lesson, problem, hint, level, Black, White.
-

How learners are addressed, and other decisions:
-
"""
"""The first comment of a new catalogue."""
TYPED: Final = "Typed: "
"""So a comment of the table begins that names words which are typed: the message has those of its language."""
NOT_TRANSLATED: Final = "not translated: "
"""The beginning of the fault of a message that has no translation, or one of an older text."""
LEAST_WORDS: Final = 20
"""Words of which one lets children into a class: with fewer, they could be guessed."""
LETTERS: Final = "Letters on the board: "
"""So a comment begins that names the letters of a page."""
_LATIN: Final = "A-Za-zÀ-ɏ0-9"
_VERTEX: Final = re.compile(rf"(?<![{_LATIN}])[A-HJ-T][0-9]{{1,2}}(?![0-9])")
_MARK: Final = re.compile(rf"(?<![{_LATIN}])(?:[B-HJ-Tb-h](?![{_LATIN}'\\u2019])|[0-9]+)")


# --- The template of all catalogues ---


def template() -> Catalog:
    """Return the messages for translators, without a translation: the table in its order, then the lessons."""
    messages, english = Catalog(), sentences.table()
    for key, comments in commented_keys():
        if is_message(key):
            one, text = english.get(f"{key}.one"), english[key]
            messages.add((one, text) if one else text, context=key, auto_comments=comments)
    for number in lessons.numbers():
        pages = 0
        for data in sgf.split(lessons.source(number)):
            root = read_tree(data)
            stated = facts(root)
            pages += not {"goal", "level"} & {*stated}
            part = root.text("GN").lower() if "goal" in stated else "the game" if "level" in stated else f"page {pages}"
            letters = sorted(value.partition(b":")[2].decode() for value in root.properties.get("LB", []))
            for node, name, _, text in lessons.texts(root):
                if messages.get(text) is None:
                    comments = [f"Lesson {number}, {_place(name, part, at_root=node is root)}"]
                    comments += (
                        [LETTERS + ", ".join(alone)] if name == "C" and (alone := letters_of(text, letters)) else []
                    )
                    messages.add(text, auto_comments=comments)
    return messages


def _place(name: str, part: str, *, at_root: bool) -> str:
    """Return where a text is in a part of a lesson."""
    if not at_root:
        return f"{part}, after an answer"
    titles = {"EV": "the title", "GC": "for teachers", "GN": f"the title of {part}"}
    return titles.get(name, part)


def letters_of(text: str, letters: Iterable[str]) -> list[str]:
    """Return the letters that stand alone in a text, of those that are on the board."""
    alone = re.findall(rf"(?<![{_LATIN}])[a-z](?![{_LATIN}'\u2019])", text)
    return [letter for letter in letters if letter in alone]


def commented_keys() -> Iterator[tuple[str, list[str]]]:
    """Yield each key of the table, with the comments directly above it."""
    comments = list[str]()
    for line in (Path(sentences.__file__).with_name("sentences.txt")).read_text(encoding="utf-8").splitlines():
        key, is_sentence, _ = line.partition(" =")
        if line.startswith("#"):
            comments.append(line.removeprefix("#").strip())
            continue
        if is_sentence and not line.startswith(" "):
            yield key, comments
        comments = []


def is_message(key: str) -> bool:
    """Whether a key of the table is a message: neither empty, nor in English only, nor the singular of another one."""
    table = sentences.table()
    singular = key.endswith(".one") and key.removesuffix(".one") in table
    return bool(table[key]) and ".terse" not in key and not singular


# --- Faults of a catalogue ---


def faults(messages: Catalog, catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with a catalogue, one line for each fault; `messages`: the template."""
    for message in filter(lambda message: message.id, messages):
        translated = catalog.get(message.id, message.context)
        english = forms(message.id)
        one, text = english[0], english[-1]
        at = f"{message.context or 'lesson'}: {text[:60]!r}"
        if translated is None or translated.fuzzy or not all(forms(translated.string)):
            yield f"{NOT_TRANSLATED}{at}"
            continue
        said = forms(translated.string)
        if len(said) != (catalog.num_plurals if message.pluralizable else 1):
            yield f"{len(said)} plural forms of {catalog.num_plurals}: {at}"
        for number, form in enumerate(said):
            least = fields(one if number == 0 and len(said) > 1 else text)  # the first form is for 1, or for 0 and 1
            yield from (f"{fault}: {at}: {form!r}" for fault in _faults_of(message, text, form, least))
            if missing := [name for name in _named(message, TYPED) if not _has_typed(form, name, catalog)]:
                yield f"missing words that are typed: {', '.join(missing)}: {at}: {form!r}"


def _faults_of(message: Message, text: str, said: str, least: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the faults of one form; `least`: the fields that it must have."""
    try:
        wanted, present = fields(text), fields(said)
    except ValueError:
        yield "braces that do not match"
        return
    if not least <= present <= wanted:
        if lost := _listed(least - present):
            yield f"missing fields: {lost}"
        if unknown := _listed(present - wanted):
            yield f"fields that the original has not: {unknown}"
    if paragraphs(text) != paragraphs(said):
        yield f"{paragraphs(said)} paragraphs of {paragraphs(text)}"
    has_marks = not message.pluralizable and len(text) > 1 and not str(message.context).startswith("typed.")
    if missing := sorted(marks(text) - marks(said)) if has_marks else []:
        yield f"missing {', '.join(missing)}"
    if more := sorted({*_VERTEX.findall(said)} - {*_VERTEX.findall(text)}):
        yield f"points that the original has not: {', '.join(more)}"
    letters = _named(message, LETTERS)
    if missing := sorted({*letters} - {*letters_of(said, letters)}):
        yield f"missing letters: {', '.join(missing)}"
    if message.context == "class.words" and len({*said.split()}) < LEAST_WORDS:
        yield f"fewer than {LEAST_WORDS} words"


def _has_typed(said: str, name: str, catalog: Catalog) -> bool:
    """Whether a text has a word that is typed for a word of the program: of the language, or the English one."""
    context = f"typed.{name}" if f"typed.{name}" in sentences.table() else f"term.{name}.word"
    translated = catalog.get(sentences.table()[context], context)
    return any(word in said for word in (name, *(str(translated.string).split() if translated is not None else ())))


def _listed(names: set[tuple[str, str]]) -> str:
    return ", ".join(sorted(name for name, _ in names))


def fields(text: str) -> set[tuple[str, str]]:
    """Return the fields of a text with their formats; `{Move}` is the field `move`. ValueError: a brace is alone.

    What a translation adds to a format, such as the word with which a number is counted, is not returned.
    """
    parsed = Formatter().parse(text)
    return {
        (field[0].lower() + field[1:], re.sub(r"[^\0-\x7f].*", "", spec or "")) for _, field, spec, _ in parsed if field
    }


def marks(text: str) -> set[str]:
    """Return the points, letters and numbers of a text that mean the board; not A and a, which may be words."""
    literal = " ".join(literal for literal, *_ in Formatter().parse(text))
    return {*_VERTEX.findall(literal), *_MARK.findall(_VERTEX.sub(" ", literal))}


def paragraphs(text: str) -> int:
    """Return the number of paragraphs of a text."""
    return len(re.findall(r"\n\s*\n", text)) + 1


def _named(message: Message, start: str) -> list[str]:
    """Return the words or letters that a comment of a message names."""
    lists = (comment.removeprefix(start) for comment in message.auto_comments if comment.startswith(start))
    return [word for words in lists for word in re.findall("[A-Za-z]+", words)]


def forms(text: object) -> tuple[str, ...]:
    """Return the forms of a text of Babel, which is one string or has several."""
    return (text,) if isinstance(text, str) else tuple(map(str, text)) if isinstance(text, tuple | list) else ("",)


# --- Files ---


def source(language: str, folder: Path = sentences.FOLDER) -> Path:
    """Return the path of the catalogue of a language."""
    return folder / language / "LC_MESSAGES" / f"{sentences.DOMAIN}.po"


def read(path: Path) -> Catalog:
    """Read a catalogue, whose language its path names."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def update(language: str, messages: Catalog, folder: Path = sentences.FOLDER) -> Catalog:
    """Make or update the catalogue of a language: new messages are empty, and changed ones fuzzy."""
    return updated(source(language, folder), language, messages, HEADER)


def updated(path: Path, language: str, messages: Catalog, header: str) -> Catalog:
    """Make or update a catalogue, see `update`; `header`: the first comment of a new one."""
    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
        catalog.update(messages, update_creation_date=False)
    else:
        people = dict.fromkeys(("msgid_bugs_address", "last_translator", "language_team"), "The gtp-capture authors")
        now = datetime.now(UTC)
        catalog = Catalog(
            language, project="gtp-capture", version="1", creation_date=now, revision_date=now, fuzzy=False, **people
        )
        catalog.header_comment = "\n".join(
            f"# {line}".rstrip() for line in header.format(language=Locale.parse(language).english_name).splitlines()
        )
        if language in PLURALS:
            catalog.mime_headers = [("Plural-Forms", f"nplurals=2; plural={PLURALS[language]};")]
        catalog.update(messages)
        path.parent.mkdir(parents=True)
    catalog.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalog, width=100, sort_output=False)
    return catalog


def report(language: str, faults: Iterable[str]) -> int:
    """Print the faults of a catalogue, and return their number.

    The lines of messages that are not translated come first, so that other faults stand at the end.
    """
    lines = sorted(faults, key=lambda line: not line.startswith(NOT_TRANSLATED))
    empty = sum(line.startswith(NOT_TRANSLATED) for line in lines)
    note = f", {empty} of them not translated" if empty else ""
    print(*lines, f"{language}: {len(lines)} faults{note}", sep="\n")
    return len(lines)


def main() -> None:
    """Update, check and compile the catalogues of the languages that are named; all if none is named."""
    messages = template()
    languages = sys.argv[1:] or sorted(path.parents[1].name for path in sentences.FOLDER.glob("*/*/*.po"))
    count = 0
    for language in languages:
        try:
            Locale.parse(language)
        except (ValueError, UnknownLocaleError):
            sys.exit(f"{language!r} is no code of a language, such as eo, or of a language in a country, such as pt_BR")
        catalog = update(language, messages)
        compile_catalogue(source(language))
        count += report(language, faults(messages, catalog))
    sys.exit(count > 0)


# --- The made-up language ---


def marked(text: str, kept: Collection[str] = ()) -> str:
    """Return a text in brackets, and all letters but those of fields full-width; `kept`: words that stay."""
    parts = []
    for literal, field, spec, _ in Formatter().parse(text):
        parts.append(re.sub(r"\w+", lambda word: word[0] if word[0] in kept else word[0].translate(WIDE), literal))
        if field is not None:
            parts.append(f"{{{field}:{spec}}}" if spec else f"{{{field}}}")
    return f"«{''.join(parts)}»"


def made_up(messages: Catalog, language: str = MADE_UP) -> Catalog:
    """Return the catalogue of the made-up language. Plural forms begin with their number."""
    made = Catalog(locale=language)
    for message in filter(lambda message: message.id, messages):
        *one, text = forms(message.id)
        said = marked(text, {*marks(text), *_named(message, LETTERS), *_named(message, TYPED)})
        said_forms = tuple(f"{form}{said}" for form in range(made.num_plurals))
        made.add(message.id, said_forms if one else said, context=message.context)
    return made


def install(catalog: Catalog, folder: Path, language: str = MADE_UP) -> None:
    """Write a catalogue where `sentences.catalogue` finds it, if `folder` is the folder of catalogues."""
    path = source(language, folder).with_suffix(".mo")
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalog)


@contextlib.contextmanager
def used(folder: Path) -> Iterator[None]:
    """Let the program read the catalogues of a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "FOLDER", folder)
        sentences.catalogue.cache_clear()
        yield
    sentences.catalogue.cache_clear()


if __name__ == "__main__":
    main()
