"""gtp-capture help: the pages of the manual in the terminal."""

from __future__ import annotations

import difflib
import os
import re
from importlib import resources
from typing import Final

import click

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


def find(word: str) -> str:
    """Return the topic of a name, or the topic that lists the options of a command. UsageError: there is none."""
    names = topics()
    if word in names:
        return word
    for topic in names:
        if f"<!-- table: options of {word} -->\n" in page(topic):
            return topic
    near = difflib.get_close_matches(word.lower(), names, n=3, cutoff=0.5)
    advice = f"did you mean {', '.join(near)}?" if near else "gtp-capture help lists the pages"
    raise click.UsageError(f"no page {word!r}: {advice}")


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


@click.command()
@click.argument("topic", default=INDEX)
def help(topic: str) -> None:
    """Show a page of the manual.

    TOPIC is a page, or a command whose options a page lists. Without TOPIC all pages are listed.
    """
    text = shown(find(topic))
    from .drawing import new_console  # imported here: most commands do not need rich

    console = new_console()
    if not console.is_terminal:
        click.echo(text, nl=False)
        return
    from rich.markdown import Markdown

    with console.capture() as capture:
        console.print(Markdown(text, hyperlinks=False))
    os.environ.setdefault("LESS", "-FRX")  # leave a short page, and colours, as they are
    click.echo_via_pager(capture.get())
