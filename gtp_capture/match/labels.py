"""Distinct names for the engines of a match."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from .process import NAME_LENGTH
from .text import one_line


def labels(names: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Return a distinct name for each engine: equal names are followed by the parts of the commands that differ.

    If the commands are equal too, or a name would be too long, a number follows instead.
    """
    found = list(names)
    for name in set(names):
        places = [place for place, other in enumerate(names) if other == name]
        if len(places) > 1:
            longer = [f"{name} {rest}".strip() for rest in differences([commands[place] for place in places])]
            for place, label in zip(places, longer, strict=True):
                found[place] = one_line(label)
    if len(set(found)) == len(found) and all(len(label) <= NAME_LENGTH for label in found):
        return found
    return _numbered(names)


def _numbered(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for place, name in enumerate(names, 1):
        label, number = name, place
        while names.count(name) > 1 and (label in found or label in names):
            label = f"{name[: NAME_LENGTH - 4].rstrip()}[{number}]"
            number += len(names)
        found.append(label)
    return found


def differences(commands: Sequence[str]) -> list[str]:
    """Return, for each command, its options and their values that some other command lacks."""
    parts = [_parts(command) for command in commands]
    return [" ".join(part for part in own if not all(part in other for other in parts)) for own in parts]


def _parts(command: str) -> list[str]:
    """Split a command into words, each option joined with the values that follow it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return [command]
    parts: list[str] = []
    for word in words:
        if parts and parts[-1].startswith("-") and not word.startswith("-"):
            parts[-1] += f" {word}"
        else:
            parts.append(word)
    return parts
