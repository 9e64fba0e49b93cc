"""Messages for translators: their extraction by Babel, a made-up language, and faults of a catalogue.

`python -m babel.messages.frontend extract -F pyproject.toml -o messages.pot gtp_capture` writes the template of all
catalogues. The table of sentences and the lessons are read by the functions `table` and `lessons`, which
`pyproject.toml` names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, BinaryIO, Final

from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from gtp_capture.go import sgf
from gtp_capture.go.sgf_tree import read_tree
from gtp_capture.teach import sentences
from gtp_capture.teach.course.lessons import texts

from .paths import ROOT

MADE_UP: Final = "pl"
"""The made-up language has the plural forms of Polish, which are three: for 1, for 2 to 4, and for 5 and more."""
WIDE: Final = {ord("A") + n: chr(0xFF21 + n) for n in range(26)} | {ord("a") + n: chr(0xFF41 + n) for n in range(26)}
"""Each letter as a full-width letter."""

Found = tuple[int, str | None, str | tuple[str, str], list[str]]
"""A message for Babel: its line, the function for plurals, the text or both its forms, and comments."""


def table(file: BinaryIO, keywords: Mapping[str, Any], tags: Collection[str], options: object) -> Iterator[Found]:
    """Yield the messages of `sentences.txt`, each with its key and the comments directly above it."""
    english, comments = sentences.table(), list[str]()
    for number, line in enumerate(file.read().decode().splitlines(), 1):
        key, is_sentence, _ = line.partition(" =")
        if line.startswith("#"):
            comments.append(line.removeprefix("#").strip())
        elif is_sentence and not line.startswith(" ") and is_message(key):
            one, text = english.get(f"{key}.one"), english[key]
            yield number, one and "ngettext", (one, text) if one else text, [key, *comments]
        if not line.startswith("#"):
            comments = []


def is_message(key: str) -> bool:
    """Whether a key of the table is a message: neither empty, nor in English only, nor the singular of another one."""
    table = sentences.table()
    singular = key.endswith(".one") and key.removesuffix(".one") in table
    return bool(table[key]) and ".terse" not in key and not singular


def lessons(file: BinaryIO, keywords: Mapping[str, Any], tags: Collection[str], options: object) -> Iterator[Found]:
    """Yield the texts of a lesson; the number of a line is the number of the game in the file."""
    for number, data in enumerate(sgf.split(file.read()), 1):
        for _, name, _, text in texts(read_tree(data)):
            yield number, None, text, ["For teachers"] if name == "GC" else []


def template(folder: Path) -> Catalog:
    """Return the template of all catalogues, as Babel extracts it into a folder."""
    path = folder / "messages.pot"
    extract = ["pybabel", "--quiet", "extract", "-F", str(ROOT / "pyproject.toml"), "-o", str(path)]
    CommandLineInterface().run([*extract, str(ROOT / "gtp_capture")])  # type: ignore[no-untyped-call]
    with path.open("rb") as file:
        return read_po(file)


def marked(text: str) -> str:
    """Return a text in brackets, and all letters but those of fields full-width."""
    parts = []
    for literal, field, spec, _ in Formatter().parse(text):
        parts.append(literal.translate(WIDE))
        if field is not None:
            parts.append(f"{{{field}:{spec}}}" if spec else f"{{{field}}}")
    return f"«{''.join(parts)}»"


def made_up(messages: Catalog) -> Catalog:
    """Return the catalogue of the made-up language. Plural forms begin with their number."""
    made = Catalog(locale=MADE_UP)
    for message in filter(lambda message: message.id, messages):
        *one, text = _forms(message.id)
        said = marked(text)
        made.add(message.id, tuple(f"{form}{said}" for form in range(made.num_plurals)) if one else said)
    return made


def install(catalog: Catalog, folder: Path) -> None:
    """Write a catalogue where `sentences.catalogue` finds it, if `folder` is the folder of catalogues."""
    path = folder / str(catalog.locale) / "LC_MESSAGES" / f"{sentences.DOMAIN}.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_mo(file, catalog)


def fields(text: str) -> set[tuple[str, str | None]]:
    """Return the fields of a text, with their formats."""
    return {(field, spec) for _, field, spec, _ in Formatter().parse(text) if field}


def faults(messages: Catalog, catalog: Catalog) -> Iterator[str]:
    """Yield the messages that a catalogue lacks, or translates with other fields."""
    for message in filter(lambda message: message.id, messages):
        found = catalog.get(message.id)
        if found is None or found.fuzzy or not all(_forms(found.string)):
            yield f"not translated: {message.id}"
            continue
        *_, text = _forms(message.id)
        for said in _forms(found.string):
            if fields(text) - {("count", "")} != fields(said) - {("count", "")}:
                yield f"other fields: {said}"


def _forms(text: object) -> tuple[str, ...]:
    """Return the forms of a text of Babel, which is one string or has several."""
    return (text,) if isinstance(text, str) else tuple(map(str, text)) if isinstance(text, tuple | list) else ("",)
