"""Pages of the manual in other languages: `python -m tests.support.pages LANGUAGE` makes or updates and checks them.

The source of the pages of a language is `gtp_capture/manual/LANGUAGE/pages.po`. Its messages are the paragraphs,
headings, items of lists, rows of tables and names of pictures of the English pages, without line breaks, each with its
page as the context. The pages are made from it and stand beside it; what has no translation is English.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog

from gtp_capture.teach.manual import TRANSLATED, anchor

from . import translations
from .paths import MANUAL

NAME: Final = "pages.po"
HEADER: Final = """\
{language} pages of the manual of gtp-capture. Terms, buttons and typed words are those of the catalogue
of sentences, locale/LANGUAGE/LC_MESSAGES/gtp_capture.po.
"""
BUTTONS: Final = ("class.page.", "class.button.", "class.choice.", "class.homework.")
"""So begin the keys of what stands on buttons and headings of a class, which the pages name in bold type."""
_START: Final = re.compile(r" *(?:#+ |\d+\. |- )?")
"""The beginning of a line that is no part of its text: its indent, and the sign of a heading or of an item."""
_RULE: Final = re.compile(r"^\|[-:|]+\|$")
"""The line of a table under its head."""
_PICTURE: Final = re.compile(r"^!\[(.*)\]\((.*)\)$")
_ADDRESS: Final = re.compile(r"\]\((?!https?:|#)([^)]*)\)")
"""The address of a link to another file."""
_EXACT: Final = re.compile(r"`[^`]+`|\]\([^)]*\)| \| ")
"""What each translation has as it is in English: what is typed, the addresses of links, and the cells of a table."""
SOFT: Final = "\xad"
"""A soft hyphen, with which a long word of a button may be broken."""
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")


class Part(NamedTuple):
    """A part of a page: what stands before its text, the text as one line, and what stands after it."""

    before: str
    text: str
    after: str = "\n"


def parts(page: str) -> Iterator[Part]:
    """Yield the parts of a page in Markdown. One without a text stays as it is: code, comments, empty lines."""
    is_code, lines = False, list[str]()

    def paragraph() -> Iterator[Part]:
        if lines:
            before = _START.match(lines[0])
            assert before is not None
            yield Part(before[0], " ".join([lines[0][before.end() :], *map(str.strip, lines[1:])]))
            lines.clear()

    for line in page.splitlines():
        is_fence = line.lstrip().startswith("```")
        if is_code or is_fence or not line.strip() or line.startswith("<!--") or _RULE.match(line):
            yield from paragraph()
            yield Part(f"{line}\n", "", "")
            is_code ^= is_fence
        elif picture := _PICTURE.match(line):
            yield from paragraph()
            yield Part("![", picture[1], f"]({picture[2]})\n")
        else:
            start = _START.match(line)
            if line.lstrip().startswith("|") or start is None or start[0].strip():
                yield from paragraph()
            lines.append(line)
    yield from paragraph()


def template() -> Catalog:
    """Return the messages for translators, without a translation."""
    messages = Catalog()
    for topic in TRANSLATED:
        for part in parts((MANUAL / f"{topic}.md").read_text(encoding="utf-8")):
            if re.search("[a-z]", re.sub(r"`[^`]*`|[| ]", "", part.text)):
                messages.add(part.text, context=topic)
    return messages


def page(topic: str, catalog: Catalog) -> str:
    """Return a page in the language of a catalogue, with an anchor of the English name before each heading."""
    made = []
    for before, text, after in parts((MANUAL / f"{topic}.md").read_text(encoding="utf-8")):
        message = catalog.get(text, topic) if text else None
        said = message.string if message is not None and message.string and not message.fuzzy else text
        if before.startswith("##"):
            made.append(f'<a id="{anchor(text)}"></a>\n\n')
        made.append(_ADDRESS.sub(_from_below, f"{before}{said}{after}"))
    return "".join(made)


def _from_below(link: re.Match[str]) -> str:
    """Return the address of a link as it is one folder further down; the translated pages are there too."""
    path, sign, place = link[1].partition("#")
    return f"]({'' if path.removesuffix('.md') in TRANSLATED else '../'}{path}{sign}{place})"


def faults(messages: Catalog, catalog: Catalog, sentences: Catalog) -> Iterator[str]:
    """Yield what is wrong with a catalogue of pages, one line for each fault.

    `messages`: the template. `sentences`: the catalogue of sentences of the language, with the names of the buttons.
    """
    buttons = {
        str(message.id): str(message.string).replace(SOFT, "")
        for message in sentences
        if str(message.context).startswith(BUTTONS)
    }
    for message in filter(lambda message: message.id, messages):
        translated, at = catalog.get(message.id, message.context), f"{message.context}: {message.id[:60]!r}"
        if translated is None or translated.fuzzy or not translated.string:
            yield f"{translations.NOT_TRANSLATED}{at}"
            continue
        text, said = str(message.id), str(translated.string)
        named = Counter(f"**{buttons[name]}**" for name in _BOLD.findall(text) if name in buttons)
        wanted = Counter(_EXACT.findall(text)) + named
        there = Counter(_EXACT.findall(said)) + Counter(f"**{name}**" for name in _BOLD.findall(said))
        if missing := sorted(wanted - there):
            yield f"missing {', '.join(missing)}: {at}: {said!r}"
        if there[" | "] != wanted[" | "]:
            yield f"another number of cells: {at}: {said!r}"


def source(language: str) -> Path:
    """Return the path of the catalogue of pages of a language."""
    return MANUAL / language / NAME


def main() -> None:
    """Update and check the pages of the languages that are named; all if none is named."""
    messages, total = template(), 0
    for language in sys.argv[1:] or sorted(path.parent.name for path in MANUAL.glob(f"*/{NAME}")):
        catalog = translations.updated(source(language), language, messages, HEADER)
        for topic in TRANSLATED:
            source(language).with_name(f"{topic}.md").write_text(page(topic, catalog), encoding="utf-8")
        said = translations.read(translations.source(language))
        total += translations.report(language, faults(messages, catalog, said))
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
