"""The pages of the manual: their names, and their text as it is shown outside of the repository."""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

INDEX: Final = "index"
"""The page that lists all others."""
_HIDDEN: Final = re.compile(r"^(<!--.*-->|!\[.*\]\(.*\))\n", re.MULTILINE)
"""Lines that are not shown: comments for programs, and pictures."""
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*?(?:([\w-]+)\.md)?(?:#[\w-]+)?\)")
"""Links to other pages and to files of the repository."""


def page(topic: str) -> str:
    """Return the Markdown of a page, as it is in the repository."""
    return resources.files("gtp_capture").joinpath("manual", f"{topic}.md").read_text(encoding="utf-8")


def topics() -> tuple[str, ...]:
    """Return the names of all pages: the index, and those that it lists, in its order."""
    return INDEX, *re.findall(r"^- \[([\w-]+)\]", page(INDEX), re.MULTILINE)


def shown(topic: str) -> str:
    """Return a page without comments and pictures, and with commands that show other pages in place of links."""
    names = topics()

    def without_address(link: re.Match[str]) -> str:
        text, other = link[1], link[2]
        if other not in names:
            return text
        return f"`gtp-capture help {other}`" if text == other else f"{text} (`gtp-capture help {other}`)"

    text = re.sub(r"\n{3,}", "\n\n", _HIDDEN.sub("", page(topic)))
    return _LINK.sub(without_address, text)
