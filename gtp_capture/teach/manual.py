"""The pages of the manual: their names, and their text as it is shown outside of the repository."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

INDEX: Final = "index"
"""The page that lists all others."""
TRANSLATED: Final = ("install", "first-lesson", "class", "troubleshooting")
"""The pages that are there in each language: what a teacher needs to begin."""
_HIDDEN: Final = re.compile(r"^(<!--.*-->|<a id=.*></a>|!\[.*\]\(.*\))\n", re.MULTILINE)
"""Lines that are not shown: comments for programs, anchors, and pictures."""
_LINK: Final = re.compile(
    r"\[(?P<text>[^\]]+)\]\((?!https?:)(?P<path>[^)#]*?(?:(?P<topic>[\w-]+)\.md)?)(?P<place>#[\w-]+)?\)"
)
"""Links to other pages and to files of the repository."""


def page(topic: str, language: str = "") -> str:
    """Return the Markdown of a page as it is in the repository.

    `language`: the language of the page, for example "fr". A page that is not translated is in English.
    """
    folder = resources.files("gtp_capture").joinpath("manual")
    translated = folder.joinpath(language, f"{topic}.md")
    return (translated if translated.is_file() else folder.joinpath(f"{topic}.md")).read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """Return the name by which links lead to a heading: "What you can set" is `what-you-can-set`."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def topics() -> tuple[str, ...]:
    """Return the names of all pages: the index, and those that it lists, in its order."""
    return INDEX, *re.findall(r"^- \[([\w-]+)\]", page(INDEX), re.MULTILINE)


def shown(topic: str, language: str = "") -> str:
    """Return a page without comments and pictures, and with commands that show other pages in place of links."""
    return _LINK.sub(_command, _visible(topic, language))


def linked(topic: str, language: str = "") -> str:
    """Return a page without comments and pictures, with links to pages by their topics: `class#homework`.

    Links to what is not in the manual are their text alone.
    """
    return _LINK.sub(_address, _visible(topic, language))


def _visible(topic: str, language: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", _HIDDEN.sub("", page(topic, language)))


def _command(link: re.Match[str]) -> str:
    text, other = link["text"], link["topic"]
    if other not in topics():
        return link["text"]
    return f"`gtp-capture help {other}`" if text == other else f"{text} (`gtp-capture help {other}`)"


def _address(link: re.Match[str]) -> str:
    is_here = link["topic"] in topics() or not link["path"]
    return f"[{link['text']}]({link['topic'] or ''}{link['place'] or ''})" if is_here else link["text"]
