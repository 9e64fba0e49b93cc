"""gtp-capture help: the pages of the manual in the terminal."""

from __future__ import annotations

import difflib
import os
import re
from importlib import resources
from typing import Final

import click

TOPICS: Final = (
    *(
        "install",
        "teaching",
        "class",
        "problems",
        "reviews",
        "sabaki",
        "gogui",
        "frontends",
        "rules",
        "levels",
        "options",
    ),
    *("gtp", "analysis", "match", "solve", "library", "files", "troubleshooting"),
)
"""The pages of `gtp_capture/manual/`, in the order in which a new user needs them."""
USAGE: Final = "gtp-capture help TOPIC shows a page, gtp-capture COMMAND --help the options of a command."
_HIDDEN: Final = re.compile(r"^(<!--.*-->|!\[.*\]\(.*\))\n", re.MULTILINE)
"""Lines that are not shown: comments for programs, and pictures."""
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*?(?:(\w+)\.md)?\)")
"""Links to other pages and to files of the repository."""


def page(topic: str) -> str:
    """Return the Markdown of a page, as it is in the repository."""
    return resources.files("gtp_capture").joinpath("manual", f"{topic}.md").read_text(encoding="utf-8")


def summary(topic: str) -> str:
    """Return the part of the title of a page after the colon: its subject in a few words."""
    return page(topic).partition("\n")[0].partition(": ")[2]


def find(word: str) -> str:
    """Return the topic of a name, or the topic that lists the options of a command. UsageError: there is none."""
    if word in TOPICS:
        return word
    for topic in TOPICS:
        if f"<!-- table: options of {word} -->\n" in page(topic):
            return topic
    near = difflib.get_close_matches(word.lower(), TOPICS, n=3, cutoff=0.5)
    advice = f"did you mean {', '.join(near)}?" if near else "gtp-capture help --list names the topics"
    raise click.UsageError(f"no page {word!r}: {advice}")


def shown(topic: str) -> str:
    """Return a page without comments and pictures, and with topics in place of links."""
    text = re.sub(r"\n{3,}", "\n\n", _HIDDEN.sub("", page(topic)))
    return _LINK.sub(_without_address, text)


def _without_address(link: re.Match[str]) -> str:
    text, topic = link[1], link[2]
    if topic not in TOPICS:
        return text
    return f"`gtp-capture help {topic}`" if text == topic else f"{text} (`gtp-capture help {topic}`)"


@click.command()
@click.argument("topic", required=False)
@click.option("--list", "listing", is_flag=True, help="Name the topics.")
def help(topic: str | None, listing: bool) -> None:
    """Show a page of the manual.

    TOPIC is one that --list names, or a command.
    """
    if topic is None or listing:
        width = max(map(len, TOPICS))
        for name in TOPICS:
            click.echo(f"{name:<{width}}  {summary(name)}")
        if not listing:
            click.echo(f"\n{USAGE}")
        return
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
