"""The tables of the manual that are made from the program: python -m tests.support.manual writes them into the pages.

A table stands below a line `<!-- table: NAME -->`, up to the next empty line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from gtp_capture.cli import levels
from gtp_capture.cli.app import cli
from gtp_capture.go.rules import PRESETS, Scoring
from gtp_capture.teach import sentences
from gtp_capture.tutor.game import GameSession
from gtp_capture.tutor.problem import ProblemSession
from gtp_capture.tutor.session import SessionCommand

from .paths import MANUAL

TABLE: Final = re.compile(r"<!-- table: (?P<name>.+) -->\n(?P<rows>(?:\|.*\n)*)")


def commands(group: click.Group = cli, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands, each with the words that call it."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        words = f"{path} {name}".strip()
        yield words, command
        if isinstance(command, click.Group):
            yield from commands(command, words)


def all_commands() -> list[tuple[str, click.Command]]:
    """Return the program itself and all its commands."""
    return [("gtp-capture", cli), *commands()]


def markdown(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in [head, *rows]]
    return "".join([lines[0], f"|{'---|' * len(head)}\n", *lines[1:]])


def options(command: click.Command) -> str:
    """Return the options of a command: name, meaning, default; "" if `--help` is the only one."""
    context = click.Context(command, info_name="gtp-capture")
    rows = [
        _option(option, context) for option in command.params if isinstance(option, click.Option) and not option.hidden
    ]
    return markdown(("option", "meaning", "default"), rows) if rows else ""


def _option(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    kind, value, more = option.type, "", ""
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    text, _, default = " ".join((option.help or "").split()).partition(" [default: ")
    if isinstance(kind, click.Choice):
        choices = option.metavar.strip("[]").split("|") if option.metavar else kind.choices
        more = ", ".join(f"`{choice}`" for choice in choices)
    elif isinstance(kind, click.IntRange | click.FloatRange):
        value = "N"
        if kind.max is not None:
            more = f"{'above ' if kind.min_open else ''}{kind.min:,} to {kind.max:,.15g}"
    elif not option.is_flag and not option.count:
        value = option.metavar or ("N" if kind in (click.INT, click.FLOAT) else kind.name.upper())
    if value:
        names = f"{names[:-1]} {value}`"
    if more:
        text = f"{text.removesuffix('.')} ({more})."
    return names, text, default.removesuffix("]") or _default(option, context)


def _default(option: click.Option, context: click.Context) -> str:
    if isinstance(option.show_default, str):
        return option.show_default
    default = option.get_default(context)
    if option.show_default is False or not isinstance(default, (str, int, float)):
        return ""
    if option.secondary_opts:
        return f"`{(option.opts if default else option.secondary_opts)[0]}`"
    return "" if option.is_flag else f"`{default}`"


def rules() -> str:
    """Return the presets."""
    rows = []
    for name, preset in PRESETS.items():
        count = preset.captures
        won_by = preset.scoring if count is None else f"{count} prisoner{'s' if count > 1 else ''}"
        suicide = "legal" if preset.suicide else "illegal"
        komi = "" if preset.scoring is Scoring.NONE else f"{preset.komi:g} ({preset.small_komi:g})"
        rows.append((f"`{name}`", won_by, suicide, str(preset.ko), str(preset.passing), komi))
    return markdown(("preset", "won by", "suicide", "ko", "passing", "komi (sides below 13)"), rows)


def words(entries: dict[str, tuple[str, str]]) -> str:
    """Return words that a person types, each with what follows it and what it does."""
    return markdown(
        ("word", "what it does"), [(f"`{f'{w} {use}'.strip()}`", does) for w, (use, does) in entries.items()]
    )


def words_of(entries: Mapping[str, SessionCommand]) -> dict[str, tuple[str, str]]:
    """Return the words of a session, each with what follows it and its whole help."""
    table, keys = sentences.table(), {name: f"{word.group}.command.{name}" for name, word in entries.items()}
    helps = {name: [table[k] for k in (key, f"{key}.more") if k in table] for name, key in keys.items()}
    return {name: (word.usage, ". ".join(helps[name])) for name, word in entries.items()}


def tables() -> dict[str, Callable[[], str]]:
    """All tables by their names."""
    in_play, in_problems = (words_of(kind.COMMANDS) for kind in (GameSession, ProblemSession))
    level_rows = [(number, f"`{name}`", *rest) for number, name, *rest in levels.rows()]
    return {
        **{f"options of {path}": partial(options, command) for path, command in all_commands()},
        "rules": rules,
        "levels": lambda: markdown(levels.HEAD, level_rows),
        "words of play": lambda: words(in_play),
        "words of problems": lambda: words(in_problems),
    }


def updated(text: str) -> str:
    """Return the text of a page with its tables made anew. KeyError: there is no such table."""
    made = tables()
    return TABLE.sub(lambda table: f"<!-- table: {table['name']} -->\n{made[table['name']]()}", text)


def main(folder: Path = MANUAL) -> None:
    """Write all tables anew."""
    for path in sorted(folder.glob("*.md")):
        path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
