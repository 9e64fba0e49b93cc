"""gtp-capture help: the pages of the manual in the terminal."""

from __future__ import annotations

import difflib
import os
import re

import click

from ..teach.manual import INDEX, page, shown, topics
from .options import language_option


def find(word: str) -> str:
    """Return the topic of a name, or the topic beside which the index has a command. UsageError: there is none."""
    names = topics()
    if word in names:
        return word
    for topic, commands in re.findall(r"^- \[([\w-]+)\]\S+ (.*)$", page(INDEX), re.MULTILINE):
        if f"`{word}`" in commands:
            return str(topic)
    near = difflib.get_close_matches(word.lower(), names, n=3, cutoff=0.5)
    advice = f"did you mean {', '.join(near)}?" if near else "gtp-capture help lists the pages"
    raise click.UsageError(f"no page {word!r}: {advice}")


@click.command(
    help="""Show a page of the manual.

    TOPIC is a page, or a command whose options a page lists. Without TOPIC all pages are listed. The pages install,
    first-lesson, class and troubleshooting are there in each language.
    """,
)
@click.argument("topic", default=INDEX)
@language_option
def help(topic: str, language: str) -> None:
    text = shown(find(topic), language)
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
